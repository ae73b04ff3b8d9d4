"""Films as .mp4 (H.264), written by ffmpeg: the system's, or the one that comes with the package
imageio-ffmpeg.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rules.errors import InputError, UnavailableError
from sim.installing import install

_FPS = 25
_QUALITY = 20  # of x264: 18 cannot be told from the original, 28 is poor


def ffmpeg() -> str:
    """The path of ffmpeg. Raises UnavailableError, with the command that installs one, if there is
    none.
    """
    found = shutil.which("ffmpeg")
    if found is not None:
        return found
    try:
        path: str = import_module("imageio_ffmpeg").get_ffmpeg_exe()
    except (ImportError, RuntimeError) as error:
        raise UnavailableError(
            f"films as .mp4 need ffmpeg: install it, or {install('video')}"
        ) from error
    return path


def mp4(pictures: Iterable[npt.NDArray[np.uint8]], milliseconds: Iterable[int]) -> bytes:
    """A film of RGB pictures of one size, each shown that long. The same pictures give the same
    bytes with the same ffmpeg.

    Raises UnavailableError without ffmpeg, InputError without pictures and if ffmpeg fails.
    """
    program, shown = ffmpeg(), zip(pictures, milliseconds, strict=True)
    first = next(shown, None)
    if first is None:
        raise InputError("a film needs pictures")
    height, width = first[0].shape[:2]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        command = [
            program,
            "-loglevel",
            "error",
            "-f",
            "rawvideo",
            "-pixel_format",
            "rgb24",
            "-video_size",
            f"{width}x{height}",
        ]
        command += [
            "-framerate",
            str(_FPS),
            "-i",
            "-",
            "-vf",
            "pad=ceil(iw/2)*2:ceil(ih/2)*2",
            "-c:v",
            "libx264",
        ]
        command += [
            "-crf",
            str(_QUALITY),
            "-pix_fmt",
            "yuv420p",
            "-threads",
            "1",
            "-fflags",
            "+bitexact",
            "-flags:v",
            "+bitexact",
        ]
        command += ["-movflags", "+faststart", str(path)]
        with (
            tempfile.TemporaryFile() as said,
            subprocess.Popen(command, stdin=subprocess.PIPE, stderr=said) as writer,  # noqa: S603 - ffmpeg
        ):
            assert writer.stdin is not None
            end, written = 0, 0
            try:
                for picture, long in (first, *shown):
                    end += long
                    while written * 1000 < end * _FPS:
                        writer.stdin.write(np.ascontiguousarray(picture).tobytes())
                        written += 1
                writer.stdin.close()
            except BrokenPipeError:
                pass  # its exit code and its last words tell why
            if writer.wait():
                said.seek(0)
                raise InputError(
                    "ffmpeg cannot write the film: "
                    f"{said.read().decode(errors='replace').strip()[-300:]}"
                )
        return path.read_bytes()
