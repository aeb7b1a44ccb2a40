"""Measure how fast an exported table embeds through fastembed, in chunks a CPU second.

`python -m training.speed MODEL PASSAGES` embeds the passages that `training.evaluate --cache` kept, on one thread, and
checks that the vectors are those of the table before it was exported (`--table`).
"""

from __future__ import annotations

import argparse
import logging
import os
import time
from pathlib import Path

import msgspec
import numpy as np
import onnx  # type: ignore[import-not-found,unused-ignore]

from training.evaluate import Passage
from training.table import load

log = logging.getLogger("training.speed")
_BATCHES = (16, 32, 64, 128)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("passages", type=Path)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--count", type=int, default=4_000)
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    os.environ.update(TOKENIZERS_PARALLELISM="false", HF_HUB_OFFLINE="1")
    # Imported late: it reads the environment.
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    stored = msgspec.msgpack.decode(arguments.passages.read_bytes(), type=list[tuple[str, str, list[Passage]]])
    texts = [passage.text for _, _, passages in stored for passage in passages][: arguments.count]
    output = onnx.load(arguments.model / "model.onnx").graph.output[0]
    TextEmbedding.add_custom_model(
        model="training/table",
        pooling=PoolingType.DISABLED,
        normalization=True,
        sources=ModelSource(hf="training/none"),
        dim=output.type.tensor_type.shape.dim[-1].dim_value,
        model_file="model.onnx",
    )
    model = TextEmbedding("training/table", specific_model_path=str(arguments.model), threads=1)
    for batch in _BATCHES:
        started = time.process_time()
        vectors = np.array(list(model.embed(texts, batch_size=batch)))
        log.info("batches of %d: %.0f chunks a CPU second", batch, len(texts) / (time.process_time() - started))
    if arguments.table is not None:
        cosines = (vectors * load(arguments.table).embed(texts)).sum(1)
        log.info("cosine with the table before export: mean %.5f, least %.5f", cosines.mean(), cosines.min())


if __name__ == "__main__":
    main()
