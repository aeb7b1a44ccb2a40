"""Step 5: write a table as the model that the product ships: files that fastembed runs as they are.

`python -m training.export IN OUT` writes `model.onnx` (int8 rows with one scale each), `tokenizer.json`,
`tokenizer_config.json`, and what the product asks of a model's folder, `pilotfish-model.toml`. fastembed scales what
the graph gives to length 1.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import onnx  # type: ignore[import-not-found,unused-ignore]
from onnx import TensorProto, helper, numpy_helper

from training.table import ASCII_WORDS, CLS, MAX_TOKENS, PAD, SEP, UNK, Rows, Table, load

_OPSET = 17
_IR_VERSION = 8
"""What onnxruntime releases of several years read."""

_DECLARATION = f"""\
kind = "table"
pooling = "none"
words = "{ASCII_WORDS}"
query_prefix = ""
passage_prefix = ""
"""


def quantised(rows: Rows) -> tuple[np.ndarray, np.ndarray]:
    """Round rows to int8; returns them and the scale of each."""
    scales = np.maximum(np.abs(rows).max(1, keepdims=True), 1e-12) / 127
    return np.round(rows / scales).astype(np.int8), scales.astype(np.float32)


def model_of(values: np.ndarray, scales: np.ndarray) -> onnx.ModelProto:
    """The ONNX graph: the sum of the rows of the tokens, times their scales. Padding tokens are zero already, and a sum
    points where the mean does."""
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["rows", "input_ids"], ["values"]),
            helper.make_node("Cast", ["values"], ["floats"], to=TensorProto.FLOAT),
            helper.make_node("Gather", ["scales", "input_ids"], ["scale"]),
            helper.make_node("Mul", ["floats", "scale"], ["tokens"]),
            helper.make_node("ReduceSum", ["tokens", "axes"], ["sum"], keepdims=0),
        ],
        "table",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "sequence"])],
        [helper.make_tensor_value_info("sum", TensorProto.FLOAT, ["batch", values.shape[1]])],
        [
            numpy_helper.from_array(values, "rows"),
            numpy_helper.from_array(scales, "scales"),
            numpy_helper.from_array(np.array([1], np.int64), "axes"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], producer_name="pilotfish")
    model.ir_version = _IR_VERSION
    onnx.checker.check_model(model)
    return model


def export(table: Table, folder: Path) -> None:
    """Write the files of a table."""
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model_of(*quantised(table.rows)), folder / "model.onnx")
    table.tokenizer.no_truncation()
    table.tokenizer.no_padding()
    (folder / "tokenizer.json").write_text(table.tokenizer.to_str(pretty=False), "utf-8")
    configuration = {
        "model_max_length": MAX_TOKENS,
        "pad_token": PAD,
        "cls_token": CLS,
        "sep_token": SEP,
        "unk_token": UNK,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(configuration, indent=1) + "\n", "utf-8")
    (folder / "pilotfish-model.toml").write_text(_DECLARATION, "utf-8")


def main() -> None:
    """Export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    export(load(arguments.table), arguments.out)


if __name__ == "__main__":
    main()
