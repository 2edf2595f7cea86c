"""Kept evidences: what the networks told of drawn sheets, and their readings.

    python -m benchmarks.evidences compare           # exits 1 where some read otherwise
    python -m benchmarks.evidences write             # keeps what they read as now
    python -m benchmarks.evidences draw --game bloxx # draws further ones: an hour

Some four are of each drawn sheet: 428 of 100 sheets of Brikks, 84 of 19 of BLOXX!. Everything after
the networks is held by them without a photo: rules, settings, answers, hidden places, broken rules
and doubts. `compare` and `write` tell what changed (totals, statuses, ranges, doubts, violations
and the rest of the reading), and before and after how many are called ok and name the fault that
was planted. Whether a total is right, or a player accused, they do not know: see `accuracy`. A
change of judging on purpose is written and told in its commit; any other change must leave all
readings as they are.

The evidences of a game are in one packed file, its readings, a line each, in another.
"""

from __future__ import annotations

import gzip
import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import cases
from benchmarks.harness import TIERS
from brikks_vision.detect.figures import without_covered
from brikks_vision.detect.marks import either_covered
from brikks_vision.errors import BrikksError, PhotoUnreadable
from brikks_vision.games import game_named
from brikks_vision.games.printings import parse_printing
from brikks_vision.infer.evidence import Evidence, evidence_from_json, evidence_json
from brikks_vision.layout import Layout, load_layout, packaged_names
from brikks_vision.pipeline import ScanResult, decoded, scan_photo
from brikks_vision.reading import GameSettings
from brikks_vision.rules.brikks.blocks import as_photographed

FOLDER = Path("tests/evidences")
SEED = 31001
A_BATCH = 10  # drawn sheets that are kept together
HIDDEN = (0.6, 2.5)  # cells: how far a part that is hidden reaches
WEAKER, NOISE = 0.6, 1.0  # of log-odds that tell less
HOW = ("faint", "partly hidden", "faint and partly hidden")  # what is made of each evidence
TOLERANCE = 0.0006  # of a probability, which is told to four decimal places
OF_THE_PHOTO = ("photo", "index", "corners", "timing_ms")  # of a reading; evidence has no such
PARTS = ("total", "status", "total_range", "doubts", "violations")
"""Of a reading, in which changes are counted; all else counts as one."""

Told = dict[str, Any]
"""What a reading tells, without what is empty."""


@dataclass(frozen=True)
class Kept:
    """The evidence of one sheet as JSON, the name of its printing, and the answers about it."""

    printing: str
    answers: Mapping[str, str]
    evidence: Mapping[str, Any]


@dataclass(frozen=True)
class Evidences:
    """definitions: of printings that the package does not bring, by name."""

    definitions: Mapping[str, Mapping[str, Any]]
    sheets: Mapping[str, Kept]

    def layout(self, name: str) -> Layout:
        return _parsed(json.dumps(self.definitions[name])) if name in self.definitions else (
            load_layout(name)
        )  # fmt: skip


@cache
def _parsed(definition: str) -> Any:
    return parse_printing(definition, "evidences")


# --- kept, read, compared -------------------------------------------------------------------------


def kept_of(game: str, folder: Path = FOLDER) -> tuple[Evidences, dict[str, Told]]:
    """The evidences of a game and their readings; none where none were drawn."""
    try:
        data = json.loads(gzip.decompress((folder / f"{game}.json.gz").read_bytes()))
        readings = json.loads((folder / f"{game}-readings.json").read_text("utf-8"))
    except FileNotFoundError:
        return Evidences({}, {}), {}
    sheets = {name: Kept(*each) for name, each in data["sheets"].items()}
    return Evidences(data["printings"], sheets), readings


def keep(game: str, kept: Evidences, readings: Mapping[str, Told], folder: Path = FOLDER) -> None:
    """Write both files; evidences that are the same make the same file."""
    folder.mkdir(parents=True, exist_ok=True)
    sheets = {name: [s.printing, s.answers, s.evidence] for name, s in kept.sheets.items()}
    text = json.dumps({"printings": kept.definitions, "sheets": sheets}, separators=(",", ":"))
    lines = (
        f"{json.dumps(name)}:{json.dumps(each, separators=(',', ':'))}"
        for name, each in sorted(readings.items())
    )
    (folder / f"{game}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    (folder / f"{game}-readings.json").write_text("{" + ",\n".join(lines) + "}\n", "utf-8")


def read(kept: Evidences, every: int = 1) -> dict[str, Told]:
    """What the evidences, or every so-many-th of them, are read as."""
    names = sorted(kept.sheets)[::every]
    return {name: _told(kept, kept.sheets[name]) for name in names}


def _told(kept: Evidences, sheet: Kept) -> Told:
    layout = kept.layout(sheet.printing)
    keys = game_named(layout.game).FORMER_KEYS
    evidence = evidence_from_json(json.dumps(sheet.evidence), keys)
    try:
        reading, _ = decoded("photo", evidence, layout, sheet.answers)
    except BrikksError as error:
        return {"error": type(error).__name__}
    told = {name: part for name, part in reading.to_dict().items() if name not in OF_THE_PHOTO}
    for violation in told["violations"]:
        del violation["message"]  # the texts have tests of their own
    told: Told = json.loads(json.dumps(told))
    return {name: part for name, part in told.items() if part not in (None, [], {}, "")}


def is_alike(one: Any, other: Any) -> bool:
    """Whether two parts of readings are equal, probabilities nearly."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= TOLERANCE
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_alike, one, other))
    return bool(one == other)


def changes(before: Mapping[str, Told], after: Mapping[str, Told]) -> list[str]:
    """What differs, a line for each way in which readings do; empty where all are alike.

    Readings that only one of them has are not compared.
    """
    ways: dict[str, list[str]] = {}
    names = sorted(before.keys() & after.keys())
    changed = [name for name in names if not is_alike(before[name], after[name])]
    for name in changed:
        for way in _ways(before[name], after[name]):
            ways.setdefault(way, []).append(name)
    lines = [
        f"  {way}: {len(of)} ({', '.join(of[:4])}{', ...' if len(of) > 4 else ''})"
        for way, of in sorted(ways.items())
    ]
    return [f"{len(changed)} of {len(names)} readings changed", *lines] if changed else []


def figures(game: str, readings: Mapping[str, Told]) -> str:
    """How many readings are ok, and how many name the fault planted on their sheet."""
    planted = [
        (fault, reading)
        for name, reading in readings.items()
        for fault in cases.FAULTS[game]
        if f" {fault}" in name
        if name.partition(fault)[2] in ("", *(f" {how}" for how in HOW))  # nothing else lies there
    ]
    named = sum(
        any(each["rule"] == fault for each in reading.get("violations", ()))
        for fault, reading in planted
    )
    is_ok = [reading.get("status") == "ok" for reading in readings.values()]
    return f"{sum(is_ok)} of {len(is_ok)} ok, {named} of {len(planted)} planted faults named"


def _ways(before: Told, after: Told) -> Iterator[str]:
    one, other = _parts(before), _parts(after)
    for part in one.keys() | other.keys():
        was, now = one.get(part), other.get(part)
        if is_alike(was, now):
            continue
        if part == "status":
            yield f"status {was} -> {now}"
        elif part in ("doubts", "violations"):
            key = "where" if part == "doubts" else "rule"
            names = [Counter(each[key].split()[0] for each in some or ()) for some in (was, now)]
            gone, new = names[0] - names[1], names[1] - names[0]
            yield from (f"{part} without {name}" for name in gone)
            yield from (f"{part} with {name}" for name in new)
            if not gone and not new:
                yield f"{part}, their places or probabilities"
        else:
            yield part


def _parts(reading: Told) -> dict[str, Any]:
    rest = {name: part for name, part in reading.items() if name not in PARTS}
    found = {name: reading.get(name) for name in PARTS[1:]}
    return {"total": reading.get("score", {}).get("total"), **found, "the rest": rest}


# --- drawn anew -----------------------------------------------------------------------------------


def draw(game: str, kept: Evidences, count: int) -> Iterator[Evidences]:
    """Further evidences, batch by batch, until there are ``count`` with those that are kept.

    Four are of each drawn sheet: as it is seen, less sure, with a part hidden, and both. A third is
    of each tier; a fifth of the sheets breaks a rule on purpose; a fourth is of printings that were
    learnt. Of some the settings are known; of others doubts are answered rightly, or places that
    are plain, as they may not be.
    """
    number = 1 + max((int(name[:4]) for name in kept.sheets), default=-1)
    there = len(kept.sheets)
    while there < count:
        batch = [each for at in range(A_BATCH) for each in draw_sheet(game, number + at)]
        definitions = {sheet.printing: printed for _, printed, sheet in batch if printed}
        yield Evidences(definitions, {name: sheet for name, _, sheet in batch})
        number, there = number + A_BATCH, there + len(batch)
        print(f"{game}: {there} evidences of {number} sheets", flush=True)


Drawn = tuple[str, Mapping[str, Any] | None, Kept]
"""An evidence, its name, and the definition of its printing; None: the package brings it."""


def draw_sheet(game: str, number: int, seed: int = SEED) -> list[Drawn]:
    """The evidences of one drawn sheet."""
    rng = np.random.default_rng([seed, cases.SHEETS.index(game), number])
    tier, is_faulty = TIERS[number % 3], number % 5 == 3
    try:
        case = cases.case_of(game, tier, seed, number, number % 4 == 1, is_faulty)
        result = scan_photo(case.data, printings=case.layouts)
    except PhotoUnreadable:
        return []
    seen, fainter = result.evidence, less_sure(result.evidence, rng)
    hidden = partly_hidden(seen, result.layout, rng)
    both = partly_hidden(fainter, result.layout, rng)
    found = []
    for how, evidence in zip(("", *HOW), (seen, fainter, hidden, both), strict=True):
        name = " ".join(filter(None, (f"{number:04d}", tier, case.planted, how)))
        found.append((name, *_kept(case, result, evidence, rng)))
    return found


def less_sure(evidence: Evidence, rng: np.random.Generator) -> Evidence:
    """The evidence as if the marks were fainter."""
    logits = {
        key: WEAKER * array + rng.normal(0, NOISE, array.shape)
        for key, array in evidence.marks.logits.items()
    }
    return replace(evidence, marks=evidence.marks.with_logits(logits))


def partly_hidden(evidence: Evidence, layout: Layout, rng: np.random.Generator) -> Evidence:
    """The evidence as if something round lay over a part of the sheet."""
    fields = {**layout.fields, **layout.figures}
    centres = {name: np.array(field.centres) for name, field in fields.items()}
    middle = rng.choice(np.concatenate(list(centres.values())))
    radius = rng.uniform(*HIDDEN)
    hidden = {
        name: (np.hypot(*(of_field - middle).T) < radius).reshape(fields[name].shape)
        for name, of_field in centres.items()
    }
    return replace(
        evidence,
        marks=evidence.marks.with_covered(either_covered(evidence.marks.covered, hidden)),
        figures=without_covered(evidence.figures, hidden),
    )


def _known(case: cases.Case, rng: np.random.Generator) -> GameSettings:
    """Some of what is true of the game."""
    played = _played(case)
    said = {
        each.name: getattr(played, each.name)
        for each in game_named(case.game).SETTINGS
        if hasattr(played, each.name) and rng.random() < 0.8
    }
    return said if game_named(case.game).is_possible(said) else {}


def _played(case: cases.Case) -> Any:
    return case.shot.played if case.game == "brikks" else case.shot.marked.played


def _kept(
    case: cases.Case, result: ScanResult, evidence: Evidence, rng: np.random.Generator
) -> tuple[Mapping[str, Any] | None, Kept]:
    layout, definition = result.layout, None
    name = layout.name
    if name not in packaged_names():
        definition = json.loads(layout.to_json())
        definition.pop("blank", None)  # of the photo alone
        name = f"learnt-{case.tier}-{case.number}"
    if rng.random() < 1 / 3:
        evidence = replace(evidence, known=_known(case, rng))
    kept: dict[str, Any] = json.loads(evidence_json(evidence))
    return definition, Kept(name, _answers(case, result.reading, rng), kept)


def _answers(case: cases.Case, reading: Any, rng: np.random.Generator) -> dict[str, str]:
    """Of half of the sheets none; the truth about doubts and hidden places; or anything."""
    game = game_named(case.game)
    state = case.shot.marked.seen if case.game == "bloxx" else as_photographed(_played(case).state)
    true = game.marks(state)
    how = rng.integers(4)
    if how == 2:
        asked = [*(doubt.where for doubt in reading.doubts), *reading.covered[:3]]
        return {where: true[where] for where in asked if where in true}
    if how == 3:
        places = rng.choice(sorted(true), int(rng.integers(1, 4)), replace=False)
        return {str(each): str(rng.choice(game.marks_at(str(each)))) for each in places}
    return {}


# --- the program ----------------------------------------------------------------------------------


def main(words: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("compare", "write", "draw"))
    parser.add_argument("--game", choices=cases.SHEETS, nargs="+", default=cases.SHEETS)
    parser.add_argument(
        "--count", type=int, default=1000, help="evidences that are kept after drawing"
    )
    parser.add_argument("--folder", type=Path, default=FOLDER)
    options = parser.parse_args(words)
    folder, differ = options.folder, False
    for game in options.game:
        kept, readings = kept_of(game, folder)
        if options.action == "draw":
            for new in draw(game, kept, options.count):
                kept = Evidences(
                    {**kept.definitions, **new.definitions}, {**kept.sheets, **new.sheets}
                )
                readings |= read(new)
                keep(game, kept, readings, folder)
            continue
        now = read(kept)
        found = changes(readings, now)
        print(f"{game}:", "\n".join(found) or f"{len(now)} readings as they were")
        if found:
            print(
                f"  before: {figures(game, readings)}", f"  after: {figures(game, now)}", sep="\n"
            )
        differ = differ or bool(found)
        if options.action == "write":
            keep(game, kept, now, folder)
    raise SystemExit(differ and options.action == "compare")


if __name__ == "__main__":
    main()
