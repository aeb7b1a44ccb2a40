"""Clojure's imports: namespaces are paths."""

from __future__ import annotations

import pytest
from resolution import Workspace

APP = Workspace("clojure", ["src/my/app_core.clj", "src/my/app_core.cljs", "src/my/util.cljc", "lib/src/my/util.cljc"])
CORE = "src/my/app_core.clj src/my/app_core.cljs"


@pytest.mark.parametrize(
    ("importer", "text", "expected"),
    [
        ("src/my/util.cljc", "(ns my.util (:require [my.app-core :as core]))", [f"core = *: {CORE}"]),
        ("src/my/util.cljc", "(ns my.util (:require my.app-core))", [f" = *: {CORE}"]),
        ("src/my/util.cljc", "(ns my.util (:require (my [app-core :as c])))", None),
        (
            "src/my/app_core.clj",
            "(ns my.app-core (:require [my.util :refer [a b] :as u]))",
            ["a = a: src/my/util.cljc", "b = b: src/my/util.cljc", "u = *: src/my/util.cljc"],
        ),
        ("lib/src/x.clj", "(ns x (:use [my.util :only (a)]))", ["a = a: lib/src/my/util.cljc"]),
        ("lib/src/x.clj", "(require '[my.util :refer :all])", [" = *: lib/src/my/util.cljc"]),
        ("lib/src/x.clj", "(ns x (:require [clojure.set :as set]) (:import java.io.File (java.util Date)))", []),
    ],
)
def test_a_namespace_is_a_path(importer: str, text: str, expected: list[str] | None) -> None:
    assert APP.bound(importer, text) == ([f"c = *: {CORE}"] if expected is None else expected)
