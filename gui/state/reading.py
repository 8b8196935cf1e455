"""What opening a large project has left in its file is read while its people are shown already."""

from __future__ import annotations

from eigenfaces.errors import Tick
from gui.state.jobs import READ_REST
from gui.state.session import Session


def read_rest(session: Session) -> None:
    """Read the coordinates of all faces, unless they are read; pages that need them wait for it."""
    gallery, training = session.gallery, session.gallery.training
    if training is None or training.is_read or session.jobs.is_busy(READ_REST):
        return

    def work(tick: Tick) -> None:
        training.read(tick)
        gallery.look_through()

    def done(_: None) -> None:
        session.selection_changed.emit()

    session.jobs.start(READ_REST, f"Reading the rest of {session.name}", work, done)
