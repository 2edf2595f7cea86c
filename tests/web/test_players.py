"""The page of a player, how texts are set, and messages beside the form."""

import io
import re
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from PIL import Image, ImageColor

pytest.importorskip("fastapi", reason="the extra web is not installed")

from starlette.testclient import TestClient

import brikks_vision.show
from brikks_vision.errors import PlotPartsMissing
from brikks_vision.layout import load_layout
from brikks_vision.pipeline import ScanResult, scan_sheets
from brikks_vision.record.database import open_record
from brikks_vision.record.entries import Game, Result, SheetReading
from brikks_vision.record.photos import add_photo
from brikks_vision.record.statistics import HeadToHead, Wins, head_to_head, rank_counts, wins
from brikks_vision.record.tables import list_games, make_game
from brikks_vision.show.plots import DARK, LIGHT
from brikks_vision.text import languages
from brikks_vision.web.guard import new_key
from brikks_vision.web.pages import mark_title
from tests.doubted_photos import doubted_photo
from tests.recorded_sheets import EVENING, OTHER, START, photo, reading_of
from tests.web.asked import client_of

BLOXX = Path("samples/bloxx.jpg")
LONG_NAME = "Maximiliane/Wilhelmina Donaudampfschifffahrtsgesellschaft"
THIRD = reading_of("....AA....", "....AA....", "BBBB..CCCC")
EVENINGS = (  # what each made; Anna won the second, third and fifth, and shared the fourth
    {"Anna": 60, "Ben": 70},
    {"Anna": 80, "Ben": 70, LONG_NAME: 40},
    {"Anna": 90, LONG_NAME: 50},
    {"anna": 50, "Ben": 50},
    {"Anna": 55, "Ben": 54},
)


@pytest.fixture
def record_path(tmp_path: Path) -> Path:
    """A record of some evenings; each sheet is drawn, its total is said."""
    path = tmp_path / "record.sqlite3"
    with open_record(path) as record:
        for number, evening in enumerate(EVENINGS):
            sheets = []
            for player, total in evening.items():
                drawn = (START, OTHER, THIRD)[len(sheets)]
                assert drawn.score is not None
                score = replace(drawn.score, total=total)
                reading = replace(drawn, score=score, total_range=(total, total))
                facts = photo(f"{number}-{player.replace('/', '-')}.jpg", 2000 * number)
                sheets += add_photo(record, facts, [SheetReading(reading)], player).results
            make_game(record, sheets)
    return path


def games_of(path: Path) -> tuple[Game, ...]:
    with open_record(path) as record:
        return list_games(record)


def test_wins_and_rows(record_path: Path) -> None:
    games = games_of(record_path)
    assert wins(games, "Anna") == Wins(games=5, won=4, row=4, longest_row=4)
    assert wins(games, "Ben") == Wins(games=4, won=2, row=0, longest_row=1)  # one of them shared
    assert wins(games, "Zoe") == Wins(0, 0, 0, 0)
    as_duels = [replace(game, settings={"variant": "duel"}) for game in games]
    assert wins(as_duels, "Anna") == Wins(0, 0, 0, 0)


def test_head_to_head(record_path: Path) -> None:
    games = games_of(record_path)
    assert head_to_head(games, "ANNA") == (
        HeadToHead("Ben", won=2, tied=1, lost=1),
        HeadToHead(LONG_NAME, won=2, tied=0, lost=0),
    )


def test_ranks_best_first() -> None:
    def sheet(number: int, minutes: float, total: int) -> Result:
        drawn = START if number % 2 else OTHER
        assert drawn.score is not None
        score = replace(drawn.score, total=total)
        words = "Läuft!" if total >= 70 else "Da geht noch mehr!"
        reading = replace(drawn, score=score, rank=words, assumed={"level": (1,)})
        facts = photo(f"{number}.jpg", minutes)
        return Result(number, reading, facts, EVENING, "Anna", "brikks", None, False, 1)

    sheets = [sheet(1, 0, 62), sheet(2, 2000, 75), sheet(3, 4000, 61)]
    assert [(rank.text("en"), count) for rank, count in rank_counts(sheets)] == [
        ("Well done!", 1),
        ("You can do more!", 2),
    ]


def test_every_name_leads_to_its_player(client: TestClient) -> None:
    history = client.get("/history").text
    address = "/player?name=Maximiliane%2FWilhelmina%20Donaudampfschifffahrtsgesellschaft"
    assert f'href="{address}"' in history
    game = client.get("/game/2").text
    assert f'href="{address}"' in game
    page = client.get(address)
    assert page.status_code == 200
    assert f'<h1 class="person">{LONG_NAME}</h1>' in page.text
    assert 'href="/player?name=Anna"' in page.text
    assert 'href="/player?name=Anna"' in client.get("/result/1").text
    assert 'href="/player?name=Anna"' in client.get("/").text


@pytest.mark.parametrize("language", languages.LANGUAGES)
def test_the_page_of_a_player(client: TestClient, language: str) -> None:
    page = client.get("/player", params={"name": "anna", "lang": language}).text
    words = languages.typeset_page(language)
    assert '<h1 class="person">Anna</h1>' in page
    for key in ("player_won", "player_rivals", "player_ranks"):
        assert words[key] in page
    assert words["player_longest"].format(count=4) in page
    assert len(re.findall(r'class="over" href="/result/\d+"', page)) == len(EVENINGS)


def test_a_player_of_whom_nothing_is_known(client: TestClient) -> None:
    for address in ("/player", "/player?name=Zoe", "/player?name=%3Cb%3E"):
        page = client.get(address)
        assert page.status_code == 200
        assert "Nothing is recorded of this player" in page.text
        assert "<b>" not in page.text


def test_plots_follow_the_dark(client: TestClient) -> None:
    page = client.get("/history").text
    for kind in ("scores", "empty"):
        source = f'srcset="/plot/{kind}.png?scheme=dark&amp;" media="(prefers-color-scheme: dark)"'
        assert source in page
        for address, scheme in (("", LIGHT), ("?scheme=dark", DARK), ("?scheme=nonsense", LIGHT)):
            picture = Image.open(io.BytesIO(client.get(f"/plot/{kind}.png{address}").content))
            assert picture.convert("RGB").getpixel((1, 1)) == ImageColor.getrgb(scheme.paper)


@pytest.mark.parametrize("language", languages.LANGUAGES)
def test_without_matplotlib_the_numbers_stay(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    for module in ("matplotlib", "matplotlib.axes"):  # as if they were not installed
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, "brikks_vision.show.plots")
    monkeypatch.delattr(brikks_vision.show, "plots")
    sentence = languages.typeset(PlotPartsMissing("matplotlib").text(language), language)
    for address in ("/history?", "/player?name=Anna&"):
        page = unescape(client.get(f"{address}lang={language}").text)
        assert sentence in page
        assert "<picture>" not in page
        assert "Anna" in page
    told = client.get("/plot/scores.png", params={"lang": language})
    assert told.status_code == 501


# --- how texts are set ---------------------------------------------------------------------------


def test_spaces_before_french_signs_do_not_break(client: TestClient) -> None:
    told = "Ici : une clé ? « oui » ; non !"
    typeset = "Ici_: une clé_? «_oui_»_; non_!".replace("_", languages.NARROW)
    assert languages.typeset(told, "fr") == typeset
    assert languages.typeset("Sure ?", "en") == "Sure ?"
    for address in ("/", "/history", "/result/1", "/game/1", "/player?name=Anna"):
        page = client.get(address, headers={"Accept-Language": "fr"}).text
        text = re.sub(r"<[^>]*>", " ", page)
        assert not re.search(r"\w [?!:;»]", text), address
    assert f"{languages.NARROW}?" in client.get("/", headers={"Accept-Language": "fr"}).text


def test_long_german_words_may_break() -> None:
    assert languages.typeset_page("de")["referee"] == "Schieds\u00adrich\u00adter"
    assert (
        languages.typeset(mark_title("energy 3", "used", load_layout("brikks"), "de"), "de")
        == "durch\u00adgestri\u00adchen"
    )
    for language in languages.LANGUAGES:
        for text in languages.texts_in(language).page.values():
            assert languages.typeset(text, language).replace(languages.SOFT_HYPHEN, "").split() == (
                text.replace("\u00a0", " ").split()
            ) or languages.NARROW in languages.typeset(text, language)


def test_names_are_never_set(client: TestClient, record_path: Path) -> None:
    client.post("/result/1/player", data={"player": "Schiedsrichter ? !"})
    page = client.get("/result/1", headers={"Accept-Language": "fr"}).text
    assert 'value="Schiedsrichter ? !"' in page
    assert ">Schiedsrichter ? !</a>" in page


# --- what can be chosen anew ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        {"results": ["1"]},
        {"results": ["1", "1"]},
        {"results": ["1", "2", "3"], "variant": "duel"},
    ],
)
def test_a_game_that_cannot_be_leaves_the_choice(
    client: TestClient, data: dict[str, list[str] | str]
) -> None:
    answer = client.post("/game", data=data)
    assert answer.status_code == 400
    form = answer.text[answer.text.index('id="sheets"') :]
    form = form[: form.index("</form>")]
    assert "cannot be the number of sheets of one game" in form
    assert form.count(" checked") == len(set(data["results"]))


def test_a_game_whose_other_sheets_were_removed(client: TestClient) -> None:
    client.post("/result/2/remove")
    page = client.get("/game/1")
    assert page.status_code == 200
    assert "A game needs at least two sheets; this one has 1." in page.text
    assert 'href="/result/1"' in page.text


def test_dates_that_cannot_be(client: TestClient) -> None:
    for query in ({"since": "2026-05-02", "until": "2026-05-01"}, {"since": "tomorrow"}):
        answer = client.get("/history", params=query)
        assert answer.status_code == 400
        assert 'class="problem" role="alert"' in answer.text
        assert f'value="{query["since"]}"' in answer.text


def test_no_photo_chosen(client: TestClient) -> None:
    answer = client.post("/scan", files={"photo": ("", b"")}, headers={"Accept": "text/html"})
    assert answer.status_code == 400
    form = answer.text[answer.text.index('id="upload"') :]
    assert "No photo was sent." in form[: form.index("</form>")]
    assert 'type="file"' in form


def test_the_buttons_of_a_doubt_mark_what_was_read(client: TestClient) -> None:
    path, doubt = doubted_photo()
    files = {"photo": ("doubted.jpg", path.read_bytes())}
    address = client.post("/scan", files=files).headers["location"]
    question = client.get(address).text.split(f'name="where" value="{doubt.where}"')[1]
    question = question[: question.index("</form>")]
    (marked,) = re.findall(r'value="([^"]+)" class="current"', question)
    assert marked == doubt.read
    assert question.count("(read so)") == 1


@pytest.mark.parametrize("language", languages.LANGUAGES)
def test_the_page_without_its_key_says_what_to_do(tmp_path: Path, language: str) -> None:
    key = new_key()
    words = languages.typeset_page(language)
    with client_of(tmp_path / "record.sqlite3", key) as client:
        answer = client.get("/history", params={"lang": language})
        assert answer.status_code == 401
        for name in ("key_heading", "key_scan", "key_new"):
            assert words[name].replace('"', "&#34;").replace("'", "&#39;") in answer.text
        style = re.findall(r'<link rel="stylesheet" href="([^"]+)">', answer.text)
        assert [client.get(each).status_code for each in style] == [200]
        assert '<form action="/" method="get">' in answer.text
        assert words["key_wrong"] not in answer.text
        wrong = client.get("/", params={"key": "wrong", "lang": language}).text
        assert words["key_wrong"].replace("'", "&#39;") in wrong
        assert client.get("/", params={"key": key}).status_code == 303


def test_the_games_of_a_player_are_told_apart(record_path: Path, client: TestClient) -> None:
    (bloxx,) = (each for each in scan_sheets(BLOXX.read_bytes()) if isinstance(each, ScanResult))
    with open_record(record_path) as record:
        add_photo(record, photo("bloxx.jpg", 90_000), [SheetReading(bloxx.reading)], "Anna")
    last = client.get("/player?name=Anna").text
    assert "BLOXX! · " in last
    assert "Brikks · " not in last
    assert "/player?name=Anna&amp;played=brikks" in last
    before = client.get("/player?name=Anna&played=brikks").text
    assert "Brikks · " in before
    assert "BLOXX! · " not in before
    listed = client.get("/history").text
    assert "Brikks · " in listed and "BLOXX! · " in listed
    assert client.get("/plot/scores.png?played=bloxx").status_code == 200
