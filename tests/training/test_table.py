"""The table of networks: each learns from its samples, in the one loop, what is packaged."""

import json
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("onnx", reason="the extra train is not installed")
pytest.importorskip("scipy", reason="the extra train is not installed")

import onnx  # noqa: E402
from torch import nn  # noqa: E402

from brikks_vision.games.blox.field_evidence import CALIBRATION  # noqa: E402
from simulation.blox.samples import write_set  # noqa: E402
from training import samples  # noqa: E402
from training.calibrate_boards import doubted_below, sure_from, write  # noqa: E402
from training.export import CONTEXT, MODELS, export, load_packaged  # noqa: E402
from training.loop import Sampler, follow, measure, split, train  # noqa: E402
from training.place_networks import Patches, PatchesContext  # noqa: E402
from training.storage import stored_weights  # noqa: E402
from training.tasks.patches import in_sets  # noqa: E402
from training.tasks.table import TASKS  # noqa: E402
from training.tasks.task import by_class  # noqa: E402


def test_the_table_has_every_packaged_network() -> None:
    packaged = {path.stem.removesuffix(CONTEXT) for path in MODELS.glob("*.onnx")}
    assert {name for name, task in TASKS.items()} == packaged


@pytest.mark.parametrize("name", sorted(TASKS))
def test_each_network_has_the_weights_of_its_package(name: str) -> None:
    task = TASKS[name]
    layers = [
        sorted(each.weight.shape)
        for each in task.network().modules()
        if isinstance(each, nn.Conv2d | nn.Linear)
    ]
    stored = []
    for path in MODELS.glob(f"{name}*.onnx"):
        if path.stem.removesuffix(CONTEXT) != (name):
            continue
        graph = onnx.load(str(path)).graph
        weights = stored_weights(graph)
        stored += [
            sorted(weights[node.input[1]].shape)
            for node in graph.node
            if node.op_type in ("Conv", "Gemm", "MatMul") and node.input[1] in weights
        ]
    assert sorted(stored) == sorted(layers)


def test_the_reader_of_places_is_taken_up_with_its_context(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.export.MODELS", tmp_path)
    pictures, edges = torch.rand(8, 11, 32, 32), torch.zeros(8, 1)
    net, again = Patches(), Patches()
    for layer in net.modules():
        if isinstance(layer, nn.BatchNorm2d | nn.Linear):  # else equal arrays are stored once
            nn.init.normal_(layer.bias, 0, 0.1)
    load_packaged(again, export(net, "patches", pictures), pictures)
    told = []
    for each in (net.eval(), again.eval()):
        with torch.no_grad():
            told.append(each.context(torch.cat([each.reader(pictures), edges], 1)))
    assert torch.allclose(*told, atol=0.01)


def test_a_set_of_places_is_read_alike_beside_others_and_alone() -> None:
    context = PatchesContext().eval()
    told, numbers = torch.rand(9, 71), torch.tensor([4, 1, 4, 4, 1, 7, 4, 7, 7])
    rows, absent, at = in_sets(told, numbers)
    with torch.no_grad():
        together = context(rows, absent).flatten(0, 1)[at]
        for number in numbers.unique():
            alone = context(told[numbers == number])
            assert torch.allclose(together[numbers == number], alone, atol=1e-5)


def test_a_photo_is_trained_on_or_measured_on() -> None:
    photos = np.repeat(np.arange(-1, 50), 7)
    learnt, held = split(photos)
    assert not set(photos[learnt]) & set(photos[held])
    assert set(photos[learnt]) | set(photos[held]) == set(range(50))


def test_classes_are_drawn_in_their_shares() -> None:
    classes = np.repeat([0, 1, 2], [900, 90, 10])
    chances = by_class(classes, (0.5, 0.3, 0.2))
    sampler = Sampler(np.arange(1000), np.random.default_rng(1), chances)
    drawn, weights = sampler.draw(20_000)
    assert np.bincount(classes[drawn]) / 20_000 == pytest.approx([0.5, 0.3, 0.2], abs=0.02)
    assert (weights == 1).all()


def test_the_mean_of_weights_moves_towards_the_network() -> None:
    mean, net = nn.Linear(2, 2), nn.Linear(2, 2)
    nn.init.zeros_(mean.weight)
    nn.init.ones_(net.weight)
    for _ in range(2):
        follow(mean, net, 0.5)
    assert torch.allclose(mean.weight, torch.full((2, 2), 0.75))


def test_parts_are_whole_and_drawn_once(tmp_path: Path) -> None:
    def draw(folder: Path, numbers: range, seed: int) -> None:
        (folder / "numbers").write_text(f"{seed}: {[*numbers]}")

    part = samples.write_part(draw, tmp_path / "5-000000", range(3), 5)
    (tmp_path / "5-000100.begun").mkdir()  # broken off
    assert (part / "numbers").read_text() == "5: [0, 1, 2]"
    assert samples.parts_in([tmp_path]) == [part]


def test_more_samples_are_those_before_and_others() -> None:
    few, many = (samples.parts_of(Path("photos"), number, 5) for number in (20, 120))
    assert few.items() <= many.items()
    assert sum(map(len, many.values())) >= 120


def test_a_network_learns_from_what_is_drawn_for_it(tmp_path: Path) -> None:
    task = replace(TASKS["printed_numbers"], size=32)
    part = samples.write_part(task.draw, tmp_path / "5-000000", range(3), 5)
    cells = task.load([part])
    assert len(cells.pictures) == len(task.photos(cells)) and set(task.photos(cells)) == {0, 1, 2}
    net, kept = task.network(), tmp_path / "printed_numbers.pt"
    every = np.arange(len(cells.labels))
    before = measure(net, task, cells, every)["loss"]
    train(net, task, cells, 1, 1, 1e-2, kept, count().__next__)  # 60 steps
    assert measure(net, task, cells, every)["loss"] < before
    again = task.network()
    again.load_state_dict(torch.load(kept))
    assert measure(again, task, cells, every) == measure(net, task, cells, every)


def test_networks_of_boards_learn_from_one_photo_of_a_set(tmp_path: Path) -> None:
    pytest.importorskip("moderngl", reason="the extra simulation is not installed")
    write_set(tmp_path, range(1), 1, 300, render_with="few lights")
    for name in (each for each in TASKS if each.startswith("board_")):
        task = TASKS[name]
        drawn = task.load([tmp_path])
        chosen = np.arange(len(task.photos(drawn)))[:2]
        batch = task.batch(drawn, chosen, np.random.default_rng(1), True)
        losses, _ = task.loss(task.network(), batch)
        assert torch.isfinite(losses).all(), name
        assert task.chances is None or task.chances(drawn)[chosen].min() > 0, name


def test_a_folder_without_samples_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no samples"):
        samples.parts_in([tmp_path])


# --- fitted bounds of boards ----------------------------------------------------------------------


CHANCES = np.linspace(0.02, 0.98, 200)


def test_no_wrong_reading_would_have_been_sure() -> None:
    is_right = CHANCES > 0.5
    is_right[150] = False
    assert sure_from(CHANCES, is_right) >= CHANCES[150]


def test_where_chance_says_nothing_no_reading_is_sure() -> None:
    is_right = np.arange(len(CHANCES)) % 2 == 0
    assert sure_from(CHANCES, is_right) >= CHANCES[-1]


def test_readings_are_sure_where_all_were_right() -> None:
    assert sure_from(CHANCES, CHANCES > 0.3) < 0.6


def test_nearly_all_wrong_fields_are_doubted() -> None:
    confidences, is_wrong = np.linspace(0.5, 1, 1000), np.arange(1000) < 100
    bound = doubted_below(confidences, is_wrong)
    assert (confidences[is_wrong] < bound).sum() == 98


def test_what_was_fitted_is_written_beside_the_networks(tmp_path: Path) -> None:
    table = tmp_path / "models.json"
    table.write_bytes((MODELS / "models.json").read_bytes())
    before = json.loads(table.read_text("utf-8"))
    write(table, replace(CALIBRATION, sure=0.625))
    after = json.loads(table.read_text("utf-8"))
    assert after["calibration"]["board_pieces"]["sure"] == 0.625
    assert {**after, "calibration": None} == {**before, "calibration": None}
