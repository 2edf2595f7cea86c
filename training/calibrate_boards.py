"""Calibrates the readings of boards, and shows how far they hold.

``python -m training.calibrate_boards FOLDER ...`` takes photos of sets in games that no network was
trained on (``simulation.blox.samples --of-a-set 3 --positions games``). Each board is learnt from
its photo, empty; each photo is read once, and what is seen kept in the folder, as evidence.pkl,
until a network is another. Fitted are the temperatures and biases that make what is true most
probable (temperature scaling, Guo et al. 2017), each fifth of the sets by the others; then, by what
they tell of sets that they were not fitted on, the probabilities from which readings are sure and
below which fields are doubted. Prints both, and writes them into
``brikks_vision/detect/models/models.json``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from brikks_vision.detect.template import blank_picture
from brikks_vision.errors import BrikksError
from brikks_vision.files import write_whole
from brikks_vision.games.blox.board_print import NETWORK as SQUARES
from brikks_vision.games.blox.board_print import place_one_of
from brikks_vision.games.blox.colors_of_pieces import NETWORK as BLOCKS
from brikks_vision.games.blox.colors_of_pieces import PAWN_NETWORK as PAWNS
from brikks_vision.games.blox.decode import FIRST_TOWER, Decoded, decode, of_things, place_of_thing
from brikks_vision.games.blox.field_evidence import CALIBRATION, KINDS, Calibration
from brikks_vision.games.blox.learn import NamedBoard, learn_board
from brikks_vision.games.blox.see import CHIP_NETWORK as CHIPS
from brikks_vision.games.blox.see import NETWORK, SeenFields, look_at_fields, told_fields
from brikks_vision.rules.blox.position import SIDE, Board, parse_board
from simulation.blox.notation import read_position
from training.export import MODELS

FOLDS = 5
MAX_WRONG_AT_BOUND = 0.02  # so that of all readings that are sure 1 in 100 is
MAX_UNNAMED = 0.02  # of the wrong fields: those that no doubt names
MIN_SAME = 0.9  # of the colours of fields, of a board that is learnt almost rightly
FLOOR = np.log(1e-4)  # log-probability: no field that is read wrongly counts for more
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Photo:
    """A photo's evidence and truth. things: (81,), of `decode.THINGS`. of: its set."""

    name: str
    of: str
    view: str
    board: Board
    seen: SeenFields
    things: NDArray[np.int64]


def photos_in(folder: Path) -> list[Photo]:
    """The photos of a folder that are found and whose boards are learnt rightly."""
    names = NETWORK, CHIPS, SQUARES, PAWNS, BLOCKS
    models = [(MODELS / f"{name}.onnx").read_bytes() for name in names]
    network = hashlib.sha256(b"".join(models)).hexdigest()
    kept = folder / "evidence.pkl"
    if kept.exists():
        stored = pickle.loads(kept.read_bytes())
        if stored["network"] == network:
            found: list[Photo] = stored["photos"]
            return found
    boards: dict[str, NamedBoard | None] = {}
    photos = []
    for path in sorted(folder.glob("*.json")):
        facts = json.loads(path.read_text("utf-8"))
        empty = facts["empty"]["file"]
        if empty not in boards:
            boards[empty] = _learnt(folder / empty)
        board = boards[empty]
        photo = None if board is None else _read(path, facts, board)
        if photo is None:
            print(f"{path.stem} ({facts['view']}) is left out", flush=True)
        else:
            photos.append(photo)
    kept.write_bytes(pickle.dumps({"network": network, "photos": photos}))
    return photos


def _learnt(path: Path) -> NamedBoard | None:
    found = learn_board(cv2.imread(str(path)))
    return found.printing if found.remark is None else None


def _read(path: Path, facts: dict, learnt: NamedBoard) -> Photo | None:
    true = parse_board(facts)
    colors = np.array([list(row) for row in true.field_colors])
    ours = np.array([list(row) for row in learnt.board.field_colors])
    same = [(np.rot90(colors, turn) == ours).mean() for turn in range(4)]
    image = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
    try:
        _, placed = place_one_of(image, [learnt])
    except BrikksError:
        return None
    if max(same) < MIN_SAME:
        return None
    position = read_position(facts["position"], true)
    things = np.array([place_of_thing(thing) for thing in position.things])
    turned = np.rot90(things.reshape(SIDE, SIDE), int(np.argmax(same))).ravel()
    seen = look_at_fields(image, placed, learnt.board, blank_picture(learnt))
    return Photo(path.stem, facts["empty"]["file"], facts["view"], learnt.board, seen, turned)


def fitted(photos: Sequence[Photo]) -> Calibration:
    """The temperatures and biases that make what is true most probable."""

    def with_factors(factors: Array) -> Calibration:
        kinds, heights, pawn, tower = factors
        bias = tuple(
            {0: 0.0, FIRST_TOWER: float(tower)}.get(kind, float(pawn)) for kind in range(len(KINDS))
        )
        return replace(CALIBRATION, kinds=float(kinds), heights=float(heights), bias=bias)

    def loss(factors: Array) -> float:
        if factors[:2].min() < 0.2:
            return np.inf
        calibration = with_factors(factors)
        told = [_log_chances(photo, calibration) for photo in photos]
        return -float(np.mean([np.maximum(each, FLOOR).sum() for each in told]))

    start = np.array([CALIBRATION.kinds, CALIBRATION.heights, -1.3, -1.6])
    return with_factors(minimize(loss, start, method="Nelder-Mead", options={"maxiter": 80}).x)


def _decoded(photo: Photo, calibration: Calibration) -> Decoded:
    return decode(told_fields(photo.seen, calibration), photo.board, {})


def _log_chances(photo: Photo, calibration: Calibration) -> Array:
    """Of what is true on each field."""
    logs = of_things(told_fields(photo.seen, calibration), photo.board)
    return np.asarray(logs[np.arange(len(logs)), photo.things])


def told_by_others(photos: Sequence[Photo]) -> list[Decoded]:
    """Each photo as told by what was fitted on other sets."""
    sets = sorted({photo.of for photo in photos})
    fold_of = {name: number % FOLDS for number, name in enumerate(sets)}
    of_folds = [
        fitted([photo for photo in photos if fold_of[photo.of] != fold]) for fold in range(FOLDS)
    ]
    return [_decoded(photo, of_folds[fold_of[photo.of]]) for photo in photos]


def sure_from(chances: Array, is_right: NDArray[np.bool_]) -> float:
    """The chance from which readings are sure.

    By beta calibration (Kull, Silva Filho and Flach 2017): at the bound `MAX_WRONG_AT_BOUND` are
    expected to be wrong, above it ever fewer. Not below the highest chance of a wrong one.
    """

    def logits(factors: Array, chances: Array) -> Array:
        low, high, offset = factors
        return np.asarray(low * np.log(chances) - high * np.log1p(-chances) + offset)

    def loss(factors: Array) -> float:
        if factors[:2].min() < 0:
            return np.inf
        told = logits(factors, chances)
        return float((np.logaddexp(0, told) - is_right * told).sum())

    found = minimize(loss, np.array([1.0, 1.0, 0.0]), method="Nelder-Mead").x
    steps = np.linspace(0.5, 1, 5000, endpoint=False)
    is_sure = expit(logits(found, steps)) >= 1 - MAX_WRONG_AT_BOUND
    bound = steps[is_sure].min(initial=1.0)
    return float(max(bound, chances[~is_right].max(initial=0.0)))


def doubted_below(confidences: Array, is_wrong: NDArray[np.bool_]) -> float:
    """The probability of fields above which at most `MAX_UNNAMED` of the wrong ones are."""
    wrong = np.sort(confidences[is_wrong])
    return float(wrong[int(np.ceil(len(wrong) * (1 - MAX_UNNAMED))) - 1]) + 1e-4


def report(photos: Sequence[Photo], told: Sequence[Decoded], calibration: Calibration) -> None:
    views: dict[str, list[int]] = {}
    for photo, decoded in zip(photos, told, strict=True):
        is_wrong = decoded.chosen != photo.things
        is_doubt = decoded.confidences < calibration.doubt
        is_sure = decoded.chance >= calibration.sure
        counts = [1, is_wrong.sum(), not is_wrong.any(), is_sure, is_sure and is_wrong.any(),
                  is_doubt.sum(), (is_wrong & ~is_doubt).sum()]  # fmt: skip
        for view in (photo.view, "all"):
            sums = views.setdefault(view, [0] * len(counts))
            views[view] = [total + int(count) for total, count in zip(sums, counts, strict=True)]
    for view, (count, wrong, right, sure, wrong_sure, doubts, unnamed) in sorted(views.items()):
        print(
            f"{view}: {count} photos, fields right {100 - 100 * wrong / 81 / count:.2f} %, wholly"
            f" right {100 * right / count:.0f} %, sure {100 * sure / count:.0f} %, of them wrong"
            f" {wrong_sure}, doubts a photo {doubts / count:.1f}, unnamed {unnamed} of {wrong}"
        )


def write(table: Path, calibration: Calibration) -> None:
    """Put it into the table beside the networks, in its one line."""
    numbers = json.dumps(asdict(calibration))
    text = re.sub(
        rf'("{NETWORK}": )\{{"kinds".*\}}',
        lambda found: found[1] + numbers,
        table.read_text("utf-8"),
    )
    write_whole(table, text.encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    cv2.setNumThreads(1)
    photos = [photo for folder in parser.parse_args().folders for photo in photos_in(folder)]
    told = told_by_others(photos)
    wrong = np.stack([
        each.chosen != photo.things for each, photo in zip(told, photos, strict=True)
    ])  # fmt: skip
    found = fitted(photos)
    calibration = Calibration(
        kinds=round(found.kinds, 3),
        heights=round(found.heights, 3),
        bias=tuple(round(each, 3) for each in found.bias),
        sure=round(sure_from(np.array([each.chance for each in told]), ~wrong.any(axis=1)), 3),
        doubt=round(doubted_below(np.stack([each.confidences for each in told]), wrong), 4),
    )
    report(photos, told, calibration)
    print(calibration)
    write(MODELS / "models.json", calibration)


if __name__ == "__main__":
    main()
