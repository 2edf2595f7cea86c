"""Printings learnt from photos of empty sheets, and where their definitions are kept."""

import base64
import json
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest

from brikks_vision import errors
from brikks_vision.detect.template import blank_picture
from brikks_vision.games import printings
from brikks_vision.games.learning import Proposal, given_of
from brikks_vision.layout import Layout, Printing, load_layout, packaged_layouts
from brikks_vision.layout.definition import definition_text, packed
from brikks_vision.learn import learn_sheet
from brikks_vision.text.languages import LANGUAGES
from tests.png_headers import png_claiming

pytestmark = pytest.mark.usefixtures("observed_once")

FIXTURES = Path("tests/fixtures")


@cache
def learnt() -> Proposal:
    return learn_sheet(FIXTURES / "blank.jpg", "brikks", "mine")


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's data folder, empty."""
    folder = tmp_path / "data"
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: folder)
    return folder


def test_the_layout_has_all_fields_near_their_places_and_the_empty_sheet() -> None:
    layout, known = learnt().layout, packaged_layouts("brikks")[0]
    assert layout.name == "mine"
    for name, field in known.fields.items():
        moved = np.abs(np.array(layout.fields[name].centres) - field.centres)
        assert moved.max() < 0.25
    assert layout.blank is not None
    picture = blank_picture(layout)
    assert picture is not None
    scale = layout.blank.pixels_per_cell
    assert picture.shape == (round(layout.page.height * scale), round(layout.page.width * scale), 3)
    assert picture.std() > 10


def test_the_game_is_found_where_it_is_not_said() -> None:
    assert learn_sheet(FIXTURES / "blank.jpg").layout.game == "brikks"
    assert learn_sheet(FIXTURES / "blank.jpg").layout.name == "blank"


def test_bytes_and_paths_teach_the_same() -> None:
    data = (FIXTURES / "blank.jpg").read_bytes()
    assert learn_sheet(data, "brikks", "mine").to_json() == learnt().to_json()


@pytest.mark.parametrize(
    ("photo", "error"),
    [
        ("good-art.jpg", errors.BlankIsMarked),
        ("good-printed.jpg", errors.BlankIsMarked),
        ("fault-bomb-order.jpg", errors.BlankIsMarked),
        ("bad-table.jpg", errors.BlankOfOtherGame),
        ("bad-back.jpg", errors.SheetBackShown),
        ("bad-blurred.jpg", errors.SheetTooBlurred),
        ("bad-cut-off-left.jpg", errors.SheetCutOff),
        ("bad-thumbnail.jpg", errors.SheetTooSmall),
    ],
)
def test_what_is_hardly_an_empty_sheet_is_proposed_with_a_remark(
    photo: str, error: type[errors.BrikksError]
) -> None:
    remark = learn_sheet(FIXTURES / photo, "brikks").remark
    assert isinstance(remark, error)
    assert remark.exit_code is errors.ExitCode.UNREADABLE
    for language in LANGUAGES:
        assert len(remark.text(language)) > 40


def test_half_a_file_is_refused() -> None:
    with pytest.raises(errors.PhotoTruncated):
        learn_sheet(FIXTURES / "bad-half-a-file.jpg", "brikks")


@pytest.mark.parametrize("game", ["brikks", "bloxx", "blox"])
def test_with_corners_said_anything_is_proposed_and_reads_back(game: str) -> None:
    wall = np.full((700, 900, 3), 200, np.uint8)
    corners = [[100, 80], [610, 120], [580, 640], [120, 600]]
    proposal = learn_sheet(wall, game, "wall").given({"grid": corners, "size": "10x7"})
    assert np.allclose(proposal.regions["grid"], corners)
    again = printings.open_printing(proposal.template())
    assert printings.parse_printing(again.to_json(), "file").game == game


def test_corners_said_in_any_order_round_are_those_of_the_grid() -> None:
    around = [[100, 80], [120, 600], [580, 640], [610, 120]]
    told = given_of({"grid": around}).corners["grid"]
    assert told.tolist() == [[100, 80], [610, 120], [580, 640], [120, 600]]
    assert given_of({"grid": "100,80 120,600 580,640 610,120"}).corners["grid"].tolist() == (
        told.tolist()
    )
    for crossed in ([[0, 0], [9, 9], [9, 0], [0, 9]], [[0, 0]] * 4, [[0, 0], [1, 0], [1, 1]]):
        with pytest.raises(errors.AnswerUnclear):
            given_of({"grid": crossed})


def test_a_printing_travels_as_one_file(tmp_path: Path, data_folder: Path) -> None:
    path = tmp_path / "noris.brikks"
    path.write_bytes(packed(learnt().to_json()))
    assert facts_of(printings.open_printing(str(path))) == facts_of(learnt().layout)
    assert printings.add_printing(definition_text(path), path).stem == "mine"


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"printing.json": b"{}"},
        {"printing.json": b"[]", "picture.jpg": b""},
        {"printing.json": b'{"version": 1}', "../picture.jpg": b""},
        {"printing.json": b" " * 30_000_000},
    ],
)
def test_a_file_that_is_no_printing_is_refused(tmp_path: Path, parts: dict[str, bytes]) -> None:
    path = tmp_path / "noris.brikks"
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    for content in (path.read_bytes(), path.read_bytes()[:-9], b"PK" * 50):
        path.write_bytes(content)
        with pytest.raises((errors.DefinitionDamaged, errors.DefinitionVersion)):
            printings.open_printing(path)


def facts_of(printing: Printing) -> dict[str, Any]:
    """What a printing is made of, without what was found out of that."""
    assert isinstance(printing, Layout)
    return {field.name: getattr(printing, field.name) for field in fields(printing)}


def test_a_definition_is_opened_by_path_name_and_itself(tmp_path: Path, data_folder: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(learnt().to_json())
    told = facts_of(learnt().layout)
    assert (
        facts_of(printings.open_printing(path))
        == facts_of(printings.open_printing(str(path)))
        == told
    )
    assert (
        printings.open_printing(learnt())
        is printings.open_printing(learnt().layout)
        is learnt().layout
    )
    assert printings.open_printing("brikks") is load_layout("brikks")
    with pytest.raises(errors.LayoutUnknown):
        printings.open_printing("mine")
    printings.add_printing(path.read_bytes(), path)
    assert facts_of(printings.open_printing("mine")) == told


@pytest.mark.parametrize(
    "picture",
    [
        b"",
        b"no picture",
        png_claiming(65_536, 65_536),
        png_claiming(20, 20),
        b"\xff\xd8\xff\xe0",
    ],
)
def test_a_picture_that_is_none_or_too_large_is_refused(tmp_path: Path, picture: bytes) -> None:
    data = json.loads(learnt().to_json())
    data["blank"]["picture"] = base64.b64encode(picture).decode()
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    with pytest.raises(errors.DefinitionDamaged):
        printings.open_printing(path)


@pytest.mark.parametrize("part", ["energy", "box", "bomb"])
def test_a_definition_that_lacks_a_field_of_its_game_is_refused(tmp_path: Path, part: str) -> None:
    data = json.loads(learnt().to_json())
    del data["fields"][part]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    with pytest.raises(errors.DefinitionDamaged):
        printings.open_printing(path)


def test_a_definition_of_a_game_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(replace(learnt().layout, game="os").to_json())
    with pytest.raises(errors.DefinitionDamaged):
        printings.open_printing(path)


def test_kept_sheets_are_found_by_name_and_by_game(data_folder: Path) -> None:
    assert printings.kept_printings() == ()
    printings.keep_printing(learnt().to_json(), "noris")
    assert printings.open_printing("noris").name == "noris"
    assert printings.open_printing("noris") is printings.open_printing("noris")
    assert [layout.name for layout in printings.known_printings("brikks")] == [
        "brikks",
        "brikks-light",
        "noris",
    ]
    assert [layout.name for layout in printings.known_printings("bloxx")] == ["bloxx"]
    with pytest.raises(errors.SheetNameTaken):
        printings.keep_printing(learnt().to_json(), "noris")
    printings.remove_printing("noris")
    with pytest.raises(errors.LayoutUnknown):
        printings.open_printing("noris")
    with pytest.raises(errors.LayoutUnknown):
        printings.remove_printing("noris")
    with pytest.raises(errors.SheetIsPackaged):
        printings.remove_printing("brikks")


def test_a_damaged_kept_sheet_harms_no_other(data_folder: Path) -> None:
    printings.keep_printing(learnt().to_json(), "good")
    (data_folder / "sheets" / "bad.json").write_text('{"version": 1')
    (data_folder / "sheets" / "old.json").write_text('{"version": 0}')
    assert [layout.name for layout in printings.kept_printings()] == ["good"]
    with pytest.raises(errors.DefinitionDamaged):
        printings.open_printing("bad")
    with pytest.raises(errors.DefinitionVersion):
        printings.open_printing("old")


def test_what_cannot_be_kept_leaves_nothing(data_folder: Path) -> None:
    with pytest.raises(errors.DefinitionDamaged):
        printings.keep_printing("{", "half")
    assert not data_folder.exists()
    for name in ("A B", "../up", "con/x", ""):
        with pytest.raises(errors.SheetNameUnfit):
            printings.keep_printing(learnt().to_json(), name)
    assert not data_folder.exists()
