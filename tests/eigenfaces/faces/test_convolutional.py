"""The networks by NumPy, beside SciPy's correlation and dlib itself."""

import tracemalloc
from threading import Barrier, Thread

import numpy as np
import pytest
from PIL import Image
from scipy.signal import correlate
from skimage import data
from threadpoolctl import threadpool_info

from eigenfaces import FaceSet
from eigenfaces.faces import convolutional, model_files
from eigenfaces.faces.convolutional import Convolution, describe, find_boxes
from eigenfaces.space.arrays import Bytes
from eigenfaces.space.pca import as_levels
from eigenfaces.threads import one_blas_thread

needs_the_files = pytest.mark.skipif(
    not model_files.is_installed(), reason=model_files.HOW_TO_GET_IT
)


@pytest.mark.parametrize(("stride", "border", "at_once"), [(1, 0, 1), (2, 0, 300), (1, 2, 1 << 19)])
def test_a_layer_is_the_correlation_with_its_patterns(
    rng: np.random.Generator,
    monkeypatch: pytest.MonkeyPatch,
    stride: int,
    border: int,
    at_once: int,
) -> None:
    """However many rows are laid out at once."""
    monkeypatch.setattr(convolutional, "_PATCHES", at_once)
    pictures = rng.normal(size=(2, 11, 14, 3)).astype(np.float32)
    patterns = rng.normal(size=(5, 5, 3, 4)).astype(np.float32)
    bias, gain, offset = rng.normal(size=(3, 4)).astype(np.float32)
    layer = Convolution(patterns.reshape(-1, 4), bias, 5, stride, border).scaled(gain, offset)
    framed = np.pad(pictures, ((0, 0), (border, border), (border, border), (0, 0)))
    seen = [
        [correlate(picture, patterns[..., k], "valid")[::stride, ::stride, 0] for k in range(4)]
        for picture in framed
    ]
    expected = gain * (np.moveaxis(seen, 1, -1) + bias) + offset
    np.testing.assert_allclose(layer(pictures, rectified=False), expected, atol=1e-4)
    np.testing.assert_allclose(layer(pictures), np.maximum(expected, 0), atol=1e-4)


def test_several_threads_may_ask_for_one_thread_of_the_linear_algebra() -> None:
    def threads() -> list[int]:
        return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]

    before = threads()
    both, within = Barrier(2), list[list[int]]()

    def second() -> None:
        with one_blas_thread():
            both.wait(10)  # both are within …
            both.wait(10)  # … then the first is outside
            within.append(threads())

    thread = Thread(target=second)
    with one_blas_thread():
        thread.start()
        both.wait(10)
    both.wait(10)
    thread.join()
    assert set(within[0]) == {1}
    assert threads() == before


@needs_the_files
def test_faces_are_described_as_dlib_describes_them(att: FaceSet) -> None:
    dlib = pytest.importorskip("dlib")
    grey = (Image.fromarray(as_levels(att.image(row))).resize((150, 150)) for row in range(49))
    chips = [np.asarray(face.convert("RGB")) for face in grey]
    chips.append(data.astronaut()[30:180, 150:300].copy())
    model = dlib.face_recognition_model_v1(str(model_files.path_of(model_files.DESCRIBER)))
    theirs = np.array(model.compute_face_descriptor(chips))
    np.testing.assert_allclose(describe(chips), theirs, atol=1e-5)
    assert describe([]).shape == (0, 128)


def two_sizes() -> Bytes:
    """Return one face in two sizes on one picture."""
    picture = np.full((400, 660, 3), 90, np.uint8)
    face = Image.fromarray(data.astronaut()[:260, 90:350])
    for left, top, side in ((0, 0, 400), (410, 150, 250)):
        picture[top : top + side, left : left + side] = face.resize((side, side))
    return picture


@needs_the_files
def test_faces_are_found_where_dlib_finds_them() -> None:
    dlib = pytest.importorskip("dlib")
    model = dlib.cnn_face_detection_model_v1(str(model_files.path_of(model_files.DETECTOR)))
    for picture, count in ((data.astronaut(), 1), (two_sizes(), 2), (data.chelsea(), 0)):
        theirs = sorted(model(picture, 0), key=lambda face: -face.confidence)
        ours = find_boxes(picture)
        assert len(ours) == len(theirs) == count
        for score, (left, top, size) in ours:  # the next place is 8 pixels of 80 away
            nearest = min(theirs, key=lambda face: abs(face.rect.left() - left))
            box = nearest.rect
            assert (left, top) == pytest.approx((box.left(), box.top()), abs=0.15 * size)
            assert size == pytest.approx(box.width(), rel=0.25)
            assert score == pytest.approx(nearest.confidence, abs=0.15)
        assert [score for score, _ in ours] == sorted((score for score, _ in ours), reverse=True)


@needs_the_files
def test_a_large_photograph_is_searched_in_little_memory() -> None:
    picture = np.zeros((1000, 1000, 3), np.uint8)
    tracemalloc.start()
    try:
        assert find_boxes(picture) == []
        assert tracemalloc.get_traced_memory()[1] < 150e6
    finally:
        tracemalloc.stop()


@needs_the_files
def test_the_border_finds_a_face_that_is_cut_off() -> None:
    cut = data.astronaut()[100:260, 150:300]  # without brow and hair
    assert [box for _, box in find_boxes(cut)]
