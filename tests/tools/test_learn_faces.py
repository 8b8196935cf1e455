"""Learning: undone by its own steps, and small enough to be run here."""

from dataclasses import replace
from pathlib import Path

import learn_faces
import numpy as np
import pytest
from astronaut import EYES, FACE, PICTURE, encoded, grey, off
from depth import shading, turned_in_depth
from hypothesis import given
from hypothesis import strategies as st
from learn_faces import (
    MIRRORED,
    MIRRORED_STEP,
    Marked,
    astray,
    eye_error,
    held_out_errors,
    learn_alignment,
    learn_space,
    read_marked,
    save,
)
from PIL import Image

from eigenfaces import EigenfacesError
from eigenfaces.faces.detect import FEATURES, LOOK, align, features, look_at
from eigenfaces.faces.general_model import (
    COMPONENTS,
    SIGHT,
    face_vectors,
    general_faces,
)
from eigenfaces.faces.prepare import crop_at
from eigenfaces.photographs.photos import Eyes
from eigenfaces.space.arrays import Floats

SHIPPED = Path(__file__).resolve().parents[2] / "assets" / "faces.npz"
ONE = Marked(
    grey(PICTURE.crop(FACE)), Eyes.at(EYES.middle - complex(*FACE[:2]), EYES.across), "Eileen"
)


ROWS, COLUMNS = np.mgrid[:28, :24] + 0.5
OVAL = ((COLUMNS - 12) / 11.5) ** 2 + ((ROWS - 14.5) / 14) ** 2 <= 1
"""The face in a crop (28, 24), without its corners."""


class TestSteps:
    @given(st.tuples(*[st.floats(-0.4, 0.4)] * 4))
    def test_a_step_leads_back_to_the_eyes(self, step: tuple[float, ...]) -> None:
        """What `align` does with a step, written out: first the place, then the size and tilt."""
        start = astray(EYES, np.array(step))
        right, down, growth, turn = step
        a = start.middle + start.across * (right + 1j * down)
        b = start.across * np.exp(growth) * (np.cos(turn) + 1j * np.sin(turn))
        assert off(Eyes.at(a, b)) < 1e-9


def mirrored(face: Marked) -> Marked:
    (x, y), (u, v) = face.eyes.left, face.eyes.right
    width = face.grey.shape[1]
    return replace(face, grey=face.grey[:, ::-1], eyes=Eyes((width - u, v), (width - x, y)))


class TestViews:
    @given(st.integers(0, 99))
    def test_the_features_of_a_mirror_image(self, seed: int) -> None:
        crop = np.random.default_rng(seed).random(LOOK, np.float32)
        np.testing.assert_allclose(features(crop[:, ::-1]), features(crop)[MIRRORED], atol=1e-5)

    @given(st.tuples(*[st.floats(-0.3, 0.3)] * 4))
    def test_a_step_in_a_mirror_image(self, step: tuple[float, ...]) -> None:
        """Whoever starts there sees the mirror image of what is seen here."""
        here, there = astray(ONE.eyes, np.array(step)), mirrored(ONE)
        start = astray(there.eyes, np.array(step) * MIRRORED_STEP)
        assert off(start, mirrored(replace(ONE, eyes=here)).eyes) < 1e-9
        sight = features(look_at(ONE.grey, here))[MIRRORED]
        assert np.corrcoef(features(look_at(there.grey, start)), sight)[0, 1] > 0.98

    def test_a_view_shows_the_same_face(self) -> None:
        """Cut tightly or lit otherwise, its eyes are where it says they are."""
        views = [learn_faces._view(ONE, 1, np.random.default_rng(seed)) for seed in range(60)]
        for view in views:
            middle, (height, width) = view.eyes.middle, view.grey.shape
            assert view.grey.dtype == np.float32
            assert np.isfinite(view.grey).all()
            assert view.grey.min() >= 0
            assert view.eyes.distance == pytest.approx(ONE.eyes.distance)
            assert view.person == "Eileen"
            assert 0 < middle.real < width
            assert 0 < middle.imag < height
        crop, *crops = (crop_at(f.grey, f.eyes, OVAL.shape)[OVAL] for f in (ONE, *views))
        likeness = [np.corrcoef(crop, other)[0, 1] for other in crops]
        assert np.median(likeness) > 0.95
        assert min(likeness) > 0.1, "the darkest of them"


class TestAlignment:
    def test_a_seed_learns_the_same_and_both_sides_alike(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(learn_faces, "VIEWS", 1)
        one, again, other = (
            learn_alignment([ONE], np.random.default_rng(seed)) for seed in (1, 1, 2)
        )
        assert one.shape == (4, FEATURES, 4)
        assert np.array_equal(one, again)
        assert not np.array_equal(one, other)
        np.testing.assert_allclose(one[:, MIRRORED] * MIRRORED_STEP, one, atol=1e-5)

    def test_what_is_learnt_of_a_face_finds_it(
        self, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
    ) -> None:
        monkeypatch.setattr(learn_faces, "VIEWS", 20)
        regressors = learn_alignment([ONE], rng)
        starts = [astray(ONE.eyes, step) for step in rng.uniform(-0.2, 0.2, (20, 4))]
        before = np.median([eye_error(start, ONE.eyes) for start in starts])
        aligned = [align(ONE.grey, start, regressors) for start in starts]
        assert np.median([eye_error(eyes, ONE.eyes) for eyes in aligned]) < 0.4 * before

    def test_nobody_is_measured_that_was_learnt_from(
        self, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
    ) -> None:
        """By person: two photographs of one are held out together."""
        people = [replace(ONE, person=name) for name in "AABBCCDDEE"]
        learnt_from: list[set[str]] = []
        measured: list[set[str]] = []

        def learnt(faces: list[Marked], rng: np.random.Generator) -> Floats:
            learnt_from.append({face.person for face in faces})
            measured.append(set())
            return np.zeros((4, FEATURES, 4), np.float32)

        def still(photo: Floats, start: Eyes, regressors: Floats) -> Eyes:
            return start

        monkeypatch.setattr(learn_faces, "learn_alignment", learnt)
        monkeypatch.setattr(learn_faces, "align", still)
        before, after, lit = held_out_errors(people, rng)
        assert [sorted(set("ABCDE") - names) for names in learnt_from] == [
            [name] for name in "ABCDE"
        ]
        assert np.array_equal(before, after)
        assert np.array_equal(before, lit)
        assert len(before) == 10 * learn_faces.STARTS
        assert 0.1 < np.median(before) < 0.3


class TestDepth:
    @given(st.floats(-0.7, 0.7), st.floats(-0.3, 0.3))
    def test_dots_on_the_eyes_come_to_lie_on_the_eyes(self, yaw: float, pitch: float) -> None:
        rows, columns = np.mgrid[:300, :300] + 0.5
        flat = Eyes((110, 140), (170, 150))
        dots = sum(
            np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 18) for x, y in (flat.left, flat.right)
        )
        picture, eyes = turned_in_depth(dots.astype(np.float32), flat, yaw, pitch)
        y, x = np.mgrid[: picture.shape[0], : picture.shape[1]] + 0.5
        for u, v in (eyes.left, eyes.right):
            near = picture * (np.hypot(x - u, y - v) < 8)
            assert near.sum() > 5
            seen = (near * x).sum() / near.sum(), (near * y).sum() / near.sum()
            assert np.hypot(seen[0] - u, seen[1] - v) < 2

    @given(st.floats(0, 6.3), st.floats(0, 1.5))
    def test_the_mirror_image_of_light_lights_the_mirror_image(
        self, angle: float, aside: float
    ) -> None:
        x, y = np.linspace(-1.5, 1.5, 121), np.linspace(-1.2, 1.8, 121)
        right, down = np.sin(aside) * np.cos(angle), np.sin(aside) * np.sin(angle)
        bright, mirror = (shading(x, y, (way * right, down, np.cos(aside))) for way in (1, -1))
        assert 0 <= bright.min() <= bright.max() <= 1 + 1e-9
        np.testing.assert_allclose(mirror[:, ::-1], bright, atol=1e-9)
        if right > 0.3:  # the cheek that faces the light is the brighter one
            assert bright[60, 90:].mean() > bright[60, :30].mean()


class TestFaceSpace:
    def test_it_shows_faces_and_nothing_else(self, rng: np.random.Generator) -> None:
        people = [replace(ONE, person=f"{number}") for number in range(30)]
        steps = rng.uniform(-0.1, 0.1, (30, 4))
        faces = [
            replace(f, eyes=astray(f.eyes, step)) for f, step in zip(people, steps, strict=True)
        ]
        space, lengths, limit = learn_space(faces)
        assert len(lengths) == len(space.symmetric) + len(space.antisymmetric) == COMPONENTS
        assert (np.diff(lengths[: len(space.symmetric)]) <= 0).all()
        face = crop_at(ONE.grey, ONE.eyes, SIGHT)
        upright, upside_down = space.residuals(face_vectors(np.stack([face, face[::-1]])))
        assert upright < limit < upside_down

    def test_the_limit_is_of_people_held_out(self, rng: np.random.Generator) -> None:
        """Ten people, each only like themselves: every one is far from the space of the others."""
        photos = [rng.random((60, 60), np.float32) for _ in range(10)]
        eyes = Eyes((20, 25), (40, 25))
        faces = [Marked(photo, eyes, f"{n}") for n, photo in enumerate(photos)] * 2
        space, _, limit = learn_space(faces)
        seen = face_vectors(crop_at(photos[0], eyes, SIGHT)[None])
        assert space.residuals(seen) < 0.1
        assert limit > 0.8


class TestFile:
    def test_what_is_saved_is_what_is_read(self, tmp_path: Path) -> None:
        save(general_faces(), tmp_path / "any.name")
        assert [path.name for path in tmp_path.iterdir()] == ["any.name"]
        assert (tmp_path / "any.name").read_bytes() == SHIPPED.read_bytes()


class TestReading:
    def write(self, folder: Path, people: int) -> Path:
        lines = ["file,left_x,left_y,right_x,right_y"]
        for number in range(people):
            (folder / f"{number:02}").mkdir()
            for name in ("neutral", "smiling"):
                (folder / f"{number:02}" / f"{name}.png").write_bytes(encoded(self.small, "PNG"))
            lines.append(f"{number:02}/neutral.png,{number},10,20,10")
        (folder / "eyes.csv").write_text("\n".join(lines))
        return folder

    small = Image.new("L", (30, 30))

    def test_marked_and_beside(self, tmp_path: Path) -> None:
        marked, beside = read_marked(self.write(tmp_path, 10))
        assert [face.person for face in marked] == [f"{number:02}" for number in range(10)]
        for number, face in enumerate(marked):  # a little below the pupils
            assert face.eyes.left == pytest.approx((number, 10 + 0.03 * (20 - number)))
        assert [face.eyes for face in beside] == [face.eyes for face in marked]

    def test_what_cannot_be_learnt_from(self, tmp_path: Path) -> None:
        few = tmp_path / "few"
        few.mkdir()
        with pytest.raises(EigenfacesError, match="fewer than ten"):
            read_marked(self.write(few, 9))
        (few / "03" / "smiling.png").write_text("x")
        with pytest.raises(EigenfacesError, match=r"smiling\.png.*not a picture"):
            read_marked(few)
        with pytest.raises(EigenfacesError, match="cannot be read"):
            read_marked(tmp_path)
