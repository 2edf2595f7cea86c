"""The bar of several photos: on a terminal alone, and never in the way of what is printed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PHOTOS = (ROOT / "samples" / "printed.jpg", ROOT / "samples" / "arcade.jpg")
SCRIPT = (
    "import sys; from brikks_vision.commands.app import main\n"
    "try: main()\n"
    "finally: print('rich is loaded' if 'rich' in sys.modules else 'no rich')"
)


SLOW = (
    "import sys, time, pathlib; from brikks_vision.commands.terminal import waiting\n"
    "with waiting(pathlib.Path('a.jpg'), 'en'): time.sleep(float(sys.argv[1]))\n"
    "print('read')"
)


def run_on_a_terminal(words: list[object], script: str = SCRIPT) -> tuple[str, str]:
    """What a command prints on stdout, a pipe, and on stderr, a terminal."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", script, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"},
        cwd=ROOT,
    ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # how Linux says that nobody has the terminal any more
                break
            if not part:
                break
            shown += part
        assert process.stdout is not None
        out = process.stdout.read()
    os.close(ours)
    return out, shown.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
@pytest.mark.parametrize("command", ["batch", "scan"])
def test_a_bar_on_the_terminal_alone(command: str, tmp_path: Path) -> None:
    words = ["batch", *PHOTOS, "--jobs", 1] if command == "batch" else [*PHOTOS, "--json"]
    out, shown = run_on_a_terminal(words)
    assert "2/2" in shown
    assert "\x1b[?25h" in shown  # the cursor is there again
    assert "\x1b" not in out
    assert out.splitlines()[-1] == "rich is loaded"
    for photo in PHOTOS:
        assert photo.name in out


@pytest.mark.parametrize("words", [["--version"], ["--help"], PHOTOS])
def test_without_a_terminal_rich_is_not_loaded(words: list[object]) -> None:
    told = subprocess.run(
        [sys.executable, "-c", SCRIPT, *map(str, words)], capture_output=True, text=True, cwd=ROOT
    )
    assert told.stdout.splitlines()[-1] == "no rich"
    assert told.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
def test_a_complaint_is_whole_above_the_bar(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    _, shown = run_on_a_terminal([PHOTOS[0], tmp_path / "empty.jpg"])
    assert "brikks-scan: empty.jpg: The file is empty." in shown


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
@pytest.mark.parametrize("seconds, told", [(0, False), (2, True)])
def test_a_photo_that_takes_long_is_named_meanwhile(seconds: float, told: bool) -> None:
    out, shown = run_on_a_terminal([seconds], SLOW)
    assert out == "read\n"
    assert ("Reading a.jpg" in shown) is told
    assert shown.endswith("\x1b[2K\r") is told  # and taken away again
