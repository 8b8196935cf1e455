"""Checks that run in the background: concerns about photos, and groups of unnamed faces."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from eigenfaces.project.album import AlbumPhoto
from eigenfaces.recognition.gallery_quality import (
    FaceCluster,
    PhotoChecks,
    check_photos,
    cluster_faces,
    rows_to_group,
)
from ...state.jobs import JobKind
from ...state.session import Session
from .entries import in_known_order


class Findings(QObject):
    """Background jobs that look for concerns and group faces whenever the gallery changes."""

    found = Signal()
    """The concerns or the groups have changed."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.checks = PhotoChecks()
        self.groups: tuple[FaceCluster, ...] = ()
        """The groups as they were found. Some may have been named since."""
        self._checked: tuple[object, ...] = ()
        self._grouped: tuple[set[str], str] | None = None  # the crops and the calibration used
        self._seen: set[str] = set()  # crops that have been through grouping

    def forget(self) -> None:
        """Make the next check examine all files again, because they may have changed."""
        self._checked = ()

    def check(self) -> None:
        """Check files and faces in a background job, because a slow disk would block the window."""
        gallery, before = self._session.gallery, self.checks
        state = (gallery.index, gallery.preparation, gallery.training, gallery.recipe)
        if state == self._checked or not len(gallery.faces):
            return
        self._checked = state

        def done(checks: PhotoChecks) -> None:
            self.checks = checks
            if checks.concerns != before.concerns or checks.apart is not before.apart:
                self.found.emit()

        work, failed = partial(check_photos, gallery, before), self._session.show_error
        self._session.run(JobKind.CHECK_PHOTOS, "Checking the photos", work, done, failed)

    def why_gone(self, photo: AlbumPhoto) -> str:
        """Return a sentence saying that a photograph's file is missing; "" if it was found.

        A file in an unreachable folder counts as missing here, but not in `AlbumPhoto.gone`.
        """
        found = (self.checks.concerns.get(face.id) for face in photo.faces)
        return next((one.sentence for one in found if one and one.kind == "gone"), "")

    @property
    def not_grouped(self) -> set[str]:
        """The crops of unnamed faces that the grouping has not processed yet."""
        return self._nameless_crops() - self._seen

    def _nameless_crops(self) -> set[str]:
        index = self._session.gallery.index
        nameless = (index.photos[row] for row in index.rows_of(None))
        return {photo.crop for photo in nameless if not photo.hidden}

    def group(self) -> None:
        """Group the unnamed faces in a background job whenever the groups may have changed."""
        gallery, crops = self._session.gallery, self._nameless_crops()
        calibrated = gallery.calibrated is not None
        state = crops, gallery.calibration_key if calibrated else ""
        known = self._grouped[0] if self._grouped else set()
        # Old suggestions stay until the distances have been measured again.
        waits = gallery.training is not None and not calibrated and crops <= known
        if waits or state == self._grouped:
            return
        self._grouped = state

        def done(groups: tuple[FaceCluster, ...]) -> None:
            self.groups = in_known_order(groups, self.groups)
            _, late = rows_to_group(gallery)
            self._seen = crops - {gallery.index.photos[row].crop for row in late}
            self.found.emit()

        if crops:
            title = "Grouping unnamed faces"
            work, failed = partial(cluster_faces, gallery), self._session.show_error
            self._session.run(JobKind.GROUP_FACES, title, work, done, failed)
