"""brikks-scan: what it prints where, and how it exits."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest
from PIL import Image as PillowImage

from brikks_vision import scan
from brikks_vision.commands.app import MODULES, command_named
from brikks_vision.errors import ExitCode, FolderWithoutPictures
from brikks_vision.games.brikks.game import DEFINITION
from brikks_vision.intake.folders import pictures_in
from brikks_vision.layout import load_layout
from brikks_vision.record.database import open_record
from brikks_vision.record.results import list_results
from brikks_vision.text.languages import LANGUAGES, texts_in
from brikks_vision.text.phrases import Phrase
from tests.command_line import Run

SHEET = load_layout("brikks-light")
PX_PER_POINT = 2.2
ENGLISH = {**os.environ, "LC_ALL": "en_GB.UTF-8"}
FIXTURES = Path(__file__).parents[1] / "fixtures"
COMMAND = [sys.executable, "-c", "from brikks_vision.commands.start import main; main()"]


@pytest.fixture(scope="session")
def scanned_sheet() -> np.ndarray:
    """A blank printed sheet as a scanner sees it: not quite sharp."""
    page = pypdfium2.PdfDocument(DEFINITION.printer("a4", 1, "light", Phrase.text))[0]
    print_ = page.render(scale=PX_PER_POINT).to_numpy()[:, :, :3]
    return np.asarray(cv2.GaussianBlur(print_, (0, 0), 0.8), np.uint8)


@pytest.fixture
def blank(tmp_path: Path, scanned_sheet: np.ndarray) -> Path:
    path = tmp_path / "blank.png"
    cv2.imwrite(str(path), scanned_sheet)
    return path


# --- what a good photo gives ---------------------------------------------------------------------


@pytest.mark.parametrize("white", [1.0, 0.85, 0.7])
def test_a_blank_sheet_is_a_legal_sheet_on_paper_of_any_white(
    white: float, scanned_sheet: np.ndarray
) -> None:
    reading = scan((white * scanned_sheet).astype(np.uint8))
    assert reading.score is not None
    assert (reading.score.total, str(reading.status), reading.violations) == (9, "ok", ())


def test_the_score_in_the_terminal(run: Run, blank: Path) -> None:
    code, out, err = run(blank, "--players", 4, "--lang", "de")
    assert (code, err) == (0, "")
    assert "Summe           9   sicher" in out
    assert "Rang" not in out  # of an empty sheet
    assert "\x1b" not in out


def test_json_lines_and_nothing_else(run: Run, blank: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    code, out, err = run(blank, tmp_path / "empty.jpg", blank, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["photo"] for line in lines] == ["blank.png", "empty.jpg", "blank.png"]
    assert [line["status"] for line in lines] == ["ok", "unreadable", "ok"]
    assert lines[0]["score"]["total"] == 9
    assert lines[1]["error"].startswith("The file is empty.")
    assert err == f"brikks-scan: empty.jpg: {lines[1]['error']}\n"
    assert code == ExitCode.UNREADABLE


def test_a_folder_stands_for_its_pictures(run: Run, blank: Path) -> None:
    (blank.parent / "notes.txt").write_text("no picture")
    (blank.parent / ".hidden.jpg").touch()
    code, out, _ = run(blank.parent, "--json")
    assert code == 0
    assert [json.loads(line)["photo"] for line in out.splitlines()] == ["blank.png"]


def test_a_reading_with_a_player_goes_to_the_record_once(
    run: Run, blank: Path, tmp_path: Path
) -> None:
    words = (blank, "--player", "Anna", "--db", tmp_path / "games.db")
    assert [run(*words)[0], run(*words)[0]] == [0, 0]
    with open_record(tmp_path / "games.db") as record:
        (kept,) = list_results(record)
    assert (kept.player, kept.reading.score and kept.reading.score.total) == ("Anna", 9)


def test_a_record_that_cannot_be_kept_is_told_figures_given_score(run: Run, blank: Path) -> None:
    before = blank.read_bytes()
    code, out, err = run(blank, "--db", blank)  # the photo itself is no record
    assert code == ExitCode.WRONG_USE
    assert err.startswith("brikks-scan: ") and "Traceback" not in err
    assert "Total" in out
    assert blank.read_bytes() == before


def test_the_referee_has_an_exit_code(run: Run) -> None:
    floating = FIXTURES / "fault-floating.jpg"
    code, out, _ = run(floating)
    assert code == ExitCode.CERTAIN
    assert "  Against the rules: The black block in columns 5-6" in out
    code, out, _ = run(floating, "--referee")
    assert code == ExitCode.VIOLATIONS
    assert "[floating" in out


def test_an_annotated_picture(run: Run, blank: Path, tmp_path: Path) -> None:
    before = blank.read_bytes()
    code, _, err = run(blank, "--annotate", tmp_path / "read.jpg")
    assert (code, err) == (0, f"Saved in {tmp_path / 'read.jpg'}.\n")
    assert cv2.imread(str(tmp_path / "read.jpg")) is not None
    assert blank.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["blank.png", "read.jpg"]


def test_several_annotated_pictures_in_a_folder(run: Run, blank: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    twin = tmp_path / "other" / "Blank.png"
    twin.write_bytes(blank.read_bytes())
    code, _, _ = run(blank, twin, "--annotate", tmp_path / "read" / "today")
    assert code == 0
    made = sorted(path.name for path in (tmp_path / "read" / "today").iterdir())
    assert made == ["Blank-2.jpg", "blank.jpg"]


def test_a_photo_on_standard_input(blank: Path, tmp_path: Path) -> None:
    words = ["-", "--json", "--annotate", str(tmp_path / "read.jpg")]
    data = blank.read_bytes()
    result = subprocess.run([*COMMAND, *words], input=data, capture_output=True, env=ENGLISH)
    reading = json.loads(result.stdout)
    assert (reading["photo"], reading["score"]["total"]) == ("stdin", 9)
    assert cv2.imread(str(tmp_path / "read.jpg")) is not None
    result = subprocess.run([*COMMAND, "-"], input=b"", capture_output=True, env=ENGLISH)
    assert (result.returncode, result.stdout) == (ExitCode.UNREADABLE, b"")
    assert result.stderr.startswith(b"brikks-scan: stdin: The file is empty.")


OPTIONS = {
    "--json": (),
    "--players": (3,),
    "--level": (2,),
    "--variant": ("standard",),
    "--game": ("bloxx",),
    "--sheet": ("brikks-light",),
    "--lang": ("de",),
    "--answer": ("cell 3,4=X",),
    "--annotate": ("read.jpg",),
    "--referee": (),
    "--player": ("Anna",),
    "--db": ("games.db",),
    "--together": (),
    "--keep": (),
    "--total": (102,),
}


def test_the_options_below_are_all_that_a_scan_has() -> None:
    known = {name for param in command_named("scan").params for name in param.opts}
    assert {name for name in known if name.startswith("--")} == OPTIONS.keys()


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_stands_before_or_after_the_photo_or_standard_input(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("stdin").write_bytes(b"no picture")

    def told(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"no picture")))
        return run(*words)

    values = OPTIONS[option]
    meant = told("scan", "stdin", option, *values)
    assert (meant[0], "stdin: " in meant[2]) == (ExitCode.UNREADABLE, True)
    for photo in ("stdin", "-"):
        assert told(option, *values, photo) == meant
        assert told(photo, option, *values) == meant
    if values:
        assert told(f"{option}={values[0]}", "-") == meant


def test_a_photo_is_read_as_the_game_that_stands_before_it(run: Run, blank: Path) -> None:
    code, out, _ = run("--game", "brikks", blank, "--json")
    assert (code, json.loads(out)["score"]["total"]) == (0, 9)
    code, out, _ = run("--sheet", "brikks-light", "--json", blank)
    assert (code, json.loads(out)["sheet"]) == (0, "brikks-light")


def test_the_signs_are_explained(run: Run, blank: Path) -> None:
    out = run(blank, blank)[1]
    assert out.count("X crossed, . empty, ? cannot be told") == 1
    assert "X crossed" not in run(blank, "--json")[1]


def test_several_photos_end_in_a_summary(run: Run, blank: Path) -> None:
    (blank.parent / "empty.jpg").touch()
    out = run(blank.parent)[1]
    rows = dict(line.rsplit(maxsplit=1) for line in out.splitlines()[-5:])
    assert list(rows.values()) == ["2", "2", "1", "0", "1"]
    assert "  not readable" in rows
    assert "not readable" not in run(blank)[1]


def test_work_goes_on_when_nobody_reads_the_output(blank: Path, tmp_path: Path) -> None:
    (tmp_path / "other.png").write_bytes(blank.read_bytes())
    ours, theirs = os.pipe()
    os.close(ours)
    words = [blank.parent, "--annotate", tmp_path / "read", "--json"]
    result = subprocess.run([*COMMAND, *words], stdout=theirs, stderr=subprocess.PIPE, env=ENGLISH)
    os.close(theirs)
    assert result.returncode == 0
    assert all(line.startswith(b"Saved in ") for line in result.stderr.splitlines())
    assert sorted(path.name for path in (tmp_path / "read").iterdir()) == ["blank.jpg", "other.jpg"]


def test_a_camera_date_in_the_future_is_told(run: Run, blank: Path, tmp_path: Path) -> None:
    exif = PillowImage.Exif()
    exif.get_ifd(0x8769)[0x9003] = "2999:01:02 03:04:05"
    PillowImage.open(blank).save(tmp_path / "ahead.png", exif=exif.tobytes())
    code, _, err = run(tmp_path / "ahead.png", "--db", tmp_path / "games.db")
    assert code == 0
    assert "2999-01-02 03:04, which is in the future" in err
    with open_record(tmp_path / "games.db") as record:
        (kept,) = list_results(record)
    assert (kept.photo.taken_from, kept.photo.taken.year < 2999) == ("file-as-camera-ahead", True)


# --- what goes wrong -----------------------------------------------------------------------------


def test_missing_photos_are_wrong_use_and_the_others_are_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    code, out, err = run(tmp_path / "missing.jpg", tmp_path / "empty.jpg", "--json")
    assert code == ExitCode.WRONG_USE
    assert [json.loads(line)["photo"] for line in out.splitlines()] == ["empty.jpg"]
    assert f"There is no file {tmp_path / 'missing.jpg'}." in err


def test_a_photo_is_never_overwritten(run: Run, tmp_path: Path) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(b"precious")
    (tmp_path / "link.jpg").symlink_to(photo)
    for output in (photo, tmp_path / "link.jpg", tmp_path):
        code, out, err = run(photo, "--annotate", output)
        assert (code, out) == (ExitCode.WRONG_USE, "")
        assert "never overwritten" in err
    assert photo.read_bytes() == b"precious"


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("read.pdf", "is no kind of file that can be written here"),
        ("read", "is no kind of file that can be written here"),
        ("nowhere/read.jpg", "cannot be written"),
    ],
)
def test_an_output_that_cannot_be(run: Run, tmp_path: Path, output: str, sentence: str) -> None:
    (tmp_path / "a.jpg").touch()
    code, out, err = run(tmp_path / "a.jpg", "--annotate", tmp_path / output)
    assert (code, out) == (ExitCode.WRONG_USE, "")
    assert sentence in err


def test_several_photos_need_a_folder(run: Run, tmp_path: Path) -> None:
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).touch()
    code, _, err = run(tmp_path, "--annotate", tmp_path / "read.jpg")
    assert code == ExitCode.WRONG_USE
    assert "Give a folder" in err


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["a.jpg", "--players", "6"],
        ["a.jpg", "--level", "0"],
        ["a.jpg", "--lang", "xx"],
        ["a.jpg", "--players", "3", "--variant", "solo"],
        ["a.jpg", "--unknown"],
        ["a.jpg", "--answer", "cell 3,4"],
        ["a.jpg", "--answer", "cell 11,4=X"],
        ["a.jpg", "a.jpg", "--answer", "cell 3,4=X"],
        ["game", "a.jpg"],
        ["game", "a.jpg", "missing.jpg"],
        ["game", "a.jpg", "a.jpg", "a.jpg", "a.jpg", "a.jpg"],
        ["game", "a.jpg", "a.jpg", "a.jpg", "--variant", "duel"],
        ["game", "a.jpg", "a.jpg", "--variant", "solo"],
        ["game", "a.jpg", "a.jpg", "a.jpg", "--players", "2"],
        ["game", "a.jpg", "a.jpg", "--level", "5"],
        ["turn"],
        ["turn", "a.jpg"],
        ["turn", "a.jpg", "a.jpg", "--out"],
        ["turn", "a.jpg", "missing.jpg"],
        ["turn", "a.jpg", "a.jpg", "--roll", "pink", "1"],
        ["turn", "a.jpg", "a.jpg", "--roll", "red", "5"],
        ["turn", "a.jpg", "a.jpg", "--players", "3", "--variant", "duel"],
        ["sheet"],
        ["sheet", "print", "-o", "sheet.png"],
        ["sheet", "print", "-o", "nowhere/sheet.pdf"],
        ["sheet", "print", "-o", "sheet.pdf", "--per-page", "3"],
        ["sheet", "print", "-o", "sheet.pdf", "--paper", "a5"],
    ],
)
def test_wrong_use(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jpg").touch()
    code, out, err = run(*words)
    assert (code, out) == (ExitCode.WRONG_USE, "")
    assert err
    assert [path.name for path in tmp_path.iterdir()] == ["a.jpg"]


def test_pictures_in_a_folder(tmp_path: Path) -> None:
    for name in ("b.JPG", "a.heic", "c.webp", "._b.jpg", "notes.txt"):
        (tmp_path / name).touch()
    (tmp_path / "folder.jpg").mkdir()
    assert [path.name for path in pictures_in(tmp_path)] == ["a.heic", "b.JPG", "c.webp"]
    with pytest.raises(FolderWithoutPictures):
        pictures_in(tmp_path / "folder.jpg")


# --- the sheet, and starting up ------------------------------------------------------------------


def test_printing_a_sheet(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    words = [
        "sheet",
        "print",
        "-o",
        path,
        "--paper",
        "letter",
        "--per-page",
        2,
        "--style",
        "arcade",
    ]
    assert run(*words) == (0, f"Brikks on LETTER, written to {path}.\n", "")
    assert path.read_bytes().startswith(b"%PDF")


def test_printing_the_sheet_of_a_game_by_its_name(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("sheet", "print", "bloxx") == (0, "BLOXX! on A4, written to bloxx.pdf.\n", "")
    first = (tmp_path / "bloxx.pdf").read_bytes()
    assert run("sheet", "print", "bloxx", "--lang", "de")[1].endswith("nach bloxx-2.pdf.\n")
    assert first == (tmp_path / "bloxx.pdf").read_bytes()
    assert (tmp_path / "bloxx-2.pdf").read_bytes().startswith(b"%PDF")
    assert run("sheet", "print", "chess")[0] == ExitCode.WRONG_USE


def test_a_photo_called_sheet(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sheet").touch()
    code, _, err = run("./sheet")
    assert code == ExitCode.UNREADABLE
    assert "The file is empty." in err


@pytest.mark.parametrize(
    "words",
    [["--help"], ["-h"], ["game", "-h"], ["turn", "-h"], ["sheet", "print", "--help"]],
)
def test_help(run: Run, words: list[str]) -> None:
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert out.startswith("Usage: brikks-scan ")


@pytest.mark.parametrize("words", [[], ["game"], ["sheet", "learn"], ["stats"]])
def test_the_word_help_is_the_option(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("help", *words) == run(*words, "--help")
    (tmp_path / "help").touch()  # now it is a photo
    assert "help: The file is empty." in run("help")[2]


def test_help_names_options_commands_and_exit_codes(run: Run) -> None:
    out = run("--help")[1]
    for word in ("--json", "--players", "--annotate", "--referee", "--answer", "Exit codes"):
        assert word in out
    for command in MODULES:
        assert f"\n  {command} " in out


def test_without_words_the_help_is_shown(run: Run) -> None:
    code, out, err = run()
    assert (code, out) == (ExitCode.WRONG_USE, "")
    assert err.startswith("Usage: brikks-scan ") and "\n  serve " in err


OTHERS = [language for language in LANGUAGES if language != "en"]


def help_texts(command: Any) -> set[str]:
    """What a command says of its arguments and options, and below its first line, in English."""
    _, _, more = (command.help or "").partition("\n\n")
    own = {more.partition("\b")[0].strip(), *(param.help for param in command.params)}
    return own.union(*map(help_texts, getattr(command, "commands", {}).values()))


def test_every_option_is_explained_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {}
    for language in LANGUAGES:
        monkeypatch.setenv("LANG", f"{language}_XX.UTF-8")
        told[language] = {text for each in MODULES for text in help_texts(command_named(each))}
        assert texts_in("en").options.keys() <= texts_in(language).options.keys()
        assert told[language].isdisjoint(texts_in("en").options), "a key without its text"
    for language in OTHERS:
        assert told["en"] & told[language] <= {""}


@pytest.mark.parametrize("language", OTHERS)
def test_the_help_of_every_command_has_no_english_in_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("LANG", f"{language}_XX.UTF-8")
    words = [[name] for name in MODULES]
    words += [["sheet", name] for name in ("print", "learn", "add", "list", "remove")]
    for each in [[], *words]:
        out = run(*each, "--help")[1]
        for english in (
            "Usage:",
            "Options:",
            "Commands:",
            "default:",
            "required",
            "Show ",
            " the ",
            "Exit codes",
            "Print sheets",
        ):
            assert english not in out, each


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["a.jpg", "--gmae", "x"], ["--gmae", "brikks-scan scan --help"]),
        (["game"], ["PHOTO|FOLDER", "brikks-scan game --help"]),
        (["a.jpg", "--players", "9"], ["--players", "9", "1, 2, 3, 4, 5"]),
        (["a.jpg", "--variant", "poker"], ["--variant", "poker", "standard, solo, duel"]),
        (["batch", "a.jpg", "--jobs", "none"], ["--jobs", "none", ">= 1"]),
        (["a.jpg", "--players"], ["--players"]),
        (["turn", "a.jpg", "b.jpg", "--roll", "red"], ["--roll"]),
        (["sheet", "fold"], ["fold", "print, learn, add, list, remove"]),
        (["sheet", "print"], ["--output", "brikks-scan sheet print --help"]),
        (["sheet", "list", "all", "of"], ["all of", "brikks-scan sheet list --help"]),
    ],
)
def test_wrong_use_is_told_in_one_sentence_in_every_language(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str], named: list[str]
) -> None:
    told = set()
    for language in LANGUAGES:
        monkeypatch.setenv("LANG", f"{language}_XX.UTF-8")
        code, out, err = run(*words)
        assert (code, out, err.count("\n")) == (ExitCode.WRONG_USE, "", 1)
        assert err.startswith("brikks-scan: ") and all(name in err for name in named)
        told.add(err)
    assert len(told) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("word", "command"),
    [("sever", "serve"), ("gane", "game"), ("histroy", "history"), ("hlep", "help")],
)
def test_a_mistyped_command(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(word, "--port", 80)
    assert (code, out) == (ExitCode.WRONG_USE, "")
    assert f"Did you mean {command}?" in err
    (tmp_path / word).touch()  # now it is a photo
    code, _, err = run(word)
    assert code == ExitCode.UNREADABLE
    assert "The file is empty." in err


# --- completion by the shell ----------------------------------------------------------------------


def completed(*words: str, shell: str = "bash") -> list[str]:
    """What the shell is offered for the last of the words."""
    line = " ".join(["brikks-scan", *words])
    asked = {
        "_BRIKKS_SCAN_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words)),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_WORD_TO_COMPLETE": words[-1],
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    result = subprocess.run(COMMAND, capture_output=True, text=True, env={**os.environ, **asked})
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.split("\n") if result.stdout.strip() else []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_shell_completes_commands(shell: str) -> None:
    offered = "\n".join(completed("se", shell=shell))
    assert "serve" in offered and "history" not in offered


def test_options_values_and_files_are_completed() -> None:
    assert "--annotate" in completed("--an")
    assert "--referee" in completed("photo.jpg", "--ref")
    assert "print" in completed("sheet", "p")
    assert set(completed("game", "--variant", "d")) >= {"duel"}
    # Nothing of our own: then shells offer the names of files.
    assert completed("game", "IMG") == completed("IMG") == completed("--annotate", "IMG") == []


@pytest.mark.skipif(os.name != "posix", reason="asks bash")
def test_completion_is_installed(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("brikks-scan")
    result = subprocess.run(
        ["bash", "--norc", "-c", f"{program} --install-completion; true"],
        capture_output=True,
        text=True,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert "bash completion installed" in result.stdout
    assert ".bash_completions/brikks-scan.sh" in (tmp_path / ".bashrc").read_text()


def test_the_version(run: Run) -> None:
    assert run("--version")[1].startswith("brikks-scan ")


HEAVY = (
    "cv2 numpy PIL pillow_heif reportlab rich skimage scipy asyncio sqlite3 "
    "platformdirs watchfiles fastapi uvicorn"
)
COMPLETING = """
from brikks_vision.commands.app import command_line
import typer
group = command_line()
group.shell_complete(typer.Context(group), "")
"""


@pytest.mark.parametrize(
    ("script", "unused"),
    [
        (COMPLETING, "cv2 numpy sqlite3"),
        ("import brikks_vision.commands.app", HEAVY),
        # numpy reads only when it is loaded how many cores a worker may take
        ("import brikks_vision.intake.batch, brikks_vision.commands.app", "numpy"),
    ],
    ids=["completing", "starting", "batch"],
)
def test_only_what_is_used_is_imported(script: str, unused: str) -> None:
    script += f"\nimport sys; print([each for each in {unused!r}.split() if each in sys.modules])"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout.strip() == "[]"


MODULES_OF_A_PHOTO = 83  # of the package; the number only shrinks


def test_reading_a_photo_imports_only_what_is_used() -> None:
    script = (
        "import sys; from brikks_vision.commands.app import main\n"
        "try: main(['samples/arcade.jpg', '--json'])\n"
        "except SystemExit: pass\n"
        "heavy = 'onnxruntime PIL pillow_heif reportlab rich scipy asyncio sqlite3'.split()\n"
        "heavy += 'numpy.ma brikks_vision.record brikks_vision.games.brikks.coach'.split()\n"
        "heavy += 'concurrent.futures logging hashlib importlib.resources numpy.random'.split()\n"
        "ours = 'infer.advice infer.sameness infer.following infer.posterior games.learning '\n"
        "ours += 'games.brikks.compare reading.boards reading.views rules.lost rules.brikks.play'\n"
        "heavy += [f'brikks_vision.{name}' for name in ours.split()]\n"
        "print(sum(name.startswith('brikks_vision.') for name in sys.modules))\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    *_, count, found = result.stdout.strip().splitlines()
    assert (int(count) <= MODULES_OF_A_PHOTO, found) == (True, "['onnxruntime']")


def test_lines_of_libraries_stay_off_the_terminal(tmp_path: Path) -> None:
    good = (FIXTURES / "good-art.jpg").read_bytes()
    half = len(good) // 2
    (tmp_path / "a.jpg").write_bytes(good[:half] + b"\xff\xd9")  # libjpeg warns of what is missing
    ours = "import cv2, sys; from brikks_vision.commands.start import silence_libraries\n"
    read = "cv2.imread(sys.argv[1]); print('ours', file=sys.stderr)"
    for script, lines in ((f"{ours}{read}", 2), (f"{ours}silence_libraries(); {read}", 1)):
        command = [sys.executable, "-c", script, str(tmp_path / "a.jpg")]
        result = subprocess.run(command, capture_output=True, text=True)
        assert len(result.stderr.splitlines()) == lines, "the library, and then only we, are heard"
        assert result.stderr.endswith("ours\n")
    result = subprocess.run([*COMMAND, tmp_path / "a.jpg"], capture_output=True, text=True)
    assert result.returncode == ExitCode.UNREADABLE
    assert [line.split(":")[0] for line in result.stderr.splitlines()] == ["brikks-scan"]


def test_names_that_no_encoding_knows_end_in_no_traceback(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff\xfe.jpg"
    result = subprocess.run(
        [*COMMAND, name], capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    assert result.returncode == ExitCode.WRONG_USE
    assert b"Traceback" not in result.stderr
