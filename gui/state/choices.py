"""What a person chose on photographs that wait, taken into the project in one step."""

from __future__ import annotations

from eigenfaces.errors import Tick
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.importing.load import Enrolment, load_faces, not_placed_anew
from eigenfaces.importing.review import Plan
from eigenfaces.project.save import Unused, after_import, read_at
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import adding_preparation
from eigenfaces.text import count, were
from gui.state.jobs import IMPORT, now
from gui.state.session import Session

READING = "Photos are being read already. Wait for the end, or cancel it below, and try again."


def take_choices(session: Session, plan: Plan, preparation: Preparation) -> None:
    """Add the faces that were chosen, and confirm guesses of the gallery; one undo reverts all.

    What was left out no longer waits; a guess that was left out is no longer in the gallery.
    """
    if session.jobs.is_busy(IMPORT):
        session.say(READING, "warn")
        return
    gallery = session.gallery
    known = not_placed_anew(gallery.faces, plan.found.photos)

    def work(tick: Tick) -> FaceSet:
        cut = adding_preparation(gallery, preparation, tick)
        return load_faces(plan.found, cut, tick, known=known, already=plan.readings, every=True)

    def done(faces: FaceSet) -> None:
        tried = {photo.path for photo in plan.found.photos}
        skipped = read_at(faces.skipped, now())
        unused = after_import(session.skipped, tried, skipped)
        _take(session, faces, preparation, unused)

    session.jobs.start(
        IMPORT,
        "Taking what you chose",
        work,
        done,
        cancelled=lambda: session.say("Nothing was changed: the photos still wait."),
    )
    session.explain_wait(IMPORT)


def _take(session: Session, faces: FaceSet, preparation: Preparation, unused: Unused) -> None:
    before = session.gallery
    gone = tuple(file for file in session.skipped if file not in unused)
    come = tuple(file for file in unused if file not in session.skipped)
    enrolment = Enrolment.of(faces, before.index)
    out = {file.path for file in come}
    guesses = {p.key: p.path for p in before.index.photos if p.placement.source == "guess"}
    removed = {key for key, path in guesses.items() if path in out}
    confirmed = sum(old.key in guesses for old in enrolment.replaced.values())

    def edit(gallery: Gallery) -> Gallery:
        made = gallery if len(gallery.faces) else gallery.prepared(faces.select([]), preparation)
        if len(faces):
            made = made.enrol(enrolment.faces, enrolment.places)
        return made.remove(removed) if removed else made

    def done() -> None:
        added = len(session.gallery.faces) - len(before.faces) + len(removed)
        replaced = len(enrolment.replaced) - confirmed
        parts = (
            ("confirming", "confirmed", confirmed, count(confirmed, "guess", "guesses")),
            ("adding", "added", added, count(added)),
            ("replacing", "replaced", replaced, count(replaced)),
            ("leaving out", "left out", len(come), count(len(come))),
        )
        made = [part for part in parts if part[2]]
        title = " and ".join(f"{doing} {what}" for doing, _, _, what in made)
        session.remember(title or "choosing faces", before, gone, come)
        said = (f"{what} {were(number)} {did}." for _, did, number, what in made)
        session.say(" ".join((*said, "Ctrl+Z takes it back.")), "ok")
        if session.person is None and session.gallery.people:
            session.select_person(session.gallery.people[0])

    session.write("Saving the photos", edit, done, unused)
