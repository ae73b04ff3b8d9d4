"""The sentences that the program says to people: one catalogue of messages per language,
`assets/languages/*.ftl`.
"""

from __future__ import annotations

from sim.languages.catalogue import Catalogue, catalogue, languages
from sim.languages.sentence import Sentence

__all__ = ["Catalogue", "Sentence", "catalogue", "languages"]
