"""What is open in the record, for a person to answer: one list, for a command and a page.

    questions = list_questions(record)        # the newest results first
    question.key                              # "mark 3 bomb 1", "owner 3 Ben", "sheets 3 5"
    choices(question)                         # the answers it takes, as strings

Three kinds of questions:

- `MarkQuestion`: what stands at ``doubt.where`` of ``result``? Answers: "X" or "."; of an energy
  point "open", "circled" or "used".
- `OwnerQuestion`: ``result`` is ``result.player``'s, and ``named`` was named as well. Answers:
  "keep" or "change".
- `SheetsQuestion`: are the results ``earlier`` and ``later`` one sheet? Answers: "same" (one sheet,
  photographed twice: they become one result), "later" (one sheet that went on: only the later one
  counts) or "different".

`brikks_vision.intake.teaching.answer_question` takes a key and an answer of any kind. A question
that is not answered stays open; nothing needs to be stored to skip it. Marks are asked about only
where the total hangs on them, and only on results that count as games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brikks_vision.errors import AnswerNotOffered, QuestionGone
from brikks_vision.games import game_of, has_layout
from brikks_vision.infer.sameness import MAX_GAME, Sameness
from brikks_vision.reading import Doubt, Status
from brikks_vision.record.changes import changing
from brikks_vision.record.database import Record, snapshot
from brikks_vision.record.entries import ChangeKind, Result, grown_state, same_state
from brikks_vision.record.results import assign_player, join_results, list_results
from brikks_vision.record.rows import check_result, printable, utc_now
from brikks_vision.record.statistics import finished_sheets

OWNER_ANSWERS = ("keep", "change")
SHEETS_ANSWERS = ("same", "later", "different")


@dataclass(frozen=True)
class MarkQuestion:
    """What stands at a place of a sheet?"""

    result: Result
    doubt: Doubt

    @property
    def key(self) -> str:
        return f"mark {self.result.id} {self.doubt.where}"


@dataclass(frozen=True)
class OwnerQuestion:
    """Whose sheet is it: ``result.player``'s, as it stands, or that of who was named since?"""

    result: Result
    named: str

    @property
    def key(self) -> str:
        return f"owner {self.result.id} {self.named}"


@dataclass(frozen=True)
class SheetsQuestion:
    """Are two results one sheet?"""

    earlier: Result
    later: Result

    @property
    def key(self) -> str:
        return f"sheets {self.earlier.id} {self.later.id}"


Question = MarkQuestion | OwnerQuestion | SheetsQuestion


def list_questions(record: Record) -> tuple[Question, ...]:
    """All that is open, those about the newest photos first.

    Of one result, first whether it is a sheet of its own, then whose it is, then its marks.
    """
    with snapshot(record):
        results = list_results(record)
        claims = record.rows(
            "SELECT result, player FROM owner_claim WHERE answered IS NULL ORDER BY id"
        )
        answered = {*map(tuple, record.rows("SELECT earlier, later FROM sheet_pair"))}
        shown = record.rows("SELECT photo, result FROM reading WHERE number >= 0")
    photos: dict[int, set[int]] = {}
    for photo, number in shown:
        photos.setdefault(number, set()).add(photo)
    found: dict[int, list[Question]] = {}
    for earlier, later in _doubtful_pairs(results):
        if (earlier.id, later.id) not in answered and photos.get(earlier.id, set()).isdisjoint(
            photos.get(later.id, set())
        ):
            found.setdefault(later.id, []).append(SheetsQuestion(earlier, later))
    by_number = {result.id: result for result in results}
    for row in claims:
        claimed = by_number[row["result"]]
        found.setdefault(claimed.id, []).append(OwnerQuestion(claimed, row["player"]))
    for result in finished_sheets(results):
        found.setdefault(result.id, []).extend(_mark_questions(result))
    return tuple(question for result in results[::-1] for question in found.get(result.id, ()))


def find_question(record: Record, key: str) -> Question:
    """The open question of that key; raises QuestionGone."""
    for question in list_questions(record):
        if question.key == key:
            return question
    raise QuestionGone(key)


def choices(question: Question) -> tuple[str, ...]:
    """The answers that a question takes; of a mark, what was read comes first."""
    if isinstance(question, SheetsQuestion):
        return SHEETS_ANSWERS
    if isinstance(question, OwnerQuestion):
        return OWNER_ANSWERS
    marks = game_of(question.result.reading).marks_at(question.doubt.where)
    read = question.doubt.read
    return (*(mark for mark in marks if mark == read), *(mark for mark in marks if mark != read))


def check_answer(question: Question, answer: str) -> None:
    """Raises AnswerNotOffered where a question does not take an answer."""
    if answer not in choices(question):
        raise AnswerNotOffered(answer, ", ".join(choices(question)))


def answer_about_results(
    record: Record, question: OwnerQuestion | SheetsQuestion, answer: str, who: str = ""
) -> None:
    """Say whose a sheet is, or whether two results are one sheet.

    Raises AnswerNotOffered, ResultMissing, RecordFailure.
    """
    check_answer(question, answer)
    if isinstance(question, OwnerQuestion):
        player = question.named if answer == "change" else question.result.player
        assign_player(record, question.result.id, player, who)
        return
    earlier, later = question.earlier.id, question.later.id
    if answer == "same":
        join_results(record, (earlier, later), who)
        return
    with changing(record, ChangeKind.ANSWER, who, later) as steps:
        for number in (earlier, later):
            check_result(record, number)
        pair = record.value(
            "SELECT id FROM sheet_pair WHERE earlier = ? AND later = ?", earlier, later
        )
        if pair is None:
            said = {"answer": answer, "who": printable(who), "made": utc_now()}
            steps.insert("sheet_pair", earlier=earlier, later=later, **said)
        else:
            steps.update("sheet_pair", pair, answer=answer)


def _doubtful_pairs(results: Sequence[Result]) -> Iterator[tuple[Result, Result]]:
    """Pairs that may be one sheet, by the time at which their photos were taken."""
    for at, earlier in enumerate(results):
        for later in results[at + 1 :]:
            if later.photo.taken > earlier.photo.taken + MAX_GAME:
                break
            if _is_doubtful(earlier, later):
                yield earlier, later


def _is_doubtful(earlier: Result, later: Result) -> bool:
    if earlier.game is not None and earlier.game == later.game:
        return False  # a person said that they are two players' sheets
    if earlier.is_continued:
        return False
    one, other = earlier.reading, later.reading
    taken, taken_later = earlier.photo.taken, later.photo.taken
    state = same_state(one, taken, other, taken_later)
    owners = {earlier.player, later.player} - {None}
    if len(owners) > 1:
        # The same sheet under another name; a sheet that went on would not change hands.
        return state is Sameness.SAME
    if state is Sameness.SAME:
        return True
    grown = grown_state(one, taken, other, taken_later)
    if grown is Sameness.SAME:  # counted so without a question only where nobody's name differs
        return earlier.player != later.player
    return Sameness.DOUBTFUL in (state, grown)


def _mark_questions(result: Result) -> Iterator[MarkQuestion]:
    if result.reading.status is not Status.UNCERTAIN or not has_layout(result.reading):
        return
    for doubt in result.reading.doubts:
        field = doubt.where.partition(" ")[0]
        changes_total = doubt.total_otherwise != result.total
        if changes_total and field in game_of(result.reading).MARKS:
            yield MarkQuestion(result, doubt)
