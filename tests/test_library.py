"""What a program that imports the library can rely on."""

import doctest
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

import brikks_vision
from brikks_vision import (
    Reading,
    ReadSheet,
    Status,
    coach,
    errors,
    follow,
    learn_sheet,
    scan,
    scan_all,
)
from brikks_vision.games import reading_from

pytestmark = pytest.mark.usefixtures("observed_once")

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "samples"
BOARD = ROOT / "tests" / "fixtures" / "blox" / "above.jpg"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_version_is_that_of_the_package() -> None:
    assert brikks_vision.__version__ == version("brikks-vision")


def test_an_open_file_is_read_as_the_file_is() -> None:
    path = SAMPLES / "arcade.jpg"
    with path.open("rb") as file:
        reading = scan(file)
        assert not file.closed
    meant = scan(path)
    assert (reading.photo, reading.grid, reading.score) == (meant.photo, meant.grid, meant.score)


def test_bytes_in_memory_are_read_as_a_file_object() -> None:
    (reading,) = scan_all(io.BytesIO((SAMPLES / "printed.jpg").read_bytes()))
    assert (reading.photo, reading.score) == ("photo", scan(SAMPLES / "printed.jpg").score)


def test_a_file_that_is_opened_as_text_is_no_picture() -> None:
    with (SAMPLES / "arcade.jpg").open() as file:
        assert scan(file).error == errors.NotAnImage().text("en")  # type: ignore[arg-type]


def test_a_file_object_without_content_is_an_empty_photo() -> None:
    assert scan(io.BytesIO()).error == errors.PhotoEmpty().text("en")


PICTURE = (SAMPLES / "arcade.jpg").read_bytes()


@pytest.mark.parametrize("form", [bytearray, memoryview, "RGB", "RGBA", "P", "L", "I;16"])
def test_a_photo_in_memory_is_read_whatever_holds_it(form: Any) -> None:
    held = form(PICTURE) if callable(form) else pillow_image(form)
    (reading,) = scan_all(held)
    assert (reading.photo, reading.status, reading.score) == ("photo", "ok", scan(PICTURE).score)


def pillow_image(mode: str) -> Pillow.Image:
    """The sample as an image of Pillow."""
    picture = Pillow.open(io.BytesIO(PICTURE))
    if mode != "I;16":
        return picture.convert(mode, palette=Pillow.Palette.ADAPTIVE)  # else of too few tones
    return Pillow.fromarray(np.asarray(picture.convert("L"), np.uint16) * 257)


def test_an_image_of_pillow_is_read_as_its_file_and_stays_as_it_is() -> None:
    lying = ROOT / "tests" / "fixtures" / "exif.jpg"
    with Pillow.open(lying) as picture:
        size = picture.size
        reading = scan(picture)
        assert (picture.size, picture.getexif()[0x0112]) == (size, 6)
    assert (reading.score, reading.corners) == (scan(lying).score, scan(lying).corners)
    assert learn_sheet(Pillow.open("tests/fixtures/blank.jpg"), "brikks").to_json()


def test_an_image_of_pillow_that_cannot_be_decoded_is_a_damaged_photo() -> None:
    half = Pillow.open(io.BytesIO(PICTURE[: len(PICTURE) // 2]))
    assert scan(half).error == errors.PhotoDamaged().text("en")


@pytest.mark.parametrize("source", [None, 3, [PICTURE], {"photo": PICTURE}])
@pytest.mark.parametrize("game", [None, "brikks", "blox"])
def test_what_holds_no_photo_is_named(source: Any, game: str | None) -> None:
    for call in (scan, scan_all, learn_sheet):
        with pytest.raises(errors.SourceUnknown) as refused:
            call(source, game=game)
        assert type(source).__name__ in str(refused.value)


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"language": "xx"}, errors.UnknownValue),
        ({"language": None}, errors.UnknownValue),
        ({"players": 9}, errors.UnknownValue),
        ({"players": 0}, errors.UnknownValue),
        ({"players": "two"}, errors.UnknownValue),
        ({"level": 5}, errors.UnknownValue),
        ({"variant": "poker"}, errors.UnknownValue),
        ({"players": 3, "variant": "solo"}, errors.GameImpossible),
        ({"pace": 3}, errors.SettingUnknown),
        ({"sheet": 3}, errors.LayoutUnknown),
    ],
)
def test_what_no_game_can_have_is_refused_before_the_photo_is_opened(
    said: dict[str, Any], error: type[errors.BrikksError]
) -> None:
    for call in (scan, scan_all):
        with pytest.raises(error) as refused:
            call("missing.jpg", **said)
        named = said if error is errors.SettingUnknown else said.values()
        assert str(next(iter(named))) in str(refused.value)


@pytest.mark.parametrize("photo", ["missing.jpg", SAMPLES / "bloxx.jpg"])
def test_a_setting_of_another_game_is_refused_with_what_can_be_said(photo: Any) -> None:
    game = "bloxx" if photo == "missing.jpg" else None
    for said in ({"level": 2}, {"variant": "duel"}):
        with pytest.raises(errors.SettingUnknown) as refused:
            scan(photo, game=game, **said)
        assert "cannot be said of BLOXX!. Leave it out, or say what can: players 2|3|4." in str(
            refused.value
        )
    assert scan(SAMPLES / "bloxx.jpg", players=3).status == "ok"
    with pytest.raises(errors.GameWithoutSettings):
        scan(photo, game="blox", players=3)


@pytest.mark.parametrize("said", [3, "cell 3,4=X", ["cell 3,4"], []])
def test_answers_and_settings_that_are_no_mapping_are_refused(said: Any) -> None:
    for call in (scan, scan_all):
        with pytest.raises(errors.AnswerUnclear):
            call(SAMPLES / "arcade.jpg", answers=said)
    with pytest.raises(errors.AnswerUnclear):
        learn_sheet("tests/fixtures/blank.jpg", settings=said)


@pytest.mark.parametrize("name", [3, b"mine", ["mine"]])
def test_a_name_that_is_no_text_is_refused(name: Any) -> None:
    with pytest.raises(errors.SheetNameUnfit):
        learn_sheet("tests/fixtures/blank.jpg", name=name)


def test_the_page_lists_what_can_be_imported() -> None:
    """Each name of the package is on the page, and the page imports no other from it."""
    page = (ROOT / "docs" / "library.md").read_text("utf-8")
    listed = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert listed == {*brikks_vision.__all__}
    for name in listed:
        assert getattr(brikks_vision, name) is not None
    imported = re.findall(r"^from brikks_vision import (.*)$", page, re.MULTILINE)
    assert {name for names in imported for name in names.split(", ")} <= listed


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


def test_a_strict_type_checker_accepts_the_python_lines_of_all_pages(tmp_path: Path) -> None:
    for page in PAGES:
        for number, block in enumerate(python_blocks(page)):
            if ">>>" not in block:
                name = page.stem.replace("-", "_").lower()
                (tmp_path / f"{name}_{number}.py").write_text(block, "utf-8")
    assert len(list(tmp_path.iterdir())) > 3
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    command += ["--config-file=", f"--cache-dir={os.devnull}", str(tmp_path)]
    env = {**os.environ, "MYPYPATH": str(ROOT)}
    checked = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_example_of_the_rules_runs() -> None:
    result = doctest.testfile(str(ROOT / "docs" / "library.md"), module_relative=False)
    assert result.attempted > 3 and result.failed == 0


def test_a_reading_from_its_dictionary_equals_the_sheet_that_was_read() -> None:
    reading = scan(SAMPLES / "arcade.jpg")
    assert isinstance(reading, ReadSheet)
    sheet = ReadSheet.from_dict(reading.to_dict())
    assert sheet == Reading.from_dict(reading.to_dict())
    assert sheet != replace(sheet, index=1)


READ = [
    SAMPLES / "arcade.jpg",
    SAMPLES / "bloxx.jpg",
    ROOT / "tests" / "fixtures" / "fault-floating.jpg",
    ROOT / "tests" / "fixtures" / "bad-table.jpg",
    BOARD,
]
WRONG = (None, 3, 2.5, True, "no", [], ["no"], [3], {}, {"no": 1}, [[[]]], object())


def damaged(data: Any) -> Iterator[Any]:
    """As often as it has entries, however deep: without one, and with something else in its place.

    Of a long list the first entry stands for all.
    """
    if isinstance(data, dict):
        for name, value in data.items():
            rest = {key: each for key, each in data.items() if key != name}
            yield rest
            yield from ({**rest, name: each} for each in (*WRONG, *damaged(value)))
    elif isinstance(data, list) and data:
        yield data[1:]
        yield from ([each, *data[1:]] for each in (*WRONG, *damaged(data[0])))


@pytest.mark.parametrize("photo", READ, ids=lambda photo: photo.name)
def test_a_damaged_dictionary_gives_a_reading_or_is_refused(photo: Path) -> None:
    whole = scan(photo).to_dict()
    assert Reading.from_dict(whole).to_dict() == whole
    refused = 0
    for data in damaged(whole):
        for read in (Reading.from_dict, reading_from):
            try:
                assert read(data).status in (*Status,)
            except errors.ReadingDamaged as error:
                refused += 1
                assert str(error).startswith("This is no reading that brikks-scan wrote (")
    assert refused > 100


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("grid", "X.X"),
        ("grid", [3]),
        ("index", "0"),
        ("index", True),
        ("score", None),
        ("score", {"total": 3}),
        ("blocks", [{"color": "red"}]),
        ("corners", [[1, 2, 3]]),
        ("assumed", [["level", [2]]]),
        ("status", "fine"),
        ("game", ["brikks"]),
    ],
)
def test_a_field_of_another_kind_is_named(field: str, value: object) -> None:
    data = {**scan(SAMPLES / "arcade.jpg").to_dict(), field: value}
    with pytest.raises(errors.ReadingDamaged, match=f"{field} is wrong"):
        Reading.from_dict(data)


@pytest.mark.parametrize("data", [None, 3, "reading", [], {}])
def test_what_is_no_dictionary_of_a_reading_is_refused(data: Any) -> None:
    with pytest.raises(errors.ReadingDamaged):
        Reading.from_dict(data)


@pytest.mark.parametrize("photos", [3, None, (photo for photo in READ), {1: READ[0]}])
def test_what_holds_no_photos_is_not_followed(photos: Any) -> None:
    with pytest.raises(errors.SourceUnknown, match=type(photos).__name__):
        follow(photos)


@pytest.mark.parametrize(
    "photo",
    [str(READ[0]), READ[0], PICTURE, io.BytesIO(PICTURE), np.zeros((400, 300, 3), np.uint8)],
)
def test_one_photo_in_place_of_several_is_not_followed(photo: Any) -> None:
    with pytest.raises(errors.TooFewToFollow, match="not 1"):
        follow(photo)


def of_one_sheet() -> list[Path]:
    """Photos of one game, at its beginning and in the end."""
    return [ROOT / "tests" / "fixtures" / "blank.jpg", SAMPLES / "printed.jpg"]


def test_open_files_are_followed_as_the_files_are() -> None:
    photos = of_one_sheet()
    with photos[0].open("rb") as first, photos[1].open("rb") as second:
        found = follow([first, second])
    meant = follow(photos)
    assert [*map(untimed, found.readings)] == [*map(untimed, meant.readings)]
    assert found.follow_dict() == meant.follow_dict()


def untimed(reading: Reading) -> Reading:
    return replace(reading, timing_ms={})


@pytest.mark.parametrize("roll", ["red 3", 5, ("red",), ("red", "3"), (3, "red"), {"red": 3}])
def test_what_is_no_roll_is_refused_before_the_photo_is_opened(roll: Any) -> None:
    with pytest.raises(errors.RollUnclear):
        coach("missing.jpg", roll)


@pytest.mark.parametrize("color", ["red", "Rot", "rouge", "rojo"])
def test_a_colour_is_known_in_every_language(color: str) -> None:
    photo = ROOT / "tests" / "fixtures" / "blank.jpg"
    assert coach(photo, (color, 3)).choices == coach(photo, ("red", 3)).choices


class Unreadable:
    def read(self, size: int) -> bytes:
        raise RuntimeError(size)


@pytest.mark.parametrize("make", [lambda: io.BytesIO(PICTURE), lambda: READ[0].open("rb")])
def test_a_closed_file_is_no_photo(make: Any) -> None:
    file = make()
    file.close()
    for call in (scan, scan_all, learn_sheet, coach, follow):
        with pytest.raises(errors.PhotoIsNoFile):
            call(file)
        with pytest.raises(errors.PhotoIsNoFile):
            call(Unreadable())


def test_a_number_may_be_given_as_text_everywhere() -> None:
    for photo, said in ((READ[0], {"level": 2}), (READ[1], {"players": 3})):
        as_text = {name: str(value) for name, value in said.items()}
        assert untimed(scan(photo, **as_text)) == untimed(scan(photo, **said))
        (one,), (other,) = scan_all(photo, **as_text), scan_all(photo, **said)
        assert untimed(one) == untimed(other)
    assert coach(READ[0], level="2") == coach(READ[0], level=2)
    photos = of_one_sheet()
    found, meant = follow(photos, players="3"), follow(photos, players=3)
    assert [*map(untimed, found.readings)] == [*map(untimed, meant.readings)]
    for call in (scan, scan_all, coach, partial(follow, photos)):
        for odd in ("two", 2.0, True, [2], np.zeros(2)):
            with pytest.raises(errors.UnknownValue, match="level cannot be"):
                call(*([] if isinstance(call, partial) else ["missing.jpg"]), level=odd)


@pytest.mark.parametrize("odd", [3, [], ["brikks"], {}, object(), np.zeros(2)])
def test_names_that_are_no_text_are_refused(odd: Any) -> None:
    with pytest.raises(errors.UnknownValue):
        scan(READ[0], game=odd)
    with pytest.raises(errors.UnknownValue):
        scan(READ[0], language=odd)
    with pytest.raises(errors.UnknownValue):
        learn_sheet("missing.jpg", game=odd)
    with pytest.raises(errors.LayoutUnknown):
        scan(READ[0], sheet=odd)
