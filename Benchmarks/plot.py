"""Growth as a picture: bars for the terminal, lines in an SVG; both axes are logarithmic."""
import math
from html import escape

WIDTH, HEIGHT, MARGIN = 300, 180, 44
COLUMNS = 3


def position(value, values):
    """Where a value lies between the least and the greatest of its series, from 0 to 1."""
    low, high = math.log(max(min(values), 1e-9)), math.log(max(max(values), 1e-9))
    return 0.5 if high - low < 1e-9 else (math.log(max(value, 1e-9)) - low) / (high - low)


def short(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def text(row):
    """A bar for each size, the longest for the greatest value."""
    greatest = max(value for _, value in row.series)
    lines = [row.what]
    for size, value in row.series:
        lines.append(f"{size:>9,} {short(value):>8} {row.unit:<4} {'#' * max(1, round(50 * value / greatest))}")
    return "\n".join(lines)


def panel(row, x, y):
    """One series: a box, its line and what the ends are."""
    sizes, values = zip(*row.series)
    # A cost that hardly changes is drawn flat: the axis spans at least a factor of ten.
    low = min(values)
    spread = [low, max(max(values), low * 10)]
    points = [(x + MARGIN + position(size, sizes) * (WIDTH - 2 * MARGIN),
               y + HEIGHT - MARGIN - position(value, spread) * (HEIGHT - 2 * MARGIN)) for size, value in row.series]
    line = " ".join(f"{left:.1f},{top:.1f}" for left, top in points)
    label = '<text x="{:.1f}" y="{:.1f}" font-size="10" text-anchor="{}">{}</text>'
    parts = [f'<rect x="{x + MARGIN}" y="{y + MARGIN}" width="{WIDTH - 2 * MARGIN}" height="{HEIGHT - 2 * MARGIN}" '
             'fill="none" stroke="#bbb"/>',
             f'<polyline points="{line}" fill="none" stroke="#06c" stroke-width="2"/>',
             label.format(x + WIDTH / 2, y + MARGIN - 10, "middle", escape(row.what)),
             label.format(x + MARGIN, y + HEIGHT - MARGIN + 14, "middle", f"{sizes[0]:,}"),
             label.format(x + WIDTH - MARGIN, y + HEIGHT - MARGIN + 14, "middle", f"{sizes[-1]:,}")]
    for value in (spread[0], spread[1]):
        top = y + HEIGHT - MARGIN - position(value, spread) * (HEIGHT - 2 * MARGIN)
        parts.append(label.format(x + MARGIN - 4, top + 3, "end", f"{short(value)} {row.unit}"))
    return "\n".join(parts)


def svg(rows):
    """All series, side by side."""
    lines = math.ceil(len(rows) / COLUMNS)
    panels = [panel(row, index % COLUMNS * WIDTH, index // COLUMNS * HEIGHT) for index, row in enumerate(rows)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS * WIDTH} {lines * HEIGHT}" '
            f'font-family="sans-serif">\n<rect width="100%" height="100%" fill="#fff"/>\n'
            + "\n".join(panels) + "\n</svg>\n")
