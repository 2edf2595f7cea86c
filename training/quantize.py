"""Makes packaged networks compute in whole numbers, which takes a half to a third of the time.

``python -m training.quantize NAME FOLDER`` calibrates the ranges of what layers hand on with
samples that the network learnt from (static quantization, Jacob et al. 2018). It comes last, after
`training.calibrate`. The layers that give the outputs stay as they are. Which
networks are quantized is in ``QUANTIZED``: those whose readings do not change by it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import ModelProto, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static

from training.export import MODELS
from training.samples import parts_in
from training.storage import WIDENED, shorten_names, stored_weights
from training.tasks.table import TASKS

QUANTIZED = ("reader", "bars", "occlusion", "board_chips", "board_pieces")
"""In whole numbers the aligner places sheets otherwise, which made a total wrong, and the locator a
folded one by two cells; fast_reader and figures do not get faster."""
LAYERS = ("Conv", "Gemm", "MatMul")


class _Inputs(CalibrationDataReader):  # type: ignore[misc]
    """Inputs of a network one after the other, as the calibration asks for them."""

    def __init__(self, name: str, inputs: Iterable[NDArray[np.float32]]) -> None:
        self._rest: Iterator[dict[str, NDArray[np.float32]]] = iter(
            [{name: each} for each in inputs]
        )

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        return next(self._rest, None)


def in_single_precision(model: ModelProto) -> ModelProto:
    """The same network with all its weights as its layers use them."""
    graph, weights = model.graph, stored_weights(model.graph)
    stored = {array.name for array in graph.initializer}
    nodes = [node for node in graph.node if not (node.input and node.input[0] in stored)]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    used = sorted({name for node in nodes for name in node.input} & weights.keys())
    graph.initializer.extend(
        numpy_helper.from_array(np.ascontiguousarray(weights[name]), name.removesuffix(WIDENED))
        for name in used
    )
    for node in graph.node:
        node.input[:] = [name.removesuffix(WIDENED) for name in node.input]
    return model


def last_layers(model: ModelProto) -> list[str]:
    """The layers whose results reach the outputs through no other one."""
    by_output = {name: node for node in model.graph.node for name in node.output}
    reached, found = [output.name for output in model.graph.output], []
    while reached:
        node = by_output.get(reached.pop())
        if node is None:
            continue
        if node.op_type in LAYERS:
            found.append(node.name)
        else:
            reached.extend(node.input)
    return found


def quantize(path: Path, inputs: Iterable[NDArray[np.float32]]) -> None:
    """Rewrite a packaged network's file. ``inputs`` : what it may see, as it takes it.

    Weights have 7 bits: with 8, sums of products overflow on processors without VNNI.
    """
    model = in_single_precision(onnx.load(str(path)))
    for number, node in enumerate(model.graph.node):
        node.name = f"{node.op_type} {number}"
    with TemporaryDirectory() as folder:
        exact = Path(folder) / "exact.onnx"
        onnx.save(model, str(exact))
        quantize_static(
            exact,
            path,
            _Inputs(model.graph.input[0].name, inputs),
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=last_layers(model),
        )
    fold_constants(path)
    shorten_names(path)


def fold_constants(path: Path) -> None:
    """Rewrite a file with its constant parts computed: it opens in two thirds of the time.

    What it computes stays the same to the bit.
    """
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    folded = onnx.load(str(path))
    del folded.graph.value_info[:]  # shapes by the long names
    used = {node.domain for node in folded.graph.node}
    kept = [each for each in folded.opset_import if each.domain in used]
    del folded.opset_import[:]  # of all that ONNX Runtime knows
    folded.opset_import.extend(kept)
    onnx.save(folded, str(path))


def inputs_of(name: str, folders: list[Path], count: int, seed: int) -> list[NDArray[np.float32]]:
    """What a network sees of some of its samples."""
    task, rng = TASKS[name], np.random.default_rng(seed)
    samples = task.load(parts_in(folders))
    usable = np.flatnonzero(task.photos(samples) >= 0)
    chosen = rng.permutation(usable)[:count]
    found = []
    for each in chosen:
        images = task.batch(samples, np.array([each]), rng, False)["images"]
        found.append(images[0].numpy() if images.ndim > 4 else images.numpy())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=QUANTIZED)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--count", type=int, default=60, help="samples that calibrate")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    path = MODELS / f"{options.name}.onnx"
    quantize(path, inputs_of(options.name, options.folders, options.count, options.seed))
    print(path)


if __name__ == "__main__":
    main()
