#!/usr/bin/env python3
"""Draws the badges of the README: facts about the project, which need no service."""

from __future__ import annotations

from pathlib import Path

BADGES = {
    "licence": ("licence", "Apache-2.0"),
    "c": ("C", "11"),
    "cplusplus": ("C++", "17"),
    "python": ("Python", "3.10+"),
}
LETTER, PADDING, HEIGHT = 7, 7, 20


def draw(name: str) -> str:
    """The picture of a badge: two words side by side."""
    left, right = BADGES[name]
    middle, width = (2 * PADDING + LETTER * len(left), 4 * PADDING + LETTER * len(left + right))
    word = '<text x="{:g}" y="14" textLength="{}" lengthAdjust="spacingAndGlyphs">{}</text>'
    words = "".join(
        word.format(begin + PADDING, LETTER * len(text), text) for begin, text in ((0, left), (middle, right))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" role="img">'
        f"<title>{left}: {right}</title>"
        f'<rect width="{width}" height="{HEIGHT}" rx="3" fill="#00695c"/>'
        f'<path d="M3 0h{middle - 3}v{HEIGHT}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3" fill="#444"/>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">{words}</g></svg>\n'
    )


if __name__ == "__main__":
    for name in BADGES:
        (Path(__file__).parent / f"{name}.svg").write_text(draw(name))
