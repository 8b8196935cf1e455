"""Faces on photographs are cut to the frame that a gallery's crops have."""

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from astronaut import PICTURE, grey
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from eigenfaces import FaceSet, Preparation
from eigenfaces.errors import Cancelled
from eigenfaces.faces import crop_frame
from eigenfaces.faces.crop_frame import CropFrame, FramedPreparation, frame_of
from eigenfaces.faces.face_set import Crops
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

turns = st.floats(-0.6, 0.6)
sizes = st.floats(0.5, 3.0)


@given(turns, sizes, st.floats(-40, 40), st.floats(-40, 40))
def test_eyes_are_moved_to_where_the_crops_have_them(
    turn: float, size: float, right: float, down: float
) -> None:
    """The standard crop that is sampled has the given eyes at the places of the frame."""
    step = size * np.exp(1j * turn)
    place = complex(200 + right, 150 + down)
    on_photo = Eyes.at(place + step * IN_CROP.middle, step * IN_CROP.across)
    how = FramedPreparation(*SHAPE, eyes=IN_CROP)
    standard = how.standard(on_photo)
    plain = Preparation(*SHAPE)
    across = standard.across / plain.eye_distance  # in the photograph, for a pixel of the crop
    corner = standard.middle - across * complex(SHAPE[1] / 2, 42 / 112 * SHAPE[0])
    assert across == pytest.approx(step)
    assert corner == pytest.approx(place)


def test_the_sample_has_a_frame_and_says_that_it_is_not_aligned(att: FaceSet) -> None:
    frame = frame_of(att)
    assert frame is not None
    left, right = frame.eyes.left, frame.eyes.right
    assert left == pytest.approx((29, 52), abs=2.5)
    assert right == pytest.approx((63, 52), abs=2.5)
    assert not frame.aligned
    assert frame_of(att.with_photos({})) is frame  # the same crops: not measured again


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


def test_pictures_without_faces_have_no_frame() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (6, 30 * 30)).astype(np.uint8)
    assert CropFrame.of(Crops(noise), (30, 30)) is None
    assert CropFrame.of(Crops(noise[:0]), (30, 30)) is None


def test_who_measures_and_who_asks_meanwhile_can_be_cancelled(att: FaceSet) -> None:
    faces = att.select(range(0, 400, 20))
    begun, done = Event(), Event()

    def linger(*_: int) -> None:
        begun.set()
        assert done.wait(60)

    def stop(*_: int) -> None:
        raise Cancelled

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(frame_of, faces, linger)
        assert begun.wait(60)
        try:
            with pytest.raises(Cancelled):
                pool.submit(frame_of, faces, stop).result(30)
        finally:
            done.set()
        assert first.result() is frame_of(faces)
    with pytest.raises(Cancelled):
        CropFrame.of(att.pixels, att.shape, stop)


def _photo(folder: Path, grey: Floats, name: str = "photo.png") -> Photo:
    Image.fromarray(np.rint(grey * 255).astype(np.uint8)).save(folder / name)
    return Photo(folder / name)


def test_a_crop_of_the_gallery_s_size_is_used_whole_to_the_bit(
    att: FaceSet, tmp_path: Path
) -> None:
    gallery = Gallery(att, PREPARATION, Recipe())
    frame = frame_of_gallery(gallery)
    for row in range(0, 400, 80):
        photo = _photo(tmp_path, att.image(row), f"{row}.png")
        (probe,) = probes_on(photo, gallery.preparation, frame)
        assert np.array_equal(probe.image, att.image(row))
        assert (probe.cut, probe.box) == ("", None)
    image = Image.fromarray(att.image(0)).resize((184, 224), Image.Resampling.BICUBIC)
    twice = _photo(tmp_path, np.clip(np.asarray(image), 0, 1))
    (probe,) = probes_on(twice, PREPARATION, frame)  # whole, too
    assert (probe.cut, probe.box) == ("", None)


@pytest.mark.parametrize("row", [0, 130, 320])
def test_a_face_on_a_photograph_is_cut_as_the_gallery_s_are(
    att: FaceSet, tmp_path: Path, row: int
) -> None:
    """A crop pasted on a larger picture is found, and its eyes come to lie where the median is."""
    frame = frame_of(att)
    assert frame is not None
    grey = np.full((420, 560), 0.45, np.float32)
    face = Image.fromarray(att.image(row)).resize((184, 224), Image.Resampling.BICUBIC)
    grey[90:314, 170:354] = np.clip(np.asarray(face), 0, 1)
    photo = _photo(tmp_path, grey)
    (probe,) = probes_on(photo, PREPARATION, frame)
    again = main_face_on(photo.path, Gallery(att, PREPARATION, Recipe()))
    np.testing.assert_array_equal(again, probe.image)
    assert probe.cut.startswith("Cut as the gallery’s faces are")
    assert "only roughly" in probe.cut
    file = BytesIO()
    Image.fromarray(np.rint(probe.image * 255).astype(np.uint8)).save(file, "PNG")
    found = Picture(file.getvalue()).faces()
    assert found
    apart = abs(found[0].eyes.middle - frame.eyes.middle) / frame.eyes.distance
    assert apart < 0.2


def test_what_is_like_a_face_is_judged_where_its_eyes_lie(att: FaceSet, tmp_path: Path) -> None:
    """A face cut to the frame of a gallery is as much like one as it is in the standard crop."""
    frame = frame_of(att)
    assert frame is not None
    PICTURE.save(tmp_path / "astronaut.png")
    (probe,) = probes_on(Photo(tmp_path / "astronaut.png"), PREPARATION, frame)
    assert probe.cut
    assert probe.concerns == ()
    known, how = general_faces(), Preparation(*SHAPE)
    standard = how.crop(grey(), probe.photo.placement.eyes)
    framed = known.distance_of(probe.image, frame.eyes)
    assert framed == pytest.approx(known.distance_of(standard), abs=0.03)
    assert known.distance_of(probe.image[::-1].copy(), frame.eyes) > known.limit


def test_only_ready_crops_have_a_frame(att: FaceSet) -> None:
    plain = Gallery(att, Preparation(), Recipe())
    assert frame_of_gallery(plain) is None
    assert probe_preparation(plain, None) == plain.preparation
