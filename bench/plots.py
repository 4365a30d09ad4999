"""Plots as SVG on logarithmic axes, readable on light and on dark pages."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

WIDTH, HEIGHT = 800, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 236, 48, 52
LABEL_HEIGHT = 15
BAR_LEFT, BAR_HEIGHT, BAR_GAP = 190, 13, 10

# Clear on white and on near-black; ours is the first and the thickest.
COLOURS = ("#d6336c", "#1c7ed6", "#e8590c", "#2f9e44", "#9c6ade", "#0c9aa8", "#a5801b", "#7a8794")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "", "7 3", "2 3", "9 3 2 3")

_STYLE = """
.page { fill: #ffffff } .ink { fill: #1f2328 } .soft { fill: #59636e } .rule { stroke: #d1d9e0 }
text { font: 12px system-ui, sans-serif } .title { font-size: 15px; font-weight: 600 }
@media (prefers-color-scheme: dark) {
  .page { fill: #0d1117 } .ink { fill: #f0f6fc } .soft { fill: #9198a1 } .rule { stroke: #3d444d }
}
"""

Place = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Line:
    title: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Bar:
    title: str
    first: float | None
    second: float | None


def lines(title: str, across: str, up: str, drawn: Sequence[Line]) -> str:
    """One line a series, named at its right end."""
    places = [point for line in drawn for point in line.points]
    x = _axis([point[0] for point in places], LEFT, WIDTH - RIGHT)
    y = _axis([point[1] for point in places], HEIGHT - BOTTOM, TOP)
    parts = [_text(LEFT, 24, title, "ink title")]
    parts += _grid(decades([point[1] for point in places]), y, upright=False)
    parts += _grid(decades([point[0] for point in places]), x, upright=True)
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, across, "soft", "middle"))
    parts.append(_text(LEFT, 42, up, "soft"))
    ends = spread([y(line.points[-1][1]) for line in drawn], LABEL_HEIGHT)
    for number, (line, end) in enumerate(zip(drawn, ends, strict=True)):
        parts += _series(line, number, end, x, y)
    return _page(HEIGHT, parts)


def bars(title: str, unit: str, kinds: tuple[str, str], drawn: Sequence[Bar]) -> str:
    """Two bars a system, the second paler."""
    values = [value for bar in drawn for value in (bar.first, bar.second) if value]
    x = _axis(values, BAR_LEFT, WIDTH - 80)
    step = 2 * BAR_HEIGHT + BAR_GAP
    height = TOP + 30 + len(drawn) * step + 16
    parts = [_text(16, 24, f"{title}, {unit}", "ink title")]
    parts.append(_text(16, 44, f"{kinds[0]} (solid), {kinds[1]} (pale)", "soft"))
    for tick in decades(values):
        parts.append(f'<line class="rule" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP + 22}" y2="{height - 12}"/>')
        parts.append(_text(x(tick), TOP + 16, short(tick), "soft", "middle"))
    for number, bar in enumerate(drawn):
        top = TOP + 30 + number * step
        parts.append(_text(BAR_LEFT - 8, top + BAR_HEIGHT + 4, bar.title, "ink", "end"))
        for place, (value, opacity) in enumerate(((bar.first, 1), (bar.second, 0.5))):
            if value:
                parts += _bar(top + place * BAR_HEIGHT, value, opacity, COLOURS[number % len(COLOURS)], x)
    return _page(height, parts)


def decades(values: Iterable[float]) -> list[float]:
    """The powers of ten around the values."""
    known = [value for value in values if value > 0] or [1.0]
    low, high = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    return [10.0**power for power in range(low, max(high, low + 1) + 1)]


def spread(places: Sequence[float], gap: float) -> list[float]:
    """The same places, moved down where they lie closer than `gap`, and up where that leads out of the plot."""
    order = sorted(range(len(places)), key=lambda number: places[number])
    moved = list(places)
    for before, after in pairwise(order):
        moved[after] = max(moved[after], moved[before] + gap)
    lowest: float = HEIGHT - BOTTOM
    for number in reversed(order):
        moved[number] = min(moved[number], lowest)
        lowest = moved[number] - gap
    return moved


def short(value: float) -> str:
    """`0.1`, `10`, `100k`."""
    if value >= 1_000_000:
        return f"{value / 1_000_000:g}M"
    return f"{value / 1_000:g}k" if value >= 1_000 else f"{value:g}"


def _axis(values: Sequence[float], start: float, end: float) -> Place:
    ticks = decades(values)
    low, high = math.log10(ticks[0]), math.log10(ticks[-1])
    return lambda value: start + (math.log10(value) - low) / (high - low) * (end - start)


def _grid(ticks: Sequence[float], place: Place, *, upright: bool) -> list[str]:
    parts = []
    for tick in ticks:
        at = place(tick)
        if upright:
            parts.append(f'<line class="rule" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
            parts.append(_text(at, HEIGHT - BOTTOM + 18, short(tick), "soft", "middle"))
        else:
            parts.append(f'<line class="rule" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>')
            parts.append(_text(LEFT - 8, at + 4, short(tick), "soft", "end"))
    return parts


def _series(line: Line, number: int, label: float, x: Place, y: Place) -> list[str]:
    colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
    path = " ".join(f"{x(across):.1f},{y(up):.1f}" for across, up in line.points)
    width = 3 if number == 0 else 1.8
    parts = [
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dash}"/>'
    ]
    parts += [f'<circle cx="{x(across):.1f}" cy="{y(up):.1f}" r="3.5" fill="{colour}"/>' for across, up in line.points]
    start, edge = line.points[-1], WIDTH - RIGHT + 10
    parts.append(
        f'<line x1="{x(start[0]) + 5:.1f}" y1="{y(start[1]):.1f}" x2="{edge}" y2="{label:.1f}" '
        f'stroke="{colour}" stroke-width="0.8" opacity="0.6"/>'
    )
    parts.append(_text(edge + 4, label + 4, f"{line.title} {figure(start[1])}", "ink"))
    return parts


def _bar(top: float, value: float, opacity: float, colour: str, x: Place) -> list[str]:
    width = max(1.0, x(value) - BAR_LEFT)
    size = f'x="{BAR_LEFT}" y="{top}" width="{width:.1f}" height="{BAR_HEIGHT - 1}"'
    return [
        f'<rect {size} fill="{colour}" opacity="{opacity}"/>',
        _text(BAR_LEFT + width + 5, top + BAR_HEIGHT - 1, figure(value), "soft"),
    ]


def figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _page(height: float, parts: Iterable[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
        f'height="{height:.0f}" role="img">\n<style>{_STYLE}</style>\n'
        f'<rect class="page" width="100%" height="100%"/>\n{body}\n</svg>\n'
    )
