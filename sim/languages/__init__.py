"""The sentences that the program says to people: one catalogue of messages per language,
`assets/languages/*.ftl`.
"""

from __future__ import annotations

from sim.languages.sentences import Catalogue, Sentence, catalogue, languages, reason_in

__all__ = ["Catalogue", "Sentence", "catalogue", "languages", "reason_in"]
