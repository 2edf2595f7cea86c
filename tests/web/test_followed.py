"""A game is followed on the page: a photo after each turn, and what was done."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from brikks_vision.text.languages import texts_in
from tests.web import test_boards
from tests.web.test_boards import known_board  # noqa: F401


def begun(client: TestClient) -> str:
    answer = test_boards.send(client, test_boards.SLANT, "/follow")
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def go_on(client: TestClient, address: str, photo: Any = test_boards.AFTER, **more: Any) -> Any:
    return test_boards.send(client, photo, "/follow", followed=address.rpartition("/")[2], **more)


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
    page = test_boards.shown(client, address)
    assert words["follow_next"] in page and words["follow_undo"] not in page
    assert len(client.get(address, headers=test_boards.JSON).json()["readings"]) == 1
    assert client.get(f"{address}/board.jpg").content[:2] == b"\xff\xd8"


def test_the_turn_between_two_photos_is_told(client: TestClient, address: str) -> None:
    told = client.get(address, headers=test_boards.JSON).json()
    assert len(told["readings"]) == 2
    assert [turn["photos"] for turn in told["follow"]["turns"]] == [
        ["1. slant.jpg", "2. after.jpg"]
    ]
    page = test_boards.shown(client, address)
    assert page.count("<li>") >= 1 and texts_in("en").page["follow_coach"] in page
    assert client.get(f"{address}/board.jpg").status_code == 200


def test_what_would_have_been_better_is_told_when_it_is_asked(
    client: TestClient,
    address: str,
) -> None:
    assert "coach" not in client.get(address, headers=test_boards.JSON).json()
    assert "coach" in client.get(f"{address}?coach=1", headers=test_boards.JSON).json()
    asking = f'href="{address}?coach=1"'
    assert asking in test_boards.shown(client, address)
    assert asking not in test_boards.shown(client, f"{address}?coach=1")


def test_the_last_photo_is_taken_back(client: TestClient, address: str) -> None:
    for _ in range(2):  # the first one stays
        assert (
            client.post(f"{address}/undo", headers=test_boards.PAGE).headers["location"] == address
        )
        assert len(client.get(address, headers=test_boards.JSON).json()["readings"]) == 1
    assert go_on(client, address).status_code == 303


def test_who_plays_is_said(client: TestClient, address: str) -> None:
    said = client.post(
        f"{address}/players", data={"player": ["blue", "red", ""]}, headers=test_boards.PAGE
    )
    assert said.status_code == 303
    page = client.get(address).text
    assert page.count(" selected") == 2
    for players in (["blue", "blue"], ["blue", "pink"]):
        wrong = client.post(
            f"{address}/players", data={"player": players}, headers=test_boards.PAGE
        )
        assert wrong.status_code == 400 and 'role="alert"' in wrong.text
    assert client.get(address).text.count(" selected") == 2


def test_a_photo_that_is_sent_twice_is_refused(client: TestClient, address: str) -> None:
    refused = go_on(client, address)
    assert refused.status_code == 400 and "2. after.jpg" in refused.text
    assert len(client.get(address, headers=test_boards.JSON).json()["readings"]) == 2


def test_a_photo_without_a_board_changes_nothing(client: TestClient, address: str) -> None:
    other = test_boards.EMPTY.parents[1] / "blank.jpg"
    assert go_on(client, address, other).status_code == 400
    assert len(client.get(address, headers=test_boards.JSON).json()["readings"]) == 2


def test_nothing_of_it_is_recorded(client: TestClient, address: str) -> None:
    assert client.get("/history", headers=test_boards.JSON).json() == []


def test_an_ended_game_is_forgotten(client: TestClient, address: str) -> None:
    assert (
        client.post(f"{address}/forget", headers=test_boards.PAGE).headers["location"] == "/follow"
    )
    assert client.get(address).status_code == 404
    gone = go_on(client, address)
    assert gone.status_code == 400 and 'role="alert"' in gone.text
