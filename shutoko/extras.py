"""The optional parts of the distribution: what each is for, and which of its packages are missing
here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec

from sim.installing import install, install_package


@dataclass(frozen=True, slots=True)
class Extra:
    """What an extra is for, and the names by which its packages are imported."""

    what: str
    modules: tuple[str, ...]


EXTRAS: Mapping[str, Extra] = {
    "export": Extra("boards as pixels, animated models", ("pygltflib", "resvg_py")),
    "video": Extra("films as .mp4 where the system has no ffmpeg", ("imageio_ffmpeg",)),
    "mujoco": Extra("the second physics engine", ("mujoco",)),
    "web": Extra(
        "the table in the browser, offline pages of pieces in space",
        (
            "nicegui",
            "fastapi",
            "starlette",
            "pygltflib",
            "resvg_py",
            "uvicorn",
            "itsdangerous",
            "segno",
            "aiohttp",
        ),
    ),
    "push": Extra("players told of their turns by Web Push", ("pywebpush", "py_vapid")),
    "photo": Extra("roads found in a photo, photos in HEIC", ("cv2", "pillow_heif")),
    "dask": Extra("computing on a cluster", ("distributed",)),
    "data": Extra("charts, tables as Parquet", ("matplotlib", "pyarrow")),
    "rl": Extra(
        "environments for PettingZoo and Gymnasium", ("gymnasium", "pettingzoo", "resvg_py")
    ),
    "openspiel": Extra("the grid games for OpenSpiel", ("pyspiel",)),
}
"""The extras for users, by name."""

CORE: Mapping[str, str] = {
    "PIL": "pillow",
    "embreex": "embreex",
    "filelock": "filelock",
    "fluent": "fluent.runtime",
    "highspy": "highspy",
    "numba": "numba",
    "numpy": "numpy",
    "platformdirs": "platformdirs",
    "rich": "rich",
    "shapely": "shapely",
    "shtab": "shtab",
}
"""What every whole installation has: the distributions by the names they are imported by. The
engines speak for themselves.
"""


def missing(extra: str) -> tuple[str, ...]:
    """The packages of an extra that are not installed here, by the names they are imported by."""
    return tuple(name for name in EXTRAS[extra].modules if find_spec(name) is None)


def remedy(module: str) -> str | None:
    """What to say where a module is missing, with the command that installs it; None for a module
    that is none of ours.
    """
    top = module.partition(".")[0]
    if top in CORE:
        return f"this needs {top}, which is not installed: {install_package(CORE[top])}"
    extra = next((name for name, one in EXTRAS.items() if top in one.modules), None)
    return extra and f"this needs {top}, which is not installed: {install(extra)}"
