"""What the tests of the record share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from brikks_vision.record.database import Record, open_record


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    with open_record(tmp_path / "record.sqlite3") as opened:
        yield opened
