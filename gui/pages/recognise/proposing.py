"""Which recipe names the gallery's own photographs best: measured in the background."""

from __future__ import annotations

from eigenfaces.evaluation.proposal import Measured, Proposal, propose
from eigenfaces.recognition.gallery import Gallery
from gui.state import actions
from gui.state.background import Background
from gui.state.jobs import PROPOSE
from gui.state.session import Session


class Proposing(Background[Proposal]):
    """Measures all recipes once after each training, and remembers what a person decided.

    Nothing is measured where edits are not trained yet.
    """

    KIND = PROPOSE

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._wanted = False

    def want(self) -> None:
        """Measure from now on: the page is made before anybody opens it, and that takes long."""
        if not self._wanted:
            self._wanted = True
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
        if _basis(self._session.gallery) != self._asked and self._session.jobs.is_busy(PROPOSE):
            self._asked = None  # whatever comes of it is of no use
            self._session.jobs.cancel(PROPOSE)
        super()._look()

    def _about(self) -> str | None:
        gallery = self._session.gallery
        if gallery.calibrated is None or gallery.changes or not (self._wanted and gallery.enrolled):
            return None
        dismissed = self._session.settings.hint_dismissed(_kept(gallery.basis))
        return None if dismissed else gallery.basis

    def _begin(self) -> None:
        session, about = self._session, self._asked
        gallery = session.gallery

        def stopped(text: str) -> None:
            if self._asked == about:
                self._end(about)
                session.say(text, "warn")

        session.jobs.start(
            PROPOSE,
            "Measuring all recipes on your photographs",
            lambda tick: propose(gallery, tick),
            lambda found: self._end(about, found),
            failed=lambda error: stopped(str(error)),
            cancelled=lambda: stopped("Stopped: no recipe is proposed until the next training."),
        )


def _basis(gallery: Gallery) -> str:
    return gallery.basis if gallery.training is not None else ""


def _kept(basis: object) -> str:
    return f"recipe for {basis}"
