"""Golden outputs: what every test photo and sample reads as, kept to compare a change of the code.

    python -m benchmarks.golden write golden.json
    python -m benchmarks.golden compare golden.json

A rebuilding that changes no behaviour leaves all of it equal to the letter. Of every photo of every
game: the readings and their reports in every language, and the evidence that they follow from. A
photo in a folder that bears a game's name is read as one of that game, too, with every printing or
board that is learnt from the empty ones in the same folder; what was learnt is kept as well.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from brikks_vision.errors import BrikksError
from brikks_vision.games import GAMES, game_named
from brikks_vision.games.printings import printings_sought, printings_with
from brikks_vision.infer.evidence import evidence_json
from brikks_vision.layout import Printing
from brikks_vision.learn import learn_sheet
from brikks_vision.pipeline import ScanResult, localize, scan_sheets
from brikks_vision.reading.views import BoardView
from brikks_vision.show.board import told as reported
from brikks_vision.show.report import report
from brikks_vision.text.languages import LANGUAGES

FOLDERS = (Path("samples"), Path("tests/fixtures"), Path("tests/places"))
SUFFIXES = (".jpg", ".png", ".webp", ".heic")
EMPTY = ("blank", "empty")  # in the names of photos of empty sheets and boards
Output = dict[str, Any]


def all_outputs() -> Output:
    """By photo, and by what it is read with."""
    found: Output = {}
    for folder in FOLDERS:
        for path in sorted(each for each in folder.rglob("*") if each.suffix in SUFFIXES):
            for name, output in outputs_of(path):
                found[f"{path} {name}".strip()] = output
    return found


def outputs_of(photo: Path) -> Iterator[tuple[str, Output]]:
    """What a photo reads as: with nothing said, and with what its folder teaches."""
    game = photo.parent.name
    is_named = game in GAMES
    is_board = is_named and game_named(game).board is not None
    if not is_board:
        yield "", told(lambda: shown_in(photo, printings_with("table")))
    if not is_named:
        return
    if any(word in photo.stem for word in EMPTY):
        yield "learnt", told(lambda: learnt_of(photo, game))
        return
    if is_board:
        yield "", told(lambda: shown_in(photo, printings_sought(game)))
    for empty in sorted(photo.parent.glob("*")):
        if empty.suffix in SUFFIXES and any(word in empty.stem for word in EMPTY):
            yield (
                f"with {empty.stem}",
                told(
                    lambda: shown_in(photo, [learn_sheet(empty, game, "learnt").layout])  # noqa: B023
                ),
            )


def told(look: Callable[[], Output]) -> Output:
    """What ``look`` returns, or the sentences of what is wrong."""
    try:
        return look()
    except BrikksError as error:
        return {"error": {language: error.text(language) for language in LANGUAGES}}


def shown_in(photo: Path, printings: Sequence[Printing]) -> Output:
    """What a photo shows of these printings: several sheets, or one board."""
    shown = scan_sheets(photo, printings=printings)
    found = [_shown(each) for each in shown]
    boards = [isinstance(each, ScanResult) and isinstance(each.view, BoardView) for each in shown]
    return found[0] if any(boards) else {"sheets": found}


def _shown(sheet: ScanResult | BrikksError) -> Output:
    if isinstance(sheet, BrikksError):
        return {"error": {language: sheet.text(language) for language in LANGUAGES}}
    if isinstance(sheet.view, BoardView):
        return _in_languages(sheet.reading, reported)
    return {"evidence": evidence_json(sheet.evidence), **_in_languages(sheet.reading, report)}


def learnt_of(photo: Path, game: str) -> Output:
    learnt = json.loads(learn_sheet(photo, game, "learnt").to_json())
    learnt.pop("blank", None)  # the picture hangs on the JPEG library
    return {"learnt": learnt}


def _in_languages(reading: Any, tell: Callable[[Any, str], str]) -> Output:
    """A reading without the times that it took, and its report, by language."""
    spoken = {language: localize(reading, language) for language in LANGUAGES}
    readings = {language: each.to_dict() for language, each in spoken.items()}
    for each in readings.values():
        del each["timing_ms"]
    reports = {language: tell(each, language) for language, each in spoken.items()}
    return {"reading": readings, "report": reports}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=("write", "compare"))
    parser.add_argument("file", type=Path)
    arguments = parser.parse_args()
    found = json.loads(json.dumps(all_outputs()))
    if arguments.action == "write":
        arguments.file.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        print(f"{len(found)} outputs written")
        return
    kept = json.loads(arguments.file.read_text())
    changed = sorted(
        name for name in kept.keys() | found.keys() if kept.get(name) != found.get(name)
    )
    for name in changed:
        print(f"differs: {name}")
    print(f"{len(found) - len(changed)} of {len(kept)} outputs are equal")
    raise SystemExit(bool(changed))


if __name__ == "__main__":
    main()
