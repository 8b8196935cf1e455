"""The linear algebra has one thread while something is measured, and all of them afterwards."""

import scipy.linalg  # noqa: F401  # its own BLAS
from threadpoolctl import ThreadpoolController, threadpool_limits

from eigenfaces import Gallery, Recipe
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.sample import PREPARATION
from eigenfaces.space.one_thread import one_thread


def test_the_threads_come_back_when_the_last_has_left() -> None:
    with threadpool_limits(2, "blas"):
        first, second = one_thread(), one_thread()
        first.__enter__()
        second.__enter__()
        assert _threads() == {1}
        first.__exit__(None, None, None)  # the one that came first leaves first
        assert _threads() == {1}
        second.__exit__(None, None, None)
        assert _threads() == {2}


def test_the_threads_come_back_after_a_failure() -> None:
    with threadpool_limits(2, "blas"):
        try:
            with one_thread():
                raise KeyError
        except KeyError:
            assert _threads() == {2}


def test_a_gallery_is_calibrated_in_one_thread(att: FaceSet) -> None:
    seen: set[int] = set()

    def tick(done: int, total: int) -> None:
        seen.update(_threads())

    with threadpool_limits(2, "blas"):
        gallery = Gallery(att.select(range(60)), PREPARATION, Recipe()).train()
        gallery.calibrate(tick)
        assert seen == {1}
        assert _threads() == {2}


def _threads() -> set[int]:
    blas = ThreadpoolController().select(user_api="blas").lib_controllers
    assert len(blas) > 1
    return {library.get_num_threads() for library in blas}
