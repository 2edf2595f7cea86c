"""Each limit of detection says beside it what it means."""

from __future__ import annotations

import ast
from pathlib import Path

import brikks_vision.detect

FILES = sorted(Path(brikks_vision.detect.__file__).parent.glob("*.py"))


def unexplained(file: Path) -> list[str]:
    """Limits at the top of a module without a comment in their line or in the line above."""
    text = file.read_text("utf-8")
    lines = text.splitlines()
    return [
        lines[statement.lineno - 1]
        for statement in ast.parse(text).body
        if isinstance(statement, ast.Assign)
        and lines[statement.lineno - 1].lstrip("_").startswith(("MIN_", "MAX_"))
        and "  # " not in lines[(statement.end_lineno or 0) - 1]
        and not lines[statement.lineno - 2].startswith("# ")
    ]


def test_each_limit_says_what_it_means() -> None:
    assert len(FILES) > 20
    assert {file.name: found for file in FILES if (found := unexplained(file))} == {}
