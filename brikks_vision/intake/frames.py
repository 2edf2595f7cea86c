"""Small frames of a camera: what they show, in the words of a language."""

from __future__ import annotations

from dataclasses import dataclass

from brikks_vision.text.languages import texts_in


@dataclass(frozen=True)
class SeenFrame:
    """hint: of `brikks_vision.pipeline.look.Hint`; sentence: what to do, "" of no hint.

    outline, picture : as of `brikks_vision.pipeline.look.Look`, the picture in hexadecimal.
    """

    hint: str
    sentence: str
    outline: tuple[tuple[float, float], ...]
    picture: str


def see_frame(frame: bytes, turn: int, language: str) -> SeenFrame:
    """Look at a frame; parameters and errors as of `brikks_vision.pipeline.look.look`."""
    from brikks_vision.pipeline.look import Hint, look
    from brikks_vision.show.covered import covered_told

    seen = look(frame, turn)
    sentence = texts_in(language).page[f"frame_{seen.hint}"] if seen.hint else ""
    if seen.hint is Hint.COVERED and seen.printing is not None:
        told = covered_told(seen.covered, seen.printing, language)  # type: ignore[arg-type]
        sentence = f"{told} {sentence}"
    return SeenFrame(seen.hint.value, sentence, seen.outline, seen.picture.hex())
