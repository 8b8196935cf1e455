"""Faces on photographs are cut to the frame that a gallery's crops have."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from astronaut import PICTURE, encoded, grey
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from eigenfaces import FaceSet, Preparation
from eigenfaces.errors import Cancelled
from eigenfaces.faces.crop_frame import FramedPreparation, eyes_in_crops
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.read import Picture, read_face
from eigenfaces.photographs.find import Photo
from eigenfaces.photographs.placement import WHOLE_PHOTO, Eyes
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import main_face_on, probe_preparation, probes_on
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.sample import PREPARATION
from eigenfaces.space.pca import as_levels

SHAPE = (112, 92)
IN_CROP = Eyes((30.0, 50.0), (62.0, 53.0))


@pytest.fixture
def framed(att: FaceSet) -> Preparation:
    return probe_preparation(Gallery(att, PREPARATION, Recipe()))


@given(st.floats(-0.6, 0.6), st.floats(0.5, 3.0), st.floats(-40, 40), st.floats(-40, 40))
def test_eyes_are_moved_to_where_the_crops_have_them(
    turn: float, size: float, right: float, down: float
) -> None:
    """The standard crop that is sampled has the given eyes at the places of the frame."""
    step, place = size * np.exp(1j * turn), complex(200 + right, 150 + down)
    on_photo = Eyes.at(place + step * IN_CROP.middle, step * IN_CROP.across)
    standard = FramedPreparation(*SHAPE, eyes=IN_CROP).to_standard_eyes(on_photo)
    # In the photograph, for a pixel of the crop.
    across = standard.across / Preparation(*SHAPE).eye_distance
    corner = standard.middle - across * complex(SHAPE[1] / 2, 42 / 112 * SHAPE[0])
    assert across == pytest.approx(step)
    assert corner == pytest.approx(place)


def test_the_eyes_of_the_sample_are_measured_once(att: FaceSet) -> None:
    eyes = eyes_in_crops(att)
    assert eyes is not None
    assert eyes.left == pytest.approx((29, 52), abs=3)
    assert eyes.right == pytest.approx((63, 52), abs=3)
    assert eyes_in_crops(att.with_photos({})) is eyes  # the same crops

    def stop(*_: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        eyes_in_crops(att.select(range(20)), stop)


def test_only_ready_crops_with_faces_have_a_frame(att: FaceSet) -> None:
    noise = FaceSet.from_arrays(np.random.default_rng(0).random((6, 30, 30)), ["Ada"] * 6)
    for faces in (noise, noise.select([])):
        assert eyes_in_crops(faces) is None
    for cut in (True, False):
        gallery = Gallery(noise, Preparation(30, 30, already_cropped=cut), Recipe())
        assert probe_preparation(gallery) == gallery.preparation
    placed = {
        photo.id: replace(photo, placement=replace(photo.placement, eyes=IN_CROP))
        for photo in att.index.photos
    }
    aligned = probe_preparation(Gallery(att.with_photos(placed), PREPARATION, Recipe()))
    assert aligned == Preparation(*SHAPE)


@pytest.mark.parametrize("row", [0, 320])
def test_a_face_on_a_photograph_is_cut_as_the_gallery_s_are(
    att: FaceSet, tmp_path: Path, framed: Preparation, row: int
) -> None:
    """A crop pasted on a larger picture is found, and its eyes come to lie where the median is."""
    wall, path = Image.new("L", (560, 420), 115), tmp_path / "photo.png"
    wall.paste(Image.fromarray(as_levels(att.image(row))).resize((184, 224)), (170, 90))
    wall.save(path)
    (probe,) = probes_on(Photo(path), framed)
    again = main_face_on(path, Gallery(att, PREPARATION, Recipe()))
    np.testing.assert_array_equal(again, probe.image)
    face = Picture(encoded(Image.fromarray(as_levels(probe.image)), "PNG")).faces()[0]
    apart = abs(face.eyes.middle - framed.aligned_eyes.middle)
    assert apart < 0.2 * framed.eye_distance


def test_what_is_like_a_face_is_judged_where_its_eyes_lie(
    tmp_path: Path, framed: Preparation
) -> None:
    """A face cut to the frame of a gallery is as much like one as it is in the standard crop."""
    PICTURE.save(tmp_path / "astronaut.png")
    (probe,) = probes_on(Photo(tmp_path / "astronaut.png"), framed)
    assert probe.concerns == ()
    model = general_faces()
    standard = Preparation(*SHAPE).crop(grey(), probe.photo.placement.eyes)
    distance = model.distance_of(probe.image, framed.aligned_eyes)
    assert distance == pytest.approx(model.distance_of(standard), abs=0.03)
    assert model.distance_of(probe.image[::-1].copy(), framed.aligned_eyes) > model.limit


def test_a_square_photo_in_the_size_of_the_crops_is_no_crop_for_that(
    att: FaceSet, tmp_path: Path
) -> None:
    """As another program saves a photo: 640 × 640, of somebody in a room."""
    crops = FramedPreparation(*SHAPE, eyes=IN_CROP, sizes=frozenset({(640, 640)}))
    PICTURE.resize((640, 640)).save(tmp_path / "room.jpg")
    room = read_face(Photo(tmp_path / "room.jpg"), crops)
    assert room.eyes is not None
    assert room.eyes.distance < 60
    Image.fromarray(as_levels(att.image(0))).resize((640, 640)).save(tmp_path / "face.jpg")
    assert read_face(Photo(tmp_path / "face.jpg"), crops).photo.placement == WHOLE_PHOTO
