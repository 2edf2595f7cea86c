"""Notifications on the desktop, with what the system brings: notify-send or osascript."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress

from brikks_vision.errors import NotifierMissing

MAX_WAIT = 5.0  # seconds for the notifier to take a message

_SCRIPT = (
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
)


def find_notifier() -> str:
    """The program that shows notifications; raises NotifierMissing."""
    for name in ("notify-send", "osascript"):
        if (found := shutil.which(name)) is not None:
            return found
    raise NotifierMissing


def notify(notifier: str, title: str, text: str) -> None:
    """Show a notification; one that the system refuses is left out, for the terminal tells too."""
    if "osascript" in notifier:
        lines = [word for line in _SCRIPT for word in ("-e", line)]
        command = [notifier, *lines, title, text]
    else:
        command = [notifier, "--app-name=brikks-scan", "--", title, text]
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(command, check=False, capture_output=True, timeout=MAX_WAIT)
