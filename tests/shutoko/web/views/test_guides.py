"""What a page says of a game: the words of the catalogues, and for a game that they do not know its own guide."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import rules
from rules.defaults import settings
from rules.game import Guide, Setting
from shutoko.web.views.guides import guide, how_to, setting_about, setting_name
from shutoko.web.wording import LANGUAGES, words

OWN = Guide("Nim", "", "take matches", "MOVE is a number", translations={"fr": {"rules": "prenez des allumettes"}})
NIM = SimpleNamespace(name="nim", guide=OWN)


@pytest.mark.parametrize(
    ("language", "rule"), [("en", "take matches"), ("fr", "prenez des allumettes"), ("ko", "take matches")]
)
@pytest.mark.parametrize("pointing", ["how_board", "how_scene"])
def test_a_game_that_only_has_its_guide_is_told_by_it_and_by_how_to_point(language, rule, pointing):
    text = words(language)
    assert how_to(NIM, text, pointing) == f"{rule}\nMOVE is a number\n{text(pointing)}"
    assert text(pointing) != pointing
    assert how_to(NIM, text) == f"{rule}\nMOVE is a number"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["meridians", "thruway", "tokyo-highway"])
def test_a_shipped_game_is_told_by_the_catalogues(name, language):
    made, text = rules.game(name), words(language)
    assert how_to(made, text, "how_board") == text(f"{name}_how")
    assert guide(made, text).about == text(f"{name}_about")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["meridians", "thruway", "tokyo-highway"])
def test_every_setting_of_a_shipped_game_has_a_word(name, language):
    for setting in settings(rules.game(name)):
        assert setting_name(setting, words(language)) == words(language)(setting.name) != setting.name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["meridians", "thruway", "tokyo-highway"])
def test_what_a_setting_of_a_shipped_game_decides_is_told_in_each_language(name, language):
    made = rules.game(name)
    for setting in settings(made):
        assert (setting_about(made, setting, words(language)) == setting.about) == (language == "en")


def test_what_a_setting_decides_is_told_in_the_words_of_a_game_that_brings_its_own():
    setting = Setting("heap", (3, 5), 3, "matches at first")
    own = Guide("Nim", "", "take matches", "MOVE is a number", translations={"fr": {"matches at first": "allumettes au début"}})
    nim = SimpleNamespace(name="nim", guide=own)
    told = [setting_about(nim, setting, words(language)) for language in ("en", "fr", "ko")]
    assert told == ["matches at first", "allumettes au début", "matches at first"]
