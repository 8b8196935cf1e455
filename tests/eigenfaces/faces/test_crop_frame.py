"""Faces on photographs are cut to the frame that a gallery's crops have."""

from pathlib import Path

import numpy as np
import pytest
from astronaut import PICTURE, encoded, grey
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from eigenfaces import FaceSet, Preparation
from eigenfaces.errors import Cancelled
from eigenfaces.faces import crop_frame
from eigenfaces.faces.crop_frame import CropFrame, FramedPreparation, frame_of
from eigenfaces.faces.face_set import Crops, as_levels
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.read import Picture
from eigenfaces.photographs.photos import Eyes, Photo
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import (
    frame_of_gallery,
    main_face_on,
    probe_preparation,
    probes_on,
)
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.sample import PREPARATION
from eigenfaces.space.arrays import Floats

SHAPE = (112, 92)
IN_CROP = Eyes((30.0, 50.0), (62.0, 53.0))


@pytest.fixture
def frame(att: FaceSet) -> CropFrame:
    frame = frame_of(att)
    assert frame is not None
    return frame


@given(st.floats(-0.6, 0.6), st.floats(0.5, 3.0), st.floats(-40, 40), st.floats(-40, 40))
def test_eyes_are_moved_to_where_the_crops_have_them(
    turn: float, size: float, right: float, down: float
) -> None:
    """The standard crop that is sampled has the given eyes at the places of the frame."""
    step, place = size * np.exp(1j * turn), complex(200 + right, 150 + down)
    on_photo = Eyes.at(place + step * IN_CROP.middle, step * IN_CROP.across)
    standard = FramedPreparation(*SHAPE, eyes=IN_CROP).standard(on_photo)
    # In the photograph, for a pixel of the crop.
    across = standard.across / Preparation(*SHAPE).eye_distance
    corner = standard.middle - across * complex(SHAPE[1] / 2, 42 / 112 * SHAPE[0])
    assert across == pytest.approx(step)
    assert corner == pytest.approx(place)


def test_the_sample_has_a_frame_and_says_that_it_is_not_aligned(
    att: FaceSet, frame: CropFrame
) -> None:
    assert frame.eyes.left == pytest.approx((29, 52), abs=2.5)
    assert frame.eyes.right == pytest.approx((63, 52), abs=2.5)
    assert not frame.aligned
    assert frame_of(att.with_photos({})) is frame  # the same crops: not measured again

    def stop(*_: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        frame_of(att.select(range(20)), stop)


def test_crops_with_eyes_at_one_place_are_aligned(
    att: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the aligner replaced by the truth, median and spread are its median and spread."""
    noise = iter(np.random.default_rng(1).normal(size=(1000, 2)))

    def truth(grey: Floats, start: Eyes, regressors: Floats) -> Eyes:
        return Eyes.at(IN_CROP.middle + complex(*next(noise)), IN_CROP.across)

    monkeypatch.setattr(crop_frame, "align", truth)
    frame = CropFrame.of(att.pixels, att.shape)
    assert frame is not None
    assert abs(frame.eyes.middle - IN_CROP.middle) < 0.3
    assert frame.spread == pytest.approx(1.18 / IN_CROP.distance, rel=0.2)  # of a Rayleigh spread
    assert frame.aligned


def test_only_ready_crops_with_faces_have_a_frame(att: FaceSet) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (6, 30 * 30)).astype(np.uint8)
    assert CropFrame.of(Crops(noise), (30, 30)) is None
    assert CropFrame.of(Crops(noise[:0]), (30, 30)) is None
    photographs = Gallery(att, Preparation(), Recipe())
    assert frame_of_gallery(photographs) is None
    assert probe_preparation(photographs, None) == photographs.preparation


def test_a_photograph_of_the_crops_size_or_shape_is_used_whole(
    att: FaceSet, tmp_path: Path, frame: CropFrame
) -> None:
    crop = Image.fromarray(as_levels(att.image(80)))
    for picture in (crop, crop.resize((184, 224), Image.Resampling.BICUBIC)):
        picture.save(tmp_path / "crop.png")
        (probe,) = probes_on(Photo(tmp_path / "crop.png"), PREPARATION, frame)
        assert (probe.cut, probe.box) == ("", None)
        assert np.abs(probe.image - att.image(80)).mean() < 0.02
        assert np.array_equal(probe.image, att.image(80)) == (picture is crop)


@pytest.mark.parametrize("row", [0, 130, 320])
def test_a_face_on_a_photograph_is_cut_as_the_gallery_s_are(
    att: FaceSet, tmp_path: Path, frame: CropFrame, row: int
) -> None:
    """A crop pasted on a larger picture is found, and its eyes come to lie where the median is."""
    wall, path = Image.new("L", (560, 420), 115), tmp_path / "photo.png"
    wall.paste(Image.fromarray(as_levels(att.image(row))).resize((184, 224)), (170, 90))
    wall.save(path)
    (probe,) = probes_on(Photo(path), PREPARATION, frame)
    again = main_face_on(path, Gallery(att, PREPARATION, Recipe()))
    np.testing.assert_array_equal(again, probe.image)
    assert probe.cut.startswith("Cut as the gallery’s faces are")
    assert "only roughly" in probe.cut
    face = Picture(encoded(Image.fromarray(as_levels(probe.image)), "PNG")).faces()[0]
    assert abs(face.eyes.middle - frame.eyes.middle) < 0.2 * frame.eyes.distance


def test_what_is_like_a_face_is_judged_where_its_eyes_lie(tmp_path: Path, frame: CropFrame) -> None:
    """A face cut to the frame of a gallery is as much like one as it is in the standard crop."""
    PICTURE.save(tmp_path / "astronaut.png")
    (probe,) = probes_on(Photo(tmp_path / "astronaut.png"), PREPARATION, frame)
    assert probe.cut
    assert probe.concerns == ()
    model = general_faces()
    standard = Preparation(*SHAPE).crop(grey(), probe.photo.placement.eyes)
    framed = model.distance_of(probe.image, frame.eyes)
    assert framed == pytest.approx(model.distance_of(standard), abs=0.03)
    assert model.distance_of(probe.image[::-1].copy(), frame.eyes) > model.limit
