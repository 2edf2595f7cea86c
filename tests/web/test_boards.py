"""Boards on the page: read, shown as a plan, answered, played on, learnt, recorded and followed."""

import html
import json
import re
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from brikks_vision.errors import BoardAtTable
from brikks_vision.games.printings import keep_printing, kept_printings
from brikks_vision.record.changes import undo
from brikks_vision.record.database import open_record
from brikks_vision.record.entries import Result
from brikks_vision.record.results import answers_of, corrections, list_results, remove_result
from brikks_vision.text.languages import LANGUAGES, NARROW, SOFT_HYPHEN, texts_in
from brikks_vision.text.phrases import phrase
from brikks_vision.web.service import MAX_DRAFTS
from tests.known_boards import FIELD_COLORS, board_definition, turns_of
from tests.web.asked import JSON, PAGE, send

FOLDER = Path("tests/fixtures/blox")
EMPTY, ABOVE, SLANT, AFTER = (FOLDER / f"{name}.jpg" for name in
                              ("empty", "above", "slant", "after"))  # fmt: skip
HAND = {"player": "blue", "card-white": "2", "card-grey": "1", "card-joker": "1"}


@pytest.fixture(autouse=True)
def known_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    keep_board()


def keep_board() -> None:
    """The board of the photos is kept."""
    keep_printing(board_definition(), "mine")


def read(client: TestClient, photo: Path = AFTER) -> str:
    """The address of the board that was read."""
    answer = send(client, photo, "/boards")
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def told(client: TestClient, address: str) -> dict[str, Any]:
    return dict(client.get(address, headers=JSON).json())


def shown(client: TestClient, address: str, language: str = "en") -> str:
    """A page as it is read: signs for signs, and words whole."""
    page = client.get(address, headers={"Accept-Language": language})
    text = html.unescape(page.text).replace(SOFT_HYPHEN, "").replace(NARROW, " ")
    assert f'<html lang="{language}">' in text
    assert not re.search(r"<style|<script>| style=| on\w+=", text)
    return text


def things(reading: dict[str, Any]) -> dict[tuple[int, int], str]:
    """What stands on the fields, as answers name it."""
    found = {tuple(each["field"]): f"tower {each['height']}" for each in reading["towers"]}
    return found | {tuple(each["field"]): each["color"] for each in reading["pawns"]}


def test_the_start_page_leads_to_boards(client: TestClient) -> None:
    assert 'href="/more"' in client.get("/").text
    assert 'href="/boards"' in client.get("/more").text
    page = client.get("/boards").text
    assert re.findall("<option>([^<]+)</option>", page) == ["blox", "mine"]
    assert client.get("/boards", headers=JSON).json() == [
        {"name": "blox", "title": "BLOX"},
        {"name": "mine", "title": "BLOX"},
    ]


@pytest.mark.parametrize("photo", [ABOVE, SLANT, AFTER])
def test_a_board_is_read_and_shown_as_a_plan(client: TestClient, photo: Path) -> None:
    address = read(client, photo)
    reading, page = told(client, address)["reading"], client.get(address).text
    assert (reading["game"], reading["sheet"], reading["photo"]) == ("blox", "mine", photo.name)
    names = {"w": "white", "g": "grey", "p": "purple", "b": "black"}
    assert re.findall(r'class="spot field ground-(\w+)', page) == [
        names[letter] for row in reading["fields"] for letter in row
    ]
    plan = page.partition('class="plan"')[2].partition("<ul")[0]
    assert re.findall(r'class="tower">(\d)<', plan) == [
        str(each["height"]) for each in sorted(reading["towers"], key=lambda each: each["field"])
    ]
    assert re.findall(r'class="pawn pawn-(\w+)', plan) == [
        each["color"] for each in sorted(reading["pawns"], key=lambda each: each["field"])
    ]
    assert plan.count('class="doubted"') == len(reading["doubts"]) <= 4
    assert plan.count(" shaded") == len(reading["shaded"])
    for doubt in reading["doubts"]:
        assert f'name="where" value="{doubt["where"]}"' in page


def test_the_pictures_are_drawn_anew_each_time(client: TestClient) -> None:
    address, photo = read(client), cv2.imread(str(AFTER))
    sizes = []
    for name in ("photo.jpg", "board.jpg"):
        answer = client.get(f"{address}/{name}")
        assert answer.headers["cache-control"] == "no-store"
        drawn = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
        sizes.append(float(np.abs(drawn.astype(float) - photo).mean()))
    assert sizes[0] < sizes[1]


def test_nothing_of_the_photo_stays_on_the_disk(client: TestClient, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    address = read(client)
    new = set(tmp_path.rglob("*")) - set(before)
    assert new == {tmp_path / "record.sqlite3"}
    assert AFTER.read_bytes()[:1000] not in (tmp_path / "record.sqlite3").read_bytes()
    client.post(f"{address}/forget")
    assert client.get(address).status_code == 404
    assert client.get("/boards/no-such-board").status_code == 404


def test_a_field_is_answered_and_the_answer_taken_back(client: TestClient) -> None:
    address = read(client)
    before = told(client, address)
    tapped = client.get(f"{address}/field", params={"where": "field 4,5"}).text
    offered = re.findall(r'name="value" value="([^"]+)"', tapped)
    assert offered == ["nothing", "blue", "brown", "green", "red",
                       *(f"tower {height}" for height in range(1, 6))]  # fmt: skip
    said = {"field 4,4": "blue", "field 4,5": "tower 2"}
    for where, value in said.items():
        answer = client.post(f"{address}/set", data={"where": where, "value": value})
        assert (answer.status_code, answer.headers["location"]) == (303, address)
    after = told(client, address)
    assert after["answers"] == said
    assert {(4, 4): "blue", (4, 5): "tower 2"}.items() <= things(after["reading"]).items()
    assert client.get(address).text.count(">Undo<") == 2
    for where in said:
        client.post(f"{address}/set", data={"where": where, "value": "read"})
    again = told(client, address)
    assert again["answers"] == {}
    assert things(again["reading"]) == things(before["reading"])


def test_taps_say_what_is_likely_and_so_settles_all(client: TestClient) -> None:
    address, tap = read(client), {"where": "field 4,5", "value": "next"}
    before, seen = told(client, address)["reading"], []
    for _ in range(10):
        client.post(f"{address}/set", data=tap)
        seen.append(told(client, address)["answers"]["field 4,5"])
    assert len({*seen}) == 10
    assert seen[-1] == things(before).get((4, 5), "nothing")  # all round
    unsure = {each["where"]: each["read"] for each in (*before["doubts"], *before["shaded"])}
    assert before["status"] == "uncertain" and unsure
    client.post(f"{address}/set", data={"value": "so"})
    after = told(client, address)
    assert after["answers"] == {**unsure, "field 4,5": seen[-1]}
    assert (after["reading"]["status"], after["reading"]["shaded"]) == ("ok", [])
    assert 'value="so"' not in client.get(address).text


@pytest.mark.parametrize(
    "where, value",
    [("field 9,0", "blue"), ("field 4,4", "pink"), ("field 4,4", "tower 6"), ("", ""), ("x", "y")],
)
def test_what_cannot_stand_there_is_refused(client: TestClient, where: str, value: str) -> None:
    address = read(client)
    before = told(client, address)
    answer = client.post(f"{address}/set", data={"where": where, "value": value}, headers=PAGE)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert told(client, address)["answers"] == before["answers"]
    assert client.get(f"{address}/field", params={"where": "field 9,9"}).status_code == 400


def test_too_much_on_the_board_is_told_in_words(client: TestClient) -> None:
    address = read(client)
    for column in range(5):
        client.post(f"{address}/set", data={"where": f"field 3,{column}", "value": "red"})
    pawns = phrase("blox.pawns-red")
    broken = phrase("blox.too-many-pawns", pawns=pawns, number=5, most=4)
    for language in LANGUAGES:
        assert f"<li>{broken.sentence(language)}</li>" in shown(client, address, language)
    assert [each["rule"] for each in told(client, address)["reading"]["violations"]] == [
        "too-many-pawns"
    ]


BLOCKS = {"clear": 1, "build": -1}
"""By action, blocks for each card."""


def test_the_legal_actions_of_all_pawns_and_of_one(client: TestClient) -> None:
    address = read(client)
    assert client.get(f"{address}/moves", headers=JSON).status_code == 400
    answer = client.post(f"{address}/hand", data=HAND)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{address}/moves")
    turns = [each["turn"] for each in client.get(f"{address}/moves", headers=JSON).json()]
    page = client.get(f"{address}/moves").text
    assert f"{len(turns)} legal actions." in page
    assert page.count("<li>") == len(turns) - 2  # of the best three one is shown at a time
    assert [page.count(f"?best={number}") for number in range(1, 5)] == [1, 1, 1, 0]
    worths = [
        turn["points"]
        + turn["later"] / 2
        + 0.3 * BLOCKS.get(turn["action"], 0) * len(turn["cards"])
        for turn in turns
    ]
    assert all(one >= other - 0.11 for one, other in pairwise(worths))
    (row, column) = next(turn["from"] for turn in turns if turn["action"] == "move")
    where = {"where": f"field {row},{column}"}
    own = client.get(f"{address}/moves", params=where, headers=JSON).json()
    assert [each["turn"] for each in own] == [
        turn for turn in turns if turn["from"] == [row, column]
    ]
    drawn = [client.get(f"{address}/moves", params={"best": number}).text for number in (1, 2, 3)]
    assert all('class="way"' in each or "acting" in each for each in drawn)
    assert len({*drawn}) == 3 and drawn[0] == page
    tapped = client.get(f"{address}/field", params=where).text
    assert 'name="card-white" value="2"' in tapped
    sent = client.post(f"{address}/hand", data={**HAND, **where})
    assert sent.headers["location"] == f"{address}/moves?where=field%20{row}%2C{column}"


@pytest.mark.parametrize(
    "changed, says",
    [
        ({"card-joker": "2"}, "only one joker"),
        ({"card-white": "-1"}, "card-white"),
        ({"card-white": "many"}, "card-white"),
        ({"player": "pink"}, "player"),
        ({"where": "field 9,9"}, "where"),
    ],
)
def test_a_hand_that_cannot_be_is_refused_in_a_sentence(
    client: TestClient, changed: dict[str, str], says: str
) -> None:
    address = read(client)
    answer = client.post(f"{address}/hand", data={**HAND, **changed}, headers=PAGE)
    assert answer.status_code == 400
    (problem,) = re.findall(r'role="alert">([^<]+)<', answer.text)
    assert says in problem
    refused = client.post(f"{address}/hand", data={**HAND, **changed}, headers=JSON)
    assert (refused.status_code, says in refused.json()["message"]) == (400, True)


def test_what_shows_no_board_is_refused_in_a_sentence(client: TestClient) -> None:
    for photo, fields in (
        (Path("samples/bloxx.jpg"), {}),
        (Path("README.md"), {}),
        (AFTER, {"sheet": "blox"}),  # another board
        (AFTER, {"sheet": "../mine.json"}),
    ):
        answer = send(client, photo, "/boards", "fr", **fields)
        assert answer.status_code == 400
        assert '<html lang="fr">' in answer.text
        assert 'role="alert"' in answer.text
    assert client.post("/boards", data={"sheet": "mine"}, headers=PAGE).status_code == 400


def test_only_some_boards_are_held(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = client.app.app.state.service.boards  # type: ignore[attr-defined]
    address = read(client)
    known = boards.of(address.rsplit("/", 1)[1])
    for _ in range(MAX_DRAFTS):
        boards.add(known)
    assert client.get(address).status_code == 404


def printed(page: str) -> list[str]:
    """The colours of a board that is learnt, row by row."""
    spots = re.findall(r'data-where="field (\d,\d)"[^>]* aria-label="[^"]*: (\w+)"', page)
    return [color for _, color in sorted(spots)]


def test_an_empty_board_is_learnt_corrected_kept_and_read_with(client: TestClient) -> None:
    client.post("/printing/remove", data={"name": "mine"})
    address = str(send(client, EMPTY, "/printings").headers["location"])
    page = client.get(address).text
    names = {color[0]: color for color in ("white", "grey", "purple", "black")}
    grounds = printed(page)
    assert page.count('class="paint"') == len(grounds)
    assert grounds in [[names[each] for each in "".join(rows)] for rows in turns_of(FIELD_COLORS)]
    assert client.get(f"{address}/learnt").headers["content-type"] == "image/jpeg"
    tapped = client.get(f"{address}/place", params={"where": "field 8,8"}).text
    assert f'value="{grounds[-1]}" class="current"' in tapped
    assert re.findall(r'name="value" value="(\w+)"', tapped) == list(names.values())
    for value in ("black", "white", grounds[-1]):
        client.post(f"{address}/set", data={"where": "field 8,8", "value": value})
        assert printed(client.get(address).text) == [*grounds[:-1], value]
    refused = client.post(f"{address}/set", data={"where": "field 8,8", "value": "pink"})
    assert refused.status_code == 400
    assert client.post(f"{address}/keep", data={"name": "learnt-here"}).status_code == 303
    (board,) = kept_printings()
    assert board.name == "learnt-here"
    assert [*board.board.field_colors] in turns_of(FIELD_COLORS)
    assert "learnt-here" in client.get("/printings").text
    listed = client.get("/printings", headers=JSON).json()
    assert listed == [{"name": "learnt-here", "game": "blox", "read": 0, "corrected": 0}]
    assert told(client, read(client))["reading"]["sheet"] == "learnt-here"


WON = {"chip-1": ["2", "", "1"], "chip-10": ["", "1"], "block-grey": ["1", "0", "2"]}


def test_what_players_have_won_is_added_and_ranked(client: TestClient) -> None:
    assert 'href="/boards/points"' in client.get("/boards").text
    told = client.get("/boards/points", params=WON, headers=JSON).json()["points"]
    assert told == [
        {"player": 1, "rank": 2, "sum": 2, "chips": [1, 1], "blocks": ["grey"]},
        {"player": 2, "rank": 1, "sum": 10, "chips": [10], "blocks": []},
        {"player": 3, "rank": 3, "sum": 1, "chips": [1], "blocks": ["grey", "grey"]},
    ]
    page = client.get("/boards/points", params=WON).text
    assert re.findall(r"<li>(\d\. Player \d)", page) == [
        "1. Player 2",
        "2. Player 1",
        "3. Player 3",
    ]
    assert re.findall(r'name="chip-1" value="(\d*)"', page) == ["2", "", "1", ""]


@pytest.mark.parametrize(
    "changed, says",
    [
        ({"chip-1": ["61"]}, "only 60 chips"),
        ({"block-grey": ["6", "6"]}, "only 10 blocks"),
        ({"chip-1": ["1"] * 5}, "most 4 can play"),
        ({"chip-2": ["many"]}, "chip-2"),
    ],
)
def test_what_nobody_can_have_won_is_refused(
    client: TestClient, changed: dict[str, list[str]], says: str
) -> None:
    answer = client.get("/boards/points", params=changed, headers=PAGE)
    assert answer.status_code == 400
    (problem,) = re.findall(r'role="alert">([^<]+)<', answer.text)
    assert says in html.unescape(problem).replace(SOFT_HYPHEN, "")
    refused = client.get("/boards/points", params=changed, headers=JSON)
    assert (refused.status_code, says in refused.json()["message"]) == (400, True)


def test_the_start_page_reads_a_board_too(client: TestClient) -> None:
    answer = send(client, AFTER, "/scan", player="Anna")
    assert answer.status_code == 303
    address = answer.headers["location"]
    told = client.get(address, headers=JSON).json()
    meant = client.get(read(client), headers=JSON).json()
    assert told["number"] == meant["number"] == 1
    assert told["reading"]["fields"] == meant["reading"]["fields"]
    assert told["reading"]["photo"] == "after.jpg"


def test_a_board_is_no_sheet_of_a_table(client: TestClient) -> None:
    table = client.post("/table", data={"name": ["Anna", "Ben"]}, headers=JSON).json()["table"]
    answer = send(client, AFTER, table=table, headers=JSON)
    assert answer.json()["message"] == BoardAtTable("BLOX", "Brikks, BLOXX!, Qwixx").text("en")


# --- boards of the record -------------------------------------------------------------------------


def say(client: TestClient, address: str, where: str, value: str) -> int:
    answer = client.post(f"{address}/set", data={"where": where, "value": value}, headers=PAGE)
    return int(answer.status_code)


def recorded(record_path: Path) -> list[Result]:
    with open_record(record_path) as record:
        return list(list_results(record))


def said(record_path: Path, number: int = 1) -> dict[str, str]:
    """What a person said of a board, by field."""
    with open_record(record_path) as record:
        return answers_of(corrections(record, number))


def shown_picture(client: TestClient, page: str) -> np.ndarray[Any, Any]:
    """The first picture of a recorded board that a page shows."""
    (address, *_) = re.findall(r'src="(/result/\d+/thumbnail[^"]*)"', page)
    answer = client.get(address)
    assert answer.headers["content-type"] == "image/jpeg"
    picture = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
    assert 300 < max(picture.shape) <= 960
    return np.asarray(picture)


def test_a_board_that_is_read_is_recorded_and_listed(client: TestClient, record_path: Path) -> None:
    assert "/result/" not in client.get("/boards").text
    address = read(client)
    (board,) = recorded(record_path)
    assert board.reading.to_dict()["towers"] == told(client, address)["reading"]["towers"]
    assert (board.photo.name, board.played, board.player) == ("after.jpg", "blox", None)
    assert said(record_path) == {}
    assert told(client, address)["number"] == board.id == 1
    read(client, SLANT)
    for address in ("/boards", "/history", "/history?played=blox", "/"):
        page = client.get(address).text
        assert re.findall(r'href="/result/(\d+)"', page) == ["2", "1"], address
        for entry in re.findall(r'href="/result/\d+">(.*?)</a>', page, re.DOTALL):
            what, _, when = re.sub("<[^>]+>| ·", "", entry).strip().partition(" ")
            assert (what, bool(when)) == ("BLOX", True), address
        shown_picture(client, page)
    assert 'type="checkbox"' not in client.get("/history").text  # a board is in no game
    assert "/result/" not in client.get("/history?played=brikks").text


def test_what_is_said_of_fields_goes_to_the_record(client: TestClient, record_path: Path) -> None:
    address = read(client)
    before = shown_picture(client, client.get("/boards").text)
    say(client, address, "field 4,4", "blue")
    say(client, address, "field 4,5", "tower 2")
    (board,) = recorded(record_path)
    assert said(record_path) == {"field 4,4": "blue", "field 4,5": "tower 2"}
    assert {(4, 4): "blue", (4, 5): "tower 2"}.items() <= things(board.reading.to_dict()).items()
    after = shown_picture(client, client.get("/boards").text)
    assert (before != after).any()
    say(client, address, "field 4,4", "read")
    say(client, address, "field 4,5", "read")
    assert said(record_path) == {}
    with open_record(record_path) as record:
        undo(record)
    assert said(record_path) == {"field 4,5": "tower 2"}


def test_two_phones_correct_one_board(client: TestClient, record_path: Path) -> None:
    one, other = read(client), read(client)
    say(client, one, "field 4,4", "blue")
    say(client, other, "field 4,5", "tower 2")
    assert said(record_path) == {"field 4,4": "blue", "field 4,5": "tower 2"}
    assert told(client, other)["answers"] == said(record_path)


def test_a_board_is_removed_from_the_list(client: TestClient, record_path: Path) -> None:
    address = read(client)
    answer = client.post("/result/1/remove")
    assert (answer.status_code, answer.headers["location"]) == (303, "/history?removed=1")
    assert recorded(record_path) == []
    assert "/result/1" not in client.get("/boards").text
    for gone in (address, "/result/1", "/result/1/thumbnail"):
        assert client.get(gone).status_code == 404
    assert client.post("/result/1/remove").status_code == 404


def test_a_removed_board_is_brought_back(client: TestClient, record_path: Path) -> None:
    say(client, read(client), "field 4,4", "blue")
    (before,) = recorded(record_path)
    shown = client.get(client.post("/result/1/remove").headers["location"]).text
    assert "Result 1 is removed." in shown
    (back,) = re.findall(r'action="(/result/1/bring-back)"', shown)
    for _ in range(2):  # a form that is sent twice does no harm
        answer = client.post(back)
        assert (answer.status_code, answer.headers["location"]) == (303, "/result/1")
    assert recorded(record_path) == [before]
    assert said(record_path) == {"field 4,4": "blue"}
    assert "bring-back" not in client.get("/history?removed=1").text


def test_a_board_is_forgotten_on_its_own_page(client: TestClient, record_path: Path) -> None:
    address = read(client)
    assert client.post(f"{address}/forget").headers["location"] == "/boards"
    assert recorded(record_path) == []
    address = read(client)
    with open_record(record_path) as record:
        remove_result(record, recorded(record_path)[0].id)
    assert client.post(f"{address}/forget").status_code == 303


def test_a_recorded_board_has_a_page(client: TestClient) -> None:
    address = read(client)
    page = client.get("/result/1").text
    assert page.count('class="field ground-') == 81
    shown_picture(client, page)
    assert f'href="{address}"' in page
    client.app.app.state.service.boards.drop(address.rsplit("/", 1)[1])  # type: ignore[attr-defined]
    assert f'href="{address}"' not in client.get("/result/1").text


def test_recorded_boards_as_json(client: TestClient, record_path: Path) -> None:
    say(client, read(client), "field 4,4", "blue")
    one = client.get("/result/1", headers=JSON).json()
    (line,) = client.get("/history.jsonl?played=blox").text.splitlines()
    assert json.loads(line)["reading"] == one["reading"]
    assert json.loads(line)["answers"] == one["answers"] == {"field 4,4": "blue"}
    assert (one["number"], one["played"], one["player"]) == (1, "blox", None)
    (listed,) = client.get("/history?played=blox", headers=JSON).json()
    assert listed["reading"] == one["reading"]
    assert client.get("/history?played=bloxx", headers=JSON).json() == []
    assert client.post("/result/1/remove", headers=JSON).json() == {}


def test_a_board_has_no_page_that_asks_for_points(client: TestClient) -> None:
    read(client)
    assert "after.jpg" not in client.get("/check").text
    for place in ("/result/1/place?where=field 4,4", "/result/1/picture"):
        assert 400 <= client.get(place).status_code < 500
    for form, fields in (
        ("correct", {"where": "field 4,4", "mark": "X"}),
        ("game", {"level": "2"}),
    ):
        answer = client.post(f"/result/1/{form}", data=fields, headers=JSON)
        assert answer.json()["error"] == "BoardWithoutPhoto"
    table = client.post("/table", data={"names": ["Anna"]}, headers=JSON).json()["table"]
    answer = client.post(f"/table/{table}/bring", data={"result": "1"}, headers=JSON)
    assert "is a sheet of BLOX, but Brikks, BLOXX!, Qwixx is played" in answer.json()["message"]
    read(client, SLANT)
    answer = client.post("/game", data={"results": ["1", "2"]}, headers=JSON)
    assert answer.json()["error"] == "SheetsNotOneGame"


def test_whose_a_board_is(client: TestClient, record_path: Path) -> None:
    read(client)
    client.post("/result/1/player", data={"player": "Anna"})
    assert recorded(record_path)[0].player == "Anna"
    assert 'href="/result/1"' in client.get("/player?name=Anna").text


def test_addresses_of_earlier_versions_lead_to_results(
    client: TestClient, record_path: Path
) -> None:
    shutil.copy("tests/fixtures/record-version-7.sqlite3", record_path)
    for before, now in (("", ""), ("/picture", "/thumbnail"), ("/remove", "/remove")):
        answer = client.get(f"/board/1{before}")
        assert (answer.status_code, answer.headers["location"]) == (308, f"/result/3{now}")
    assert client.get("/board/1", follow_redirects=True).text.count('class="field ground-') == 81
    assert client.get("/board/9").status_code == 404
    lines = client.get("/boards.jsonl", follow_redirects=True).text.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [3, 4]


# --- games that are followed ----------------------------------------------------------------------


def begun(client: TestClient) -> str:
    answer = send(client, SLANT, "/follow")
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def go_on(client: TestClient, address: str, photo: Any = AFTER, **more: Any) -> Any:
    return send(client, photo, "/follow", followed=address.rpartition("/")[2], **more)


@pytest.fixture
def address(client: TestClient) -> str:
    """A game of two photos."""
    address = begun(client)
    assert go_on(client, address).headers["location"] == address
    return address


def test_the_page_of_boards_leads_to_games_that_are_followed(client: TestClient) -> None:
    assert 'href="/follow"' in client.get("/boards").text
    assert 'name="sheet"' in client.get("/follow").text


def test_the_first_photo_is_a_position_and_asks_for_the_next(client: TestClient) -> None:
    address = begun(client)
    words = texts_in("en").page
    page = shown(client, address)
    assert words["follow_next"] in page and words["follow_undo"] not in page
    assert len(client.get(address, headers=JSON).json()["readings"]) == 1
    assert client.get(f"{address}/board.jpg").content[:2] == b"\xff\xd8"


def test_the_turn_between_two_photos_is_told(client: TestClient, address: str) -> None:
    told = client.get(address, headers=JSON).json()
    assert len(told["readings"]) == 2
    assert [turn["photos"] for turn in told["follow"]["turns"]] == [
        ["1. slant.jpg", "2. after.jpg"]
    ]
    page = shown(client, address)
    assert page.count("<li>") >= 1 and texts_in("en").page["follow_coach"] in page
    assert client.get(f"{address}/board.jpg").status_code == 200


def test_what_would_have_been_better_is_told_when_it_is_asked(
    client: TestClient,
    address: str,
) -> None:
    assert "coach" not in client.get(address, headers=JSON).json()
    assert "coach" in client.get(f"{address}?coach=1", headers=JSON).json()
    asking = f'href="{address}?coach=1"'
    assert asking in shown(client, address)
    assert asking not in shown(client, f"{address}?coach=1")


def test_the_last_photo_is_taken_back(client: TestClient, address: str) -> None:
    for _ in range(2):  # the first one stays
        assert client.post(f"{address}/undo", headers=PAGE).headers["location"] == address
        assert len(client.get(address, headers=JSON).json()["readings"]) == 1
    assert go_on(client, address).status_code == 303


def test_who_plays_is_said(client: TestClient, address: str) -> None:
    said = client.post(f"{address}/players", data={"player": ["blue", "red", ""]}, headers=PAGE)
    assert said.status_code == 303
    page = client.get(address).text
    assert page.count(" selected") == 2
    for players in (["blue", "blue"], ["blue", "pink"]):
        wrong = client.post(f"{address}/players", data={"player": players}, headers=PAGE)
        assert wrong.status_code == 400 and 'role="alert"' in wrong.text
    assert client.get(address).text.count(" selected") == 2


def test_a_photo_that_is_sent_twice_is_refused(client: TestClient, address: str) -> None:
    refused = go_on(client, address)
    assert refused.status_code == 400 and "2. after.jpg" in refused.text
    assert len(client.get(address, headers=JSON).json()["readings"]) == 2


def test_a_photo_without_a_board_changes_nothing(client: TestClient, address: str) -> None:
    other = EMPTY.parents[1] / "blank.jpg"
    assert go_on(client, address, other).status_code == 400
    assert len(client.get(address, headers=JSON).json()["readings"]) == 2


def test_nothing_of_it_is_recorded(client: TestClient, address: str) -> None:
    assert client.get("/history", headers=JSON).json() == []


def test_an_ended_game_is_forgotten(client: TestClient, address: str) -> None:
    assert client.post(f"{address}/forget", headers=PAGE).headers["location"] == "/follow"
    assert client.get(address).status_code == 404
    gone = go_on(client, address)
    assert gone.status_code == 400 and 'role="alert"' in gone.text
