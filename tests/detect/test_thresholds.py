"""The thresholds of detection stand in one place, each with its meaning."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import brikks_vision.detect.thresholds as thresholds

FILE = Path(thresholds.__file__)

# They guard the memory and decide no reading.
GUARDS = ("headers.py", "photo.py")

# Boards are not read well enough yet, and their limits still move. This list only shrinks.
IN_THE_MAKING = ("board.py", "faces.py", "ground.py", "pieces.py", "pose.py", "stacks.py")


def constants(file: Path) -> Iterator[tuple[str, ast.stmt | None]]:
    """The names assigned at the top of a module, with the statement after the assignment."""
    body = ast.parse(file.read_text("utf-8")).body
    for statement, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                yield from ((name.id, after) for name in names if isinstance(name, ast.Name))


def test_each_threshold_says_what_it_means() -> None:
    found = dict(constants(FILE))
    assert len(found) > 50
    for name, after in found.items():
        assert isinstance(after, ast.Expr), name
        assert isinstance(after.value, ast.Constant) and isinstance(after.value.value, str), name


def test_no_limit_of_detection_stands_elsewhere() -> None:
    for file in sorted(FILE.parent.glob("*.py")):
        if file != FILE and file.name not in (*GUARDS, *IN_THE_MAKING):
            limits = [n for n, _ in constants(file) if n.lstrip("_").startswith(("MIN_", "MAX_"))]
            assert limits == [], file.name
