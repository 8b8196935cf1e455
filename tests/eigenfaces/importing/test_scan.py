"""What a scan suggests: small pictures of one size are faces, unless they show much more."""

from pathlib import Path

import pytest
from astronaut import FACE, PICTURE
from PIL import Image

from eigenfaces import FaceSet, Preparation
from eigenfaces.errors import no_tick
from eigenfaces.importing.scan import scan
from eigenfaces.space.pca import as_levels


def write(folder: Path, pictures: list[Image.Image], size: tuple[int, int]) -> Path:
    """Write pictures of one person in one size."""
    folder.mkdir()
    for number, picture in enumerate(pictures):
        picture.resize(size).save(folder / f"{number}.png")
    return folder


def test_small_square_photos_of_somebody_in_a_room_are_no_cut_faces(tmp_path: Path) -> None:
    upper = PICTURE.crop((60, 0, 460, 400))
    found = scan(write(tmp_path / "Ada", [upper, PICTURE], (200, 200)), no_tick)
    assert found.suggested == Preparation()


@pytest.mark.parametrize("size", [(92, 112), (120, 120)])
def test_small_pictures_of_faces_and_of_nothing_known_are(
    tmp_path: Path, att: FaceSet, size: tuple[int, int]
) -> None:
    faces = [Image.fromarray(as_levels(att.image(row))) for row in (0, 50)]
    suggested = Preparation(size[1], size[0], already_cropped=True)
    pictures = [*faces, PICTURE.crop(FACE), PICTURE]
    assert scan(write(tmp_path / "Ada", pictures, size), no_tick).suggested == suggested
    pair = Image.new("L", (184, 112))
    for at in (0, 1):
        pair.paste(faces[at], (92 * at, 0))
    both = scan(write(tmp_path / "Both", [pair, pair], (184, 112)), no_tick)
    assert both.suggested == Preparation(), "two faces are not one"
    flat = [Image.new("L", size, grey) for grey in (90, 200)]
    assert scan(write(tmp_path / "Eve", flat, size), no_tick).suggested == suggested
