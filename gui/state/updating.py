"""Updating the face space with the photographs that came since training, as a job."""

from __future__ import annotations

from eigenfaces.recognition import updating
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.wording import count
from gui.state.jobs import TRAIN
from gui.state.session import Session


def update(session: Session) -> None:
    """Take those photographs into it; pages can use the old one meanwhile."""
    begun = session.gallery
    came = begun.index.unlike(begun.trained.fitted)

    def done(updated: Gallery) -> None:
        before = session.gallery

        def finish() -> None:
            session.remember("updating the face space", before)
            session.say(updating.updated_words(session.gallery.trained), "ok")

        def edit(now: Gallery) -> Gallery:
            return updated if now is begun else now.adopt(updated.trained)

        session.write("Saving the face space", edit, finish)

    session.jobs.start(
        TRAIN,
        f"Updating with {count(len(came), 'face')}",
        lambda tick: updating.update(begun, tick),
        done,
        cancelled=lambda: session.say("Updating cancelled: nothing was changed."),
    )
    session.explain_wait(TRAIN)
