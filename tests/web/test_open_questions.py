"""What the page asks: games that sheets would leave, whose a sheet is, which are one sheet."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

from starlette.testclient import TestClient

from brikks_vision.record.database import open_record
from brikks_vision.record.entries import Material, SheetReading
from brikks_vision.record.photos import add_photo
from brikks_vision.record.results import get_result, list_results
from brikks_vision.record.tables import list_games, make_game, make_table, seat_results
from brikks_vision.text.languages import LANGUAGES, texts_in
from tests.recorded_sheets import GROWN, OTHER, START, photo, reading_of
from tests.web.asked import JSON

THIRD = reading_of("....AA....", "....AA....", "BBBB..CCCC")
ANNA, BEN, CLEO = 1, 2, 3


@pytest.fixture
def record_path(tmp_path: Path) -> Path:
    """Three players' sheets."""
    path = tmp_path / "record.sqlite3"
    with open_record(path) as record:
        for number, (player, reading) in enumerate(
            {"Anna": START, "Ben": OTHER, "Cleo": THIRD}.items()
        ):
            facts = photo(f"{player}.jpg", 200 * number)
            add_photo(record, facts, [SheetReading(reading)], player)
    return path


def sheets_of_games(path: Path) -> list[list[int]]:
    with open_record(path) as record:
        return [sorted(result.id for result in game.results) for game in list_games(record)]


def sent_again(page: str) -> tuple[str, dict[str, list[str]]]:
    """The form of a page as its button sends it: where to, and what."""
    (action,) = re.findall(r'<form action="([^"]*)"', page)
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', page.partition("<main")[2]):
        fields.setdefault(name, []).append(value)
    return action, fields


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_leaves_its_game_only_when_asked(
    client: TestClient, record_path: Path, language: str
) -> None:
    with open_record(record_path) as record:
        make_game(record, [ANNA, BEN])
    wanted = {"results": [str(BEN), str(CLEO)], "level": "2"}
    asked = client.post(f"/game?lang={language}", data=wanted)
    assert asked.status_code == 409
    assert sheets_of_games(record_path) == [[ANNA, BEN]]
    words = texts_in(language).page
    assert words["leave_yes"] in asked.text.replace("&#39;", "'").replace("\u00ad", "")
    assert "Ben" in asked.text
    assert "Cleo" not in asked.text
    action, fields = sent_again(asked.text)
    assert client.post(action, data=fields).status_code == 303
    assert sheets_of_games(record_path) == [[BEN, CLEO]]
    with open_record(record_path) as record:
        assert [game.settings for game in list_games(record)] == [{"level": 2}]


def test_programs_say_it_at_once(client: TestClient, record_path: Path) -> None:
    with open_record(record_path) as record:
        make_game(record, [ANNA, BEN])
    wanted = {"results": [str(BEN), str(CLEO)]}
    refused = client.post("/game", data=wanted, headers=JSON)
    assert (refused.status_code, refused.json()["error"]) == (409, "SheetsInOtherGame")
    assert client.post("/game", data={**wanted, "leaving": "yes"}, headers=JSON).is_success
    assert sheets_of_games(record_path) == [[BEN, CLEO]]


def test_the_same_game_again_is_the_same_game(client: TestClient, record_path: Path) -> None:
    wanted = {"results": [str(ANNA), str(BEN)]}
    first = client.post("/game", data=wanted, headers=JSON).json()
    assert client.post("/game", data={**wanted, "level": "3"}, headers=JSON).json() == first
    with open_record(record_path) as record:
        assert [game.settings for game in list_games(record)] == [{"level": 3}]


def test_a_table_whose_sheets_went_into_a_game_meanwhile(
    client: TestClient, record_path: Path
) -> None:
    with open_record(record_path) as record:
        table = make_table(record, ["Ben", "Cleo"])
        seat_results(record, table, [BEN, CLEO])
        make_game(record, [ANNA, BEN])
    asked = client.post(f"/table/{table}/finish")
    assert asked.status_code == 409
    action, fields = sent_again(asked.text)
    assert client.post(action, data=fields).headers["location"] == f"/table/{table}/ranking"
    assert sheets_of_games(record_path) == [[BEN, CLEO]]


# --- to check ------------------------------------------------------------------------------------


@pytest.fixture
def asked(record_path: Path) -> list[str]:
    """Anna's sheet was named Dora's as well, and somebody's later sheet may be Anna's played on."""
    with open_record(record_path) as record:
        add_photo(record, photo("Anna.jpg"), [], "Dora")
        add_photo(record, photo("later.jpg", 60), [SheetReading(GROWN, b"\xff\xd8 a picture")])
    return ["sheets 1 4", "owner 1 Dora"]


def test_questions_beside_the_doubts(
    client: TestClient, record_path: Path, asked: list[str]
) -> None:
    found = client.get("/check", headers=JSON).json()
    assert [each["key"] for each in found] == asked
    assert "To check (2)" in client.get("/").text
    page = client.get("/check").text
    assert "Do results 1 and 4 show the same sheet?" in page
    assert 'src="/result/4/thumbnail' in page
    assert 'src="/result/1/thumbnail' not in page  # no picture of it was kept
    action, fields = sent_again(page)
    answered = client.post(action, data={**fields, "answer": "later"})
    page = client.get(answered.headers["location"]).text
    assert "To check (1)" in page
    assert re.search(r'value="keep"[^>]*class="current"', page)
    action, fields = sent_again(page)
    client.post(action, data={**fields, "answer": "change"})
    assert "Nothing is left to check." in client.get("/check").text
    with open_record(record_path) as record:
        assert get_result(record, ANNA).player == "Dora"
        assert [each.is_continued for each in list_results(record)] == [True, False, False, False]


def test_a_question_that_another_phone_answered_is_passed_over(
    client: TestClient, record_path: Path, asked: list[str]
) -> None:
    for answer in ("keep", "change"):
        data = {"key": asked[1], "answer": answer}
        assert client.post("/check/question", data=data).headers["location"] == "/check?at=0"
    with open_record(record_path) as record:
        assert get_result(record, ANNA).player == "Anna"
    refused = client.post("/check/question", data={"key": asked[0], "answer": "perhaps"})
    assert refused.status_code == 400


def test_of_several_sheets_in_a_photo_the_one_that_is_meant_is_shown(
    client: TestClient, record_path: Path
) -> None:
    kept = Material("{}", b"the sheet alone")
    sheets = [SheetReading(replace(START, index=at), b"whole photo", kept) for at in range(2)]
    with open_record(record_path) as record:
        first, second = add_photo(record, photo("both.jpg", 4000), sheets, "Anna").results
        add_photo(record, photo("both.jpg", 4000), sheets, "Dora")  # whose they are is asked
        pages = [client.get(f"/check?at={at}").text for at in range(2)]
    for number, named in ((first, "both.jpg</a>"), (second, "both.jpg #2</a>")):
        (page,) = [each for each in pages if f'src="/result/{number}/picture' in each]
        assert named in page
    assert client.get(f"/result/{second}/picture").content == kept.picture
