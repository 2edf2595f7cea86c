"""Plots of the record: totals over time, and a heat map of the cells left empty.

Drawn with matplotlib, which the extra ``[plots]`` installs. Import this module only where a plot is
drawn: matplotlib takes long to import, and may be missing.
"""

from __future__ import annotations

import io
import threading
import unicodedata
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
from matplotlib.figure import Figure, FigureBase
from matplotlib.lines import Line2D

from brikks_vision.games import game_named
from brikks_vision.layout import Layout
from brikks_vision.record.statistics import Scores
from brikks_vision.show.history import value_scale
from brikks_vision.text import languages, phrases


@dataclass(frozen=True)
class Scheme:
    """The colours of a plot. ``line``: of the grid. ``never``, ``always``: of cells left empty."""

    paper: str
    ink: str
    faint: str
    line: str
    never: str
    always: str
    lines: tuple[str, ...]


# Okabe and Ito, "Color Universal Design" (2008): distinct with every kind of colour blindness.
_OKABE_ITO = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
LIGHT = Scheme(
    paper="#ffffff",
    ink="#20242c",
    faint="#707682",
    line="#e0e3e9",
    never="#f6f7fa",
    always="#b22c24",
    lines=(*_OKABE_ITO, "#3c3c3c"),
)
DARK = Scheme(  # the colours of the page in the dark
    paper="#1f222b",
    ink="#eceef4",
    faint="#a3a9b8",
    line="#363b49",
    never="#2a2f3d",
    always="#d04238",
    lines=("#56b4e9", "#ff8c3c", *_OKABE_ITO[2:5], "#f0e442", "#c8ccd6"),
)
MAX_IN_LEGEND = 14
_MAX_NAME = 20  # columns of a name in the legend; letters of East Asia take two
_MARKERS = "osD"  # one round of colours each
_DPI = 100
_CELL = 46  # px, side of a cell of the heat map
_POINTS = 10.5  # size of the letters; 1 point is 1/72 inch

# Two formats a level of the axis of time: years, months, days, hours, minutes, seconds.
# Digits alone, so that they read the same in every language.
_TICKS = ["%Y", "%Y-%m", "%m-%d", "%H:%M", "%H:%M", "%H:%M"]
_TICKS_AT_ZERO = ["", "%Y", "%Y-%m", "%m-%d", "%H:%M", "%H:%M"]
_OFFSETS = ["", "%Y", "%Y", "%Y-%m-%d", "%Y-%m-%d", "%Y-%m-%d"]

_drawing = threading.Lock()  # matplotlib is not safe to use from several threads at once


def png(figure: Figure) -> bytes:
    """The plot as the bytes of a PNG file."""
    buffer = io.BytesIO()
    with _drawing, warnings.catch_warnings():
        # a name may hold signs that the font lacks: they are drawn as boxes
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        figure.savefig(buffer, format="png")
    return buffer.getvalue()


def scores_plot(
    lines: Sequence[Scores],
    title: str,
    game: str,
    language: str,
    size: tuple[int, int] = (900, 560),
    scheme: Scheme = LIGHT,
) -> Figure:
    """Points over time: totals, or percents, one line a player; or points lost, one line a cause.

    ``title``: the key of its words. ``game``: what was played. ``size``: (width, height) in px.
    """
    with _drawing:
        figure = _figure(size, scheme)
        told = f"{languages.texts_in(language).report[title]}: {game}"
        _draw_scores(figure, lines, told, language, scheme)
    return figure


def heat_map(
    shares: Sequence[Sequence[float]], layout: Layout, language: str, scheme: Scheme = LIGHT
) -> Figure:
    """How often each cell stayed empty, in percent. ``shares``: 0-1, top row first."""
    with _drawing:
        figure = _figure(_heat_map_size(layout), scheme)
        _draw_heat_map(figure, shares, layout, language, scheme)
    return figure


def stats_plot(
    lines: Sequence[Scores],
    coached: Mapping[str, Sequence[Scores]],
    shares: Sequence[Sequence[float]],
    layout: Layout,
    language: str,
) -> Figure:
    """All plots side by side. coached: by the key of its title, what a coach tells over time."""
    width, height = _heat_map_size(layout)
    beside, words = round(1.55 * height), languages.texts_in(language).report
    drawn = [(words[title], told) for title, told in coached.items() if told]
    drawn.insert(0, (words["plot_scores"], lines))
    widths = [*([beside] * len(drawn)), width]
    with _drawing:
        figure = _figure((sum(widths), height), LIGHT)
        places = figure.add_gridspec(1, len(widths), width_ratios=widths)
        for number, (title, told) in enumerate(drawn):
            of_game = f"{title}: {layout.title}"
            _draw_scores(figure.add_subfigure(places[number]), told, of_game, language, LIGHT)
        _draw_heat_map(figure.add_subfigure(places[-1]), shares, layout, language, LIGHT)
    return figure


# --- drawing -------------------------------------------------------------------------------------


def _figure(size: tuple[int, int], scheme: Scheme) -> Figure:
    inches = (size[0] / _DPI, size[1] / _DPI)
    figure = Figure(inches, _DPI, facecolor=scheme.paper, layout="constrained")
    figure.set_layout_engine("constrained", w_pad=0.16, h_pad=0.14)
    return figure


def _axes(figure: FigureBase, title: str, scheme: Scheme) -> Axes:
    """Axes without a frame, in the colours of the scheme."""
    axes: Axes = figure.add_subplot()
    axes.set_facecolor(scheme.paper)
    axes.set_title(title, loc="left", color=scheme.ink, weight="bold", size=_POINTS + 3, pad=14)
    axes.tick_params(colors=scheme.faint, labelsize=_POINTS, length=0)
    axes.spines[:].set_visible(False)
    return axes


def _draw_nothing(axes: Axes, language: str, scheme: Scheme) -> None:
    axes.set_axis_off()
    text = languages.texts_in(language).report["history_empty"]
    axes.text(0, 1, text, color=scheme.faint, size=_POINTS, va="top", transform=axes.transAxes)


def _draw_scores(
    figure: FigureBase, lines: Sequence[Scores], title: str, language: str, scheme: Scheme
) -> None:
    words = languages.texts_in(language).report
    axes = _axes(figure, title, scheme)
    points = [point for line in lines for point in line.points]
    if not points:
        _draw_nothing(axes, language, scheme)
        return
    drawn = [_draw_line(axes, number, line, scheme) for number, line in enumerate(lines)]
    _scale_totals(axes, [total for _, total in points], scheme)
    _scale_time(axes, [taken for taken, _ in points], scheme)
    legend = figure.legend(
        drawn[:MAX_IN_LEGEND],
        [" "] * len(drawn[:MAX_IN_LEGEND]),
        loc="outside right upper",
        frameon=False,
        fontsize=_POINTS,
        labelcolor=scheme.ink,
        handlelength=1,
    )
    # set afterwards: matplotlib hides a label that begins with "_" and reads "$" as mathematics
    for text, line in zip(legend.get_texts(), lines, strict=False):
        text.set_parse_math(False)
        text.set_text(_shortened(phrases.visible(line.name) if line.name else words["no_name"]))


def _draw_line(axes: Axes, number: int, line: Scores, scheme: Scheme) -> Line2D:
    """The line of a player; its markers as the legend shows them."""
    color = scheme.lines[number % len(scheme.lines)]
    marker = _MARKERS[number // len(scheme.lines) % len(_MARKERS)]
    taken = [date2num(at) for at, _ in line.points]
    totals = [total for _, total in line.points]
    order = -number  # the first player in front
    axes.plot(taken, totals, color=color, alpha=0.45, linewidth=1.6, zorder=2 + order / 1000)
    (dots,) = axes.plot(
        taken,
        totals,
        linestyle="",
        marker=marker,
        markersize=7,
        color=color,
        markeredgecolor=scheme.paper,
        zorder=3 + order / 1000,
    )
    return dots


def _scale_totals(axes: Axes, totals: Sequence[int], scheme: Scheme) -> None:
    floor, ceiling, step = value_scale(totals)
    axes.set_ylim(floor - step / 4, ceiling + step / 4)
    axes.set_yticks(range(floor, ceiling + 1, step))
    axes.grid(axis="y", color=scheme.line, linewidth=0.8)
    axes.set_axisbelow(True)


def _scale_time(axes: Axes, moments: Sequence[datetime], scheme: Scheme) -> None:
    first, last = min(moments), max(moments)
    margin = max((last - first) * 0.03, timedelta(minutes=10))
    axes.xaxis_date()
    axes.set_xlim(
        date2num(max(first, datetime.min + margin) - margin),
        date2num(min(last, datetime.max - margin) + margin),
    )
    locator = AutoDateLocator(minticks=2, maxticks=6)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(
        ConciseDateFormatter(
            locator, formats=_TICKS, zero_formats=_TICKS_AT_ZERO, offset_formats=_OFFSETS
        )
    )
    axes.xaxis.get_offset_text().set(color=scheme.faint, size=_POINTS)
    axes.spines["bottom"].set(visible=True, color=scheme.faint)
    axes.tick_params(axis="x", length=4)


def _heat_map_size(layout: Layout) -> tuple[int, int]:
    """(width, height) in px of the heat map with its margins."""
    return 86 + _CELL * layout.grid.columns, 110 + _CELL * layout.grid.rows


def _draw_heat_map(
    figure: FigureBase,
    shares: Sequence[Sequence[float]],
    layout: Layout,
    language: str,
    scheme: Scheme,
) -> None:
    words = languages.texts_in(language).report
    axes = _axes(figure, words["plot_empty"], scheme)
    if not shares:
        _draw_nothing(axes, language, scheme)
        return
    colors = LinearSegmentedColormap.from_list("empty", [scheme.never, scheme.always])
    axes.pcolormesh(shares, cmap=colors, vmin=0, vmax=1, edgecolors=scheme.paper, linewidth=2)
    axes.invert_yaxis()
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([row + 0.5 for row in range(len(shares))])
    axes.set_yticklabels(game_named(layout.game).row_names(layout)[: len(shares)])
    axes.set_xlabel(
        f"{layout.title} · {words['plot_percent']}",
        color=scheme.faint,
        size=_POINTS - 1,
        loc="left",
    )
    for row, values in enumerate(shares):
        for column, share in enumerate(values):
            axes.text(
                column + 0.5,
                row + 0.5,
                str(round(100 * share)),
                color="white" if share > 0.55 else scheme.ink if share else scheme.faint,
                size=_POINTS - 1,
                ha="center",
                va="center",
            )


def _shortened(name: str) -> str:
    """The name, its end replaced by "…" where it is too wide."""
    if _columns(name) <= _MAX_NAME:
        return name
    while _columns(name) >= _MAX_NAME:
        name = name[:-1]
    return f"{name}…"


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
