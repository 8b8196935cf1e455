"""Count how often photographs are decoded, at the place where Pillow turns bytes into pixels."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import skimage.data
from PIL import Image, ImageFile


@contextmanager
def counted_decodes(folder: Path) -> Iterator[Counter[str]]:
    """Count the decodes of each photograph in a folder, by file name. No two may be equal."""
    names = {file.read_bytes(): file.name for file in folder.rglob("*") if file.is_file()}
    counts: Counter[str] = Counter()
    lock, load = threading.Lock(), ImageFile.ImageFile.load

    def counting(image: ImageFile.ImageFile) -> Any:
        if image.tile:  # a decoded image has no tiles left
            file = image.fp
            content = file.getvalue() if isinstance(file, BytesIO) else Path(file.name).read_bytes()  # type: ignore[union-attr]
            with lock:
                counts[names[content]] += 1
        return load(image)

    with patch.object(ImageFile.ImageFile, "load", counting):
        yield counts


def astronaut(*, mirrored: bool = False) -> Image.Image:
    """Return the face of scikit-image's astronaut."""
    face = Image.fromarray(skimage.data.astronaut()[20:200, 130:310])
    return face.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if mirrored else face


def write_photographs(folder: Path) -> Path:
    """Write photographs of every kind: small, large, with two faces or none, and a broken file."""
    face, mirrored = astronaut(), astronaut(mirrored=True)
    both = Image.new("RGB", (360, 180))
    both.paste(face, (0, 0))
    both.paste(mirrored, (180, 0))
    pictures = {
        "Ada/face.png": face,
        "Ada/sideways.png": face.transpose(Image.Transpose.ROTATE_90),
        "Ada/large.jpg": face.resize((3000, 3000)),
        "Grace/mirrored.jpg": mirrored,
        "Grace/two.png": both,
        "Grace/none.png": Image.new("L", (120, 90), 128),
    }
    for name, picture in pictures.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        picture.save(folder / name, quality=95)
    (folder / "Grace" / "broken.jpg").write_bytes(b"\xff\xd8\xff nothing more")
    return folder
