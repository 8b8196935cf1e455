"""Whether training again would pay is looked at in the background, once photos were enrolled."""

from __future__ import annotations

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
        """Return what came since training, and whether training again would pay; "" if not known.

        It is of the gallery as it is now.
        """
        gallery = self._session.gallery
        if self._found is None or gallery.training is None or not gallery.changes:
            return ""
        return self._found.sentence() if self._asked == gallery.basis else ""

    def _about(self) -> str | None:
        gallery = self._session.gallery
        return gallery.basis if gallery.calibrated is not None and gallery.changes else None

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
