"""Learning the alignment and the face space, with data small enough for a test."""

from dataclasses import replace
from pathlib import Path

import learn_faces
import numpy as np
import pytest
from astronaut import EYES, FACE, PICTURE, encoded, grey, off
from depth import turned_in_depth
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
from eigenfaces.faces.detect import ALIGN_SHAPE, FEATURES, align, hog_features
from eigenfaces.faces.general_model import MODEL_COMPONENTS, VIEW_SHAPE, face_vectors, general_faces
from eigenfaces.faces.prepare import crop_at
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Floats

SHIPPED = Path(__file__).resolve().parents[2] / "assets" / "faces.npz"
ONE = Marked(
    grey(PICTURE.crop(FACE)), Eyes.at(EYES.middle - complex(*FACE[:2]), EYES.across), "Eileen"
)


@given(st.tuples(*[st.floats(-0.4, 0.4)] * 4))
def test_a_step_leads_back_to_the_eyes(step: tuple[float, ...]) -> None:
    """Apply a step as `align` does, written out: first the place, then the size and tilt."""
    start = astray(EYES, np.array(step))
    right, down, growth, turn = step
    a = start.middle + start.across * (right + 1j * down)
    b = start.across * np.exp(growth) * (np.cos(turn) + 1j * np.sin(turn))
    assert off(Eyes.at(a, b)) < 1e-9


@given(st.integers(0, 99))
def test_the_features_of_a_mirror_image(seed: int) -> None:
    crop = np.random.default_rng(seed).random(ALIGN_SHAPE, np.float32)
    np.testing.assert_allclose(hog_features(crop[:, ::-1]), hog_features(crop)[MIRRORED], atol=1e-5)


def test_what_is_learnt_of_a_face_finds_it_again_and_on_both_sides(
    monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
) -> None:
    monkeypatch.setattr(learn_faces, "VIEWS", 12)
    regressors = learn_alignment([ONE], rng)
    assert regressors.shape == (4, FEATURES, 4)
    np.testing.assert_allclose(regressors[:, MIRRORED] * MIRRORED_STEP, regressors, atol=1e-5)
    starts = [astray(ONE.eyes, step) for step in rng.uniform(-0.2, 0.2, (20, 4))]
    before = np.median([eye_error(start, ONE.eyes) for start in starts])
    aligned = [align(ONE.grey, start, regressors) for start in starts]
    assert np.median([eye_error(eyes, ONE.eyes) for eyes in aligned]) < 0.4 * before


def test_nobody_is_measured_that_was_learnt_from(
    monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
) -> None:
    """All photographs of a person are held out together."""
    people = [replace(ONE, person=name) for name in "AABBCCDDEE"]
    learnt_from: list[set[str]] = []

    def learnt(faces: list[Marked], rng: np.random.Generator) -> Floats:
        learnt_from.append({face.person for face in faces})
        return np.zeros((4, FEATURES, 4), np.float32)

    monkeypatch.setattr(learn_faces, "learn_alignment", learnt)
    monkeypatch.setattr(learn_faces, "align", lambda photo, start, regressors: start)
    before, after, lit = held_out_errors(people, rng)
    assert [sorted(set("ABCDE") - names) for names in learnt_from] == [[name] for name in "ABCDE"]
    assert np.array_equal(before, after)
    assert np.array_equal(before, lit)
    assert len(before) == 10 * learn_faces.STARTS
    assert 0.1 < np.median(before) < 0.3


@given(st.floats(-0.7, 0.7), st.floats(-0.3, 0.3))
def test_turned_in_depth_dots_on_the_eyes_lie_on_the_eyes(yaw: float, pitch: float) -> None:
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


def test_the_space_shows_faces_and_nothing_else(rng: np.random.Generator) -> None:
    steps = rng.uniform(-0.1, 0.1, (30, 4))
    starts = enumerate(astray(ONE.eyes, step) for step in steps)
    faces = [replace(ONE, person=f"{number}", eyes=eyes) for number, eyes in starts]
    space, lengths, limit = learn_space(faces)
    assert len(lengths) == len(space.symmetric) + len(space.antisymmetric) == MODEL_COMPONENTS
    face = crop_at(ONE.grey, ONE.eyes, VIEW_SHAPE)
    upright, upside_down = space.residuals(face_vectors(np.stack([face, face[::-1]])))
    assert upright < limit < upside_down


def test_what_is_saved_is_what_is_read(tmp_path: Path) -> None:
    save(general_faces(), tmp_path / "any.name")
    assert (tmp_path / "any.name").read_bytes() == SHIPPED.read_bytes()


def test_marked_photographs_and_those_beside_them(tmp_path: Path) -> None:
    lines = ["file,left_x,left_y,right_x,right_y"]
    for number in range(10):
        (tmp_path / f"{number:02}").mkdir()
        for name in ("neutral", "smiling"):
            content = encoded(Image.new("L", (30, 30)), "PNG")
            (tmp_path / f"{number:02}" / f"{name}.png").write_bytes(content)
        lines.append(f"{number:02}/neutral.png,{number},10,20,10")
    (tmp_path / "eyes.csv").write_text("\n".join(lines))
    marked, beside = read_marked(tmp_path)
    assert [face.person for face in marked] == [f"{number:02}" for number in range(10)]
    for number, face in enumerate(marked):  # a little below the pupils
        assert face.eyes.left == pytest.approx((number, 10 + 0.03 * (20 - number)))
    assert [face.eyes for face in beside] == [face.eyes for face in marked]
    (tmp_path / "eyes.csv").write_text("\n".join(lines[:10]))
    with pytest.raises(EigenfacesError, match="fewer than ten"):
        read_marked(tmp_path)
    (tmp_path / "03" / "smiling.png").write_text("x")
    with pytest.raises(EigenfacesError, match=r"smiling\.png.*not a picture"):
        read_marked(tmp_path)
