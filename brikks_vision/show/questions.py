"""Open questions of the record as sentences, and the answers that they take."""

from __future__ import annotations

from collections.abc import Mapping

from brikks_vision.games import layout_of
from brikks_vision.record.entries import Result
from brikks_vision.record.questions import (
    MarkQuestion,
    OwnerQuestion,
    Question,
    SheetsQuestion,
    choices,
)
from brikks_vision.show.covered import doubt_question, mark_text
from brikks_vision.text.languages import LANGUAGES, texts_in


def results_asked(question: Question) -> tuple[Result, ...]:
    """The results that a question is about, the one of the older photo first."""
    if isinstance(question, SheetsQuestion):
        return question.earlier, question.later
    return (question.result,)


def question_text(question: Question, language: str) -> str:
    """What is asked, as one or two sentences."""
    words = texts_in(language).report
    if isinstance(question, SheetsQuestion):
        facts = {"earlier": question.earlier.id, "later": question.later.id}
        return words["ask_sheets"].format(**facts)
    if isinstance(question, OwnerQuestion):
        player = question.result.player or words["no_name"]
        number = question.result.id
        return words["ask_owner"].format(number=number, player=player, named=question.named)
    reading = question.result.reading
    return doubt_question(question.doubt.where, layout_of(reading), language, reading.cancelled)


def choice_texts(question: Question, language: str) -> Mapping[str, str]:
    """By each answer that a question takes, what it says."""
    words = texts_in(language).report
    if isinstance(question, OwnerQuestion):
        player = question.result.player or words["no_name"]
        return {"keep": player, "change": question.named}
    if isinstance(question, MarkQuestion):
        where, layout = question.doubt.where, layout_of(question.result.reading)
        return {mark: mark_text(where, mark, layout, language) for mark in choices(question)}
    return {answer: words[f"sheets_{answer}"] for answer in choices(question)}


def meant_answer(question: Question, said: str) -> str:
    """The answer that a person wrote, as it is or in the words of any language; else unchanged."""
    wanted = said.strip().casefold()
    texts = [choice_texts(question, language) for language in LANGUAGES]
    for answer in choices(question):
        if wanted in {answer.casefold(), *(each[answer].casefold() for each in texts)}:
            return answer
    return said.strip()
