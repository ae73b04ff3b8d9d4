"""What a release is made of, and the files that a public forge looks for."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
import yaml

import shutoko
from tools import release

CHECKOUT = Path(__file__).resolve().parents[1]
CHANGELOG = CHECKOUT / "CHANGELOG.md"


def test_a_release_tells_the_changes_of_its_version_and_of_no_other():
    text = (
        "# Changelog\n\n## 0.2.0, 2030-01-01\n\n### Added\n\n- a wing\n\n## 0.1.0\n\n- the house\n"
    )
    assert release.changes(text, "0.2.0") == "### Added\n\n- a wing\n"
    assert release.changes(text, "0.1.0") == "- the house\n"
    with pytest.raises(SystemExit, match=r"no section of version 0\.3\.0"):
        release.changes(text, "0.3.0")
    assert len(release.changes(CHANGELOG.read_text(encoding="utf-8"), shutoko.__version__)) > 1000


def test_builds_that_differ_are_named(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, text in ((one, b"1"), (other, b"2")):
        folder.mkdir()
        (folder / "same").write_bytes(b"0")
        (folder / "wheel").write_bytes(text)
    (other / "more").touch()
    assert (release.differing(one, other), release.differing(one, one)) == (["more", "wheel"], [])


def test_the_sums_are_those_of_the_files_and_leave_themselves_out(tmp_path):
    (tmp_path / "empty").touch()
    (tmp_path / "SHA256SUMS").write_text("old")
    assert (
        release.sums(tmp_path)
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  empty\n"
    )


def test_what_is_built_for_a_trial_are_the_files_as_they_lie_here(tmp_path, monkeypatch):
    checkout = tmp_path / "checkout"
    for name in (".git", ".venv", ".github", "rules", "rules/__pycache__"):
        (checkout / name).mkdir(parents=True)
        (checkout / name / "file").touch()
    monkeypatch.setattr(release, "CHECKOUT", checkout)
    monkeypatch.setattr(
        release, "run", lambda words, **environment: (tmp_path / "one" / "dist").mkdir()
    )
    assert (
        release.built(tmp_path / "one" / "shutoko", uncommitted=True) == tmp_path / "one" / "dist"
    )
    assert sorted(path.name for path in (tmp_path / "one" / "shutoko").iterdir()) == [
        ".github",
        "rules",
    ]
    assert not (tmp_path / "one" / "shutoko" / "rules" / "__pycache__").exists()


def test_the_forge_files_can_be_read_and_name_this_version():
    citation = yaml.safe_load((CHECKOUT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["version"], citation["license"]) == (shutoko.__version__, "MIT")
    json.loads((CHECKOUT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    for path in [CHECKOUT / ".pre-commit-config.yaml", *(CHECKOUT / ".github").rglob("*.yml")]:
        assert yaml.safe_load(path.read_text(encoding="utf-8")), path


def test_a_container_is_not_root_and_writes_to_its_data_alone():
    recipe = (CHECKOUT / "Dockerfile").read_text(encoding="utf-8").rpartition("\nFROM ")[2]
    wanted = ("\nUSER shutoko\n", "XDG_CACHE_HOME=/data/cache", '"--data", "/data"]')
    assert [words for words in wanted if words not in recipe] == []
    service = yaml.safe_load((CHECKOUT / "compose.yaml").read_text(encoding="utf-8"))["services"][
        "shutoko"
    ]
    locked = {"read_only": True, "volumes": ["data:/data"], "cap_drop": ["ALL"]}
    assert locked.items() <= service.items()


def test_what_a_container_is_built_from_is_let_into_it():
    """The wheel needs these; everything else stays outside."""
    let_in = {
        line[1:]
        for line in (CHECKOUT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line[:1] == "!"
    }
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {
        *wheel["packages"],
        *wheel["force-include"],
        project["project"]["readme"],
        *project["project"]["license-files"],
    }
    assert needed | {"pyproject.toml", "requirements.lock"} <= let_in
    assert all((CHECKOUT / name).exists() for name in let_in)


def test_a_forge_tests_every_python_that_is_promised_on_three_systems():
    workflow = CHECKOUT / ".github" / "workflows" / "checks.yml"
    checks = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    matrix = checks["jobs"]["tests"]["strategy"]["matrix"]
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = "Programming Language :: Python :: 3."
    promised = {text for text in project["classifiers"] if text.startswith(version)}
    assert {f"{version[:-2]}{one}" for one in matrix["python"]} == promised
    assert matrix["os"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
