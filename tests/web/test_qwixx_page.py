"""A sheet of Qwixx on the page: its result, and what is best for a throw."""

import re
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

from starlette.testclient import TestClient

from tests.web.asked import OWN, send

SHEET = Path("tests/fixtures/qwixx/good.jpg")  # of the simulator, seed [4001, 3], smaller
PAGE = {"Origin": OWN, "Accept": "text/html"}


def test_a_result_has_its_points_and_a_throw_to_ask_about(client: TestClient) -> None:
    answer = send(client, SHEET)
    assert answer.headers["location"] == "/result/1"
    page = client.get("/result/1").text
    assert ">107<" in page.replace("\n", "").replace(" ", "")
    assert len(set(re.findall(r'name="die\d"', page))) == 6
    throw = {"die": ["3", "5", "1", "6", "4", "2"]}
    told = client.get("/result/1/advice", params=throw)
    assert told.status_code == 400 and "is over" in told.text  # two rows are closed
    for where in ("lock 2", "row 2,10"):
        client.post("/result/1/correct", data={"where": where, "mark": "."}, headers=PAGE)
    told = client.get("/result/1/advice", params=throw)
    assert told.status_code == 200, told.text
    throw = {f"die{at}": face for at, face in enumerate(throw["die"])}
    told = client.get("/result/1/advice", params=throw)
    assert len(re.findall(r'name="die\d" value="\d" required checked', told.text)) == 6
