"""The networks that read marks are small; pictures read together are read as each alone."""

import os
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brikks_vision.detect.locator import LOCATOR_STRIDE
from brikks_vision.detect.marks import (
    LEFT_TO_RIGHT,
    bar_logits,
    rectify_bars,
    rectify_for_reading,
)
from brikks_vision.detect.networks import open_session, run_batch, run_network, run_next
from brikks_vision.detect.pen import pen_of
from brikks_vision.games.brikks.reading import BOMBS, BOXES, CELLS, STRIKES
from brikks_vision.layout import load_layout
from brikks_vision.pipeline import scan_photo

MAX_BYTES = 2_000_000
READ_MARKS = ("reader", "bars", "boxed_figures", "fast")
MODELS = resources.files("brikks_vision").joinpath("detect", "models")
NETWORKS = {
    file.name.removesuffix(".onnx") for file in MODELS.iterdir() if file.name.endswith(".onnx")
}
# look at one picture of a fixed size, or at all patches, places or blocks of one photo
ONE_BY_ONE = {
    "board_locator",
    "bars",
    "cancelled",
    "patches_context",
    "board_blocks",
    "board_pawns",
}
KEPT = ("PATH", "PYTHONPATH", "SYSTEMROOT")  # of the environment; CI=true would send nothing anyway
FREE_SIDE = 64  # px, of networks that take pictures of any size


def packaged(name: str) -> bytes:
    return MODELS.joinpath(f"{name}.onnx").read_bytes()


def test_the_networks_that_read_marks_have_at_most_two_megabytes_together() -> None:
    sizes = {name: len(packaged(name)) for name in NETWORKS if name.startswith(READ_MARKS)}
    assert sorted(sizes) == ["bars", "boxed_figures", "fast_reader", "reader"]
    assert sum(sizes.values()) <= MAX_BYTES, sizes


@pytest.mark.parametrize(
    "program",
    [
        "from brikks_vision import scan; print(scan('samples/arcade.jpg').score.total)",
        "import sys; from brikks_vision.commands.start import main\n"
        "sys.argv = ['brikks-scan', 'samples/arcade.jpg']; main()",
    ],
    ids=["library", "command"],
)
def test_reading_a_photo_leaves_nothing_in_the_users_folder(program: str, tmp_path: Path) -> None:
    own = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "XDG_CACHE_HOME": ""}
    kept = {name: value for name, value in os.environ.items() if name in KEPT}
    done = subprocess.run(
        [sys.executable, "-c", program], env=kept | own, capture_output=True, text=True, check=True
    )
    assert "102" in done.stdout
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize(
    ("folder", "told"),
    [("networks._MODELS", ["True", "open"]), ("networks.Path('nowhere')", ["False", "missing"])],
)
def test_sessions_are_opened_ahead_and_failures_kept_for_who_needs_them(
    folder: str, told: list[str]
) -> None:
    program = (
        "from brikks_vision.detect import networks\n"
        f"networks._MODELS = {folder}\n"
        "networks.open_ahead().join()\n"
        "print(networks._opened.cache_info().currsize == len(networks.FIRST))\n"
        "try: networks._session('boxed_figures'); print('open')\n"
        "except FileNotFoundError: print('missing')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == (told, "")


def test_bars_are_read_in_a_mirror_as_without(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[np.ndarray, np.ndarray]] = []

    def noted(name: str, patches: np.ndarray, template: np.ndarray, *others: Any) -> np.ndarray:
        shown.append((patches, template))
        return run_batch(name, patches, template, *others)

    sheet, seen = load_layout("brikks"), scan_photo("samples/arcade.jpg")
    monkeypatch.setattr("brikks_vision.detect.marks.run_batch", noted)
    flat = rectify_for_reading(seen.photo.image, seen.placement, sheet)
    patches = rectify_bars(seen.photo.image, seen.placement, sheet)
    pen = pen_of(flat, seen.evidence.marks[CELLS], sheet)
    plain = bar_logits(patches, pen, sheet)
    looked = bar_logits(patches, pen, sheet, LEFT_TO_RIGHT)
    for straight, turned in zip(*shown, strict=True):
        np.testing.assert_array_equal(np.flip(straight, LEFT_TO_RIGHT), turned)
        assert (straight != turned).any()
    for key in (STRIKES, BOXES, BOMBS):
        np.testing.assert_array_equal(looked[key] > 0, plain[key] > 0)


@pytest.mark.parametrize("size", [(320, 256), (256, 320), (32, 320)])
def test_the_locator_takes_other_sizes_than_it_was_stored_for(size: tuple[int, int]) -> None:
    view = np.random.default_rng(1).integers(0, 256, (*size, 3)).astype(np.uint8)
    maps = run_network("locator", view)
    assert maps.shape == (5, size[0] // LOCATOR_STRIDE, size[1] // LOCATOR_STRIDE)


@pytest.mark.parametrize("name", sorted(NETWORKS - ONE_BY_ONE))
def test_pictures_that_are_read_together_are_read_as_each_alone(name: str) -> None:
    _, *shape = open_session(packaged(name)).get_inputs()[0].shape
    sides = [side if isinstance(side, int) else FREE_SIDE for side in shape]
    pictures = np.random.default_rng(2).random((5, *sides), np.float32)
    alone = [run_next(name, picture[None])[0] for picture in pictures]
    np.testing.assert_allclose(run_next(name, pictures), alone, atol=1e-4)
