"""Whether training again would pay is looked at in the background, once photos were enrolled."""

from __future__ import annotations

from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.refitting import Refit, would_refit_pay
from gui.state.background import Background
from gui.state.jobs import REFIT
from gui.state.session import Session


class Refitting(Background[Refit]):
    """Looks at it after each edit that training has not seen, once distances are measured."""

    KIND = REFIT

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._look()

    def sentence(self) -> str:
        """Return what came since the last fit, and whether training again would pay; "" if unknown.

        It is of the gallery as it is now.
        """
        gallery = self._session.gallery
        if self._found is None or not _changed(gallery):
            return ""
        return self._found.sentence() if self._asked == gallery.basis else ""

    def _about(self) -> str | None:
        gallery = self._session.gallery
        return gallery.basis if gallery.calibrated is not None and _changed(gallery) else None

    def _begin(self) -> None:
        gallery, about = self._session.gallery, self._asked
        self._session.jobs.start(
            REFIT,
            "Comparing new photos with those trained on",
            lambda tick: would_refit_pay(gallery, tick),
            lambda found: self._end(about, found),
            failed=lambda _: self._end(about),
            cancelled=lambda: self._end(about),
        )


def _changed(gallery: Gallery) -> bool:
    """Return whether the face space is not what training makes of the gallery."""
    training = gallery.training
    return training is not None and (gallery.changes > 0 or training.updated is not None)
