"""``brikks-scan review`` and ``report``: what is open in the record, and photos that teach."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import typer

from brikks_vision.commands.terminal import PROGRAM, Database, Lang, new_app, note, say
from brikks_vision.errors import AnswerWithoutKey, OutputExists, ResultNotKept
from brikks_vision.files import write_whole
from brikks_vision.games import game_title, layout_of
from brikks_vision.intake import photos, teaching
from brikks_vision.record import questions as open_questions
from brikks_vision.record import results
from brikks_vision.record.database import Record, open_existing_record, open_record_to_read
from brikks_vision.show.history import choice_texts, meant_answer, question_text, results_asked
from brikks_vision.text import languages, phrases

END_KEYS = ("q", "\x03", "\x04", "\x1b")  # also Ctrl-C, Ctrl-D and Escape

review_app, report_app = new_app(), new_app()


@review_app.command()
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
        material = results.material_of(record, result.id)
        if isinstance(question, open_questions.MarkQuestion):
            layout = layout_of(result.reading)
            where = question.doubt.where
            shown = None if material is None else photos.spot_of(material, where, layout)
            name = f"{result.id} {where}"
        else:
            # the sheet alone: its photo may show others beside it
            shown = results.thumbnail(record, result.id) if material is None else material.picture
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


@report_app.command()
def report(
    numbers: Annotated[
        list[int] | None, typer.Argument(metavar="N", min=1, help="report numbers")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="REPORT.zip", help="report output")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="report replace")] = False,
    delete: Annotated[bool, typer.Option("--delete", help="report delete")] = False,
    keep_corrected: Annotated[
        Literal["yes", "no"] | None, typer.Option(help="report keep-corrected")
    ] = None,
    keep_print: Annotated[
        str | None, typer.Option(metavar="NAME", help="report keep-print")
    ] = None,
    db: Database = None,
    *,
    language: Lang,
) -> None:
    """Photos that are kept to teach: list them, delete them, pack them to give away."""
    if keep_print is not None:
        with open_record_to_read(db) as record:
            _keep_print(record, numbers or [], keep_print, language)
    if output is not None:
        with open_record_to_read(db) as record:
            _pack(record, numbers or [], output, replace, language)
    elif delete or keep_corrected is not None:
        with open_existing_record(db) as record:
            if delete:
                _delete(record, numbers or [], language)
            if keep_corrected is not None:
                results.want_corrected(record, keep_corrected == "yes")
                _say_wish(record, language)
    elif keep_print is None:
        with open_record_to_read(db) as record:
            _list(record, numbers or [], language)


def _pack(
    record: Record, numbers: Sequence[int], output: Path, is_replaced: bool, language: str
) -> None:
    """Raises OutputExists, OutputNotWritable, and as of `report_of`."""
    if output.exists() and not is_replaced:
        raise OutputExists(output)
    report, count = teaching.report_of(record, numbers, language)
    write_whole(output, report)
    words = languages.texts_in(language).report["packed_one" if count == 1 else "packed"]
    note(words.format(count=count, path=phrases.visible(output)))


def _delete(record: Record, numbers: Sequence[int], language: str) -> None:
    """Raises ResultNotKept before anything is deleted."""
    kept = {each.result.id for each in results.kept_photos(record, numbers)}
    for number in numbers:
        if number not in kept:
            raise ResultNotKept(number)
    for number in sorted(kept):
        results.delete_kept(record, number)
        note(languages.texts_in(language).report["kept_deleted"].format(number=number))


def _keep_print(record: Record, numbers: Sequence[int], name: str, language: str) -> None:
    """Raises as of `learn_kept` and `keep_printing`."""
    from brikks_vision.commands.sheet import tell_learnt
    from brikks_vision.games.printings import keep_printing

    learnt = teaching.learn_kept(record, numbers, name)
    tell_learnt(learnt, keep_printing(learnt.to_json(), name), language)


def _list(record: Record, numbers: Sequence[int], language: str) -> None:
    words = languages.texts_in(language).report
    kept = results.kept_photos(record, numbers)
    for each in kept:
        read = each.read.score
        totals = [] if read is None else [f"{words['kept_read']} {read.total}"]
        totals += [] if each.total is None else [f"{words['kept_right']} {each.total}"]
        told = [f"{words['number']} {each.result.id}", game_title(each.result.played)]
        told += [
            phrases.visible(each.photo.name),
            *totals,
            f"{each.size // 1000} {words['kept_size']}",
        ]
        say("  ".join(told))
    if not kept:
        say(words["kept_none"])
    _say_wish(record, language)


def _say_wish(record: Record, language: str) -> None:
    is_wanted = results.wants_corrected(record)
    note(languages.texts_in(language).report[f"kept_corrected_{'on' if is_wanted else 'off'}"])
