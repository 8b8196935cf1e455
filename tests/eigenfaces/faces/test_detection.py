"""Finding faces: where they are, how many, and what is none."""

import numpy as np
import pytest
from astronaut import EYES, FACE, PICTURE, grey, off
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from skimage import data

from eigenfaces import FaceSet
from eigenfaces.arrays import Floats
from eigenfaces.faces.detection import (
    Candidate,
    FoundFace,
    _overlap,
    candidates,
    find_faces,
    group_windows,
    reduced,
)
from eigenfaces.faces.general_faces import SIGHT, face_vector, general_faces
from eigenfaces.photographs.placement import Eyes

HEAD = PICTURE.crop(FACE)
squares = st.builds(
    Candidate, st.integers(0, 20), st.integers(0, 20), st.integers(1, 20), st.just(1)
)


def first(photo: Image.Image) -> FoundFace:
    return find_faces(grey(photo))[0]


class TestTheAstronaut:
    @pytest.mark.parametrize("factor", [0.3, 0.5, 1, 2.5])
    def test_at_any_size(self, factor: float) -> None:
        size = round(512 * factor)
        face = first(PICTURE.resize((size, size), Image.Resampling.LANCZOS))
        assert off(face.eyes, EYES.scaled(size / 512)) < 0.1
        assert not face.doubtful

    @pytest.mark.parametrize("degrees", [-12, 7])
    def test_tilted(self, degrees: int) -> None:
        """Her eyes are tilted by 3° as it is: up to 10° either way are promised."""
        centre = complex(204, 101)
        turned = PICTURE.rotate(-degrees, Image.Resampling.BICUBIC, center=(204, 101))
        turn = np.exp(1j * np.radians(degrees))
        eyes = Eyes.at(centre + (EYES.middle - centre) * turn, EYES.across * turn)
        assert min(off(face.eyes, eyes) for face in find_faces(grey(turned))) < 0.12

    @pytest.mark.parametrize(("left", "top"), [(185, 40), (120, 77), (160, 70)])
    def test_at_the_border(self, left: int, top: int) -> None:
        """Her ear, or her brow, lies at the edge of the photograph."""
        face = first(PICTURE.crop((left, top, left + 200, top + 200)))
        eyes = Eyes.at(EYES.middle - complex(left, top), EYES.across)
        assert off(face.eyes, eyes) < 0.1

    def test_darker_flatter_mirrored(self) -> None:
        head = grey(HEAD)
        (found, *_) = find_faces(head)
        (dark, *_) = find_faces(0.3 * head + 0.1)
        assert off(dark.eyes, found.eyes) < 0.03
        (mirror, *_) = find_faces(head[:, ::-1])
        (x, y), (u, v) = mirror.eyes.left, mirror.eyes.right
        width = head.shape[1]
        assert off(Eyes((width - u, v), (width - x, y)), found.eyes) < 0.08

    def test_upside_down_there_is_none(self) -> None:
        assert find_faces(grey(HEAD.rotate(180))) == ()


class TestNoFace:
    @pytest.mark.parametrize("shape", [(200, 200), (17, 400), (400, 17), (1, 400), (16, 16)])
    def test_noise_and_nothing(self, shape: tuple[int, int], rng: np.random.Generator) -> None:
        assert find_faces(rng.random(shape, np.float32)) == ()
        assert find_faces(np.full(shape, 0.5, np.float32)) == ()
        assert find_faces(np.zeros(shape, np.float32)) == ()

    @pytest.mark.parametrize("name", ["brick", "gravel", "coins", "page"])
    def test_pictures_of_other_things(self, name: str) -> None:
        assert find_faces(grey(Image.fromarray(getattr(data, name)()))) == ()


class TestSeveral:
    def test_every_face_of_a_group(self, att: FaceSet) -> None:
        """Six of the sample on a grey wall: one face in each place, and none elsewhere."""
        wall = np.full((2 * 130, 3 * 120), 0.5, np.float32)
        for number in range(6):
            row, column = divmod(number, 3)
            tile = att.image(60 * number)
            wall[130 * row + 9 :, 120 * column + 14 :][:112, :92] = tile
        found = find_faces(wall)
        middles = [face.eyes.middle for face in found]
        assert {(int(m.imag // 130), int(m.real // 120)) for m in middles} == {
            (row, column) for row in range(2) for column in range(3)
        }
        assert len(found) == 6
        assert [face.score for face in found] == sorted(
            (face.score for face in found), reverse=True
        )
        assert not any(face.doubtful for face in found)

    @pytest.mark.parametrize(("times", "seen"), [(2, 2), (3, 2), (6, 1), (8, 1)])
    def test_none_is_looked_for_that_is_far_smaller(self, times: int, seen: int) -> None:
        wall = Image.new("L", (700, 480), 128)
        wall.paste(HEAD.resize((320, 380), Image.Resampling.LANCZOS), (20, 50))
        small = HEAD.resize((320 // times, 380 // times), Image.Resampling.LANCZOS)
        wall.paste(small, (450, 100))
        found = find_faces(grey(wall))
        assert len(found) == seen
        assert max(found, key=lambda face: face.eyes.distance).eyes.middle.real < 340


class TestDoubtful:
    def test_half_a_face_in_the_dark_is_a_guess_at_most(self, att: FaceSet) -> None:
        """What the first look does not find is offered as doubtful, and never more than once."""
        guesses = []
        for row in range(0, 400, 25):
            light = np.linspace(-1.4, 1, 92, dtype=np.float32).clip(0.02)
            found = find_faces(att.image(row) * light)
            guesses += [face.doubtful for face in found]
            if any(face.doubtful for face in found):
                assert len(found) == 1
        assert any(guesses)


class TestAgreeing:
    @given(st.lists(squares, max_size=25))
    def test_no_window_is_lost(self, windows: list[Candidate]) -> None:
        joined = group_windows(windows)
        assert sum(each.windows for each in joined) == len(windows)
        counts = [each.windows for each in joined]
        assert counts == sorted(counts, reverse=True)
        for each in joined:
            assert min(w.size for w in windows) <= each.size <= max(w.size for w in windows)

    @given(squares, st.integers(1, 9))
    def test_windows_in_one_place_are_one(self, window: Candidate, times: int) -> None:
        (joined,) = group_windows([window] * times)
        assert (joined.left, joined.top, joined.size, joined.windows) == pytest.approx(
            (window.left, window.top, window.size, times)
        )

    def test_windows_apart_are_not(self) -> None:
        apart = [Candidate(30 * number, 0, 20) for number in range(4)]
        assert group_windows(apart) == apart

    @given(squares, squares)
    def test_overlap_by_counting_pixels(self, first: Candidate, second: Candidate) -> None:
        covered = []
        for each in (first, second):
            plane = np.zeros((40, 40), bool)
            left, top, size = int(each.left), int(each.top), int(each.size)
            plane[top : top + size, left : left + size] = True
            covered.append(plane)
        wanted = (covered[0] & covered[1]).sum() / (covered[0] | covered[1]).sum()
        both = np.array([(each.left, each.top, each.size) for each in (first, second)], float)
        shares = _overlap(both)
        assert shares[0, 1] == pytest.approx(wanted)
        np.testing.assert_allclose(shares, shares.T)
        np.testing.assert_allclose(np.diag(shares), 1)

    def test_windows_agree_on_a_face(self) -> None:
        best = max(candidates(grey(HEAD)), key=lambda each: each.windows)
        assert best.windows > 10
        eyes = Eyes.at(EYES.middle - complex(*FACE[:2]), EYES.across)
        assert off(best.eyes, eyes) < 0.3
        assert best.mirrored(160).left == pytest.approx(160 - best.left - best.size)


class TestFaceSpace:
    @given(st.floats(0.01, 1), st.floats(-1, 1), st.integers(0, 99))
    def test_neither_brightness_nor_contrast_counts(
        self, gain: float, offset: float, seed: int
    ) -> None:
        crop = np.random.default_rng(seed).random(SIGHT, np.float32)
        seen = face_vector(crop)
        assert np.linalg.norm(seen) == pytest.approx(1, abs=1e-3)
        assert seen.mean() == pytest.approx(0, abs=1e-4)
        np.testing.assert_allclose(face_vector(gain * crop + offset), seen, atol=2e-3)

    def test_distance_from_it_is_what_least_squares_leave(self, rng: np.random.Generator) -> None:
        known = general_faces()
        vectors = face_vector(rng.random((5, *SIGHT), np.float32))
        deviations = (vectors - known.mean).astype(float).T
        left = np.linalg.lstsq(known.components.T.astype(float), deviations)[0]
        wanted = np.linalg.norm(deviations - known.components.T @ left, axis=0)
        np.testing.assert_allclose(known.distance_from(vectors), wanted, rtol=1e-3)
        inside = known.mean + rng.standard_normal(len(known.components)) @ known.components
        assert known.distance_from(inside.astype(np.float32)) < 1e-2

    def test_a_face_is_nearer_than_noise(self, rng: np.random.Generator) -> None:
        noise = general_faces().distance_from(face_vector(rng.random(SIGHT, np.float32)))
        assert first(PICTURE).distance < 0.7 * noise


@given(st.integers(1, 60), st.integers(1, 60), st.floats(0.05, 3))
def test_a_reduced_photograph_keeps_its_shape_and_mean(h: int, w: int, factor: float) -> None:
    photo: Floats = np.full((h, w), 0.25, np.float32)
    small = reduced(photo, factor)
    if factor >= 1:
        assert small is photo
    else:
        assert small.shape == (max(1, round(h * factor)), max(1, round(w * factor)))
        np.testing.assert_allclose(small, 0.25, atol=1e-5)
