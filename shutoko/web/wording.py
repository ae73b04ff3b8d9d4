"""The words of the pages in the rulebooks' languages, from the catalogues `texts/*.toml`; English where one lacks a word."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

__all__ = ["LANGUAGES", "Words", "choose", "words"]

LANGUAGES: Mapping[str, str] = {"en": "English", "ko": "한국어", "fr": "Français"}
"""The languages by their codes, in their own words."""


class Words:
    """`words(key, name=value)` is the text of a key in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = {**_catalogue("en"), **_catalogue(language)}

    def __call__(self, key: str, /, **values: object) -> str:
        """The text with its values put in; the key itself if no catalogue has it."""
        text = self._texts.get(key, key)
        return text.format_map({name: str(value) for name, value in values.items()}) if values else text


@cache
def words(language: str) -> Words:
    """The words of a language; English for one that there is not."""
    return Words(language if language in LANGUAGES else "en")


def choose(wanted: str | None, accepted: str | None) -> str:
    """The language for a visitor: the one that was chosen, else the first that the browser accepts (Accept-Language)."""
    if wanted in LANGUAGES:
        return str(wanted)
    for part in (accepted or "").split(","):
        code = part.split(";")[0].strip().lower()[:2]
        if code in LANGUAGES:
            return code
    return "en"


@cache
def _catalogue(language: str) -> dict[str, str]:
    path = Path(__file__).parent / "texts" / f"{language}.toml"
    found: dict[str, str] = tomllib.loads(path.read_text(encoding="utf-8"))
    return found
