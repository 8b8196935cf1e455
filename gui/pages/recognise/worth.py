"""How reliable verdicts are, tried on the gallery's own photographs once for each gallery."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.gallery_accuracy import GalleryAccuracy, gallery_accuracy, not_measured
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
from gui.state.jobs import MEASURE_WORTH
from gui.state.session import Session

_STOPPED = (
    "How often this gallery names its own photos rightly is not known: measuring it was stopped. "
    "Evaluate measures it."
)


class Worth(QObject):
    """Measures the gallery in a job when its result is first needed."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._of: tuple[FaceSet, Recipe] | None = None
        self._known: GalleryAccuracy | None = None

    def of(self, gallery: Gallery) -> GalleryAccuracy | None:
        """Return the result of a gallery; None while it is being measured."""
        asked = gallery.faces, gallery.recipe
        if self._of is None or self._of[0] is not asked[0] or self._of[1] != asked[1]:
            self._of, self._known = asked, None
            self._start(gallery)
        return self._known

    def _start(self, gallery: Gallery) -> None:
        asked = self._of

        def keep(found: GalleryAccuracy) -> None:
            if self._of is asked:
                self._known = found
                self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            keep(not_measured(str(error)))

        self._session.jobs.start(
            MEASURE_WORTH,
            "Trying the gallery on its own photos",
            lambda tick: gallery_accuracy(gallery, tick),
            keep,
            failed=failed,
            cancelled=lambda: keep(not_measured(_STOPPED)),
        )
