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


def test_in_a_checkout_the_checkout_is_installed_again_with_the_extra(
    origin, monkeypatch, tmp_path: Path
) -> None:
    origin({"url": tmp_path.as_uri(), "dir_info": {"editable": True}})
    monkeypatch.chdir(tmp_path)
    assert install("web") == "pip install -e '.[web]'"
    assert install() == "pip install -e ."


def test_outside_the_checkout_it_is_named_by_its_path(origin, tmp_path: Path) -> None:
    origin({"url": tmp_path.as_uri(), "dir_info": {"editable": True}})
    assert install("web") == f"pip install -e '{tmp_path}[web]'"


def test_a_wheel_is_named_by_its_path(origin, tmp_path: Path) -> None:
    wheel = tmp_path / "my wheels" / "shutoko-0.1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    wheel.touch()
    origin({"url": wheel.as_uri(), "archive_info": {}})
    assert install("data") == f"pip install '{wheel}[data]'"


def test_a_folder_that_was_installed_as_it_was_is_named_by_its_path(origin, tmp_path: Path) -> None:
    origin({"url": tmp_path.as_uri(), "dir_info": {}})
    assert install("web") == f"pip install '{tmp_path}[web]'"


def test_a_repository_and_a_file_on_a_server_are_named_by_their_address(origin) -> None:
    origin(
        {
            "url": "https://forge.example/shutoko.git",
            "vcs_info": {"vcs": "git", "commit_id": "1" * 40},
        }
    )
    assert install("rl") == "pip install 'shutoko[rl] @ git+https://forge.example/shutoko.git'"
    origin({"url": "https://forge.example/shutoko-0.1.0-py3-none-any.whl", "archive_info": {}})
    assert (
        install("rl")
        == "pip install 'shutoko[rl] @ https://forge.example/shutoko-0.1.0-py3-none-any.whl'"
    )


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
