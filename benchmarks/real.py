"""How well are real photos read? Measures on photos that people gave away (docs/give-photos.md).

    python -m benchmarks.real REPORT.zip
    python -m benchmarks.real FOLDER --page    # of reports; writes the table of docs/accuracy.md

A row a game. The truth is what the people said: the right total, and the marks that led to it.
Where nobody said what is right, a photo is left out, and how many these are is told.
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from benchmarks.harness import Table, parser_of, print_table
from benchmarks.outcomes import Outcome, compared, table_of
from brikks_vision.errors import BrikksError, PhotoUnreadable
from brikks_vision.games import GAMES, checked_settings, game_title
from brikks_vision.games.printings import parse_printing
from brikks_vision.intake.teaching import DATA, FORMAT, INDEX, marks_of
from brikks_vision.layout import Printing
from brikks_vision.pipeline import scan_photo
from brikks_vision.reading import GameSettings

GIVEN = Path("cache/given")  # where reports lie if nothing else is said; not in the repository
NAMES = re.compile(rf"(?:photo|printing)-[1-9]\d{{0,5}}\.(?:jpg|json)|{re.escape(DATA)}|{INDEX}")
MAX_FILES = 20_000
MAX_BYTES = 100_000_000  # of a file of a report
MAX_REPORT_BYTES = 4_000_000_000
MAX_RATIO = 200  # how much smaller a file may be packed: JSON of a sheet is 20 times
MIN_RATIO_BYTES = 1_000_000  # small files may be anything
NOT_TOLD = ("accused", "in range")
"""Columns for which nobody said what is right."""
NONE_GIVEN: Table = [("photos",), ("none were given yet",)]


class ReportError(Exception):
    """A file is no report, or not one that is opened; the message is a sentence."""


@dataclass(frozen=True)
class Given:
    """A photo of a report. facts: as of `brikks_vision.intake.teaching.facts_of`.

    printing : None of the package's own. known: what was said of the game.
    """

    data: bytes
    facts: Mapping[str, Any]
    printing: Printing | None
    known: GameSettings

    @property
    def is_told(self) -> bool:
        """Whether somebody said what is right."""
        return self.facts["total"] is not None or bool(self.facts["corrections"])

    @property
    def true_marks(self) -> dict[str, str]:
        """By place, what stands there. All of them hold where they lead to the right total."""
        facts = self.facts
        stands = (facts["stands"].get("score") or {}).get("total")
        said = {place: mark for place, (_, mark) in facts["corrections"].items()}
        marks = facts["marks"] if stands == facts["total"] else said
        return {place: mark for place, mark in marks.items() if mark not in ("?", "read")}


# --- opening reports ------------------------------------------------------------------------------


def photos_in(path: Path) -> Iterator[Given]:
    """The photos of a report, a ZIP file or unpacked, or of all reports in a folder.

    Raises
    ------
    ReportError
    """
    if path.is_file():
        yield from _of_archive(path)
    elif (path / DATA).is_file():
        files = {each.name: each for each in path.iterdir() if NAMES.fullmatch(each.name)}
        yield from _photos({name: file.read_bytes() for name, file in files.items()}, path)
    elif path.is_dir():
        for each in sorted(path.iterdir()):
            if each.suffix == ".zip" or (each / DATA).is_file():
                yield from photos_in(each)
    else:
        raise ReportError(f"There is no report {path}. Give a ZIP file, or a folder of them.")


def _of_archive(path: Path) -> Iterator[Given]:
    try:
        with ZipFile(path) as archive:
            entries = archive.infolist()
            _check(entries, path)
            files = {entry.filename: _content(archive, entry, path) for entry in entries}
    except (BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise ReportError(f"{path} is no whole ZIP file ({error}). Download it again.") from None
    yield from _photos(files, path)


def _check(entries: list[ZipInfo], path: Path) -> None:
    """Nothing is unpacked to the disk; but what is no report is not read either."""
    names = [entry.filename for entry in entries]
    strange = next((name for name in names if not NAMES.fullmatch(name)), None)
    if strange is not None:
        raise ReportError(
            f"{path} holds {strange[:80]!r}, which no report does; nothing of it was read."
        )
    if len(set(names)) < len(names) or len(names) > MAX_FILES:
        raise ReportError(f"{path} holds more files than a report does; nothing of it was read.")
    is_bomb = sum(entry.file_size for entry in entries) > MAX_REPORT_BYTES or any(
        entry.file_size > MAX_BYTES
        or entry.file_size > max(MIN_RATIO_BYTES, MAX_RATIO * entry.compress_size)
        for entry in entries
    )
    if is_bomb:
        raise ReportError(f"{path} would unpack to more than a report is; nothing of it was read.")


def _content(archive: ZipFile, entry: ZipInfo, path: Path) -> bytes:
    """A file, which is no longer than the archive said, whatever it holds."""
    with archive.open(entry) as file:
        content = file.read(entry.file_size + 1)
    if len(content) > entry.file_size:
        raise ReportError(f"{path} is no whole ZIP file ({entry.filename}). Download it again.")
    return content


def _photos(files: Mapping[str, bytes], path: Path) -> Iterator[Given]:
    """Raises ReportError where the files are not those that `report_of` packs."""
    try:
        data = json.loads(files[DATA])
        if data["format"] != FORMAT:
            raise ReportError(f"{path} was made by another version: format {data['format']!r}.")
        for facts in data["photos"]:
            named = facts["printing"]
            printing = None if named is None else parse_printing(files[named], named)
            if facts["game"] not in GAMES or not isinstance(facts["total"], int | None):
                raise ValueError(facts["game"])
            known = checked_settings(facts["settings"], [facts["game"]])
            given = Given(files[facts["photo"]], facts, printing, known)
            _ = given.is_told, given.true_marks  # else what is wrong with them shows too late
            yield given
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, BrikksError) as error:
        told = f"{type(error).__name__}: {error}"[:200]
        raise ReportError(f"{path} is no report of brikks-scan ({told}).") from None


# --- measuring ------------------------------------------------------------------------------------


def read_given(given: Given) -> Outcome:
    """Read a photo with what was said of its game, and compare it with what is right."""
    true = {f"mark {place}": mark for place, mark in given.true_marks.items()}
    start = Outcome(
        game_title(given.facts["game"]), true=given.facts["total"], marks={"mark": (len(true), 0)}
    )
    printings = None if given.printing is None else [given.printing]
    try:
        reading = scan_photo(given.data, given.known, printings=printings).reading
    except PhotoUnreadable as error:
        return replace(start, problem=type(error).__name__, marks={"mark": (len(true), len(true))})
    return compared(start, reading, true, {f"mark {p}": m for p, m in marks_of(reading).items()})


def measure(options: Namespace) -> list[Table]:
    """The table; raises ReportError."""
    path = options.given or GIVEN
    given = list(photos_in(path)) if options.given or path.exists() else []
    told = [each for each in given if each.is_told]
    if len(told) < len(given):
        print(f"{len(given) - len(told)} of {len(given)} photos are left out: nobody said what is "
              "right.", flush=True)  # fmt: skip
    if not told:
        return [NONE_GIVEN]
    table = table_of([read_given(each) for each in told], "game")
    kept = [at for at, column in enumerate(table[0]) if column not in NOT_TOLD]
    return [[tuple(row[at] for at in kept) for row in table]]


def parser() -> ArgumentParser:
    found = parser_of(__doc__)
    found.add_argument("given", nargs="?", type=Path, metavar="REPORT.zip|FOLDER")
    found.add_argument("--page", action="store_true", help="write the table to docs/accuracy.md")
    return found


def main() -> None:
    options = parser().parse_args()
    try:
        (table,) = measure(options)
    except ReportError as error:
        raise SystemExit(str(error)) from None
    print_table(table)
    if options.page:
        from benchmarks.__main__ import PAGE, with_table, written

        page = with_table(PAGE.read_text("utf-8"), "real", written(table, "real"))
        PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
