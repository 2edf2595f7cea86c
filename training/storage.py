"""How the packaged networks keep their weights: in half the space, or a quarter.

As half-precision floats rounding moves no log-odds by more than 0.012, as measured on random
pictures; each array is followed by a `Cast`, so that the file is valid ONNX. As whole numbers, with
a factor for each output of a layer, it moves them by up to 0.11; a `DequantizeLinear` follows.
ONNX Runtime does either once, when it opens the file, and computes in single precision.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import GraphProto, TensorProto, helper, numpy_helper

WIDENED = ".single"  # after the name of a stored array: the same in single precision
FACTORS = ".factors"  # after the name of an array of whole numbers: what they are multiplied by


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


def shorten_names(path: Path) -> None:
    """Number what layers hand on: where it was computed in PyTorch is a fifth of a small file."""
    model = onnx.load(str(path))
    kept = {output.name for output in model.graph.output}
    handed_on = [name for node in model.graph.node for name in node.output if name not in kept]
    taken = {stored.name for stored in model.graph.initializer}  # constants that were handed on
    free = (name for number in count() if (name := f"_{number}") not in taken)
    short = dict(zip(handed_on, free, strict=False))
    for node in model.graph.node:
        node.name = ""
        node.input[:] = [short.get(name, name) for name in node.input]
        node.output[:] = [short.get(name, name) for name in node.output]
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


MAX_EXACT = 1000  # numbers of an array that stays in half precision: there is little to save
LARGEST = 127  # whole number


def store_as_whole_numbers(path: Path) -> None:
    """Rewrite a file of `store_in_half_precision`: its large arrays as int8, with their factors."""
    model = onnx.load(str(path))
    graph = model.graph
    stored = {array.name: array for array in graph.initializer}
    products = {name for node in graph.node if node.op_type == "MatMul" for name in node.input}
    for cast in graph.node:
        array = stored.get(cast.input[0]) if cast.op_type == "Cast" else None
        if array is None or np.prod(array.dims) <= MAX_EXACT:
            continue
        weights = numpy_helper.to_array(array).astype(np.float32)
        output = 1 if cast.output[0] in products else 0  # a product's outputs are its columns
        others = tuple(axis for axis in range(weights.ndim) if axis != output)
        factors = np.maximum(np.abs(weights).max(axis=others, keepdims=True), 1e-8) / LARGEST
        whole = np.round(weights / factors).astype(np.int8)
        array.CopyFrom(numpy_helper.from_array(whole, array.name))
        factor_name = array.name + FACTORS
        graph.initializer.append(numpy_helper.from_array(factors.ravel(), factor_name))
        cast.op_type = "DequantizeLinear"
        del cast.attribute[:]
        cast.input.append(factor_name)
        cast.attribute.append(helper.make_attribute("axis", output))
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def stored_weights(graph: GraphProto) -> dict[str, NDArray[np.float32]]:
    """The arrays of a packaged network in single precision, by the names that its layers use."""
    stored = {array.name: numpy_helper.to_array(array) for array in graph.initializer}
    arrays = {
        name: array
        for name, array in stored.items()
        if array.dtype == np.float32 and not name.endswith(FACTORS)
    }
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in stored:
            arrays[node.output[0]] = stored[node.input[0]].astype(np.float32)
        elif node.op_type == "DequantizeLinear" and node.input[0] in stored:
            whole, factors = (stored[name] for name in node.input[:2])  # the zero is 0
            shape = np.ones(whole.ndim, int)
            if factors.ndim:
                shape[next(each.i for each in node.attribute)] = -1
            arrays[node.output[0]] = (whole * factors.reshape(shape)).astype(np.float32)
    return arrays
