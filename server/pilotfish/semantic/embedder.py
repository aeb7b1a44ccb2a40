"""Texts to vectors, by a model that fastembed runs.

Importing this module is cheap; loading a model imports fastembed and onnxruntime, half a second and a hundred
megabytes. Vectors have unit length, or are zero for a text in which there is nothing to compare.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from pilotfish.semantic.models import (
    TRANSFORMER_TOKENS,
    Files,
    Kind,
    Model,
    ModelError,
    ModelSettings,
    identity,
    is_local,
    local_files,
    prefixes,
)
from pilotfish.semantic.words import WordTokenizer

if TYPE_CHECKING:
    import numpy as np
    from fastembed.text.text_embedding_base import TextEmbeddingBase
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

TABLE_BATCH: Final = 32
"""Texts that the table is given at once. More take more memory (16: 150 MB, 256: 950 MB) and no less time."""

TRANSFORMER_BATCH: Final = 16
"""The same for other models, whose memory grows with the square of the length."""

MOST_CHARACTERS: Final = 20_000
"""Of a text, so much is looked at: a tokenizer reads all that it is given before it cuts."""

TABLE_THRESHOLD: Final = 0.25
TRANSFORMER_THRESHOLD: Final = 0.3

_REACH_S: Final = 10.0
_POOLINGS: Final = {"mean": "MEAN", "cls": "CLS", "last": "LAST_TOKEN", "none": "DISABLED"}
_LAYOUT: Final = 1
"""Of what is done with a text besides the model; part of a model's id."""


class Embedder:
    """A loaded model. Any number of threads may ask at once; `use_threads` is for one that works through many texts."""

    def __init__(self, model: Model, load: Callable[[int], TextEmbeddingBase], loaded: TextEmbeddingBase) -> None:
        """Use `Embedder.load`."""
        self.model = model
        self._load = load
        self._loaded = loaded
        self._threads = 1

    @classmethod
    def load(cls, settings: ModelSettings) -> Embedder:
        """Load the model that the settings name.

        Raises:
            ModelError: it is not there, cannot be read, or would have to be fetched and must not be.

        """
        os.environ["TOKENIZERS_PARALLELISM"] = "false"
        if settings.network:
            os.environ.pop("HF_HUB_OFFLINE", None)
        else:
            os.environ["HF_HUB_OFFLINE"] = "1"
        os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # ONNX Runtime else leaves a device id in the user's cache
        return _load_local(settings) if is_local(settings) else _load_known(settings)

    @property
    def batch(self) -> int:
        """How many texts are best given at once."""
        return TABLE_BATCH if self.model.kind == "table" else TRANSFORMER_BATCH

    def use_threads(self, number: int) -> None:
        """Use so many processor cores for the batches that follow; 1 leaves room for whoever types meanwhile."""
        os.environ["TOKENIZERS_PARALLELISM"] = "true" if number > 1 else "false"  # read at every batch
        if number != self._threads and self.model.kind == "transformer":
            self._loaded = self._load(number)
        self._threads = number

    def passages(self, texts: Sequence[str]) -> Floats:
        """Return a vector for each text that is to be found.

        Raises:
            ModelError: the model fails on one of them.

        """
        return self._vectors(self.model.passage_prefix, texts, self._loaded.passage_embed)

    def queries(self, texts: Sequence[str]) -> Floats:
        """Return a vector for each text that is asked for. Raises as `passages`."""
        return self._vectors(self.model.query_prefix, texts, self._loaded.query_embed)

    def _vectors(self, prefix: str, texts: Sequence[str], embed: Callable[..., Iterable[Any]]) -> Floats:
        """Embed in order of length, so that texts of one batch need little padding; blank ones are not embedded."""
        import numpy as np

        prepared = [(prefix + _encodable(text))[:MOST_CHARACTERS] for text in texts]
        order = sorted((at for at, text in enumerate(texts) if text.strip()), key=lambda at: len(prepared[at]))
        vectors = np.zeros((len(texts), self.model.dims), np.float32)
        if order:
            try:
                found = list(embed([prepared[at] for at in order], batch_size=self.batch))
            except Exception as error:  # whatever the model's runtime raises
                raise ModelError(f"the model {self.model.name} fails: {_one_line(error)}") from error
            vectors[order] = _unit(np.asarray(found, np.float32))
        return vectors


# --- models of a folder ----------------------------------------------------------------------------------------------


def _load_local(settings: ModelSettings) -> Embedder:
    files = local_files(settings)
    declared = files.declared
    most = _most_tokens(settings, declared.kind, declared.max_tokens)
    query, passage = prefixes(settings, files.name, declared)
    model_id = identity(
        files.name,
        [files.folder / files.model, *(files.folder / name for name in ("tokenizer.json", "tokenizer_config.json"))],
        (_LAYOUT, passage, most, declared.pooling, declared.output),
    )

    def load(threads: int) -> TextEmbeddingBase:
        return _told(files.name, lambda: _loaded_folder(files, model_id, threads), most)

    threshold = declared.threshold
    if threshold is None:
        threshold = TABLE_THRESHOLD if declared.kind == "table" else TRANSFORMER_THRESHOLD
    return _embedder(
        Model(
            id=model_id,
            name=files.name,
            dims=0,
            kind=declared.kind,
            query_prefix=query,
            passage_prefix=passage,
            threshold=threshold,
        ),
        load,
    )


def _loaded_folder(files: Files, name: str, threads: int) -> TextEmbeddingBase:
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType
    from fastembed.text.custom_text_embedding import CustomTextEmbedding

    class FolderEmbedding(CustomTextEmbedding):
        """A model of ours: fastembed's own way, without the places of tokens in the text, a tenth of the time, and
        from the tokens of words where the folder says what these are."""

        _words: WordTokenizer | None = None

        def load_onnx_model(self) -> None:
            super().load_onnx_model()
            if files.declared.words and self.tokenizer is not None:
                self._words = WordTokenizer(self.tokenizer, files.declared.words)

        def tokenize(self, documents: list[str], **kwargs: Any) -> list[Any]:
            assert self.tokenizer is not None
            if self._words is not None:
                return self._words.encode_batch(documents)
            return self.tokenizer.encode_batch_fast(documents)

    if name not in CustomTextEmbedding.POSTPROCESSING_MAPPING:
        TextEmbedding.add_custom_model(
            model=name,
            pooling=PoolingType[_POOLINGS[files.declared.pooling or "mean"]],
            normalization=True,
            sources=ModelSource(hf="none/none"),  # must be there, and is never asked
            dim=0,
            model_file=files.model,
            output_name=files.declared.output or None,
        )
    return FolderEmbedding(name, specific_model_path=str(files.folder), threads=threads, cuda=False)


# --- models that fastembed knows -------------------------------------------------------------------------------------


def _load_known(settings: ModelSettings) -> Embedder:
    from fastembed import TextEmbedding

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of models that have changed since
        described = next(
            (each for each in TextEmbedding.list_supported_models() if each["model"].lower() == settings.name.lower()),
            None,
        )
    if described is None:
        raise ModelError(
            f"{settings.name} is neither a folder nor a model that fastembed knows. Set semantic.model to one of "
            "its names, such as BAAI/bge-small-en-v1.5, to the absolute path of a folder, or to built-in"
        )
    name = str(described["model"])
    kind: Kind = "table" if str(described["model_file"]).endswith(".safetensors") else "transformer"
    most = _most_tokens(settings, kind, 0)
    folder = _folder_of_known(name, described, settings)
    query, passage = prefixes(settings, name)
    parts = [described["model_file"], *described["additional_files"], "tokenizer.json"]
    model_id = identity(
        name, [folder / part for part in parts if (folder / part).is_file()], (_LAYOUT, passage, most, name)
    )

    def load(threads: int) -> TextEmbeddingBase:
        options: dict[str, Any] = {} if kind == "table" else {"threads": threads, "cuda": False}
        return _told(name, lambda: TextEmbedding(name, specific_model_path=str(folder), **options).model, most)

    return _embedder(
        Model(
            id=model_id,
            name=name,
            dims=0,
            kind=kind,
            query_prefix=query,
            passage_prefix=passage,
            threshold=TABLE_THRESHOLD if kind == "table" else TRANSFORMER_THRESHOLD,
        ),
        load,
    )


def _folder_of_known(name: str, described: Mapping[str, Any], settings: ModelSettings) -> Path:
    """Return the folder with the model's files, fetching them if the user allows it.

    fastembed by itself would try three times, with pauses of 39 seconds, even where there is no network.
    """
    from fastembed import TextEmbedding
    from loguru import logger

    logger.disable("fastembed")  # what it has to say is in our own message
    fetched = settings.fetched or None
    try:
        found = TextEmbedding(name, cache_dir=fetched, local_files_only=True, lazy_load=True)
    except (ValueError, OSError):
        if not settings.network:
            raise ModelError(
                f"the model {name} is not on this machine, and fetching it needs the network: set network.enabled = "
                "true in your own settings file, or semantic.model to a folder that holds it"
            ) from None
        _reach(name, str(described["sources"]["hf"]))
        try:
            found = TextEmbedding(name, cache_dir=fetched, lazy_load=True)
        except Exception as error:
            raise ModelError(f"the model {name} could not be fetched: {_one_line(error)}") from error
    owner: Any = found.model
    return Path(owner._model_dir)


def _reach(name: str, repository: str) -> None:
    """Ask the hub for the model once, so that one that cannot be reached is known at once."""
    import huggingface_hub

    try:
        huggingface_hub.model_info(repository, timeout=_REACH_S)
    except Exception as error:
        raise ModelError(f"the model {name} cannot be fetched, the hub was not reached: {_one_line(error)}") from error


# --- both ------------------------------------------------------------------------------------------------------------


def _embedder(model: Model, load: Callable[[int], TextEmbeddingBase]) -> Embedder:
    """Make an embedder of a model whose number of dimensions the first text tells."""
    loaded = load(1)
    try:
        (vector,) = loaded.embed(["def first(): pass"])
    except Exception as error:
        raise ModelError(f"the model {model.name} does not work: {_one_line(error)}") from error
    if vector.ndim != 1:
        raise ModelError(f"the model {model.name} gives several vectors for a text; its pooling is not `none`")
    return Embedder(msgspec.structs.replace(model, dims=len(vector)), load, loaded)


def _told(name: str, load: Callable[[], TextEmbeddingBase], most_tokens: int) -> TextEmbeddingBase:
    """Load a model that reads so many tokens of a text, 0 for all that it can, and say what is wrong if it cannot."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            loaded = load()
    except Exception as error:
        raise ModelError(f"the model {name} cannot be loaded: {_one_line(error)}") from error
    tokenizer = getattr(loaded, "tokenizer", None)
    if most_tokens and tokenizer is not None and tokenizer.truncation:
        truncation = tokenizer.truncation
        tokenizer.enable_truncation(
            max_length=min(most_tokens, truncation["max_length"]), direction=truncation["direction"]
        )
    return loaded


def _most_tokens(settings: ModelSettings, kind: Kind, declared: int) -> int:
    return settings.max_tokens or declared or (TRANSFORMER_TOKENS if kind == "transformer" else 0)


def _unit(vectors: Floats) -> Floats:
    """Return vectors of unit length; what is no number counts as nothing."""
    import numpy as np

    vectors = np.nan_to_num(vectors, nan=0.0, posinf=0.0, neginf=0.0)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 1e-9)
    return unit


def _encodable(text: str) -> str:
    """Return a text that the tokenizer can take: it refuses what UTF-8 cannot carry."""
    return text[:MOST_CHARACTERS].encode("utf-8", "replace").decode("utf-8")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
