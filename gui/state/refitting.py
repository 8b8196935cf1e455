"""Whether training again would pay is looked at in the background, once photos were enrolled."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from eigenfaces.recognition.refitting import Refit, would_refit_pay
from gui.state.jobs import REFIT
from gui.state.session import Session


class Refitting(QObject):
    """Looks at it after each edit that training has not seen, once distances are measured.

    It is not repeated where it failed or a person stopped it.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._asked = ""  # the basis of the gallery that is, or was, looked at
        self._found: Refit | None = None
        self._has_ended = False
        session.gallery_changed.connect(self._look)
        session.jobs.changed.connect(self._look)
        self._look()

    def sentence(self) -> str:
        """Return what came since training, and whether training again would pay; "" if not known.

        It is of the gallery as it is now.
        """
        gallery = self._session.gallery
        if self._found is None or gallery.training is None or not gallery.changes:
            return ""
        return self._found.sentence() if self._asked == gallery.basis else ""

    def _look(self) -> None:
        session, gallery = self._session, self._session.gallery
        if gallery.calibrated is None or not gallery.changes:
            return
        if session.jobs.is_wanted_besides(REFIT):
            return
        basis = gallery.basis
        if self._asked == basis and (self._has_ended or session.jobs.is_busy(REFIT)):
            return
        self._asked, self._found, self._has_ended = basis, None, False

        def ended(found: Refit | None = None) -> None:
            if self._asked == basis:
                self._found, self._has_ended = found, True
                self.changed.emit()

        session.jobs.start(
            REFIT,
            "Comparing new photos with those trained on",
            lambda tick: would_refit_pay(gallery, tick),
            ended,
            failed=lambda _: ended(),
            cancelled=ended,
        )
