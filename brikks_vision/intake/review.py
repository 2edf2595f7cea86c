"""Answering what is open in the record, whatever kind of question it is."""

from __future__ import annotations

from brikks_vision.intake.corrections import Said, correct_sheet
from brikks_vision.intake.teaching import keep_corrected
from brikks_vision.record.database import Record
from brikks_vision.record.questions import (
    OwnerQuestion,
    SheetsQuestion,
    answer_owner,
    answer_sheets,
    check_answer,
    find_question,
)
from brikks_vision.record.rows import UNNAMED


def answer_question(record: Record, key: str, answer: str, language: str, who: str = "") -> None:
    """Answer the open question of that key (see `brikks_vision.record.questions`).

    ``language``: of the reading that follows from an answer about a mark. ``who``: who says so; a
    correction of a mark bears the name of the sheet's owner.

    Raises
    ------
    QuestionGone
        It is not open any more.
    AnswerNotOffered
        It takes other answers.
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    question = find_question(record, key)
    check_answer(question, answer)
    if isinstance(question, SheetsQuestion):
        answer_sheets(record, question, answer, who)
    elif isinstance(question, OwnerQuestion):
        answer_owner(record, question, answer, who)
    else:
        said = Said({question.doubt.where: answer})
        correct_sheet(record, question.result.id, said, language, who or UNNAMED)
        keep_corrected(record, question.result.id)
