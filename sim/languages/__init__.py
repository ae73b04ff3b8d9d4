"""What the program says to people, in every language: one catalogue of messages for each, `assets/languages/*.ftl`."""

from __future__ import annotations

from sim.languages.catalogue import Catalogue, catalogue, languages
from sim.languages.sentence import Sentence

__all__ = ["Catalogue", "Sentence", "catalogue", "languages"]
