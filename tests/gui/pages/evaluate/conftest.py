"""The Evaluate page with people who are easily confused, before and after a run."""

from collections.abc import Callable

import numpy as np
import pytest

from eigenfaces import FaceSet, Gallery, Preparation, Recipe
from gui.pages.evaluate.page import EvaluatePage
from gui.state.session import Session
from tests.gui import seen


@pytest.fixture
def session_of(open_gallery) -> Callable[..., Session]:
    """Open a project of faces that are not trained."""

    def open_faces(faces: FaceSet, components: int = 4) -> Session:
        preparation = Preparation(*faces.shape, already_cropped=True)
        return open_gallery(Gallery(faces, preparation, Recipe.of(components=components)))

    return open_faces


@pytest.fixture
def hard_session(session_of) -> Session:
    """A session with six people who are easily mistaken for one another, not trained."""
    rng = np.random.default_rng(4)
    centres = 0.5 + 0.1 * rng.uniform(-1, 1, (6, 1, 20, 16))
    images = centres + 0.3 * rng.uniform(-1, 1, (6, 4, 20, 16))
    names = [f"Person {number}" for number in range(1, 7) for _ in range(4)]
    return session_of(FaceSet.from_arrays(images.reshape(24, 20, 16), names), 8)


@pytest.fixture
def page(qtbot, hard_session, settled):
    made = seen.show(qtbot, EvaluatePage(hard_session), (1240, 900))
    yield made
    made.hide()
    settled()


@pytest.fixture
def done(page, settled):
    """The page with a finished run."""
    page.run()
    settled()
    return page
