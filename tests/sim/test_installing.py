"""What is missing is installed in the way in which this copy was installed; no index is asked for
Shutoko.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sim import installing
from sim.installing import install, install_package

REQUIRES = [
    "numba<0.69,>=0.68",
    "pyarrow<30,>=18; extra == 'data'",
    'matplotlib<4,>=3.9; extra == "data"',
]


class Installed:
    """A distribution as `importlib.metadata` shows it."""

    requires = REQUIRES

    def __init__(self, origin: object = None, installer: str = "pip") -> None:
        self.files = {"INSTALLER": f"{installer}\n"} | (
            {} if origin is None else {"direct_url.json": json.dumps(origin)}
        )

    def read_text(self, name: str) -> str | None:
        return self.files.get(name)


@pytest.fixture
def origin(monkeypatch: pytest.MonkeyPatch):
    def pretend(value: object = None, installer: str = "pip") -> None:
        monkeypatch.setattr(installing, "distribution", lambda name: Installed(value, installer))

    return pretend


EDITABLE, ADDRESS = {"editable": True}, "https://forge.example/shutoko"
VCS = {"vcs": "git", "commit_id": "1" * 40}


@pytest.mark.parametrize(
    ("url", "more", "inside", "extra", "says"),
    [
        pytest.param("{here}", {"dir_info": EDITABLE}, True, "web", "pip install -e '.[web]'",
                     id="a checkout, from inside"),
        pytest.param("{here}", {"dir_info": EDITABLE}, True, "", "pip install -e .",
                     id="without an extra"),
        pytest.param("{here}", {"dir_info": EDITABLE}, False, "web",
                     "pip install -e '{path}[web]'", id="a checkout, from elsewhere"),
        pytest.param("{here}", {"dir_info": {}}, False, "web", "pip install '{path}[web]'",
                     id="a folder that was installed as it was"),
        pytest.param("{here}/my.whl", {"archive_info": {}}, False, "data",
                     "pip install '{path}/my.whl[data]'", id="a wheel"),
        pytest.param(f"{ADDRESS}.git", {"vcs_info": VCS}, False, "rl",
                     f"pip install 'shutoko[rl] @ git+{ADDRESS}.git'", id="a repository"),
        pytest.param(f"{ADDRESS}-0.1.0-py3-none-any.whl", {"archive_info": {}}, False, "rl",
                     f"pip install 'shutoko[rl] @ {ADDRESS}-0.1.0-py3-none-any.whl'",
                     id="a file on a server"),
    ],
)  # fmt: skip
def test_what_is_missing_is_installed_as_this_copy_was(
    url, more, inside, extra, says, origin, monkeypatch, tmp_path: Path
) -> None:
    (tmp_path / "my.whl").touch()
    origin({"url": url.format(here=tmp_path.as_uri()), **more})
    if inside:
        monkeypatch.chdir(tmp_path)
    assert install(*[extra] * bool(extra)) == says.format(path=tmp_path)


@pytest.mark.parametrize(
    "gone", [None, {"url": "file:///nowhere/shutoko-0.1.0-py3-none-any.whl", "archive_info": {}}]
)
def test_where_the_source_is_gone_or_unknown_the_packages_of_the_extra_are_named(
    origin, monkeypatch, tmp_path, gone
) -> None:
    monkeypatch.setattr(installing, "_CHECKOUT", tmp_path)
    origin(gone)
    assert install("data") == "pip install 'pyarrow<30,>=18' 'matplotlib<4,>=3.9'"
    assert install() == "install Shutoko again"


def test_a_package_of_the_core_is_named_with_its_bounds(origin) -> None:
    origin()
    assert install_package("numba") == "pip install 'numba<0.69,>=0.68'"
    assert install_package("pyarrow") == "pip install 'pyarrow<30,>=18'"
    assert install_package("stranger") == "pip install stranger"


def test_uv_installs_where_it_made_an_environment_without_pip(
    origin, monkeypatch, tmp_path: Path
) -> None:
    origin({"url": tmp_path.as_uri(), "dir_info": {"editable": True}}, installer="uv")
    monkeypatch.chdir(tmp_path)
    assert install("web") == "pip install -e '.[web]'"
    monkeypatch.setattr(installing, "find_spec", lambda name: None)
    assert install("web") == "uv pip install -e '.[web]'"


def test_a_copy_that_was_never_installed_is_installed_from_its_checkout(monkeypatch) -> None:
    def unknown(name: str) -> None:
        raise installing.PackageNotFoundError(name)

    monkeypatch.setattr(installing, "distribution", unknown)
    assert install("web") in (
        "pip install -e '.[web]'",
        f"pip install -e '{installing._CHECKOUT}[web]'",
    )
