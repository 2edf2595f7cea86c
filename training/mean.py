"""Sets a packaged network to the mean of itself and an earlier one, weight by weight.

``python -m training.mean NAME FOLDER`` takes the earlier one from a folder of packaged files. The
mean of both ends of a run mostly reads better than either (Wortsman et al. 2022, "Model soups"), as
long as the later one was trained on from the earlier one (``--resume`` of `training.train`).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import GraphProto, TensorProto, numpy_helper

from training.export import MODELS
from training.storage import FACTORS, LARGEST, stored_weights, weight_axes
from training.tasks.table import TASKS


def mean_of(later: GraphProto, earlier: GraphProto, share: float) -> None:
    """Set the weights of ``later`` to the mean, in place. ``share`` : of the later one, 0 to 1.

    Raises
    ------
    ValueError
        The graphs are different networks, or one is quantized.
    """
    if any(node.op_type == "QuantizeLinear" for graph in (later, earlier) for node in graph.node):
        raise ValueError("a quantized network has no mean: quantize comes last")
    ours, theirs = stored_weights(later), stored_weights(earlier)
    if {name: array.shape for name, array in ours.items()} != {
        name: array.shape for name, array in theirs.items()
    }:
        raise ValueError("the files hold different networks")
    axes, stored = weight_axes(later), {array.name: array for array in later.initializer}
    used = _names_in_use(later)
    for name, array in stored.items():
        if name.endswith(FACTORS):
            continue
        known = used.get(name, name)
        mean = share * ours[known] + (1 - share) * theirs[known]
        if array.data_type == TensorProto.INT8:
            _store_whole(array, stored[name + FACTORS], mean, axes[name])
        else:
            kind = numpy_helper.to_array(array).dtype
            array.CopyFrom(numpy_helper.from_array(mean.astype(kind), name))


def _names_in_use(graph: GraphProto) -> dict[str, str]:
    """By the name of a stored array that of what its layers use, see `training.storage`."""
    kinds = ("Cast", "DequantizeLinear")
    return {node.input[0]: node.output[0] for node in graph.node if node.op_type in kinds}


def _store_whole(
    array: TensorProto, factors: TensorProto, weights: NDArray[np.float32], axis: int
) -> None:
    others = tuple(other for other in range(weights.ndim) if other != axis)
    scale = np.maximum(np.abs(weights).max(axis=others, keepdims=True), 1e-8) / LARGEST
    array.CopyFrom(numpy_helper.from_array(np.round(weights / scale).astype(np.int8), array.name))
    factors.CopyFrom(numpy_helper.from_array(scale.ravel().astype(np.float32), factors.name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=sorted(TASKS))
    parser.add_argument("folder", type=Path, help="with the earlier network's files")
    parser.add_argument("--share", type=float, default=0.5, help="of the packaged one, 0 to 1")
    options = parser.parse_args()
    path = MODELS / f"{TASKS[options.name].package or options.name}.onnx"
    model = onnx.load(str(path))
    mean_of(model.graph, onnx.load(str(options.folder / path.name)).graph, options.share)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    print(path)


if __name__ == "__main__":
    main()
