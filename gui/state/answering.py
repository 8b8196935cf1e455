"""Answers of a person to a verdict: each is one step of undo, and says what it changes."""

from __future__ import annotations

from collections.abc import Callable

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.answering import Reply
from eigenfaces.recognition.gallery import Gallery
from gui.state.session import Session


def answer(session: Session, reply_in: Callable[[Gallery], Reply]) -> bool:
    """Make the gallery that of a reply, and show what it says; return whether that was done."""
    try:
        reply = reply_in(session.gallery)
    except EigenfacesError as error:
        session.say(str(error), "error")
        return False
    if not session.apply(reply.title, lambda _: reply.gallery):
        return False
    session.say(f"{reply.sentence} Ctrl+Z takes it back.", "ok")
    return True
