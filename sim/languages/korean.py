"""Korean particles: a catalogue writes both forms, `이/가`, and the sound before them decides."""

from __future__ import annotations

import re

__all__ = ["with_particles"]

_PARTICLE = re.compile(r"([가-힣])(이/가|을/를|은/는|과/와|으로/로)")
_FIRST, _FINALS, _RIEUL = 0xAC00, 28, 8
"""Where Hangul syllables begin in Unicode, how many final consonants each may have (none included),
and that of ㄹ.
"""


def with_particles(text: str) -> str:
    """The text with one of the two forms behind each Hangul syllable: the first after a final
    consonant.
    """
    return _PARTICLE.sub(_chosen, text)


def _chosen(found: re.Match[str]) -> str:
    closed, opened = found[2].split("/")
    final = (ord(found[1]) - _FIRST) % _FINALS
    if opened == "로" and final == _RIEUL:
        return found[1] + opened
    return found[1] + (closed if final else opened)
