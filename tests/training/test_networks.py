"""What is packaged computes what was trained. Needs the `train` extra."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from brikks_vision.detect import networks
from brikks_vision.detect.marks import (
    PATCH_SIDE,
    bar_centres,
    bar_counts,
    bar_logits,
    bar_templates,
)
from brikks_vision.detect.pen import ink_likeness
from brikks_vision.games.brikks.reading import BOMBS, BOXES, RINGS, STRIKES
from brikks_vision.layout import load_layout

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("scipy")

import onnx  # noqa: E402

from training import calibrate, export, storage  # noqa: E402
from training import networks as trained_networks  # noqa: E402
from training.tasks.sheet_marks import by_mark  # noqa: E402
from training.tasks.table import TASKS  # noqa: E402
from training.tasks.task import as_input  # noqa: E402

SHEET = load_layout("brikks-light")
BARS = (RINGS, STRIKES, BOXES, BOMBS)
PEN = np.array([[220, 230, 235], [120, 60, 30]], np.float32)


@pytest.fixture
def patches() -> NDArray[np.uint8]:
    shape = (len(bar_centres(SHEET)), PATCH_SIDE, PATCH_SIDE, 3)
    return np.random.default_rng(1).integers(0, 256, shape, np.uint8)


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that the networks are written to and read from."""
    monkeypatch.setattr(export, "MODELS", tmp_path)
    monkeypatch.setattr(calibrate, "MODELS", tmp_path)
    monkeypatch.setattr(
        networks,
        "_session",
        lambda name: networks.open_session((tmp_path / f"{name}.onnx").read_bytes()),
    )
    return tmp_path


def as_seen(patches: NDArray[np.uint8]) -> torch.Tensor:
    layers = [patches, bar_templates(SHEET)[..., None], ink_likeness(patches, PEN)]
    return as_input(list(np.concatenate(layers, axis=-1)))


def any_network(seed: int) -> torch.nn.Module:
    torch.manual_seed(seed)
    net = TASKS["bars"].network().eval()
    for layer in net.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            torch.nn.init.normal_(layer.bias, 0, 0.1)
            torch.nn.init.normal_(layer.running_mean, 0, 0.1)
    torch.nn.init.normal_(net.hand.last.weight, 0, 0.3)
    return net


def by_network(net: torch.nn.Module, patches: NDArray[np.uint8]) -> NDArray[np.float64]:
    with torch.no_grad():
        logits = by_mark(net(as_seen(patches)))
    return np.concatenate([logits[key][0].numpy() for key in BARS])


def by_package(patches: NDArray[np.uint8]) -> NDArray[np.float64]:
    marks = bar_logits(patches, PEN, SHEET)
    return np.concatenate([marks[key] for key in BARS])


def test_the_package_reads_bars_as_the_trained_network_does(
    packaged: Path, patches: NDArray[np.uint8]
) -> None:
    net = any_network(1)
    export.export(net, "bars", as_seen(patches))
    np.testing.assert_allclose(by_package(patches), by_network(net, patches), atol=0.01)


@pytest.mark.parametrize("struck", [0, 1, 9])
def test_a_mark_is_compared_with_the_others_of_its_field(struck: int) -> None:
    noise, counts = np.random.default_rng(struck), bar_counts(SHEET)
    judged = noise.normal(0, 3, (sum(counts), 4 + trained_networks.STYLE)).astype(np.float32)
    judged[: counts[0], 1] = -30
    judged[:struck, 1] = 30
    beside = trained_networks.beside_others(torch.from_numpy(judged)[None], counts)[0].numpy()
    others_struck = np.full(counts[0], struck) - (np.arange(counts[0]) < struck)
    shares = others_struck / (others_struck + 1)
    np.testing.assert_allclose(beside[: counts[0], -3], shares, atol=1e-3)


def test_scaled_outputs_are_scaled_whole(packaged: Path, patches: NDArray[np.uint8]) -> None:
    export.export(any_network(2), "bars", as_seen(patches))
    before = by_package(patches)
    calibrate.scale_outputs("bars", "hand.last", dict.fromkeys(range(4), 2.0), {})
    np.testing.assert_allclose(by_package(patches), 2 * before, atol=0.01)


def test_a_layer_that_is_not_there_is_not_scaled(
    packaged: Path, patches: NDArray[np.uint8]
) -> None:
    export.export(any_network(2), "bars", as_seen(patches))
    with pytest.raises(ValueError, match="no layer 9"):
        calibrate.scale_outputs("bars", "9", {0: 2.0}, {})


def test_whole_numbers_keep_weights_within_half_a_step(
    packaged: Path, patches: NDArray[np.uint8]
) -> None:
    path = export.export(any_network(5), "bars", as_seen(patches))
    half = storage.stored_weights(onnx.load(str(path)).graph)
    size = path.stat().st_size
    storage.store_as_whole_numbers(path)
    whole = storage.stored_weights(onnx.load(str(path)).graph)
    assert path.stat().st_size < size
    assert half.keys() == whole.keys()
    assert any((whole[name] != weights).any() for name, weights in half.items())
    for name, weights in half.items():
        # the largest is 127 steps
        step = np.abs(weights).max() / 127
        np.testing.assert_allclose(whole[name], weights, atol=0.51 * step)


def test_the_package_computes_with_whole_numbers_as_with_halves(
    packaged: Path, patches: NDArray[np.uint8]
) -> None:
    path = export.export(any_network(6), "bars", as_seen(patches))
    exact = by_package(patches)
    storage.store_as_whole_numbers(path)
    np.testing.assert_allclose(by_package(patches), exact, atol=0.15 * exact.std())


def test_a_packaged_network_is_taken_up_again(packaged: Path, patches: NDArray[np.uint8]) -> None:
    example = as_seen(patches)
    path, again = export.export(any_network(3), "bars", example), any_network(4)
    export.load_packaged(again, path, example)
    np.testing.assert_allclose(by_network(again.eval(), patches), by_package(patches), atol=0.01)
