"""How the packaged networks keep their weights: as half-precision floats, in half the space.

Rounding moves no log-odds by more than 0.012, as measured on random pictures. Each array is
followed by a `Cast`, so that the file is valid ONNX; OpenCV does that cast when it loads the file,
and computes in single precision.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import GraphProto, TensorProto, helper, numpy_helper

WIDENED = ".single"  # after the name of a stored array: the same in single precision


def store_in_half_precision(path: Path) -> None:
    """Rewrite a network's file, its weights in half precision; vectors such as biases stay."""
    model = onnx.load(str(path))
    graph = model.graph
    casts = []
    for stored in graph.initializer:
        if stored.data_type != TensorProto.FLOAT or len(stored.dims) < 2:
            continue
        for node in graph.node:
            for at, name in enumerate(node.input):
                if name == stored.name:
                    node.input[at] = name + WIDENED
        casts.append(
            helper.make_node("Cast", [stored.name], [stored.name + WIDENED], to=TensorProto.FLOAT)
        )
        half = numpy_helper.to_array(stored).astype(np.float16)
        stored.CopyFrom(numpy_helper.from_array(half, stored.name))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def stored_weights(graph: GraphProto) -> dict[str, NDArray[np.float32]]:
    """The arrays of a packaged network in single precision, by the names that its layers use."""
    arrays = {}
    for stored in graph.initializer:
        array = numpy_helper.to_array(stored)
        name = stored.name + (WIDENED if array.dtype == np.float16 else "")
        arrays[name] = array.astype(np.float32)
    return arrays
