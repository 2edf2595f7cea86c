"""The sheet of Brikks in random art."""

from simulation.brikks.art.back import render_overview
from simulation.brikks.art.front import render_blank

__all__ = ["render_blank", "render_overview"]
