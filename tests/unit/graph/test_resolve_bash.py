"""What shells source: from the script's folder, from the root, and from a folder that a script computes."""

from __future__ import annotations

import pytest
from resolution import Workspace

TREE = Workspace("bash", ["ci/run.sh", "ci/lib/log.sh", "ci/steps/test.sh", "env.sh", "ci/config"])


@pytest.mark.parametrize(
    ("script", "statement", "expected"),
    [
        ("ci/run.sh", "source ./lib/log.sh", "ci/lib/log.sh"),
        ("ci/run.sh", ". lib/log.sh", "ci/lib/log.sh"),
        ("ci/run.sh", "source env.sh", "env.sh"),
        ("ci/run.sh", '. "$(dirname "$0")/lib/log.sh"', "ci/lib/log.sh"),
        ("ci/steps/test.sh", 'source "${BASH_SOURCE%/*}/../lib/log.sh"', "ci/lib/log.sh"),
        ("ci/steps/test.sh", 'source "$ROOT/ci/lib/log.sh"', "ci/lib/log.sh"),
        ("ci/steps/test.sh", "source $CI_DIR/lib/log.sh", "ci/lib/log.sh"),
        ("ci/steps/test.sh", '. "$(cd "$(dirname "$0")" && pwd)/../lib/log.sh"', "ci/lib/log.sh"),
    ],
)
def test_a_sourced_file_is_in_the_tree(script: str, statement: str, expected: str) -> None:
    assert TREE.bound(script, statement) == [f"* = *: {expected}"]


@pytest.mark.parametrize(
    "statement", ["source log.sh", "source $NAME", ". /env.sh", '. "$HOME/config"', ". ${XDG_CONFIG_HOME:-x}/config"]
)
def test_what_lies_elsewhere_has_no_files(statement: str) -> None:
    assert TREE.bound("ci/run.sh", statement) == []
