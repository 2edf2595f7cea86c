"""Every page speaks every language: of sheets, boards, tables, games that run, and what is kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

from starlette.testclient import TestClient

from brikks_vision.text.languages import LANGUAGES, NARROW, texts_in
from tests.doubted_photos import doubted_photo
from tests.web.asked import JSON, client_of, send
from tests.web.test_boards import AFTER, HAND, SLANT, keep_board, shown

SAMPLES = Path("samples")
Pages = tuple[TestClient, dict[str, str], str]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, all_read_here: None) -> Iterator[Pages]:
    """A service that holds one of everything; by address, a text of the page; a broken rule."""
    folder = tmp_path_factory.mktemp("languages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        keep_board()
        with client_of(folder / "record.sqlite3") as client:

            def sent(photo: Path, address: str = "/scan", **fields: Any) -> str:
                answer = send(client, photo, address, **fields)
                assert answer.status_code == 303, answer.text
                return str(answer.headers["location"])

            result, fault = sent(doubted_photo()[0]), sent(SAMPLES / "floating-block.jpg")
            client.post(f"{fault}/keep")
            client.post("/table", data={"names": ["Anna", "Ben"]})
            for sheet in ("arcade.jpg", "printed.jpg"):
                sent(SAMPLES / sheet, table="1")
            client.post("/table/1/finish")
            board, followed = sent(AFTER, "/boards"), sent(SLANT, "/follow")
            sent(AFTER, "/follow", followed=followed.rpartition("/")[2])
            client.post(f"{board}/set", data={"where": "field 4,4", "value": "blue"})
            client.post(f"{board}/hand", data=HAND)
            number = client.get(board, headers=JSON).json()["number"]
            texts = {
                "/": "history",
                "/history": "history",
                result: "teach_keep",
                f"{result}/place?where=energy+3": "history",
                "/check": "check_keys",
                "/table": "table_who",
                "/table/1": "table_who_won",
                "/table/1/ranking": "table_rematch",
                "/boards": "board_intro",
                board: "board_said",
                f"{board}/field?where=field%204,4": "board_pawn_moves",
                f"{board}/moves": "board_best",
                f"/result/{number}": "board_was_said",
                "/boards/points": "history",
                "/follow": "follow_intro",
                followed: "follow_players",
                "/teaching": "teach_download",
            }
            yield client, texts, fault


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_speaks_every_language(pages: Pages, language: str) -> None:
    client, texts, fault = pages
    words = texts_in(language).page
    for address, key in texts.items():
        assert words[key].replace(NARROW, " ") in shown(client, address, language), address
    assert ("rests on nothing" in shown(client, fault, language)) == (language == "en")
    ranking = client.get("/table/1/ranking.png", headers={"Accept-Language": language})
    assert ranking.content.startswith(b"\x89PNG")


def test_a_language_that_is_chosen_is_kept(pages: Pages) -> None:
    client, *_ = pages
    assert "brikks_language=fr" in client.get("/?lang=fr").headers["set-cookie"]
    assert '<html lang="fr">' in client.get("/history").text
    client.cookies.clear()
