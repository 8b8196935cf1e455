"""Answers of a person to a verdict: each is one step of undo, and says what it changes."""

from __future__ import annotations

from collections.abc import Callable, Collection

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition import answering
from eigenfaces.recognition.answering import Reply
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import Probe
from gui.state.session import Session


def answer_right(session: Session, probe: Probe, person: str) -> bool:
    """Keep the photograph as one more of the person named; return whether that was done."""
    return _reply(session, lambda gallery: answering.right(gallery, probe, person))


def answer_is(session: Session, probe: Probe, person: str) -> bool:
    """Enrol the photograph as somebody, known or new."""
    return _reply(session, lambda gallery: answering.it_is(gallery, probe, person))


def answer_not(session: Session, probe: Probe, people: Collection[str]) -> bool:
    """Never suggest these people for the photograph again."""
    return _reply(session, lambda gallery: answering.it_is_not(gallery, probe, people))


def answer_nobody(session: Session, probe: Probe) -> bool:
    """Note that the photograph shows a stranger."""
    return _reply(session, lambda gallery: answering.nobody_known(gallery, probe))


def answer_no_face(session: Session, probe: Probe) -> bool:
    """Note that the photograph shows no face."""
    return _reply(session, lambda gallery: answering.no_face(gallery, probe))


def take_back(session: Session, probe: Probe) -> bool:
    """Take the answer back, and what it enrolled."""
    return _reply(session, lambda gallery: answering.unanswered(gallery, probe))


def _reply(session: Session, to: Callable[[Gallery], Reply]) -> bool:
    try:
        reply = to(session.gallery)
    except EigenfacesError as error:
        session.say(str(error), "error")
        return False
    if not session.apply(reply.title, lambda _: reply.gallery):
        return False
    session.say(f"{reply.sentence} Ctrl+Z takes it back.", "ok")
    return True
