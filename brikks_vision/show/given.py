"""The page of a report: what somebody gives away with it, for them to see before they do."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from brikks_vision.games import game_title, settings_of
from brikks_vision.record.entries import Correction, KeptPhoto
from brikks_vision.show.history import place_told
from brikks_vision.show.report import status_text
from brikks_vision.show.settings import setting_label
from brikks_vision.text.languages import texts_in

# Nothing is loaded but the pictures that the page holds itself, and nothing is run.
_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem }}
body {{ padding: 0 1rem }}
article {{ border-top: 1px solid; display: flex; flex-wrap: wrap; gap: 1.5rem; padding: 1rem 0 }}
img {{ max-width: min(100%, 24rem); height: auto; align-self: start }}
dt {{ font-weight: bold }} dd {{ margin: 0 0 .5rem }} ul {{ margin: 0; padding-left: 1.2rem }}
</style>
<h1>{title}</h1>
<p>{intro}</p>
<p>{holds_not}</p>
{photos}
<p>{data}</p>
</html>
"""
_PHOTO = """<article>
<img src="data:image/jpeg;base64,{picture}" alt="{heading}">
<div><h2>{heading}</h2><dl>{facts}</dl></div>
</article>"""


@dataclass(frozen=True)
class GivenPhoto:
    """A photo of a report. name: of its file. small: JPEG. made: the corrections of its result.

    total : the right one; None: nobody said it.
    """

    name: str
    small: bytes
    kept: KeptPhoto
    made: Sequence[Correction]
    total: int | None


def given_page(photos: Sequence[GivenPhoto], data: str, language: str) -> str:
    """The page, HTML that needs nothing else. data: the name of the file with the same as JSON."""
    words = texts_in(language).report
    return _PAGE.format(
        language=language,
        title=escape(words["given_title"]),
        intro=escape(words["given_intro"]),
        holds_not=escape(words["given_not"]),
        photos="\n".join(_article(at, each, language) for at, each in enumerate(photos, 1)),
        data=escape(words["given_data"].format(file=data)),
    )


def _article(number: int, photo: GivenPhoto, language: str) -> str:
    words, read = texts_in(language).report, photo.kept.read
    corrected = _corrected(photo, language) or [words["given_nothing"]]
    facts = [(words["given_game"], [game_title(photo.kept.result.played)])]
    if read.score is not None:
        right = words["given_not_said"] if photo.total is None else str(photo.total)
        facts += [(words["given_read"], [str(read.score.total)]), (words["given_right"], [right])]
    facts += [(words["given_status"], [status_text(read, language)])]
    facts += [(words["given_corrected"], corrected)]
    return _PHOTO.format(
        picture=b64encode(photo.small).decode("ascii"),
        heading=escape(f"{words['given_photo'].format(number=number)}: {photo.name}"),
        facts="".join(f"<dt>{escape(name)}</dt><dd>{_listed(told)}</dd>" for name, told in facts),
    )


def _corrected(photo: GivenPhoto, language: str) -> list[str]:
    told = []
    for place, marks in (change for each in photo.made for change in each.changes.items()):
        if place in settings_of():
            title, (before, now) = setting_label(place, language), list(marks)
        else:
            title, (before, now) = place_told(photo.kept.result.reading, place, marks, language)
        told.append(f"{title}: {before or '-'} → {now or '-'}")
    return told


def _listed(lines: Sequence[str]) -> str:
    if len(lines) == 1:
        return escape(lines[0])
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
