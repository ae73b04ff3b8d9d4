"""Photos from users: checked before they are decoded, and only the focal length kept of their EXIF
data.
"""

from __future__ import annotations

import io
import math
import warnings
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.errors import InputError, Refusal
from rules.files import os_reason, read_regular
from shutoko.export.rendering.scene import needed

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 64_000_000
"""The most pixels of a photo that is read as it is; a larger JPEG is read at a half of its size or
less. Phones take 12 to 200 million.
"""

_MAX_FILE = 64 << 20  # bytes
_FORMATS = ("JPEG", "PNG", "WEBP", "AVIF", "HEIF")
_EXIF, _FOCAL_35MM, _DIAGONAL_35MM = 0x8769, 0xA405, 43.27  # mm of the diagonal of 35 mm film


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo as it is shown, upright, and its focal length in pixels if it says so; nothing else
    of what it carried.
    """

    image: Image
    focal: float | None


def is_photo(path: Path) -> bool:
    """Whether a file is to be read as a photo: every one but marks, which are JSON or named so, or
    come from the standard input (`-`).
    """
    try:
        with path.open("rb") as file:
            head = file.read(12)
    except OSError:
        head = b""
    return not (
        path.name == "-" or path.suffix.lower() == ".json" or head.lstrip().startswith(b"{")
    )


def open_photo(path: Path | str) -> Photo:
    """The photo in a file. Raises InputError that names the file, UnavailableError if Pillow is not
    installed.
    """
    try:
        data = read_regular(path, _MAX_FILE)
    except OSError as error:
        raise InputError(f"{path}: the photo cannot be read: {os_reason(error)}") from error
    try:
        return photo_of(data)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def photo_of(data: bytes) -> Photo:
    """The photo in these bytes. Raises InputError for what is no picture, too large or cut off."""
    with needed("pillow"):
        pil, ops = import_module("PIL.Image"), import_module("PIL.ImageOps")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about sizes, which are checked here
            _know_heic(data)
            pil.init()
            kinds = [kind for kind in _FORMATS if kind in pil.OPEN]
            opened: Any = pil.open(io.BytesIO(data), formats=kinds)
            if math.prod(opened.size) > MAX_PIXELS:
                opened.draft("RGB", (opened.width // 2, opened.height // 2))  # of a JPEG only
            _check_size(*opened.size)
            focal = _focal(opened)
            if opened.mode.startswith("I;16"):  # of a scanner; Pillow would cut it off at 255
                opened = opened.convert("I").point(lambda grey: grey / 257).convert("L")
            shown = ops.exif_transpose(opened).convert("RGB")
    except InputError:
        raise
    except pil.UnidentifiedImageError:
        told = "this is no picture that can be read; give a JPEG, PNG, WebP, HEIC or AVIF"
        raise InputError(Refusal(told, "no-picture")) from None
    except pil.DecompressionBombError:
        raise InputError(
            f"the photo has far more than {MAX_PIXELS // 1_000_000} million pixels; make it smaller"
        ) from None
    except (OSError, ValueError, SyntaxError) as error:
        raise InputError(
            f"the picture is damaged: {' '.join(str(error).split())[:100]}; copy it anew"
        ) from None
    return Photo(pil.frombytes("RGB", shown.size, shown.tobytes()), focal)


def _know_heic(data: bytes) -> None:
    """Has Pillow read HEIC if this is one. Raises InputError without the library for it."""
    if data[4:8] != b"ftyp" or data[8:12] in (b"avif", b"avis"):
        return
    try:
        import_module("pillow_heif").register_heif_opener()
    except ImportError:
        told = (
            "this is a HEIC photo, which needs shutoko[photo]; or set the phone to JPEG (iPhone: "
            "Settings, Camera, Formats, Most Compatible), or share the photo as JPEG"
        )
        raise InputError(Refusal(told, "heic")) from None


def _check_size(width: int, height: int) -> None:
    """Raises InputError for a photo with too many pixels. Called before anything is decoded."""
    if width * height > MAX_PIXELS:
        raise InputError(
            f"the photo has {width} x {height} pixels, more than {MAX_PIXELS // 1_000_000} "
            "million; make it smaller"
        )


def _focal(image: Any) -> float | None:
    """The focal length in pixels, from the equivalent on 35 mm film, which compares diagonals."""
    try:
        equivalent = float(image.getexif().get_ifd(_EXIF).get(_FOCAL_35MM, 0))
    except (
        # damaged EXIF says nothing
        TypeError,
        ValueError,
        SyntaxError,
        OSError,
        ZeroDivisionError,
    ):
        return None
    return (
        equivalent * math.hypot(*image.size) / _DIAGONAL_35MM
        if 8.0 <= equivalent <= 600.0
        else None
    )
