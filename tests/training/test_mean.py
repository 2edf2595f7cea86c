"""The mean of two packaged networks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the extra train is not installed")
pytest.importorskip("torch", reason="the extra train is not installed")

from onnx import numpy_helper  # noqa: E402

from training.export import MODELS  # noqa: E402
from training.mean import mean_of  # noqa: E402
from training.storage import FACTORS, stored_weights  # noqa: E402


def packaged(name: str) -> Any:
    return onnx.load(str(MODELS / f"{name}.onnx"))


def shrunk(name: str, factor: float) -> Any:
    """The packaged network with all weights so many times as large."""
    model = packaged(name)
    names = [array.name for array in model.graph.initializer]
    whole = {name.removesuffix(FACTORS) for name in names if name.endswith(FACTORS)}
    for array in model.graph.initializer:
        if array.name not in whole:
            values = numpy_helper.to_array(array)
            array.CopyFrom(
                numpy_helper.from_array((factor * values).astype(values.dtype), array.name)
            )
    return model


@pytest.mark.parametrize("name", ["aligner", "fast_reader"])  # in half precision, whole numbers
def test_every_weight_is_the_mean_of_both(name: str) -> None:
    later, earlier = shrunk(name, 0.5), packaged(name)
    mean_of(later.graph, earlier.graph, 0.5)
    found, before = stored_weights(later.graph), stored_weights(earlier.graph)
    for key, weights in before.items():
        if weights.dtype.kind == "f":
            tolerance = 0.01 * np.abs(weights).max()
            assert np.allclose(found[key], 0.75 * weights, atol=tolerance), key
    onnx.checker.check_model(later)


def test_different_networks_have_no_mean() -> None:
    with pytest.raises(ValueError, match="different networks"):
        mean_of(packaged("fast_reader").graph, packaged("boxed_figures").graph, 0.5)


def test_a_quantized_network_has_no_mean() -> None:
    with pytest.raises(ValueError, match="quantized"):
        mean_of(packaged("reader").graph, packaged("reader").graph, 0.5)


def test_the_share_says_how_much_is_taken() -> None:
    later, earlier = shrunk("aligner", 0.0), packaged("aligner")
    mean_of(later.graph, earlier.graph, 1.0)
    assert all(not weights.any() for weights in stored_weights(later.graph).values())
