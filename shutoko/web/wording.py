"""The words of the pages in the visitor's language, from the catalogues `assets/languages`; English
where one lacks a word.
"""

from collections.abc import Mapping
from functools import cache

from sim.languages import Sentence, catalogue, languages

LANGUAGES: Mapping[str, str] = {code: catalogue(code).own_name for code in languages()}
"""The languages by their codes, in their own words."""

LANGUAGE_COOKIE = "shutoko-language"
"""The cookie that keeps the choice of a language."""


class Words:
    """`words(key, name=value)` is the text of a key in one language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, key: str, /, **values: object) -> str:
        """The text with its values put in, which may be sentences themselves; the key itself if no
        catalogue has it.
        """
        return Sentence(key, values).told(self.language) if key in catalogue("en") else key


@cache
def words(language: str) -> Words:
    """The words of a language; English for an unknown one."""
    return Words(language if language in LANGUAGES else "en")


def choose(wanted: str | None, accepted: str | None) -> str:
    """The language for a visitor: the one that was chosen, else the first that the browser accepts
    (Accept-Language).
    """
    if wanted in LANGUAGES:
        return str(wanted)
    for part in (accepted or "").split(","):
        code = part.split(";")[0].strip().lower()[:2]
        if code in LANGUAGES:
            return code
    return "en"
