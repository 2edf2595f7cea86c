"""The table of players through the real service: whose sheet is whose, who won, what is open."""

import html
import io
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

pytest.importorskip("fastapi", reason="the extra web is not installed")

from starlette.testclient import TestClient

from brikks_vision.record.database import open_record
from brikks_vision.record.results import corrections, list_results
from brikks_vision.record.tables import get_table
from brikks_vision.show.report import setting_label
from brikks_vision.text.languages import LANGUAGES, texts_in, typeset_page
from tests.crossed_settings import crossed_shot
from tests.doubted_photos import doubted_photo
from tests.web.asked import JSON, PAGE, client_of, send

SAMPLES, FIXTURES = Path("samples"), Path("tests/fixtures")
ARCADE, PRINTED = SAMPLES / "arcade.jpg", SAMPLES / "printed.jpg"
BLOXX = SAMPLES / "bloxx.jpg"
THREE = FIXTURES / "three-sheets.jpg"


def new_table(client: TestClient, *names: str, level: str = "", variant: str = "") -> int:
    data = {"names": list(names), "level": level, "variant": variant}
    answer = client.post("/table", data=data, headers=PAGE)
    return table_of(answer)


def table_of(answer: Any) -> int:
    assert answer.status_code == 303, answer.text
    found = re.match(r"/table/(\d+)", answer.headers["location"])
    assert found is not None, answer.headers["location"]
    return int(found[1])


def seats(client: TestClient, number: int) -> list[tuple[str | None, int | None]]:
    """Names and totals, in the order of the seats."""
    return [
        (seat["player"], seat["result"] and seat["result"]["reading"]["score"]["total"])
        for seat in client.get(f"/table/{number}", headers=JSON).json()["seats"]
    ]


def seat_numbers(client: TestClient, number: int) -> list[int]:
    found = client.get(f"/table/{number}", headers=JSON).json()["seats"]
    return [int(seat["seat"]) for seat in found]


def test_names_first_then_photos_in_turn(client: TestClient, record_path: Path) -> None:
    number = new_table(client, "Anna", "", "Ben", level="2", variant="standard")
    assert seats(client, number) == [("Anna", None), ("Ben", None)]
    assert table_of(send(client, ARCADE, table=number)) == number
    assert seats(client, number) == [("Anna", 102), ("Ben", None)]
    page = client.get(f"/table/{number}").text
    assert "/picture?of=" in page
    assert "Still without a sheet: Ben" in page
    shown = re.search(r'href="(/result/\d+)"', page)
    assert shown is not None
    assert f'href="/table/{number}"' in client.get(shown[1]).text
    send(client, PRINTED, table=number)
    ranking = client.post(f"/table/{number}/finish", headers=PAGE)
    assert ranking.headers["location"] == f"/table/{number}/ranking"
    with open_record(record_path) as record:
        anna, ben = sorted(list_results(record), key=lambda result: result.id)
        assert (anna.player, ben.player) == ("Anna", "Ben")
        assert anna.game == ben.game is not None
        assert [list(result.reading.assumed["players"]) for result in (anna, ben)] == [[2], [2]]
        assert list(anna.reading.assumed["level"]) == [2]


def test_one_photo_with_all_sheets_is_dealt_in_order_and_can_be_swapped(
    client: TestClient, record_path: Path
) -> None:
    number = new_table(client, "Anna", "Ben", "Cleo")
    send(client, THREE, table=number)
    before = seats(client, number)
    assert [name for name, _ in before] == ["Anna", "Ben", "Cleo"]
    assert None not in [total for _, total in before]
    first, _, third = seat_numbers(client, number)
    client.post(f"/table/{number}/seat/{first}/move", data={"to": third})
    after = seats(client, number)
    assert [total for _, total in after] == [before[2][1], before[1][1], before[0][1]]
    with open_record(record_path) as record:
        found = {result.id: result.player for result in list_results(record)}
    assert sorted(found.values(), key=str) == ["Anna", "Ben", "Cleo"]
    assert [found[each] for each in sorted(found)] == ["Cleo", "Ben", "Anna"]
    client.post(f"/table/{number}/seat/{first}/move", data={"to": first})
    assert seats(client, number) == after


def test_several_sheets_never_get_one_name(client: TestClient, record_path: Path) -> None:
    answer = send(client, THREE, player="Anna")
    number = table_of(answer)
    assert [name for name, _ in seats(client, number)] == [None, None, None]
    with open_record(record_path) as record:
        assert [result.player for result in list_results(record)] == [None, None, None]
    page = client.get(answer.headers["location"]).text
    assert page.count("Whose sheet is this?") == 3
    for seat, name in zip(seat_numbers(client, number), ("Anna", "Ben", "Cleo"), strict=True):
        client.post(f"/table/{number}/seat/{seat}/name", data={"player": name})
    with open_record(record_path) as record:
        assert {result.player for result in list_results(record)} == {"Anna", "Ben", "Cleo"}
    assert table_of(send(client, THREE)) == number  # sent again, nothing is asked anew


def test_a_table_survives_the_service(client: TestClient, record_path: Path) -> None:
    number = new_table(client, "Anna", "Ben")
    send(client, ARCADE, table=number)
    with client_of(record_path) as again:
        assert seats(again, number) == [("Anna", 102), ("Ben", None)]
        assert f'href="/table/{number}"' in again.get("/").text
        assert f'href="/table/{number}"' in again.get("/table").text


def test_other_phones_are_told(client: TestClient) -> None:
    number = new_table(client, "Anna", "Ben")

    def version() -> str:
        return str(client.get(f"/table/{number}/version").json()["version"])

    seen = [version()]
    send(client, ARCADE, table=number)
    seen.append(version())
    seat = seat_numbers(client, number)[0]
    client.post(f"/table/{number}/seat/{seat}/answer", data={"where": "bomb 2", "mark": "X"})
    seen.append(version())
    client.post(f"/table/{number}/seat/{seat}/name", data={"player": "Dora"})
    seen.append(version())
    client.post(f"/table/{number}/game", data={"level": "2"})
    seen.append(version())
    assert len(set(seen)) == 5
    page = html.unescape(client.get(f"/table/{number}").text)
    assert f'data-version="{version()}"' in page


def test_questions_are_answered_on_the_card(client: TestClient, record_path: Path) -> None:
    photo, doubt = doubted_photo()
    number = new_table(client, "Anna", "Ben")
    send(client, photo, table=number)
    page = client.get(f"/table/{number}").text
    assert f'name="where" value="{doubt.where}"' in page
    (before,) = (total for name, total in seats(client, number) if name == "Anna")
    seat = seat_numbers(client, number)[0]
    other = {"X": ".", ".": "X"}[doubt.read]
    answer = client.post(
        f"/table/{number}/seat/{seat}/answer", data={"where": doubt.where, "mark": other}
    )
    assert answer.headers["location"] == f"/table/{number}#seat-{seat}"
    assert seats(client, number)[0][1] != before
    with open_record(record_path) as record:
        (result,) = list_results(record)
        assert corrections(record, result.id)[-1].who == "Anna"


def test_a_sheet_of_another_table_is_asked_for(client: TestClient) -> None:
    there = new_table(client, "Dora", "Emil")
    send(client, ARCADE, table=there)
    here = new_table(client, "Anna", "Ben")
    answer = send(client, ARCADE, table=here)
    assert seats(client, here) == [("Anna", None), ("Ben", None)]
    page = client.get(answer.headers["location"]).text
    assert f"this sheet lies on table {there}" in page
    result = re.search(r'name="result" value="(\d+)"', page)
    assert result is not None
    client.post(f"/table/{here}/bring", data={"result": result[1]})
    assert seats(client, there) == [("Dora", None), ("Emil", None)]
    assert seats(client, here)[0] == ("Anna", 102)
    page = client.get(f"/table/{here}").text
    assert "The record says that this is a sheet of Dora" in page


def test_a_sheet_that_was_somebody_elses_keeps_them_until_somebody_says(
    client: TestClient, record_path: Path
) -> None:
    send(client, ARCADE, player="Dora")
    number = new_table(client, "Anna", "Ben")
    send(client, ARCADE, table=number)
    assert "It is of Dora" in client.get(f"/table/{number}").text
    with open_record(record_path) as record:
        assert [result.player for result in list_results(record)] == ["Dora"]
    seat = seat_numbers(client, number)[0]
    client.post(f"/table/{number}/seat/{seat}/name", data={"player": "Anna"})
    assert "It is of Dora" not in client.get(f"/table/{number}").text
    with open_record(record_path) as record:
        assert [result.player for result in list_results(record)] == ["Anna"]


def test_the_ranking_is_shared_and_played_again(client: TestClient) -> None:
    number = new_table(client, "Anna", "Zoë <b>", level="3")
    send(client, PRINTED, table=number)
    send(client, ARCADE, table=number)
    client.post(f"/table/{number}/finish")
    page = client.get(f"/table/{number}/ranking").text
    assert "<b>" not in page
    text = re.search(r'id="share-text"[^>]*>([^<]*)<', page)
    assert text is not None
    lines = text[1].splitlines()
    assert lines[1].startswith("1. ")
    assert "102 points" in page
    picture = client.get(f"/table/{number}/ranking.png")
    assert picture.headers["content-type"] == "image/png"
    drawn = Image.open(io.BytesIO(picture.content))
    assert drawn.width == 1080
    # the two totals are drawn: their rows hold dark evidence at the right
    evidence = drawn.convert("L").crop((900, 190, 1030, 490)).point(lambda value: value < 90)
    assert evidence.getbbox() is not None
    again = table_of(client.post(f"/table/{number}/rematch", headers=PAGE))
    assert again != number
    assert seats(client, again) == [("Anna", None), ("Zoë <b>", None)]
    assert client.get(f"/table/{again}", headers=JSON).json()["level"] == 3


def test_after_who_won_it_is_told_where_most_points_of_each_went(client: TestClient) -> None:
    number = new_table(client, "Anna", "Ben")
    send(client, ARCADE, table=number)
    send(client, PRINTED, table=number)
    client.post(f"/table/{number}/finish", data={"leaving": "1"}, headers=PAGE)
    page = client.get(f"/table/{number}/ranking").text
    card = page.partition('<details class="card fold" id="lost">')[2].partition("</details>")[0]
    anna, ben = re.findall(r"<strong>(\w+)</strong><br>(.+?)</th><td>(\d+)<", card)
    assert anna == ("Anna", "Row 11 from the bottom lacks one cross, in column 1.", "12")
    assert ben == ("Ben", "Row 10 from the bottom lacks one cross, in column 10.", "6")


def test_no_winner_of_one_sheet(client: TestClient) -> None:
    number = new_table(client, "Anna", "Ben")
    send(client, ARCADE, table=number)
    for answer in (
        client.post(f"/table/{number}/finish"),
        client.get(f"/table/{number}/ranking"),
        client.get(f"/table/{number}/ranking.png"),
    ):
        assert answer.status_code == 400
    assert "Who won?" not in client.get(f"/table/{number}").text


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"names": ["Anna", "anna "]}, "Anna has a seat at this table already"),
        ({"names": ["Anna", "Ben", "Cleo"], "variant": "duel"}, "There is no game with"),
    ],
)
def test_a_table_that_cannot_be_is_chosen_anew(
    client: TestClient, data: dict[str, Any], told: str
) -> None:
    answer = client.post("/table", data=data, headers=PAGE)
    assert answer.status_code == 400
    assert told in answer.text
    for name in data["names"]:
        assert f'value="{name}"' in answer.text
    assert client.get("/table", headers=JSON).json() == []


def test_a_name_that_is_there_twice_is_said_on_the_table(client: TestClient) -> None:
    number = new_table(client, "Anna", "Ben")
    _, ben = seat_numbers(client, number)
    for address in (f"/table/{number}/seat/{ben}/name", f"/table/{number}/seat"):
        answer = client.post(address, data={"player": "anna"}, headers=PAGE)
        assert answer.status_code == 400
        assert "Anna has a seat at this table already" in answer.text
        assert 'id="photos"' in answer.text


def test_no_such_table_or_seat(client: TestClient) -> None:
    number = new_table(client, "Anna", "Ben")
    assert client.get("/table/99").status_code == 404
    assert send(client, ARCADE, table=99).status_code == 404
    assert send(client, ARCADE, table="nine").status_code == 400
    assert client.post(f"/table/{number}/seat/99/clear").status_code == 404
    assert list(client.get("/history", headers=JSON).json()) == []


def test_a_cleared_table_leaves_its_sheets(client: TestClient, record_path: Path) -> None:
    number = new_table(client, "Anna", "Ben")
    send(client, ARCADE, table=number)
    assert client.post(f"/table/{number}/remove").status_code == 303
    assert client.get(f"/table/{number}").status_code == 404
    with open_record(record_path) as record:
        assert [result.player for result in list_results(record)] == ["Anna"]


def test_what_is_said_of_the_table_holds_for_sheets_read_before(
    client: TestClient, record_path: Path
) -> None:
    send(client, ARCADE)
    number = new_table(client, "Anna", "Ben", "Cleo")
    send(client, ARCADE, table=number)
    client.post(f"/table/{number}/game", data={"level": "4", "variant": "standard"})
    with open_record(record_path) as record:
        (result,) = list_results(record)
        assert get_table(record, number).settings["level"] == 4
    assert [list(result.reading.assumed[name]) for name in ("players", "level")] == [[3], [4]]


def test_open_questions_one_after_the_other(client: TestClient, record_path: Path) -> None:
    photo, _ = doubted_photo()
    send(client, photo, player="Anna")
    asked = client.get("/check", headers=JSON).json()
    assert asked
    page = client.get("/").text
    assert f"To check ({len(asked)})" in page
    assert f"To check ({len(asked)})" in client.get("/history").text
    first = asked[0]
    page = client.get("/check").text
    assert f'name="where" value="{first["where"]}"' in page
    assert 'class="crop"' in page
    data = {"result": first["result"], "where": first["where"], "mark": first["read"], "at": 0}
    answer = client.post("/check", data=data, headers=PAGE)
    left = client.get("/check", headers=JSON).json()
    assert first["where"] not in [each["where"] for each in left]
    page = client.get(answer.headers["location"]).text
    assert f"To check ({len(left)})" in page
    assert "Undo" in page
    with open_record(record_path) as record:
        (result,) = list_results(record)
        assert corrections(record, result.id)[-1].changes == {
            first["where"]: (first["read"], first["read"])
        }
    client.post("/check", data={**data, "mark": "read"})
    again = client.get("/check", headers=JSON).json()
    near = [{**each, "confidence": pytest.approx(each["confidence"], abs=2e-4)} for each in asked]
    assert again == near  # evidence is kept with four digits


def test_nothing_to_check(client: TestClient) -> None:
    send(client, ARCADE)
    assert client.get("/check", headers=JSON).json() == []
    assert "Nothing is left to check." in client.get("/check?at=7").text
    assert 'href="/check"' not in client.get("/").text


@pytest.mark.parametrize(
    "query",
    [
        "answered=1&where=cell+a,b&mark=X",
        "answered=1&where=nothing&mark=X",
        "answered=1&where=bomb&mark=X",
        "answered=1&where=bomb+99999999999999&mark=X",
        "answered=1&where=bomb+1&mark=used",
    ],
)
def test_an_answer_that_nobody_gave_is_not_told(client: TestClient, query: str) -> None:
    send(client, ARCADE)
    answer = client.get(f"/check?{query}")
    assert answer.status_code == 200
    assert "Undo" not in answer.text


def test_name_and_date_are_shown_as_they_were_written(
    client: TestClient, record_path: Path, tmp_path: Path
) -> None:
    photo = tmp_path / "printed.jpg"
    shot = crossed_shot(2, {"level": [1], "players": [2]}, words={"name": "4711", "date": "25"})
    photo.write_bytes(shot.data)
    number = new_table(client, "Anna", "Ben")
    send(client, photo, table=number)
    send(client, ARCADE, table=number)
    for language in LANGUAGES:
        alt = typeset_page(language)["written_name"]
        pages = [
            client.get(f"{address}?lang={language}").text
            for address in (f"/table/{number}", "/result/1", "/result/2")
        ]
        # the other sheet's print has no such fields
        assert [html.unescape(page).count(alt) for page in pages] == [1, 1, 0]
        values = [
            f"{setting_label(name, language)} {value}"
            for name, value in (("level", 1), ("players", 2))
        ]
        said = typeset_page(language)["on_sheet"].format(values=", ".join(values))
        assert [said in html.unescape(page) for page in pages] == [False, True, False]
    with open_record(record_path) as record:
        first = min(list_results(record), key=lambda result: result.id)
    assert first.reading.said_on_sheet == {"level": 1, "players": 2}
    client.post("/result/1/game", data={"level": "4", "players": "", "variant": ""})
    reading = client.get("/result/1", headers=JSON).json()["reading"]
    assert reading["assumed"]["level"] == [4]
    client.post("/result/1/game", data={"level": "", "players": "", "variant": ""})
    reading = client.get("/result/1", headers=JSON).json()["reading"]
    assert (reading["assumed"]["level"], reading["assumed"]["players"]) == ([1], [2])


def test_a_sheet_of_another_game_gets_no_seat_and_is_said(
    client: TestClient, record_path: Path
) -> None:
    number = new_table(client, "Anna", "Ben")
    send(client, ARCADE, table=number)
    for seat in ({}, {"seat": seat_numbers(client, number)[1]}):
        answer = send(client, BLOXX, table=number, **seat)
        page = client.get(answer.headers["location"]).text
        assert "is a sheet of BLOXX!, but Brikks is played at this table" in page
        assert "This photo shows several sheets" not in page
        assert seats(client, number) == [("Anna", 102), ("Ben", None)]
    send(client, PRINTED, table=number)
    assert "Who won?" in client.get(f"/table/{number}").text
    with open_record(record_path) as record:
        assert {result.reading.game for result in list_results(record)} == {"brikks", "bloxx"}
    told = send(client, BLOXX, table=number, headers=JSON).json()
    assert ["is a sheet of BLOXX!" in error for error in told["errors"]] == [True]


def test_a_sheet_of_another_game_is_not_brought_from_its_table(client: TestClient) -> None:
    there, here = new_table(client, "Anna", "Ben"), new_table(client, "Anna", "Ben")
    send(client, BLOXX, table=there)
    send(client, ARCADE, table=here)
    result = client.get(f"/table/{there}", headers=JSON).json()["seats"][0]["result"]["number"]
    answer = client.post(f"/table/{here}/bring", data={"result": result}, headers=PAGE)
    assert answer.status_code == 400
    assert "is a sheet of BLOXX!" in answer.text
    assert seats(client, here) == [("Anna", 102), ("Ben", None)]


def test_the_ranking_comes_by_itself_after_the_last_sheet(client: TestClient) -> None:
    number = new_table(client, "Anna", "Ben")
    assert "0 of 2 sheets" in client.get(f"/table/{number}").text
    answer = send(client, ARCADE, table=number)
    assert answer.headers["location"] == f"/table/{number}"
    assert "1 of 2 sheets" in client.get(f"/table/{number}").text
    answer = send(client, PRINTED, table=number)
    assert answer.headers["location"] == f"/table/{number}/ranking"
    assert client.get(answer.headers["location"]).text.count("place-number") == 2


def test_the_same_photo_sent_again_is_said(client: TestClient) -> None:
    number = new_table(client, "Anna", "Ben")
    assert "was read before" not in client.get(f"/table/{number}").text
    send(client, ARCADE, table=number)
    page = client.get(send(client, ARCADE, table=number).headers["location"]).text
    assert "This photo was read before: Anna, 102 points." in page
    assert seats(client, number) == [("Anna", 102), ("Ben", None)]


def test_the_same_photo_sent_again_alone_is_said(client: TestClient) -> None:
    for is_again in (False, True):
        page = client.get(send(client, ARCADE).headers["location"]).text
        assert ("This photo was read before" in page) == is_again


def test_the_referee_says_one_sentence_where_nothing_is_broken(client: TestClient) -> None:
    number = new_table(client, "Anna", "Ben")
    send(client, ARCADE, table=number)
    send(client, doubted_photo()[0], table=number)
    page = html.unescape(client.get(f"/table/{number}/ranking").text)
    words = texts_in("en").report
    sentences = (
        words["referee_unsure"],
        "Nothing that is surely read breaks a rule.",
        "The sheets can be of one game.",
    )
    assert sum(sentence in page for sentence in sentences) == 1
    assert "No sheet alone breaks a rule" not in page


# --- from the lens to the winner, without names before -------------------------------------------


def scanned(client: TestClient, photo: Path, table: object = "new") -> dict[str, Any]:
    """What a phone is told of a photo that it sends by itself."""
    return dict(send(client, photo, table=table, headers=JSON).json())


def test_sheets_get_a_table_of_their_own_and_names_afterwards(client: TestClient) -> None:
    first = scanned(client, ARCADE)
    number = first["table"]
    assert scanned(client, PRINTED, number)["table"] == number
    assert client.post(f"/table/{number}/finish", headers=JSON).status_code == 200
    page = client.get(f"/table/{number}/ranking").text
    assert "Sheet 1 wins" in page and "Who played?" in page
    assert ARCADE.name not in page  # no file names
    refused = client.post(f"/table/{number}/names", data={"names": ["Anna", "Anna"]})
    assert refused.status_code == 400
    assert seats(client, number) == [(None, 102), (None, 100)]  # both names, or none
    client.post(f"/table/{number}/names", data={"names": ["Anna", "Ben"]})
    page = client.get(f"/table/{number}/ranking").text
    assert "Anna wins" in page and "Who played?" not in page
    assert seats(client, number) == [("Anna", 102), ("Ben", 100)]


def test_a_sheet_of_a_game_that_is_over_stays_there_until_it_is_moved(client: TestClient) -> None:
    over = scanned(client, ARCADE)["table"]
    scanned(client, PRINTED, over)
    client.post(f"/table/{over}/finish", headers=JSON)
    told = scanned(client, ARCADE)
    assert told["table"] != over
    assert told["elsewhere"] == [told["results"][0]["number"]]
    assert [total for _, total in seats(client, over)] == [102, 100]


def test_a_doubt_is_settled_from_the_ranking(client: TestClient) -> None:
    photo, doubt = doubted_photo()
    number = scanned(client, photo)["table"]
    scanned(client, PRINTED, number)
    page = html.unescape(client.get(f"/table/{number}/ranking").text)
    (look,) = re.findall(r'href="(/result/\d+/place\?where=[^"]+at=table[^"]+)"', page)
    place = client.get(look).text
    assert f'name="at" value="table/{number}/ranking"' in place
    result = look.split("/")[2]
    mark = {"X": ".", ".": "X"}[doubt.read]
    said = {"where": doubt.where, "mark": mark, "at": f"table/{number}/ranking"}
    answer = client.post(f"/result/{result}/correct", data=said, headers=PAGE)
    assert answer.headers["location"] == f"/table/{number}/ranking"
    said["at"] = "//elsewhere.example"
    answer = client.post(f"/result/{result}/correct", data=said, headers=PAGE)
    assert answer.headers["location"] == f"/result/{result}"
