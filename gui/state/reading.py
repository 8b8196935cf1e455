"""What opening a large project has left in its file is read while its people are shown already."""

from __future__ import annotations

from eigenfaces.errors import Tick
from gui.state.jobs import READ_REST
from gui.state.session import Session


def read_rest(session: Session) -> None:
    """Read the coordinates of all faces, unless they are read; pages that need them wait for it."""
    gallery, training = session.gallery, session.gallery.training
    if training is None or training.is_read:
        return
    _, now = session.jobs.running
    if now and (now.kind, now.about, now.cancelling) == (READ_REST, training, False):
        return

    def work(tick: Tick) -> None:
        training.read(tick)
        gallery.look_through(tick)

    def done(_: None) -> None:
        session.selection_changed.emit()

    words = f"Reading the rest of {session.name}"
    session.jobs.start(READ_REST, words, work, done, about=training)
