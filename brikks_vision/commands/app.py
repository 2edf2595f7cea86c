"""The command ``brikks-scan``. Heavy parts are imported where they are used, not before."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Sequence

from brikks_vision.commands.game import game_app
from brikks_vision.commands.scan import scan_app
from brikks_vision.commands.sheet import sheet_app
from brikks_vision.commands.turn import turn_app

COMMANDS = {"game": game_app, "turn": turn_app, "sheet": sheet_app}
# Modules that are imported when their word comes first; each has its command as ``app``.
COMMAND_MODULES: dict[str, str] = {
    "batch": "brikks_vision.commands.batch",
    "history": "brikks_vision.commands.history",
    "serve": "brikks_vision.commands.serve",
    "stats": "brikks_vision.commands.stats",
    "watch": "brikks_vision.commands.watch",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``brikks-scan`` and exit: the first word is a command's name, or all are photos.

    Raises
    ------
    SystemExit
        Always, with an `ExitCode`.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Names of files can hold bytes that no text encoding knows; no photo may end in a traceback.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if words and words[0] in COMMANDS:
        COMMANDS[words[0]](words[1:], prog_name=f"brikks-scan {words[0]}")
    elif words and words[0] in COMMAND_MODULES:
        module = importlib.import_module(COMMAND_MODULES[words[0]])
        module.app(words[1:], prog_name=f"brikks-scan {words[0]}")
    else:
        scan_app(words, prog_name="brikks-scan")
