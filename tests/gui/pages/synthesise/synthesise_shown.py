"""The Synthesise page on the screen, and what is seen on it."""

import numpy as np

from gui.pages.synthesise.page import SynthesisePage
from gui.state.session import Session
from gui.style.images import rgb_array
from tests.gui import seen

SEED = 4
"""Of the faces that the page draws by chance."""


def shown(session: Session, qtbot, size: tuple[int, int] = (1240, 860)) -> SynthesisePage:
    page = seen.show(qtbot, SynthesisePage(session, np.random.default_rng(SEED)), size)
    settle(page, qtbot)
    return page


def settle(page: SynthesisePage, qtbot) -> None:
    qtbot.waitUntil(lambda: not (page._soon.isActive() or page._step.isActive()))


def face_shown(page: SynthesisePage) -> np.ndarray:
    return rgb_array(page.face_card.view.image)[..., 0]


def pressed(page: SynthesisePage, name: str, qtbot) -> None:
    seen.button(page, name).click()
    settle(page, qtbot)
