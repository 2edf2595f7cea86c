"""The pages as HTML: templates, the values that they show, and boards on their photos."""

from __future__ import annotations

import importlib.util
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Protocol
from urllib.parse import parse_qsl, quote, urlencode

import jinja2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.codec import JsonObject
from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Points
from brikks_vision.errors import PlotPartsMissing
from brikks_vision.games import board_of, game_named, game_of, game_title, layout_of, view_of
from brikks_vision.infer.advice import Advice, Coach
from brikks_vision.infer.answers import places_of
from brikks_vision.intake import corrections, photos
from brikks_vision.layout import Box, Cell, Field, Layout, Point
from brikks_vision.learn import values_of
from brikks_vision.pipeline import rank_words
from brikks_vision.pipeline.coach import advice_on
from brikks_vision.reading import Reading, ReadSheet, Status, views
from brikks_vision.record import entries, rows
from brikks_vision.show import coach, covered, marks_on_sheet, report
from brikks_vision.show.board import draw_board
from brikks_vision.text import languages
from brikks_vision.web import guard

JPEG_QUALITY = 88
SUMS = ("points", "nothing", "sum", "bar")  # labels that would lie over what the player wrote
EDGE = 0.8  # fields around the board: ways onto it begin there


class OnPhoto(Protocol):
    """A board of which it is known where it lies in its photo."""

    @property
    def photo(self) -> Photo: ...

    def to_photo(self, points: Points) -> Points: ...


@dataclass(frozen=True)
class Outline:
    """A field in the photo. points: of its corners, as SVG has them, in px."""

    place: views.BoardPlace
    points: str


def rows_of(places: Iterable[views.BoardPlace]) -> list[list[views.BoardPlace]]:
    return [list(row) for _, row in groupby(places, key=lambda place: place.row)]


def outlines(board: OnPhoto, places: Iterable[views.BoardPlace]) -> tuple[Outline, ...]:
    """The fields of a board, to be tapped in the photo."""
    return tuple(
        Outline(place, " ".join(f"{x:.1f},{y:.1f}" for x, y in board.to_photo(_corners(place))))
        for place in places
    )


def board_area(board: OnPhoto, side: int) -> Box:
    """The part of the photo that shows the board and the way onto it, in px."""
    border = np.array(Box(-EDGE, -EDGE, side + EDGE, side + EDGE).corners)
    height, width = board.photo.image.shape[:2]
    left, top = np.maximum(board.to_photo(border).min(axis=0), 0.0)
    right, bottom = np.minimum(board.to_photo(border).max(axis=0), (width, height))
    return Box(float(left), float(top), float(right), float(bottom))


def crop_of(board: OnPhoto, place: views.BoardPlace) -> Box:
    """The part of the photo around a field, square, in px."""
    (x, y), *corners = board.to_photo(
        np.concatenate([[(place.column + 0.5, place.row + 0.5)], _corners(place)])
    ).tolist()
    sides = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    # fields on each side of a field's middle: towers lean out of theirs
    reach = 1.2 * float(sides.max())
    return Box(x - reach, y - reach, x + reach, y + reach)


def revision_of(said: Mapping[str, object]) -> int:
    """A number for the address of a picture that changes with each answer."""
    return zlib.crc32(repr(sorted(said.items())).encode())


def drawn_board(board: OnPhoto, labels: Sequence[views.BoardLabel], side: int) -> bytes:
    """The photo with signs on it, as a JPEG."""
    return as_jpeg(draw_board(board.photo.image, board, labels, side))


def as_jpeg(image: NDArray[np.uint8]) -> bytes:
    return photos.jpeg_of(image, JPEG_QUALITY)


def _corners(place: views.BoardPlace) -> NDArray[np.float64]:
    left, top = float(place.column), float(place.row)
    return np.array(Box(left, top, left + 1, top + 1).corners)


TEMPLATES, STATIC = (Path(__file__).parent / name for name in ("templates", "static"))


def sheet_values(now: corrections.SheetNow, language: str) -> JsonObject:
    """What the templates of one sheet need."""
    reading = now.reading
    layout = layout_of(reading)
    area = photos.picture_area(layout, now.evidence)
    drawings = (
        covered.draw_covered(reading, layout),
        marks_on_sheet.draw_view(now.view, layout),
        marks_on_sheet.draw_doubts(reading.doubts, layout),
        marks_on_sheet.draw_violations(reading.violations, layout),
    )
    return {
        "now": now,
        "result": now.result,
        "reading": reading,
        "layout": layout,
        "area": area,
        "written": {} if now.evidence.on_sheet is None else layout.words,
        "on_sheet": [
            f"{report.setting_label(name, language)} {value}"
            for name, value in sorted(now.reading.said_on_sheet.items())
        ],
        "settings": report.setting_choices([layout.game], language),
        "status": report.status_text(reading, language),
        "covered": covered.covered_text(reading, layout, language),
        "cancelled": covered.cancelled_text(reading, layout, language),
        "covered_boxes": [
            covered.box_around(each, layout)
            for each in covered.covered_groups(reading.covered, layout)
        ],
        "print_places": {
            place.where: place.told.text(language)
            for place in (values_of(layout) if reading.print_doubts else ())
        },
        "rank": rank_words(reading, language),
        "parts_of_score": [
            {
                "name": part.name.text(language),
                "note": part.note.text(language) if part.note else "",
                "points": part.points,
            }
            for part in now.view.parts
        ],
        "written_total": now.view.written_total,
        "is_sure": reading.status is Status.OK,
        "spots": spots(now.view, now.answers, layout, language),
        "tints": tints(now.view, layout),
        "strokes": strokes(drawings, layout),
        "labels": [each for each in labels(drawings, area) if each.kind not in SUMS],
        "as_read": rows.AS_READ,
        **coach_values(reading, layout, language),
    }


def coach_values(reading: ReadSheet, layout: Layout, language: str) -> JsonObject:
    """What a coach says of a sheet.

    lost: as of `lost_values`. expected: what the computer player reaches, or "". dice: to choose
    a roll by: the field of a form, what it is called, its values and how they are shown.
    """
    facet = game_of(reading).coach
    if facet is None:
        return {"lost": [], "expected": "", "dice": []}
    expected = advice_on(reading, layout).expected
    return {
        "lost": lost_values(reading, layout, language),
        "expected": "" if expected is None else coach.expected_text(expected, language),
        "dice": _dice(facet, layout, language),
    }


def _dice(facet: Coach, layout: Layout, language: str) -> list[tuple[str, str, dict[str, str]]]:
    page = languages.typeset_page(language)
    rolls = [(name, _begun(told.text(language)), most) for name, told, most in facet.rolls(layout)]
    faces = {
        str(face): str(face) for face in range(1, max((most for *_, most in rolls), default=0) + 1)
    }
    if facet.is_throw:
        return [(f"die{at}", rolls[at][1], {**faces, "0": "–"}) for at in range(len(rolls))]
    colors = {name: told for name, told, _ in rolls}
    fields = [("color", page["advice_color"], colors), ("roll", page["advice_number"], faces)]
    return fields if rolls else []


def lost_values(
    reading: ReadSheet, layout: Layout | None, language: str
) -> list[tuple[str, int]] | None:
    """A sentence and its points for each reason why points were lost; None while the total is not
    sure. layout: None where it is not at hand.
    """
    if game_of(reading).coach is None:
        return []
    lost = advice_on(reading, layout).lost
    return (
        None if lost is None else [(coach.lost_text(each, language), each.points) for each in lost]
    )


def advice_values(advice: Advice | None, layout: Layout, language: str) -> JsonObject:
    """What may be done for a roll: sentences, best first, and what is drawn of each.

    advice: None where there is none.
    """
    if advice is None or advice.choices is None:
        return {"choices": [], "again": "", "remarks": []}
    choices = coach.compared(advice.choices)[:3]
    remarks = [marks_on_sheet.Remark("best", "", "", each.cells, each.where) for each in choices]
    return {
        "choices": [coach.choice_text(each, choices[0], language) for each in choices],
        "again": coach.again_text(advice.choices, language),
        "remarks": [
            strokes([marks_on_sheet.draw_remarks([each], layout)], layout) for each in remarks
        ],
    }


def board_values(reading: Reading, answers: Mapping[str, str]) -> JsonObject:
    """What the page of a recorded board needs. answers : by place, what a person said of it."""
    board = board_of(reading)
    view, places = view_of(reading), board.places(reading)
    titles = {place.where: place.told for place in places}
    things = {each.value: each.told for each in board.choices().things}
    return {
        "title": game_title(str(reading.game)),
        "reading": reading,
        "view": view,
        "rows": rows_of(places),
        "doubts": list(zip(reading.doubts, view.doubts, strict=True)),
        "said": answers,
        "answers": [
            (titles[where], things[thing])
            for where, thing in answers.items()
            if where in titles and thing in things
        ],
        "is_sure": reading.status is Status.OK,
    }


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = lambda share: int(100 * share + 1e-9)
    environment.filters["moment"] = languages.moment_text
    environment.filters["weekday"] = weekday_text
    environment.filters["quoted"] = partial(quote, safe="")
    environment.filters["told"] = _told
    environment.filters["begun"] = _begun
    environment.filters["typeset"] = languages.typeset
    environment.filters["decimal"] = languages.decimal_text
    environment.filters["label"] = _label
    environment.globals.update(
        place_title=covered.place_title,
        doubt_question=covered.doubt_question,
        place_of=marks_on_sheet.place_of,
        mark_title=mark_title,
        mark_choices=covered.marks_at,
        doubt_letter=marks_on_sheet.doubt_letter,
        verdicts=report.verdicts,
        lost_values=lost_values,
        status_text=report.status_text,
        game_title=game_title,
        facts_of=lambda reading: view_of(reading).facts,
        revision=_revision,
        plots_missing=_plots_missing,
    )
    return environment


def _revision(result: entries.Result) -> str:
    """A number for the address of a result's picture that changes when the picture does."""
    return f"{result.photo.sha256[:16]}-{revision_of(result.reading.content())}"


def _plots_missing(language: str) -> str:
    """How to get the plots; empty where the page can draw them."""
    if importlib.util.find_spec("matplotlib") is not None:
        return ""
    return PlotPartsMissing("matplotlib").text(language)


def weekday_text(moment: datetime, language: str) -> str:
    """When it was, as people say it: "Saturday 13:21" within the last week, else the day."""
    if not timedelta() <= datetime.now().date() - moment.date() < timedelta(days=7):
        return languages.day_text(moment, language)
    name = languages.texts_in(language).report["weekdays"].split()[moment.weekday()]
    return f"{name} {moment:%H:%M}"


def _told(sentence: str) -> str:
    """What stands after the colon: under a heading that says who speaks."""
    return _begun(sentence.split(":", 1)[-1].strip())


def _begun(words: str) -> str:
    """Words that stand alone: with a capital letter."""
    return words[:1].upper() + words[1:]


def _label(name: str, language: str) -> str:
    """A name with the colon that leads to its value."""
    return languages.typeset(f"{name} :", language) if language == "fr" else f"{name}:"


def rendered(template: str, language: str, address_query: str = "", **values: object) -> str:
    kept = [pair for pair in parse_qsl(address_query) if pair[0] != guard.LANGUAGE_PARAMETER]
    links = [
        (code, name, urlencode([*kept, (guard.LANGUAGE_PARAMETER, code)]))
        for code, (name, _) in languages.LANGUAGES.items()
    ]
    return (
        _templates()
        .get_template(template)
        .render(
            language=language,
            page=languages.typeset_page(language),
            words=languages.typeset_report(language),
            links=links,
            **values,
        )
    )


# --- what the templates draw over a sheet, in the sheet frame, in cells ---------------------------


@dataclass(frozen=True)
class Spot:
    """A place that can be tapped, and what stands there.

    where : as answers name it. title : for people. mark : what stands there; "?": cannot be told.
    box : what to tap. group : "cell", "energy", "box" or "bomb". row, column : for moving between
    places of a group with the keyboard.
    """

    where: str
    title: str
    mark: str
    box: Box
    group: str
    row: int
    column: int
    is_corrected: bool


@dataclass(frozen=True)
class Stroke:
    """A line over the picture, an SVG path.

    kind : its class, which says its colour unless ``color`` does ("#rrggbb").
    """

    kind: str
    path: str
    color: str | None = None


def mark_title(where: str, mark: str, layout: Layout, language: str) -> str:
    """What to call a mark at a place, as the terminal does: a bomb is "crossed out", not "X"."""
    told = covered.mark_text(where, mark, layout, language)
    return languages.texts_in(language).page.get(f"mark_{mark}", mark) if told == mark else told


def spots(
    told: views.SheetView, answers: Mapping[str, str], layout: Layout, language: str
) -> tuple[Spot, ...]:
    """Every place of the sheet that a player marks."""
    return tuple(
        Spot(
            where,
            covered.place_title(where, layout, language),
            told.marks[where],
            box,
            field,
            *line,
            where in answers,
        )
        for field in game_named(layout.game).MARKS
        for where, box, line in zip(
            places_of(field, layout),
            _boxes_to_tap(layout.fields[field]),
            _lines_of(layout.fields[field].centres),
            strict=True,
        )
    )


def tints(told: views.SheetView, layout: Layout) -> tuple[tuple[str | None, Cell], ...]:
    """All cells that lie in an outline, with its colour, "#rrggbb", None of no known one."""
    return tuple(
        (_color(outline.color, layout), cell) for outline in told.outlines for cell in outline.cells
    )


def strokes(drawings: Iterable[marks_on_sheet.Drawing], layout: Layout) -> tuple[Stroke, ...]:
    """The lines and rings of drawings as SVG paths."""
    return tuple(
        Stroke(
            stroke.kind,
            "".join([*map(_path, stroke.lines), *map(_circle, stroke.rings)]),
            _color(stroke.color, layout),
        )
        for drawing in drawings
        for stroke in drawing.strokes
    )


def labels(
    drawings: Iterable[marks_on_sheet.Drawing], area: Box
) -> tuple[marks_on_sheet.Label, ...]:
    """The labels of drawings, moved into the area that the page shows."""
    return tuple(
        replace(label, at=_inside(label.at, area)) for each in drawings for label in each.labels
    )


def _inside(at: Point, area: Box) -> Point:
    """The place, so far from the edges that what is written there is not cut."""
    (x, y), margin = at, 0.4  # cells, between the middle of a label and the edge of the picture
    right, bottom = area.right - margin, area.bottom - margin
    return min(max(x, area.left + margin), right), min(max(y, area.top + margin), bottom)


def _boxes_to_tap(field: Field) -> Iterator[Box]:
    """Around each place, larger than it is printed, but not beyond half the way to the next."""
    for x, y in field.centres:
        others = [(abs(x - other), abs(y - below)) for other, below in field.centres]
        gap = min((max(apart) for apart in others if any(apart)), default=1.0)
        half_width, half_height = (max(side / 2, min(0.5, gap / 2)) for side in field.size)
        yield Box(x - half_width, y - half_height, x + half_width, y + half_height)


def _lines_of(centres: tuple[Point, ...]) -> list[tuple[int, int]]:
    """Line and place in it of points that are printed in lines, one below the other."""
    heights = sorted({y for _, y in centres})
    counts = dict.fromkeys(heights, -1)
    found = []
    for _, y in centres:
        counts[y] += 1
        found.append((heights.index(y), counts[y]))
    return found


def _color(name: str | None, layout: Layout) -> str | None:
    return None if name is None else layout.colors[name]


def _path(line: marks_on_sheet.Polyline) -> str:
    points = [f"{x:.2f} {y:.2f}" for x, y in line]
    is_closed = len(points) > 2 and points[0] == points[-1]
    return f"M{'L'.join(points[:-1])}Z" if is_closed else f"M{'L'.join(points)}"


def _circle(ring: marks_on_sheet.Ring) -> str:
    (x, y), radius = ring
    half = f"a{radius:.2f} {radius:.2f} 0 1 0"
    return f"M{x - radius:.2f} {y:.2f}{half} {2 * radius:.2f} 0{half} {-2 * radius:.2f} 0"
