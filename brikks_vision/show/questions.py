"""Open questions of the record as sentences, and the answers that they take."""

from __future__ import annotations

from collections.abc import Mapping

from brikks_vision.games import layout_of
from brikks_vision.record import entries, questions
from brikks_vision.show.covered import doubt_question, mark_text
from brikks_vision.text.languages import LANGUAGES, texts_in


def results_asked(question: questions.Question) -> tuple[entries.Result, ...]:
    """The results that a question is about, the one of the older photo first."""
    if isinstance(question, questions.SheetsQuestion):
        return question.earlier, question.later
    return (question.result,)


def question_text(question: questions.Question, language: str) -> str:
    """What is asked, as one or two sentences."""
    words = texts_in(language).report
    if isinstance(question, questions.SheetsQuestion):
        facts = {"earlier": question.earlier.id, "later": question.later.id}
        return words["ask_sheets"].format(**facts)
    if isinstance(question, questions.OwnerQuestion):
        player = question.result.player or words["no_name"]
        number = question.result.id
        return words["ask_owner"].format(number=number, player=player, named=question.named)
    reading = question.result.reading
    return doubt_question(question.doubt.where, layout_of(reading), language, reading.cancelled)


def choice_texts(question: questions.Question, language: str) -> Mapping[str, str]:
    """By each answer that a question takes, what it says."""
    words = texts_in(language).report
    if isinstance(question, questions.OwnerQuestion):
        player = question.result.player or words["no_name"]
        return {"keep": player, "change": question.named}
    if isinstance(question, questions.MarkQuestion):
        where, layout = question.doubt.where, layout_of(question.result.reading)
        return {
            mark: mark_text(where, mark, layout, language) for mark in questions.choices(question)
        }
    return {answer: words[f"sheets_{answer}"] for answer in questions.choices(question)}


def meant_answer(question: questions.Question, said: str) -> str:
    """The answer that a person wrote, as it is or in the words of any language; else unchanged."""
    wanted = said.strip().casefold()
    texts = [choice_texts(question, language) for language in LANGUAGES]
    for answer in questions.choices(question):
        if wanted in {answer.casefold(), *(each[answer].casefold() for each in texts)}:
            return answer
    return said.strip()
