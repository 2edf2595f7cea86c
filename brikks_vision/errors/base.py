"""The bases of all failures, and how the program ends."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, Literal

from brikks_vision.text.failures import Failure

Side = Literal["left", "right", "top", "bottom"]


class ExitCode(IntEnum):
    """How ``brikks-scan`` ends; the numbers are fixed."""

    CERTAIN = 0
    UNREADABLE = 1
    WRONG_USE = 2
    UNCERTAIN = 3
    VIOLATIONS = 4


class BrikksError(Failure):
    """Base of all failures that a user can cause and correct.

    ``str(error)`` is the English sentence; ``error.text("de")`` the German one.
    """

    sentence: ClassVar[str] = "Something went wrong."
    exit_code: ClassVar[ExitCode] = ExitCode.WRONG_USE


class WrongUse(BrikksError):  # noqa: N818 (the names say what happened)
    """Base of the failures in how the program was called, found before any photo is read."""


class PartsMissing(WrongUse):
    """Base of the failures where a package that is only needed for some things is missing."""

    package: str


class PhotoUnreadable(BrikksError):  # noqa: N818
    """Base of the failures of one photo; other photos of the same call can still be read.

    of_pieces: it is that of the board set up, not that of the empty one.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.UNREADABLE
    of_pieces = False
