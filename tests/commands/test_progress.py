"""The bar of several photos: on a terminal alone, and never in the way of what is printed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from brikks_vision.commands.app import MODULES
from brikks_vision.commands.start import READERS, reads_photos

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


# --- A command that reads photos gets ready for them while it starts; no other does ---------------


PROGRAM = (
    "import sys; from brikks_vision.commands.start import main\n"
    "try: main()\n"
    "except SystemExit: pass\n"
    "print('onnxruntime' in sys.modules)"
)


@pytest.mark.parametrize(
    ("words", "plainly"),
    [
        (["a.jpg"], True),
        (["a.jpg", "--json"], True),
        (["--json", "a.jpg"], True),
        (["scan", "a.jpg"], True),
        (["game", "--players", "2", "a.jpg", "missing.jpg"], True),
        ([], False),
        (["--help"], False),
        (["missing.jpg"], False),
        (["folder"], False),
        (["-"], False),
        (["stats", "--db", "a.jpg"], False),
        (["batch", "folder", "--csv", "a.jpg"], False),
        (["serve"], False),
    ],
)
def test_what_plainly_reads_photos(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], plainly: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jpg").touch()
    Path("folder").mkdir()
    Path("serve").touch()
    assert reads_photos(words) is plainly


def test_readers_are_commands() -> None:
    assert set(READERS) <= MODULES.keys()


@pytest.mark.parametrize("words", [["--help"], ["sheet", "list"], ["missing.jpg"]])
def test_nothing_for_networks_is_loaded_without_a_photo(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "False"
