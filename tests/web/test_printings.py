"""Printings on the page: learnt from an upload, corrected by tap, kept, chosen, removed."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from brikks_vision.games.printings import kept_files, kept_printings
from brikks_vision.text.languages import LANGUAGES
from brikks_vision.web.service import MAX_DRAFTS
from tests.web.asked import JSON, PAGE, send

BLANK, FILLED = (Path("tests/fixtures/bloxx") / f"other-{name}.jpg" for name in ("blank", "filled"))
BOARD = Path("tests/fixtures/blox")
TRUTH = json.loads(FILLED.with_suffix(".jpg.json").read_text())
PRINT = TRUTH["layout"]["printed"]


def learn(client: TestClient, photo: Path, **fields: str) -> Any:
    return send(client, photo, "/printings", **fields)


def learnt(client: TestClient) -> str:
    """The address of what was learnt of the empty sheet."""
    answer = learn(client, BLANK)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_an_empty_sheet_is_learnt_shown_kept_and_read_with(client: TestClient) -> None:
    address = learnt(client)
    page = client.get(address).text
    assert "What was learnt: BLOXX!" in page
    cells = TRUTH["layout"]["grid"]["rows"] * TRUTH["layout"]["grid"]["columns"]
    rows, pairs = TRUTH["layout"]["grid"]["rows"], len(PRINT["colored_rows"])
    assert (
        page.count("data-where=") == cells + rows + pairs + 2
    )  # the size of the grid, the first bonus
    picture = client.get(f"{address}/learnt")
    assert picture.content.startswith(b"\xff\xd8")
    assert picture.headers["cache-control"] == "no-store"
    assert kept_printings() == ()
    kept = client.post(f"{address}/keep", data={"name": "Mein Brett (größer)"})
    assert (kept.status_code, kept.headers["location"]) == (303, "/printings")
    assert [layout.name for layout in kept_printings()] == ["mein-brett-grosser"]
    assert client.get(address).status_code == 404
    assert "mein-brett-grosser" in client.get("/printings").text
    assert 'href="/more"' in client.get("/").text
    assert "<option>mein-brett-grosser</option>" in client.get("/more").text
    for sheet in ("mein-brett-grosser", ""):
        (result,) = send(client, FILLED, sheet=sheet, headers=JSON).json()["results"]
        assert (result["reading"]["game"], result["reading"]["sheet"]) == (
            "bloxx",
            "mein-brett-grosser",
        )
    (told,) = client.get("/printings", headers=JSON).json()
    assert told == {"name": "mein-brett-grosser", "game": "bloxx", "read": 1, "corrected": 0}
    assert "/printing/mein-brett-grosser/open" in client.get("/printings").text
    assert "mein-brett-grosser.brikks" in client.get("/printing/mein-brett-grosser/open").text
    removed = client.post("/printing/remove", data={"name": "mein-brett-grosser"})
    assert (removed.status_code, kept_printings()) == (303, ())


def test_what_is_unsure_is_asked_and_settled(client: TestClient) -> None:
    unsure = BLANK.with_name("other-blank-2.jpg")  # the colour of one of its rows
    address = learn(client, unsure).headers["location"]
    before = client.get(address, headers=JSON).json()["doubts"]
    asked = next(doubt for doubt in before if doubt["where"].startswith("row"))
    answer = client.post(f"{address}/set", data={"where": asked["where"], "value": asked["read"]})
    assert (answer.status_code, answer.headers["location"]) == (303, address)
    after = client.get(address, headers=JSON).json()["doubts"]
    assert asked["where"] not in {doubt["where"] for doubt in after}
    assert len(after) < len(before)


def blank_without_a_pair_of_bonuses(folder: Path) -> Path:
    layout = TRUTH["layout"]
    wide, high = layout["grid"]["columns"], layout["grid"]["rows"]
    corners = json.loads(BLANK.with_suffix(".jpg.json").read_text())["corners"]
    grid = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    to_photo = cv2.getPerspectiveTransform(grid, np.array(corners, np.float32))
    places = np.array([layout["fields"]["bonus"]["centres"][-2:]], np.float32)
    photo = cv2.imread(str(BLANK))
    assert photo is not None
    for x, y in cv2.perspectiveTransform(places, to_photo)[0].round().astype(int):
        part = photo[y - 20 : y + 20, x - 20 : x + 20]
        part[:] = np.median(part, axis=(0, 1))
    cv2.imwrite(str(folder / "smeared.png"), photo)
    return folder / "smeared.png"


def test_every_question_about_a_row_takes_its_answer(client: TestClient, tmp_path: Path) -> None:
    address = learn(client, blank_without_a_pair_of_bonuses(tmp_path)).headers["location"]
    for _ in range(4):
        doubts = client.get(address, headers=JSON).json()["doubts"]
        asked = next((each for each in doubts if each["where"].startswith("row")), None)
        if asked is None:
            break
        said = {"where": asked["where"], "value": asked["read"]}
        assert client.post(f"{address}/set", data=said, headers=PAGE).status_code == 303
    else:
        pytest.fail(f"asked for ever: {doubts}")


def test_a_result_says_on_what_unsure_print_it_rests(client: TestClient) -> None:
    client.post(f"{learnt(client)}/keep", data={"name": "mine"})
    (file,) = kept_files()
    definition = json.loads(file.read_text())
    doubt = {"where": "grid", "read": "10x7", "confidence": 0.6, "otherwise": "9x7"}
    file.write_text(json.dumps({**definition, "doubts": [doubt]}))
    (result,) = send(client, FILLED, sheet="mine", headers=JSON).json()["results"]
    assert result["reading"]["status"] == "uncertain"
    assert [each["where"] for each in result["reading"]["print_doubts"]] == ["grid"]
    for language in LANGUAGES:
        headers = {**PAGE, "Accept-Language": language}
        page = client.get(f"/result/{result['number']}", headers=headers).text
        assert 'id="print"' in page
        assert "10x7" in page


def test_any_place_can_be_corrected_by_tap(client: TestClient) -> None:
    address = learnt(client)
    number = PRINT["numbers"][0]
    where = f"cell {number['row']},{number['column']}"
    tapped = client.get(f"{address}/place", params={"where": where})
    assert re.findall(r'name="value" value="(\w+)"', tapped.text) == ["none", "2", "3", "4"]
    client.post(f"{address}/set", data={"where": where, "value": "none"})
    client.post(f"{address}/keep", data={"name": "mine"})
    (layout,) = kept_printings()
    places = {(each["row"], each["column"]) for each in layout.printed["numbers"]}
    assert (number["row"], number["column"]) not in places


@pytest.mark.parametrize(
    "where, value", [("cell 0,0", "7"), ("cell 99,0", "2"), ("", ""), ("x", "y")]
)
def test_what_cannot_be_printed_is_refused(client: TestClient, where: str, value: str) -> None:
    address = learnt(client)
    before = client.get(address, headers=JSON).json()
    answer = client.post(f"{address}/set", data={"where": where, "value": value}, headers=PAGE)
    assert answer.status_code == 400
    assert client.get(address, headers=JSON).json() == before
    assert client.get(f"{address}/place", params={"where": "cell 99,0"}).status_code == 400


@pytest.mark.parametrize("name", ["", "Brikks", "../up", "漢字"])
def test_a_name_that_no_sheet_can_have_is_refused(client: TestClient, name: str) -> None:
    address = learnt(client)
    answer = client.post(f"{address}/keep", data={"name": name}, headers=PAGE)
    assert (answer.status_code, kept_printings()) == (400, ())
    assert 'role="alert"' in answer.text


def test_a_photo_of_no_empty_sheet_is_proposed_with_a_sentence(client: TestClient) -> None:
    for photo, fields in ((FILLED, {}), (BLANK, {"game": "brikks"})):
        address = learn(client, photo, **fields).headers["location"]
        for language in LANGUAGES:
            page = client.get(address, headers={**PAGE, "Accept-Language": language}).text
            assert f'<html lang="{language}">' in page
            assert 'role="alert"' in page
    for photo, fields in ((Path("README.md"), {}), (BLANK, {"game": "chess"})):
        assert learn(client, photo, **fields).status_code == 400


def test_corners_that_are_dragged_hold_while_the_rest_is_proposed_anew(client: TestClient) -> None:
    address = learnt(client)
    number = PRINT["numbers"][0]
    where = f"cell {number['row']},{number['column']}"
    client.post(f"{address}/set", data={"where": where, "value": "none"})
    rows, columns = TRUTH["layout"]["grid"]["rows"], TRUTH["layout"]["grid"]["columns"]
    before = client.get(address, headers=JSON).json()["regions"]["grid"]
    moved = f"0.1,0.1 {columns},0 {columns},{rows} 0,{rows}"
    answer = client.post(f"{address}/set", data={"where": "grid", "value": moved})
    assert answer.status_code == 303
    after = client.get(address, headers=JSON).json()["regions"]["grid"]
    apart = np.abs(np.subtract(after, before)).max(axis=1)
    assert apart[0] > 3 > apart[1:].max()
    larger = {"where": "size", "rows": str(rows - 1), "columns": str(columns)}
    assert client.post(f"{address}/set", data=larger).status_code == 303
    client.post(f"{address}/keep", data={"name": "mine"})
    (layout,) = kept_printings()
    assert (layout.grid.rows, layout.grid.columns) == (rows - 1, columns)
    places = {(each["row"], each["column"]) for each in layout.printed["numbers"]}
    assert (number["row"], number["column"]) not in places


def test_a_printing_travels_from_one_page_to_another(client: TestClient) -> None:
    client.post(f"{learnt(client)}/keep", data={"name": "mine"})
    (before,) = kept_files()
    text = before.read_text()
    file = client.get("/printing/mine.brikks")
    assert file.headers["content-disposition"] == 'attachment; filename="mine.brikks"'
    client.post("/printing/remove", data={"name": "mine"})
    sent = {"photo": ("mine.brikks", file.content)}
    answer = client.post("/printings", files=sent, headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/printings")
    (after,) = kept_files()
    assert json.loads(after.read_text()) == {**json.loads(text), "name": "mine"}
    sent = {"photo": ("mine.brikks", file.content[:-30])}
    assert client.post("/printings", files=sent, headers=PAGE).status_code == 400


def test_what_is_not_kept_is_forgotten(client: TestClient) -> None:
    address = learnt(client)
    client.post(f"{address}/forget")
    assert client.get(address).status_code == 404
    assert client.get("/printings/no-such-draft").status_code == 404


def test_only_some_drafts_are_held(client: TestClient) -> None:
    service = client.app.app.state.service  # type: ignore[attr-defined]
    address = learnt(client)
    known = service.learnt.of(address.rsplit("/", 1)[1])
    for number in range(MAX_DRAFTS):
        service.learnt.add(replace(known, labels=[((0.0, 0.0), str(number))]))
    assert client.get(address).status_code == 404
    assert len(service.learnt.tokens(lambda _: True)) == MAX_DRAFTS


def test_an_unknown_printing_is_refused(client: TestClient) -> None:
    answer = send(client, FILLED, sheet="x", headers=JSON)
    assert (answer.status_code, answer.json()["error"]) == (400, "FieldUnclear")


def test_the_pieces_of_a_set_are_learnt_from_a_photo_of_its_board_set_up(
    client: TestClient,
) -> None:
    address = str(learn(client, BOARD / "empty.jpg").headers["location"])
    assert "The pieces of your set are known" not in client.get(address).text

    def send_pieces(photo: Path) -> Any:
        return send(client, photo, "/pieces", printing=address.rpartition("/")[2])

    refused = send_pieces(BOARD / "empty.jpg")
    assert refused.status_code == 400
    assert "set up" in re.search(r'role="alert">(.*?)<', refused.text)[1]  # type: ignore[index]
    assert send_pieces(BOARD / "setup.jpg").status_code == 303
    assert "The pieces of your set are known" in client.get(address).text

    assert client.post(f"{address}/keep", data={"name": "mine"}, headers=PAGE).status_code == 303
    (kept,) = kept_files()
    height = json.loads((BOARD / "setup.json").read_text())["block"][1]
    assert json.loads(kept.read_text())["pieces"]["block"] == pytest.approx(height, rel=0.15)
