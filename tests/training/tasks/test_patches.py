"""What networks train on: places on sheets, written boxes, cells with numbers, blocks of boards."""

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra train is not installed")

from brikks_vision.detect.figures import VIEW_SIZE  # noqa: E402
from brikks_vision.detect.patches import Reference, network_layers  # noqa: E402
from brikks_vision.detect.printed_digits import SIDE, VALUES, cells_in  # noqa: E402
from brikks_vision.games.blox import colors_of_pieces  # noqa: E402
from training.calibrate import most_probable, negative_log_likelihood  # noqa: E402
from training.calibrate_patches import views_of  # noqa: E402
from training.place_networks import BlockColors, Offsets  # noqa: E402
from training.tasks import patches, written_boxes  # noqa: E402
from training.tasks.bloxx_sheets import marked_places as bloxx_places  # noqa: E402
from training.tasks.boxed_figures import figures_of  # noqa: E402
from training.tasks.numbered_cells import COLUMNS, ROWS, numbered_cells  # noqa: E402
from training.tasks.printed_numbers import cells_of  # noqa: E402
from training.tasks.qwixx_sheets import marked_places as qwixx_places  # noqa: E402
from training.tasks.small_sheets import UNKNOWN, marked_places  # noqa: E402
from training.tasks.written_boxes import (  # noqa: E402
    DASH_WRITTEN,
    NOTHING_WRITTEN,
    SCAN_SIDE,
    SCANS,
    Written,
    scanned_digits,
)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> patches.Samples:
    """The places of one sheet of each kind."""
    part = tmp_path_factory.mktemp("places")
    patches.draw_unseen(part, range(3), 9)
    return patches.load([part])


@pytest.mark.parametrize("kind", list(Reference))
def test_training_sees_what_reading_sees(kind: Reference, samples: patches.Samples) -> None:
    pictures = samples.pictures(samples.places(0))
    kinds = np.full(len(pictures), kind, np.uint8)
    learnt = patches.as_input(pictures, kinds, np.ones(len(pictures), np.bool_))
    seen = np.concatenate(network_layers(views_of(pictures, kinds)), axis=-1)
    assert np.allclose(learnt.permute(0, 2, 3, 1).numpy() * 255, seen, atol=1e-3)


def test_samples_are_the_places_of_their_sheets(samples: patches.Samples) -> None:
    sheets = [
        draw(np.random.default_rng([9, number]), True, True)
        for number, draw in enumerate((marked_places, bloxx_places, qwixx_places))
    ]
    assert (samples.labels == np.concatenate([sheet.labels for sheet in sheets])).all()
    photos = np.concatenate([sheet.alike.photo for sheet in sheets])
    chosen = np.arange(0, len(samples.labels), 7)
    assert (samples.pictures(chosen)[..., :3] == photos[chosen]).all()
    edges = samples.facts[:, 0] == patches.EDGE
    assert ((samples.labels[:, -1] != UNKNOWN) == edges).all()
    assert [len(samples.places(at)) for at in range(3)] == [len(sheet.labels) for sheet in sheets]
    assert samples.facts[samples.starts[:-1], 2].tolist() == [0, 1, 2]


def test_each_kind_of_sheet_is_drawn_in_its_share() -> None:
    kinds = np.array([2, 0, 2, 1, 2, 2], np.uint8)  # of sheets of two places each
    facts = np.zeros((2 * len(kinds), 3), np.uint8)
    facts[:, 2] = np.repeat(kinds, 2)
    samples = patches.Samples([], np.zeros((len(facts), 6), np.uint8), facts, np.arange(0, 13, 2))
    shares = np.bincount(kinds, patches.sheet_chances(samples))
    assert shares == pytest.approx(patches.SHEET_SHARES)


def test_a_factor_undoes_overconfidence() -> None:
    rng = np.random.default_rng(3)
    honest = rng.normal(0, 2, 20000)
    labels = (rng.random(20000) < 1 / (1 + np.exp(-honest))).astype(np.float64)
    said = 2.5 * honest
    factor = float(most_probable(said[None], labels)[0])
    assert factor == pytest.approx(0.4, rel=0.1)
    before = negative_log_likelihood(said, labels)
    assert negative_log_likelihood(factor * said, labels) < before


# --- figures in boxes of any print, as samples ----------------------------------------------------


def test_what_is_written_shows_beside_the_empty_sheet() -> None:
    """On a sheet, photo and empty sheet differ more where something is written."""
    more = []
    for number in range(16):
        views, written = written_boxes.written_boxes(np.random.default_rng([6, number]), False)
        assert views.shape == (len(written), *VIEW_SIZE[::-1], 7)
        inner = views[:, 8:24, 12:52].astype(float)
        spread = (inner[..., :3] - inner[..., 3:6]).std(axis=(1, 2)).mean(axis=1)
        bare = np.array([each.value == NOTHING_WRITTEN for each in written])
        if 0 < bare.sum() < len(bare):
            more.append(np.median(spread[~bare]) > np.median(spread[bare]))
    assert len(more) > 5
    assert np.mean(more) > 0.7


def test_texts() -> None:
    figures = Written(7), Written(15, True), Written(NOTHING_WRITTEN), Written(DASH_WRITTEN)
    assert [each.text for each in figures] == ["7", "-15", "", "-"]


@pytest.mark.parametrize("number", [0, 1])
def test_a_sample_depends_on_its_seed_and_number_alone(number: int) -> None:
    views, values, signed = figures_of(7, number)
    assert len(views) == len(values) == len(signed)
    again, same, _ = figures_of(7, number)
    assert (views == again).all() and (values == same).all()


def test_scanned_digits_are_parted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every third is held out, and each is cut to its ink."""
    picture = np.zeros((SCAN_SIDE, SCAN_SIDE))
    picture[6:22, 12:15] = 1.0
    for digit in range(10):
        data = np.stack([picture] * 6).ravel().tolist()
        (tmp_path / f"{digit}.json").write_text(json.dumps({"data": data}), "utf-8")
    monkeypatch.setenv(SCANS, str(tmp_path))
    scanned_digits.cache_clear()
    try:
        trained, held_out = scanned_digits(False), scanned_digits(True)
    finally:
        scanned_digits.cache_clear()
    assert [len(trained["1"]), len(held_out["1"])] == [4, 2]
    height, width = trained["1"][0].density.shape
    assert 2.5 < height / width < 6


# --- numbers in cells, printed in many ways -------------------------------------------------------


def test_a_number_shows_where_the_labels_say() -> None:
    """Cells of one sheet differ by what is printed in them more than bare ones do."""
    inked, bare = [], []
    for number in range(12):
        flat, values = numbered_cells(np.random.default_rng([4, number]), 48)
        assert flat.shape == (ROWS * 48, COLUMNS * 48, 3)
        assert set(values.ravel().tolist()) <= {0, *VALUES}
        spread = cells_in(flat, ROWS, COLUMNS)[:, 8:40, 8:40].std(axis=(1, 2)).mean(axis=1)
        inked.append(float(np.median(spread[values.ravel() > 0])))
        bare.append(float(np.median(spread[values.ravel() == 0])))
    assert np.mean(np.array(inked) > np.array(bare)) > 0.8


@pytest.mark.parametrize("number", [0, 1])
def test_samples_are_what_a_cell_is_seen_as(number: int) -> None:
    cells, labels = cells_of(7, number)
    assert cells.shape == (len(labels), SIDE, SIDE, 3)
    assert 0 < np.count_nonzero(labels) < len(labels)
    again, same = cells_of(7, number)
    assert (cells == again).all() and (labels == same).all()


# --- blocks of one photo tell each other in which light they are, whatever their order ------------


def blocks(count: int) -> np.ndarray:
    rng = np.random.default_rng(3)
    colors = rng.normal(
        0, 1, (count, 2, colors_of_pieces.PIXELS, colors_of_pieces.PIXELS, 3)
    ).astype(np.float32)
    hidden = rng.random((count, 2, colors_of_pieces.MASK, colors_of_pieces.MASK)) < 0.3
    return colors_of_pieces.as_inputs(
        colors, hidden, rng.normal(0, 1, (count, colors_of_pieces.CLUES)).astype(np.float32)
    )


def told(inputs: np.ndarray) -> np.ndarray:
    torch.manual_seed(5)
    net = BlockColors(
        colors_of_pieces.PIXELS,
        colors_of_pieces.CLUES + colors_of_pieces.UNUSED,
        colors_of_pieces.OUTPUTS,
    ).eval()
    with torch.no_grad():
        return np.asarray(net(torch.from_numpy(inputs)).numpy())


def test_the_order_of_the_blocks_tells_nothing() -> None:
    inputs = blocks(7)
    order = np.random.default_rng(1).permutation(7)
    np.testing.assert_allclose(told(inputs)[order], told(inputs[order]), atol=1e-4)


def test_blocks_tell_each_other_and_fillings_tell_nothing() -> None:
    inputs = blocks(7)
    assert np.abs(told(inputs)[:5] - told(inputs[:5])).max() > 1e-3
    inputs[5:, -1] = 1
    np.testing.assert_allclose(told(inputs)[:5], told(inputs[:5]), atol=1e-4)


def test_in_training_fillings_tell_nothing_either() -> None:
    inputs = np.stack([blocks(7), blocks(7)])
    inputs[1, 5:, -1] = 1
    torch.manual_seed(5)
    net = BlockColors(
        colors_of_pieces.PIXELS,
        colors_of_pieces.CLUES + colors_of_pieces.UNUSED,
        colors_of_pieces.OUTPUTS,
    )
    for each in net.train().modules():  # without what differs between runs and batches
        if isinstance(each, torch.nn.Dropout | torch.nn.BatchNorm2d):
            each.eval()
    with torch.no_grad():
        there = net(torch.from_numpy(inputs))[1, :5]
    np.testing.assert_allclose(there.numpy(), told(inputs[1, :5]), atol=1e-4)


def placed(feet: np.ndarray, camera: np.ndarray, turn: float = 0.0) -> torch.Tensor:
    """Where things (N, 2) are, and the camera (2,), on a board that is turned, radians."""
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    feet, camera = feet @ turned, camera @ turned
    towards = camera - feet
    towards /= np.linalg.norm(towards, axis=1)[:, None]
    return torch.tensor(np.column_stack([feet, towards, np.full(len(feet), 0.5)])).float()


def heeded(where: torch.Tensor) -> np.ndarray:
    torch.manual_seed(5)
    offsets = Offsets(heads=4)
    torch.nn.init.normal_(offsets.last.weight)
    with torch.no_grad():
        return np.asarray(offsets(where).numpy())


def test_pawns_heed_each_other_by_where_they_stand_as_the_camera_sees_them() -> None:
    feet, camera = np.array([[0.0, 0], [0, 1], [2, 1]]), np.array([0.0, 14])
    seen = heeded(placed(feet, camera))
    np.testing.assert_allclose(seen, heeded(placed(feet, camera, turn=1.1)), atol=1e-4)
    assert np.abs(seen[:, 0, 1] - seen[:, 1, 0]).max() > 1e-2  # before it is not behind it


def test_a_pawn_before_the_empty_board_is_what_differs_from_it() -> None:
    rng = np.random.default_rng(3)
    empty = np.ones((1, 2, colors_of_pieces.PIXELS, colors_of_pieces.PIXELS, 4), np.float32)
    empty[..., :3] = rng.normal(0, 1, (*empty.shape[:-1], 3))
    colors = empty[..., :3].copy()
    colors[0, 0, 10, 20] += 0.5
    hidden = np.zeros((1, 2, colors_of_pieces.MASK, colors_of_pieces.MASK), np.bool_)
    board = colors_of_pieces.OnBoard(empty, np.zeros((1, 3), np.float32))
    clues = np.zeros((1, colors_of_pieces.CLUES), np.float32)
    told = colors_of_pieces.as_inputs(colors, hidden, clues, board)
    seen = told[0, : 2 * 8 * colors_of_pieces.PIXELS * colors_of_pieces.PIXELS].reshape(
        2, 8, colors_of_pieces.PIXELS, colors_of_pieces.PIXELS
    )
    assert np.argwhere(np.abs(seen[:, 4:7]).sum(axis=1) > 0.1).tolist() == [[0, 10, 20]]
    empty[..., 3] = 0
    unknown = colors_of_pieces.as_inputs(colors, hidden, clues, board)
    assert not unknown[0, : seen.size].reshape(seen.shape)[:, 4:].any()
