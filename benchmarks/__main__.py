"""Measures everything and writes the tables of docs/accuracy.md.

    python -m benchmarks            # hours
    python -m benchmarks --quick    # a small share of it; writes no page
    python -m benchmarks --only "brikks" --again

Each table is kept in ``cache/benchmarks`` as soon as it is measured, so that a run that was stopped
goes on where it was; ``--again`` measures anew. On the page a table stands between two markers,
under the command that makes it.
"""

from __future__ import annotations

import importlib
import json
import re
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.harness import Table, print_table

PAGE = Path("docs/accuracy.md")
KEPT = Path("cache/benchmarks")


@dataclass(frozen=True)
class Measured:
    """A table of the page: its marker, and the options of the program that makes it.

    quick: options that make it a small share. which: of the tables that the program makes.
    """

    name: str
    program: str
    options: str
    quick: str
    which: int = 0

    def command(self, is_quick: bool) -> str:
        words = [self.program, self.options, self.quick if is_quick else ""]
        return " ".join(filter(None, words))


MEASURED = (
    Measured("real", "real", "", ""),
    Measured("brikks", "accuracy", "--game brikks --sheets 16 --seed 26001", "--sheets 1"),
    Measured("bloxx own", "accuracy", "--game bloxx --sheets 10 --seed 26003", "--sheets 1"),
    Measured("qwixx own", "accuracy", "--game qwixx --sheets 13 --seed 72001", "--sheets 1"),
    Measured("blox", "accuracy", "--game blox --sheets 12 --seed 26007", "--sheets 1"),
    Measured("brikks faults", "accuracy", "--game brikks --faults --sheets 10 --seed 26002",
             "--sheets 1"),
    Measured("bloxx faults", "accuracy", "--game bloxx --faults --sheets 8 --seed 26005",
             "--sheets 1"),
    Measured("qwixx faults", "accuracy", "--game qwixx --faults --sheets 10 --seed 72201",
             "--sheets 1"),
    Measured("bloxx learnt", "accuracy", "--game bloxx --printing learnt --sheets 6 --seed 26004",
             "--sheets 1"),
    Measured("qwixx learnt", "accuracy", "--game qwixx --printing learnt --sheets 4 --seed 72101",
             "--sheets 1"),
    Measured("tables brikks", "robustness", "tables --game brikks --sheets 8 --seed 6602",
             "--sheets 1", 1),
    Measured("tables bloxx", "robustness", "tables --game bloxx --sheets 4 --seed 6602",
             "--sheets 1"),
    Measured("situations", "robustness", "situations --sheets 3 --seed 26015", "--sheets 1"),
    Measured("speed", "speed", "--sheets 2 --seed 26017", "--sheets 1 --rounds 2"),
)  # fmt: skip
"""The most important ones first."""


def measured(wanted: Measured, is_quick: bool, again: bool) -> dict[str, Any]:
    """The tables of a command: those that are kept, or that it makes now."""
    command = wanted.command(is_quick)
    path = KEPT / f"{re.sub(r'[^a-z0-9]+', '-', command)}.json"
    if again or not path.exists():
        began = time.monotonic()
        program = importlib.import_module(f"benchmarks.{wanted.program}")
        words = command.split()[1:]
        tables = program.measure(program.parser().parse_args(words))
        kept = {"command": command, "seconds": time.monotonic() - began, "tables": tables}
        KEPT.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(kept, indent=1), "utf-8")
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def written(table: Table, command: str) -> str:
    """A table as it stands on the page, with its command."""
    head, *rows = table
    lines = [f"`python -m benchmarks.{command}`", "", f"| {' | '.join(head)} |",
             f"|{' --- |' * len(head)}"]  # fmt: skip
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def with_table(page: str, name: str, table: str) -> str:
    """The page with what stands between the markers of a name replaced.

    Raises
    ------
    ValueError
        The page has no such markers.
    """
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, found, rest = page.partition(start)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"{PAGE} has no place for the table {name}")
    return f"{before}{start}\n{table}\n{end}{after}"


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="", help="tables whose names contain this")
    parser.add_argument("--again", action="store_true", help="also what is measured already")
    options = parser.parse_args()
    for wanted in MEASURED:
        if options.only not in wanted.name:
            continue
        found = measured(wanted, options.quick, options.again)
        table = found["tables"][wanted.which]
        print(f"\n{wanted.name}: {found['command']} ({found['seconds']:.0f} s)", flush=True)
        print_table(table)
        if not options.quick:
            told = written(table, found["command"])
            PAGE.write_text(with_table(PAGE.read_text("utf-8"), wanted.name, told), "utf-8")


if __name__ == "__main__":
    main()
