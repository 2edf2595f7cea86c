"""Evidence of a drawn position, as a network would give it that is more or less sure."""

import numpy as np

from brikks_vision.games.blox import field_evidence
from brikks_vision.rules.blox.material import Color
from brikks_vision.rules.blox.position import FIELDS, Position, Tower, index


def evidence_of(
    position: Position, block_height: float = 0.5, sure: float = 0.99
) -> field_evidence.FieldEvidence:
    """Everything that shows is seen, each with probability ``sure``."""
    kinds = np.full((81, len(field_evidence.KINDS)), (1 - sure) / (len(field_evidence.KINDS) - 1))
    heights = np.full((81, field_evidence.HEIGHTS), 1 / field_evidence.HEIGHTS)
    tops = np.full((81, field_evidence.TOPS), 1 / field_evidence.TOPS)
    colors = np.full(
        (81, field_evidence.HEIGHTS, field_evidence.BLOCK_COLORS), 1 / field_evidence.BLOCK_COLORS
    )
    shown = np.full((81, field_evidence.HEIGHTS), -5.0)
    for field in FIELDS:
        thing, place = position.at(field), index(field)
        kinds[place, field_evidence.kind_of(thing)] = sure
        if isinstance(thing, Tower):
            heights[place] = (1 - sure) / (field_evidence.HEIGHTS - 1)
            heights[place, thing.height - 1] = sure
            steps = (np.arange(field_evidence.TOPS) + 0.5) * field_evidence.TOP_STEP
            near = np.exp(-0.5 * ((steps - thing.height * block_height) / 0.1) ** 2)
            tops[place] = (near + 1e-4) / (near + 1e-4).sum()
            for level, color in enumerate(thing.blocks):
                if color is not None:
                    colors[place, level] = (1 - sure) / (field_evidence.BLOCK_COLORS - 1)
                    colors[place, level, list(Color).index(color)] = sure
                    shown[place, level] = 5.0
    return field_evidence.FieldEvidence(
        np.log(kinds), np.log(heights), np.log(tops), np.log(colors), shown
    )
