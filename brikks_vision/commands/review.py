"""``brikks-scan review``: the open questions of the whole record, one after the other."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands.terminal import PROGRAM, Database, Lang, complaints, new_app, note, say
from brikks_vision.errors import AnswerWithoutKey
from brikks_vision.files import write_whole
from brikks_vision.games import game_title, layout_of
from brikks_vision.intake import photos, teaching
from brikks_vision.record import questions as open_questions
from brikks_vision.record.database import Record, open_existing_record, open_record_to_read
from brikks_vision.record.results import material_of, thumbnail
from brikks_vision.show.history import choice_texts, meant_answer, question_text, results_asked
from brikks_vision.text import languages, phrases

END_KEYS = ("q", "\x03", "\x04", "\x1b")  # also Ctrl-C, Ctrl-D and Escape

app = new_app()


@app.command()
def review(
    answer: Annotated[
        list[str] | None, typer.Option(metavar='"KEY=ANSWER"', help="review answer")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="review json")] = False,
    crops: Annotated[Path | None, typer.Option(metavar="FOLDER", help="review crops")] = None,
    db: Database = None,
    *,
    language: Lang,
) -> None:
    """Answer what is open in the record, one question after the other.

    In a terminal by a key; without one the questions are listed, each with its key for --answer.
    """
    with complaints(language):
        if answer:
            with open_existing_record(db) as record:
                _answer_all(record, answer, language)
            return
        is_terminal = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
        with (open_existing_record if is_terminal else open_record_to_read)(db) as record:
            questions = open_questions.list_questions(record)
            if as_json:
                for each in questions:
                    say(phrases.json_line(_object(each, _pictures(record, each, crops), language)))
            elif not questions:
                say(languages.texts_in(language).report["review_none"])
            elif is_terminal:
                _ask_all(record, questions, crops, language)
            else:
                _list_all(record, questions, crops, db, language)


def _answer_all(record: Record, said: Sequence[str], language: str) -> None:
    """Raises AnswerWithoutKey, QuestionGone, AnswerNotOffered before anything is answered."""
    meant = []
    for each in said:
        key, sign, words = each.rpartition("=")
        if not sign:
            raise AnswerWithoutKey(each)
        question = open_questions.find_question(record, key.strip())
        answer = meant_answer(question, words)
        open_questions.check_answer(question, answer)
        meant.append((question, answer))
    for question, answer in meant:
        teaching.answer_question(record, question.key, answer, language, PROGRAM)
        _say_back(question, answer, language)


def _ask_all(
    record: Record, questions: Sequence[open_questions.Question], crops: Path | None, language: str
) -> None:
    """Ask in the terminal; an answer can make others superfluous, which are passed over then."""
    words = languages.texts_in(language).report
    note(words["review_keys"])
    for number, question in enumerate(questions, 1):
        if question.key not in {each.key for each in open_questions.list_questions(record)}:
            continue
        texts = choice_texts(question, language)
        say(f"\n{number}/{len(questions)}  {_headline(question, language)}")
        _name_pictures(_pictures(record, question, crops))
        say(phrases.visible(question_text(question, language)))
        for place, text in enumerate(texts.values(), 1):
            say(f"  {place}  {phrases.visible(text)}")
        key = typer.getchar()
        if key in END_KEYS:
            return
        if key.isdecimal() and 1 <= int(key) <= len(texts):
            answer = list(texts)[int(key) - 1]
            teaching.answer_question(record, question.key, answer, language, PROGRAM)
            _say_back(question, answer, language)


def _list_all(
    record: Record,
    questions: Sequence[open_questions.Question],
    crops: Path | None,
    db: Path | None,
    language: str,
) -> None:
    """Print the questions and how to answer them. ``db``: the record that the user named."""
    words = languages.texts_in(language).report
    command = f"{PROGRAM} review" + ("" if db is None else f" --db {shlex.quote(str(db))}")
    for question in questions:
        say(_headline(question, language))
        _name_pictures(_pictures(record, question, crops))
        say(f"  {phrases.visible(question_text(question, language))}")
        texts = choice_texts(question, language)
        width = max(map(len, texts.values()))
        for answer, text in texts.items():
            said = f'{command} --answer "{question.key}={answer}"'
            say(f"    {phrases.visible(text):<{width}}  {phrases.visible(said)}")
        say()
    count = words["review_one" if len(questions) == 1 else "review_count"]
    say(count.format(count=len(questions)))


def _headline(question: open_questions.Question, language: str) -> str:
    """Where it is: number, game, player, photo and total of each result that it is about."""
    number = languages.texts_in(language).report["number"]
    return "  |  ".join(
        "  ".join(
            [
                f"{number} {result.id}",
                game_title(result.played),
                phrases.visible(result.player or languages.texts_in(language).report["no_name"]),
                phrases.visible(result.photo.name) + (f" #{index + 1}" if index else ""),
                f"{result.photo.taken:%Y-%m-%d %H:%M}",
                "" if result.total is None else str(result.total),
            ]
        ).rstrip()
        for result in results_asked(question)
        for index in [result.reading.index]
    )


def _say_back(question: open_questions.Question, answer: str, language: str) -> None:
    said = choice_texts(question, language)[answer]
    note(phrases.visible(f"{question_text(question, language)} {said}"))


def _name_pictures(pictures: Sequence[Path]) -> None:
    for picture in pictures:
        say(f"  {phrases.visible(picture)}")


def _pictures(record: Record, question: open_questions.Question, folder: Path | None) -> list[Path]:
    """Save what a question is about as JPEG: the place on the sheet, or the photos of sheets.

    Raises OutputNotWritable. Nothing is saved where no folder is given, or no picture was kept.
    """
    if folder is None:
        return []
    pictures = []
    for result in results_asked(question):
        material = material_of(record, result.id)
        if isinstance(question, open_questions.MarkQuestion):
            layout = layout_of(result.reading)
            where = question.doubt.where
            shown = None if material is None else photos.spot_of(material, where, layout)
            name = f"{result.id} {where}"
        else:
            # the sheet alone: its photo may show others beside it
            shown = thumbnail(record, result.id) if material is None else material.picture
            name = str(result.id)
        if shown is not None:
            with suppress(OSError):  # write_whole says what is wrong with the folder
                folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{name.replace(' ', '-').replace(',', '-')}.jpg"
            write_whole(path, shown)
            pictures.append(path)
    return pictures


def _object(
    question: open_questions.Question, pictures: Sequence[Path], language: str
) -> dict[str, object]:
    return {
        "key": question.key,
        "question": question_text(question, language),
        "answers": dict(choice_texts(question, language)),
        "results": [
            {
                "id": result.id,
                "played": result.played,
                "player": result.player,
                "photo": result.photo.name,
                "total": result.total,
            }
            for result in results_asked(question)
        ],
        "pictures": [str(picture) for picture in pictures],
    }
