"""Which recipe names the gallery's own photographs best: measured in the background."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from eigenfaces.evaluation.proposal import Measured, Proposal, propose
from eigenfaces.recognition.gallery import Gallery
from gui.state import actions
from gui.state.jobs import PROPOSE
from gui.state.session import Session


class Proposing(QObject):
    """Measures all recipes once after each training, and remembers what a person decided.

    Nothing is measured where edits are not trained yet, nor again where it was stopped.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._asked = ""  # the basis of the gallery that is, or was, measured
        self._found: Proposal | None = None
        self._has_ended = False
        session.gallery_changed.connect(self._look)
        session.jobs.changed.connect(self._look)
        self._look()

    @property
    def measured(self) -> Proposal | None:
        """What was measured on the gallery as it is trained now."""
        return self._found if self._asked and self._asked == _basis(self._session.gallery) else None

    @property
    def proposal(self) -> Proposal | None:
        """A better recipe that nobody has decided about yet."""
        found = self.measured
        if found is None or found.proposed is None:
            return None
        return None if self._session.settings.hint_dismissed(_kept(self._asked)) else found

    def keep(self) -> None:
        """Stay with the recipe in use, in this state of the gallery."""
        self._session.settings.dismiss_hint(_kept(self._asked))
        self.changed.emit()

    def use(self, better: Measured) -> None:
        """Compare by the better recipe from now on."""
        if better.recipe is not None:
            self.keep()
            actions.use_recipe(self._session, better.recipe)

    def _look(self) -> None:
        session, gallery = self._session, self._session.gallery
        basis = _basis(gallery)
        if basis != self._asked and session.jobs.is_busy(PROPOSE):
            self._asked = ""  # whatever comes of it is of no use
            session.jobs.cancel(PROPOSE)
        if gallery.calibrated is None or gallery.changes or not gallery.enrolled:
            return
        if session.settings.hint_dismissed(_kept(basis)):
            return
        if self._asked == basis and (self._has_ended or session.jobs.is_busy(PROPOSE)):
            return
        if not session.jobs.is_wanted_besides(PROPOSE):
            self._start(gallery, basis)

    def _start(self, gallery: Gallery, basis: str) -> None:
        self._asked, self._found, self._has_ended = basis, None, False
        session = self._session

        def done(found: Proposal) -> None:
            if self._asked == basis:
                self._found, self._has_ended = found, True
                self.changed.emit()

        def stopped(text: str) -> None:
            if self._asked == basis:
                self._has_ended = True
                session.say(text, "warn")

        session.jobs.start(
            PROPOSE,
            "Measuring all recipes on your photographs",
            lambda tick: propose(gallery, tick),
            done,
            failed=lambda error: stopped(str(error)),
            cancelled=lambda: stopped("Stopped: no recipe is proposed until the next training."),
        )


def _basis(gallery: Gallery) -> str:
    return gallery.basis if gallery.training is not None else ""


def _kept(basis: str) -> str:
    return f"recipe for {basis}"
