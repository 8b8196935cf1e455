"""The Evaluate page with people who are easily confused, before and after a run."""

from collections.abc import Callable

import numpy as np
import pytest

from eigenfaces import FaceSet, Gallery, Preparation, Recipe
from gui.pages.evaluate.page import EvaluatePage
from gui.state.session import Session


@pytest.fixture(scope="session")
def faces() -> FaceSet:
    """Six people × four photographs, who are easily mistaken for one another."""
    rng = np.random.default_rng(4)
    centres = 0.5 + 0.1 * rng.uniform(-1, 1, (6, 1, 20, 16))
    images = centres + 0.3 * rng.uniform(-1, 1, (6, 4, 20, 16))
    names = [f"Person {number}" for number in range(1, 7) for _ in range(4)]
    return FaceSet.from_arrays(images.reshape(24, 20, 16), names)


@pytest.fixture
def session_of(open_gallery) -> Callable[[FaceSet], Session]:
    """Open a project of faces that are not trained."""
    return lambda faces: open_gallery(
        Gallery(faces, Preparation(*faces.shape, already_cropped=True), Recipe.of(components=8))
    )


@pytest.fixture
def hard_session(session_of, faces) -> Session:
    return session_of(faces)


@pytest.fixture
def page(hard_session, open_page) -> EvaluatePage:
    return open_page(EvaluatePage, (1240, 900))


@pytest.fixture
def done(page, settled) -> EvaluatePage:
    page.run()
    settled()
    return page
