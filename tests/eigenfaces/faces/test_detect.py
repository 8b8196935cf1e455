"""Finding faces: where they are, how many, and what is none; and where their eyes are."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from astronaut import EYES, FACE, PICTURE, grey, off
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from skimage import data

from eigenfaces import FaceSet
from eigenfaces.faces import detect, network
from eigenfaces.faces.detect import (
    ALIGN_SHAPE,
    CONVOLUTIONAL,
    DETECTOR_POSES,
    DOUBTFUL,
    FEATURES,
    FoundFace,
    align,
    alignment_crop,
    apply_step,
    detect_faces,
    find_faces,
    find_hidden_faces,
    hog_features,
    joined,
    lit_from_the_side,
    main_face,
)
from eigenfaces.faces.general_model import general_faces
from eigenfaces.files import asset
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Bytes

HEAD = PICTURE.crop(FACE)


def resized(factor: float) -> tuple[Image.Image, Eyes]:
    size = round(512 * factor)
    return PICTURE.resize((size, size), Image.Resampling.LANCZOS), EYES.scaled(size / 512)


def tilted(degrees: float) -> tuple[Image.Image, Eyes]:
    """Turn the astronaut until her eyes, tilted by 3° as it is, are tilted so much."""
    centre, degrees = complex(204, 101), degrees - EYES.angle
    picture = PICTURE.rotate(-degrees, Image.Resampling.BICUBIC, center=(204, 101))
    turn = np.exp(1j * np.radians(degrees))
    return picture, Eyes.at(centre + (EYES.middle - centre) * turn, EYES.across * turn)


def cropped(left: float, top: float, side: float) -> tuple[Image.Image, Eyes]:
    corners = (left, top, left + side, top + side)
    picture = PICTURE.resize((200, 200), Image.Resampling.BICUBIC, corners)
    middle = (EYES.middle - complex(left, top)) * 200 / side
    return picture, Eyes.at(middle, EYES.across * 200 / side)


def filled(share: float) -> tuple[Image.Image, Eyes]:
    """Leave nothing above the brows and below the chin."""
    left, top, size = EYES.box
    return cropped(left + share * size, top + share * size, size * (1 - 2 * share))


ASTRONAUTS = {
    **{f"{factor} times as large": resized(factor) for factor in (0.3, 0.5, 1, 2.5)},
    **{f"tilted by {degrees}°": tilted(degrees) for degrees in (-40, -25, -10, 10, 25, 40)},
    **{f"at the border {at}": cropped(*at, 200) for at in ((185, 40), (120, 77), (160, 70))},
    **{f"filling it, {share}": filled(share) for share in (0, 0.05, 0.1)},
}


class TestFindFaces:
    @pytest.mark.parametrize("how", ASTRONAUTS)
    def test_the_astronaut(self, how: str) -> None:
        picture, eyes = ASTRONAUTS[how]
        face = find_faces(grey(picture))[0]
        assert off(face.eyes, eyes) < 0.12
        assert not face.doubtful

    @pytest.mark.parametrize("shape", [(200, 200), (17, 400), (400, 17), (1, 400), (16, 16)])
    def test_noise_and_nothing(self, shape: tuple[int, int], rng: np.random.Generator) -> None:
        for picture in (rng.random(shape, np.float32), np.full(shape, 0.5, np.float32)):
            assert find_faces(picture) == ()

    @pytest.mark.parametrize("name", ["brick", "cat", "clock", "coins", "gravel", "page"])
    def test_pictures_of_other_things(self, name: str) -> None:
        assert find_faces(grey(Image.fromarray(getattr(data, name)()).convert("L"))) == ()

    def test_every_face_of_a_group(self, att: FaceSet) -> None:
        """Six of the sample on a grey wall: one face in each place, and none elsewhere."""
        wall = np.full((2 * 130, 3 * 120), 0.5, np.float32)
        for number in range(6):
            row, column = divmod(number, 3)
            wall[130 * row + 9 :, 120 * column + 14 :][:112, :92] = att.image(60 * number)
        faces = find_faces(wall)
        places = [(face.eyes.middle.imag // 130, face.eyes.middle.real // 120) for face in faces]
        assert sorted(places) == [(row, column) for row in range(2) for column in range(3)]
        scores = [face.score for face in faces]
        assert scores == sorted(scores, reverse=True)
        assert not any(face.doubtful for face in faces)

    def test_half_a_face_in_the_dark_is_a_guess_at_most_and_offered_alone(
        self, att: FaceSet
    ) -> None:
        guesses = []
        light = np.linspace(-0.5, 1, 92, dtype=np.float32).clip(0.02)
        for row in range(0, 400, 20):
            faces = find_faces(att.image(row) * light)
            guesses += [face.score for face in faces if face.doubtful]
            assert len(faces) == 1 or not any(face.doubtful for face in faces)
        assert guesses
        assert all(DOUBTFUL < score <= 0 for score in guesses)

    @pytest.mark.parametrize("degrees", [-30, 0, 30])
    def test_a_search_starts_near_the_eyes(self, degrees: int) -> None:
        picture, eyes = tilted(degrees)
        face, *_ = detect_faces(grey(picture))
        assert off(face.eyes, eyes) < 0.25
        assert DETECTOR_POSES[face.detector].tilt == pytest.approx(degrees, abs=6)

    def test_searches_at_the_same_time_do_not_disturb_each_other(self) -> None:
        photos = [grey(HEAD), grey(HEAD)[:, ::-1], grey(ASTRONAUTS["filling it, 0"][0])] * 2
        alone = [find_faces(photo) for photo in photos]
        with ThreadPoolExecutor(3) as pool:
            assert list(pool.map(find_faces, photos)) == alone


def test_the_detector_is_dlib_s_and_one_that_cannot_be_read_is_replaced() -> None:
    """Another version of dlib may find other faces: ``assets/faces.md`` says what to do."""
    dlib = pytest.importorskip("dlib")
    state = asset("detector.bin").read_bytes()
    assert dlib.get_frontal_face_detector().__getstate__() == (state,)
    expected = detect_faces(grey(HEAD))
    with patch.object(Path, "read_bytes", return_value=state[:-1]), ThreadPoolExecutor(1) as pool:
        assert pool.submit(detect_faces, grey(HEAD)).result() == expected  # a thread's first search


def face_at(size: float, score: float) -> FoundFace:
    eyes = Eyes((0, 0), (size, 0))
    return FoundFace(eyes, score, eyes.box)


needs_the_files = pytest.mark.skipif(not network.is_installed(), reason=network.HOW_TO_GET_IT)


class TestFindHiddenFaces:
    @staticmethod
    def look(picture: Image.Image, *sides: int) -> tuple[FoundFace, ...]:
        """Search a picture for faces with the second detector, in its own pixels."""

        def colours(longest: int) -> Bytes:
            small = picture.convert("RGB")
            small.thumbnail((longest, longest))
            return np.asarray(small)

        return find_hidden_faces(grey(picture), colours, *([sides] if sides else []))

    @needs_the_files
    @pytest.mark.parametrize("how", [*ASTRONAUTS][1:10])
    def test_the_astronaut(self, how: str) -> None:
        picture, eyes = ASTRONAUTS[how]
        (face,) = self.look(picture)
        assert face.likely
        assert off(face.eyes, eyes) < 0.12

    @needs_the_files
    @pytest.mark.parametrize("quarters", [1, 3])
    def test_where_landmarks_and_aligner_disagree_the_eyes_are_not_found(
        self, quarters: int
    ) -> None:
        """Of a face that lies: its eyes are where those of its box usually are."""
        (face,) = self.look(PICTURE.rotate(90 * quarters))
        assert not face.placed
        assert not face.likely
        assert face.eyes == detect.expected_eyes(face.box, CONVOLUTIONAL)

    @needs_the_files
    def test_pictures_of_other_things_and_two_with_a_face(self) -> None:
        paths = sorted(Path(data.__file__).parent.iterdir())
        found = set[str]()
        for path in paths:
            if path.suffix in (".png", ".jpg") and self.look(Image.open(path).convert("L"), 640):
                found.add(path.stem)
        assert found == {"astronaut", "camera"}

    def test_it_looks_at_growing_sizes_until_a_face_is_found(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A photograph is enlarged twice at most, and no size is looked at twice."""
        seen = list[int]()

        def boxes(colours: Bytes, _: float) -> list[object]:
            seen.append(max(colours.shape))
            return []

        monkeypatch.setattr(detect, "find_boxes", boxes)
        for width, sizes in ((1200, [336, 640, 1000]), (400, [336, 640, 800]), (100, [200])):
            seen.clear()
            assert self.look(Image.new("L", (width, width // 2))) == ()
            assert seen == sizes
        with monkeypatch.context() as once:
            once.setattr(detect, "_face_in_box", lambda *_: face_at(30, 1))
            once.setattr(detect, "find_boxes", lambda *_: [(1.0, (0.0, 0.0, 80.0))])
            assert self.look(Image.new("L", (1200, 600))) == (face_at(30, 1),)

    def test_what_both_have_found_is_counted_once_as_the_more_certain_saw_it(self) -> None:
        first, guess = face_at(40, 0.4), face_at(40, -0.1)
        again, other = replace(first, score=1.0), replace(first, score=0.9, box=(500, 0, 90))
        aside = replace(again, placed=False)
        assert joined([first], [again, other]) == (again, other)
        assert joined([again], [first]) == (again,)
        assert joined([first], [aside]) == (first,), "it has found the eyes"
        assert joined([guess], [aside]) == (aside,)
        assert joined([guess], []) == (guess,)


class TestMainFace:
    @given(st.lists(st.floats(5, 100), max_size=5))
    def test_the_largest_is_meant_if_no_other_is_half_its_size(self, sizes: list[float]) -> None:
        faces = [face_at(size, 1) for size in sizes]
        largest = max(faces, key=lambda face: face.eyes.distance, default=None)
        rivals = [face for face in faces if face is not largest]
        alone = largest and all(face.eyes.distance * 2 <= max(sizes) for face in rivals)
        assert main_face(faces) is (largest if alone else None)

    @given(st.floats(0.01, 0.3), st.floats(0.3, 0.99), st.floats(0.31, 3))
    def test_a_weak_smaller_one_is_no_rival_of_a_certain_face(
        self, score: float, size: float, certain: float
    ) -> None:
        face, other = face_at(100, certain), face_at(100 * size, score)
        alone = size <= 0.5 or (score <= 0.1 and size <= 0.75 and certain > 0.5)
        assert main_face([face, other]) is (face if alone else None)

    def test_a_large_one_that_is_hardly_a_face_is_not_meant_in_silence(self) -> None:
        real, sleeve, small = face_at(20, 1.5), face_at(60, 0.1), face_at(9, 0.05)
        assert main_face([real, sleeve]) is None
        assert main_face([real, small]) is real
        assert main_face([sleeve, small]) is sleeve


class TestFeatures:
    @given(st.floats(0.05, 20), st.floats(-1, 1), st.integers(0, 99))
    def test_neither_brightness_nor_contrast_counts(
        self, gain: float, offset: float, seed: int
    ) -> None:
        crop = np.random.default_rng(seed).random(ALIGN_SHAPE, np.float32)
        lit = gain * crop + offset
        np.testing.assert_allclose(hog_features(lit), hog_features(crop), atol=2e-3)
        assert not hog_features(0 * crop + np.float32(0.5))[:-1].any(), "there is nothing to see"


class TestAlign:
    def test_from_astray_to_the_eyes_of_a_face(self, rng: np.random.Generator) -> None:
        photo, regressors = grey(), general_faces().regressors
        starts = [
            apply_step(EYES, step) for step in rng.uniform(-1, 1, (40, 4)) * (0.25, 0.25, 0.2, 0.35)
        ]
        after = [off(align(photo, begin, regressors)) for begin in starts]
        assert np.median([off(begin) for begin in starts]) > 0.15
        assert np.median(after) < 0.04
        assert max(after) < 0.1

    @pytest.mark.parametrize("darker", [slice(0), slice(50), slice(50, None)])
    def test_regressors_are_applied_in_their_order(
        self, darker: slice, rng: np.random.Generator
    ) -> None:
        """By the definition; of a face lit from the side the last step sees the features' roots."""
        photo, begin = rng.random((100, 100), np.float32), Eyes.at(50 + 45j, 22 + 3j)
        photo[:, darker] *= 0.3
        regressors = (rng.standard_normal((4, FEATURES, 4)) * 1e-3).astype(np.float32)
        a, b = begin.middle, begin.across
        for stage in (0, 1, 2, 2, 2):
            described = hog_features(alignment_crop(photo, Eyes.at(a, b)))
            if stage == 2 and photo[:, darker].size:
                stage, described = 3, np.sqrt(described)
            right, down, growth, turn = (described @ regressors[stage]).tolist()
            a += b * (right + 1j * down)
            b *= np.exp(growth) * (np.cos(turn) + 1j * np.sin(turn))
        eyes = align(photo, begin, regressors)
        assert eyes.middle == pytest.approx(a, abs=1e-3)
        assert eyes.across == pytest.approx(b, abs=1e-3)

    @pytest.mark.parametrize("ratio", [0.2, 0.6, 0.7, 1.0, 1.4, 1.6, 5.0])
    def test_light_from_the_side(self, ratio: float) -> None:
        """From a ratio of 1.5, whatever surrounds the face; of a black picture, no light."""
        crop = np.full(ALIGN_SHAPE, 0.4, np.float32)
        crop[:, 36:] *= ratio
        crop[:, :18], crop[:, 54:] = 0.9, 0.1
        assert lit_from_the_side(crop) == (max(ratio, 1 / ratio) > 1.5)
        assert not lit_from_the_side(np.zeros(ALIGN_SHAPE, np.float32))
