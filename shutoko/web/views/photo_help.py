"""Three drawings that show how to take and mark a photo of a table, as SVG."""

from __future__ import annotations

__all__ = ["HELPS"]

_FRAME = '<svg viewBox="0 0 240 130" role="img" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2">'
_DISC = '<ellipse cx="{x}" cy="{y}" rx="17" ry="6" fill="{fill}" stroke="currentColor"/>'


def _pillar(x: float, foot: float, discs: int, *, yellow: bool = False) -> str:
    drawn = ""
    for level in range(discs):
        fill = "#f2c230" if yellow and level == discs - 1 else "#b9b6ae"
        y = foot - 9 * level
        drawn += f'<path d="M{x - 17} {y}v-9a17 6 0 0 1 34 0v9a17 6 0 0 1 -34 0" fill="{fill}"/>'
        drawn += _DISC.format(x=x, y=y - 9, fill=fill)
    return drawn


def _tap(x: float, y: float) -> str:
    arms = f'<path d="M{x - 16} {y}h10M{x + 6} {y}h10M{x} {y - 16}v10M{x} {y + 6}v10" stroke="#d8432b"/>'
    return f'<circle cx="{x}" cy="{y}" r="9" stroke="#d8432b" stroke-width="3"/>{arms}'


_TAKE = (
    f'{_FRAME}<path d="M20 112h200" stroke-width="4"/>'
    '<path d="M96 108h16M128 108h16M104 99v9M136 99v9M98 97h44" stroke-width="3"/>'
    '<path d="M30 30L120 108M30 30L84 112M30 30L168 112" stroke-dasharray="4 4" opacity=".7"/>'
    '<rect x="14" y="14" width="18" height="34" rx="4" transform="rotate(-42 23 31)" fill="currentColor" opacity=".85"/>'
    '<path d="M78 112A62 62 0 0 1 92 84" stroke="#d8432b"/>'
    '<text x="128" y="34" font-size="20" font-weight="700" fill="currentColor" stroke="none">30° – 70°</text></svg>'
)
_TAP = (
    f"{_FRAME}{_pillar(60, 110, 2)}{_pillar(178, 84, 3)}"
    '<path d="M48 84L176 48L186 57L58 94Z" fill="#c0392b" fill-opacity=".75"/>'
    f"{_tap(53, 89)}{_tap(181, 52)}</svg>"
)
_COUNT = (
    f"{_FRAME}{_pillar(50, 112, 1)}{_pillar(118, 112, 3)}{_pillar(190, 112, 4, yellow=True)}"
    '<g font-size="22" font-weight="700" fill="currentColor" stroke="none" text-anchor="middle">'
    '<text x="50" y="88">1</text><text x="118" y="70">3</text><text x="190" y="61">4</text></g></svg>'
)

HELPS = (("photo_help_take", _TAKE), ("photo_help_tap", _TAP), ("photo_help_count", _COUNT))
"""The drawings, each with the message that explains it."""
