"""Rotation, projection, approximation: lengths stay, and what is cut is what is lost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_subjects import noise

from eigenfaces.lessons.drawing import Dots
from eigenfaces.lessons.rotation import LESSON, turned_by, turns
from eigenfaces.lessons.subjects import SUBJECTS, Subject
from eigenfaces.space.arrays import Doubles


def ready(subject: Subject):
    return LESSON.prepare(subject, lambda done, total: None)


def points_of_figure(panel, layer: int = 0) -> Doubles:
    dots = [each for each in panel.layers if isinstance(each, Dots)]
    return dots[layer].at


@given(st.integers(2, 9), st.integers(0, 1000), st.floats(0, 1))
def test_turning_keeps_all_lengths_and_has_no_mirror(d: int, seed: int, share: float) -> None:
    u = np.linalg.svd(np.random.default_rng(seed).normal(size=(d, d)))[0]
    u[:, -1] *= np.linalg.det(u)
    parts = turns(u)
    axes = turned_by(parts, share, d)
    np.testing.assert_allclose(axes.T @ axes, np.eye(d), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1)
    np.testing.assert_allclose(turned_by(parts, 0, d), np.eye(d), atol=1e-15)
    np.testing.assert_allclose(turned_by(parts, 1, d), u, atol=1e-12)


def test_in_the_figures_the_points_are_turned_cut_and_put_back() -> None:
    subject = SUBJECTS["cloud"].make(0)
    x = subject.values - subject.values.mean(axis=0)
    ((one, two, three, four),) = LESSON.show(subject, k=1).upper.rows
    np.testing.assert_allclose(points_of_figure(one), x)
    turned = points_of_figure(two)
    np.testing.assert_allclose(np.linalg.norm(turned, axis=1), np.linalg.norm(x, axis=1))
    assert abs((turned[:, 0] * turned[:, 1]).mean()) < 1e-12
    cut = points_of_figure(three, 1)
    np.testing.assert_allclose(cut, turned * [1, 0])
    back = points_of_figure(four, 1)
    np.testing.assert_allclose(np.linalg.norm(back, axis=1), np.abs(cut[:, 0]))
    assert np.linalg.matrix_rank(back) == 1


def test_fewer_pictures_than_pixels_grey_or_in_colour() -> None:
    for shape in ((20, 15), (10, 10, 3)):
        prepared = ready(noise(6, *shape))
        assert prepared.most == 5
        (keep,) = LESSON.controls_for(prepared)  # 300 axes are not turned one by one
        assert keep.name == "k"
        picture = LESSON.picture(prepared, k=99, turned=0.3)
        assert picture.numbers["error"] == pytest.approx(0, abs=1e-9)
        one = LESSON.picture(prepared, k=1).upper.rows[0][2]
        assert one.caption == "1 number kept"
        first, last = picture.upper.rows[0][0], picture.upper.rows[0][-1]
        assert picture.upper.rows[0][1].caption == "Uᵀx"  # what cannot be turned is not half turned
        np.testing.assert_allclose(last.pictures, first.pictures, atol=1e-9)
        assert first.pictures.shape[1:] == shape
