"""Networks are made smaller and means of two taken, and say nearly the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("onnx", reason="the extra train is not installed")

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from brikks_vision.detect.networks import open_session
from training.export import MODELS, export, load_packaged
from training.mean import mean_of
from training.quantize import QUANTIZED, last_layers, quantize
from training.storage import FACTORS, WIDENED, stored_weights


def classifier() -> nn.Module:
    """A small network of three layers, the last of them the one that gives the outputs."""
    torch.manual_seed(1)
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 16, 3, stride=2), nn.ReLU(),
        nn.Flatten(), nn.Linear(16 * 3 * 3, 4),
    )  # fmt: skip


def pictures(seed: int, count: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).random((count, 3, 8, 8), np.float32)


def said(path: Path, images: np.ndarray) -> np.ndarray:
    session = open_session(path.read_bytes())
    return np.asarray(session.run(None, {session.get_inputs()[0].name: images})[0])


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr("training.export.MODELS", tmp_path)
    yield export(classifier(), "classifier", torch.from_numpy(pictures(0, 2)))


def test_a_quantized_network_says_nearly_the_same(packaged: Path) -> None:
    images = pictures(9, 50)
    exact = said(packaged, images)
    quantize(packaged, [pictures(seed) for seed in range(1, 9)])
    there = said(packaged, images)
    assert (there != exact).any()
    np.testing.assert_allclose(there, exact, atol=0.15 * exact.std())


def test_the_layer_of_the_outputs_stays_as_it_is(packaged: Path) -> None:
    exact = onnx.load(str(packaged))
    weights = stored_weights(exact.graph)
    for number, node in enumerate(exact.graph.node):
        node.name = str(number)
    (name,) = last_layers(exact)
    (last,) = (node for node in exact.graph.node if node.name == name)
    quantize(packaged, [pictures(1)])
    kept = {array.name: array for array in onnx.load(str(packaged)).graph.initializer}
    assert last.op_type in ("Gemm", "MatMul")
    there = onnx.numpy_helper.to_array(kept[last.input[1].removesuffix(WIDENED)])
    np.testing.assert_array_equal(there, weights[last.input[1]])


def test_a_quantized_network_is_taken_up_again(packaged: Path) -> None:
    quantize(packaged, [pictures(seed) for seed in range(1, 5)])
    again, images = classifier(), pictures(7, 20)
    nn.init.zeros_(again[0].weight)
    load_packaged(again, packaged, None)
    with torch.no_grad():
        found = again(torch.from_numpy(images)).numpy()
    there = said(packaged, images)
    np.testing.assert_allclose(found, there, atol=0.15 * there.std())


@pytest.mark.parametrize("name", QUANTIZED)
def test_the_package_has_it_quantized(name: str) -> None:
    kinds = {node.op_type for node in onnx.load(str(MODELS / f"{name}.onnx")).graph.node}
    assert "QuantizeLinear" in kinds


# --- the mean of two packaged networks ------------------------------------------------------------


def in_package(name: str) -> Any:
    return onnx.load(str(MODELS / f"{name}.onnx"))


def shrunk(name: str, factor: float) -> Any:
    """The packaged network with all weights so many times as large."""
    model = in_package(name)
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
    later, earlier = shrunk(name, 0.5), in_package(name)
    mean_of(later.graph, earlier.graph, 0.5)
    found, before = stored_weights(later.graph), stored_weights(earlier.graph)
    for key, weights in before.items():
        if weights.dtype.kind == "f":
            tolerance = 0.01 * np.abs(weights).max()
            assert np.allclose(found[key], 0.75 * weights, atol=tolerance), key
    onnx.checker.check_model(later)


def test_different_networks_have_no_mean() -> None:
    with pytest.raises(ValueError, match="different networks"):
        mean_of(in_package("fast_reader").graph, in_package("boxed_figures").graph, 0.5)


def test_a_quantized_network_has_no_mean() -> None:
    with pytest.raises(ValueError, match="quantized"):
        mean_of(in_package("reader").graph, in_package("reader").graph, 0.5)


def test_the_share_says_how_much_is_taken() -> None:
    later, earlier = shrunk("aligner", 0.0), in_package("aligner")
    mean_of(later.graph, earlier.graph, 1.0)
    assert all(not weights.any() for weights in stored_weights(later.graph).values())
