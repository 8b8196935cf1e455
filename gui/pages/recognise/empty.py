"""Shown while there is no verdict: a drop zone, or how to enrol people."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout

from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import Probe
from gui.state import actions
from gui.state.session import Session
from gui.widgets.cards import EmptyState
from gui.widgets.controls import DropArea, LinkButton

HELD_OUT = 5
_LEFT = 2  # photos that everybody keeps in training


class DropZone(DropArea):
    """A drop area as large as the page, with the other ways to begin."""

    def __init__(
        self,
        choose: Callable[[], None],
        try_out: Callable[[], None],
        camera: Callable[[], None] | None = None,
    ) -> None:
        super().__init__("", name="Drop photos to recognise here, or open some")
        self._words.hide()
        self.state = EmptyState(
            "recognise",
            "Who is on this photo?",
            "Drop a photo, or a folder of them, and see who is on each. Without a new photo, let "
            f"up to {HELD_OUT} photos of the gallery be held out: excluded from training and "
            "matching, and then recognised. Two undos take that back.",
            ("Open photos…", choose),
            ("Try held-out photos", try_out),
        )
        if camera is not None:
            opening = LinkButton("Use the camera…", "camera")
            opening.clicked.connect(lambda: camera())
            self.state.body.addWidget(opening, 0, Qt.AlignmentFlag.AlignHCenter)
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(1, self.state, 100)

    def allow_try(self, allowed: bool) -> None:
        """Enable “Try held-out photos” only if some person has enough photos."""
        self.state.buttons[1].setEnabled(allowed)
        self.state.buttons[1].setToolTip(
            "" if allowed else f"Nobody has more than {_LEFT} photos, so none can be spared."
        )


def nobody_enrolled(session: Session) -> EmptyState:
    """Return the empty state for a gallery without enrolled people."""
    return EmptyState(
        "people",
        "Nobody is known yet",
        "A photo is compared with those of people who have a name and are not excluded, and there "
        "are none. Give the photos names on People first.",
        ("Go to People", lambda: session.show_page("people")),
    )


def spare_photos(gallery: Gallery) -> list[int]:
    """Return rows to hold out: the last photo of a few people, spread over the gallery."""
    photos = gallery.index.photos
    by_person: dict[str, list[int]] = {}
    for row in gallery.enrolled:
        by_person.setdefault(photos[row].person or "", []).append(row)
    last = [rows[-1] for rows in by_person.values() if len(rows) > _LEFT]
    count = min(HELD_OUT, len(last))
    return [last[place * len(last) // count] for place in range(count)]


def try_held_out_photos(session: Session) -> None:
    """Exclude a few photos, train without them, and make them the probes; undo takes it back."""
    gallery = session.gallery
    rows = spare_photos(gallery)
    keys = [gallery.index.photos[row].key for row in rows]
    title = f"holding {len(keys)} photos out"
    faces = gallery.faces
    asked = session.asked.adding([Probe(faces.index.photos[row], faces.image(row)) for row in rows])
    if keys and session.apply(title, lambda now: now.exclude(keys), asked):
        session.select(keys[0])
        actions.train(session)
