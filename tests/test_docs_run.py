"""Every line of the README and the docs that can be run is run, in a copy, with what it needs."""

import importlib.util
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from brikks_vision.show.analysis import sheet_columns
from tests.command_line import Run
from tests.processes import started

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SCRIPTS = Path(sysconfig.get_path("scripts"))

NAMED = {
    "photo.jpg": "samples/arcade.jpg",
    "FILLED.jpg": "tests/fixtures/good-printed.jpg",
    "BLANK.jpg": "tests/fixtures/blank.jpg",
    "BOARD.jpg": "tests/fixtures/blox/empty.jpg",
    "PHOTO.jpg": "tests/fixtures/blox/slant.jpg",
    "BEFORE.jpg": "tests/fixtures/blox/slant.jpg",
    "AFTER.jpg": "tests/fixtures/blox/after.jpg",
    "PHOTOS": "samples",
}
"""What the reader is to put in place of a name."""

INSTALLS = "installs from the network"
NOT_RUN = {
    r"(.*&& )?(\.venv/bin/)?pip install .*": INSTALLS,
    r"python3 -m venv .*": INSTALLS,
    r"\. \.venv/bin/activate": "the tests run in an environment",
    r"brikks-scan batch .* --scheduler tcp://HOST:8786.*": "needs a cluster; tests/intake has one",
    r"curl .*": "needs the server; run beside it below",
    r"(\.venv/bin/)?brikks-scan (serve|watch).*": "stays; run for a moment below",
    r"python -m (training|simulation|benchmarks)\b.*": "takes minutes to hours; its options below",
    r"for network in .*": "takes hours",
}
"""Lines that are not run as they stand, and why."""

OWN_PROCESS = {".venv/bin/brikks-scan samples/", "brikks-scan samples/arcade.jpg"}
"""Lines that are given to a shell; so is what a shell understands. Others are run in the test's
process."""

CODES = {"--referee": {4}, "turn": {0, 3, 4}}
"""By a word of a line, how it may end. Else with 0, or 3 where something is uncertain."""


def blocks(page: Path, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def lines(page: Path) -> list[str]:
    """The lines for a shell, without what is said of them."""
    found = [line for block in blocks(page, "sh") for line in block.splitlines()]
    return [re.sub(r"\s+# .*", "", line) for line in found]


def reason(line: str) -> str | None:
    """Why a line is not run."""
    return next((why for like, why in NOT_RUN.items() if re.fullmatch(like, line)), None)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with all that the examples read, in which they may write."""
    folder = tmp_path / "copy"
    for name in ("samples", "tests/fixtures"):
        shutil.copytree(ROOT / name, folder / name)
    for name, path in NAMED.items():
        (folder / name).symlink_to(folder / path)
    return folder


def environment(copy: Path) -> dict[str, str]:
    """That of the tests, with a home and a record of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
    home = copy.parent / "home"
    path = os.pathsep.join([str(SCRIPTS), os.environ["PATH"]])
    own = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "PYTHONPATH": str(ROOT)}
    return {**kept, **own, "LANG": "en_GB.UTF-8", "PATH": path}


Here = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def here(
    copy: Path, run: Run, observed_once: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Here]:
    """Runs a line in the copy; exit code, stdout, stderr."""
    for name in ("HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, environment(copy)[name])
    monkeypatch.chdir(copy)
    monkeypatch.setattr("brikks_vision.games.printings._in_use", {})

    def run_line(line: str) -> tuple[int, str, str]:
        if line in OWN_PROCESS or re.search(r"[<>|&;$]", line):
            done = in_shell(line, copy)
            return done.returncode, done.stdout, done.stderr
        program, *words = shlex.split(line)
        assert Path(program).name == "brikks-scan"
        return run(*words)

    with open(os.devnull) as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        yield run_line


def in_shell(line: str, copy: Path) -> subprocess.CompletedProcess[str]:
    command = line.replace(".venv/bin/brikks-scan", "brikks-scan")
    return subprocess.run(
        ["bash", "-c", command],
        cwd=copy,
        env=environment(copy),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


def of_pages(with_any: Callable[[Path], list[str]]) -> pytest.MarkDecorator:
    """A test for each page with anything to run."""
    pages = [page for page in PAGES if with_any(page)]
    return pytest.mark.parametrize("page", pages, ids=lambda page: page.name)


def run_lines(page: Path) -> list[str]:
    return [line for line in lines(page) if not reason(line)]


def run_blocks(page: Path) -> list[str]:
    """Those of Python; examples with their results are run by tests/test_library.py."""
    return [block for block in blocks(page, "python") if ">>>" not in block]


@of_pages(run_lines)
def test_every_line_of_a_page_runs(page: Path, here: Here) -> None:
    for line in run_lines(page):
        code, said, complained = here(line)
        codes = next((CODES[word] for word in line.split() if word in CODES), {0, 3})
        assert code in codes, f"{line}\n{said}{complained}"
        assert "Traceback" not in complained, line


@of_pages(run_blocks)
def test_every_block_of_python_of_a_page_runs(
    page: Path, here: Here, capsys: pytest.CaptureFixture[str]
) -> None:
    for block in run_blocks(page):
        exec(compile(block, page.name, "exec"), {"__name__": "__main__"})
        said = capsys.readouterr()
        assert said.err == "", block
        for told in re.findall(r"print\(.*\)  # ([\d(].*)", block):
            assert told in said.out


def test_every_reason_is_one_of_a_line() -> None:
    every = [line for page in PAGES for line in lines(page)]
    for like in NOT_RUN:
        assert any(re.fullmatch(like, line) for line in every), like


def test_what_is_told_of_a_line_is_what_it_says(here: Here) -> None:
    page = (ROOT / "docs" / "use.md").read_text("utf-8")
    pairs = re.findall(r"^```sh\n([^`\n]*)\n```\n\n[^`]*?:\n\n```\n(.*?)\n```$", page, re.M | re.S)
    assert pairs
    for line, told in pairs:
        said = here(line)[1].splitlines()
        assert sum("--answer" in each for each in said) == told.count("--answer")
        for each in filter(None, told.splitlines()):
            assert each in said


@pytest.mark.parametrize("line", [line for page in PAGES for line in lines(page) if " -m " in line])
def test_a_tool_has_the_options_that_a_line_names(line: str) -> None:
    found = re.search(r"python -m ((?:training|simulation|benchmarks)[.\w]*)", line)
    if found is None:  # the README's tests
        return
    room = ROOT / found[1].partition(".")[0]
    source = "".join(file.read_text("utf-8") for file in room.rglob("*.py"))
    for option in re.findall(r"(?<= )--[a-z-]+", line.split("; done")[0]):
        assert f'"{option}"' in source, option


def test_the_columns_of_tables_are_those_of_the_page() -> None:
    page = (ROOT / "docs" / "use.md").read_text("utf-8")
    section = page.split("## Tables")[1].split("\n## ")[0]
    told = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", section, re.M)))
    assert set(told) == set(sheet_columns())


# --- what stays ----------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def ready(line: str, copy: Path, said: str) -> Iterator[None]:
    """The command, while it runs, from when it has said what it says when it is ready."""
    words = [os.path.expandvars(word) for word in shlex.split(line)]
    words[0] = str(SCRIPTS / "brikks-scan")
    own = {**environment(copy), "PYTHONUNBUFFERED": "1"}
    with started(words, cwd=copy, env=own, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        assert any(said in told for told in process.stdout), line
        yield


def test_the_server_of_the_pages_runs_and_answers_what_they_send(copy: Path, here: Here) -> None:
    every = [line for page in PAGES for line in lines(page)]
    serving = [line for line in every if line.startswith("brikks-scan serve")]
    here("brikks-scan sheet learn BOARD.jpg --game blox --name my-board")
    sending = [line for line in every if line.startswith("curl")]
    assert serving and sending
    for line in serving:
        if "--https" in line and importlib.util.find_spec("cryptography") is None:
            continue  # the extra https is not installed
        port = free_port()
        with ready(f"{line} --port {port}", copy, f":{port}/"):
            for request in sending if "--host" not in line else []:  # others need a key
                sent = request.replace("8765", str(port)).replace("curl", "curl -sf")
                done = in_shell(sent, copy)
                assert (done.returncode, done.stdout[:1]) == (0, "{"), request


def test_the_watch_of_the_pages_begins(copy: Path) -> None:
    camera = copy.parent / "home" / "Phone" / "Camera"
    camera.mkdir(parents=True)
    every = [line for page in PAGES for line in lines(page)]
    watching = [line for line in every if line.startswith("brikks-scan watch")]
    assert watching
    for line in watching:
        own = line.replace("~/Phone/Camera", str(camera)).replace("/mnt/share", str(camera))
        with ready(own.replace(" --notify", ""), copy, "Watching"):
            time.sleep(0.1)
