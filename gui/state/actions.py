"""Actions of a person: answer a verdict; read, train, open, save, which take time and are jobs.

A job gets values and returns a value; the session changes only after it has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.faces.face_set import FacePhoto, FaceSet, count_faces, file_key
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.read import FaceReading
from eigenfaces.importing.load import Enrolment, load_faces, recrop_faces, unmoved_faces
from eigenfaces.importing.review import Plan
from eigenfaces.photographs.photos import FoundPhotos, Skipped, photos_of
from eigenfaces.project.project import SUFFIX, Project
from eigenfaces.project.save import Detections, Unused, after_import, detections_of, read_at
from eigenfaces.recognition.answers import Reply, together
from eigenfaces.recognition.automatic import NOT_MEASURED
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import (
    Probe,
    adding_preparation,
    frame_of_gallery,
    probes_on_each,
    with_gallery_keys,
)
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.sample import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.sample import load_sample
from eigenfaces.text import count, were
from gui.state.jobs import now
from gui.state.session import BUSY, SAMPLE, Session, holds_only
from gui.state.settings import draft_path, drafts_folder

_READING = "Photos are being read already. Wait for the end, or cancel it below, and try again."
_SIZE_FIXED = (
    "The faces of this gallery have another size. Change it in Settings first, so that all "
    "are cut alike."
)


def import_photos(
    session: Session,
    found: FoundPhotos,
    preparation: Preparation | None = None,
    *,
    already: Mapping[Path, FaceReading] | None = None,
    others: Mapping[Path, FaceReading] | None = None,
) -> None:
    """Read photographs into the gallery. Nothing is changed until all of them are read.

    What has changed since replaces the face it had: a file with other content, or one whose face
    is said to lie elsewhere. Whether photographs are cropped already may differ from one import to
    the next; the size of the faces may not. ``already`` holds the readings of photographs that were
    read before. Of several faces on another one, the one that recurs is taken, as a guess; of
    ``others``, with all their faces, the rest is taken without a name.
    """
    gallery = session.gallery
    wanted = preparation or gallery.preparation
    alike = replace(wanted, already_cropped=gallery.preparation.already_cropped)
    if len(gallery.faces) and alike != gallery.preparation and not session.jobs.is_busy("import"):
        session.show_message(_SIZE_FIXED, "error")
        return
    title = f"Reading {count(len(found.photos))}"
    said = title, "Import cancelled: nothing was added."
    _bring_in(session, found, already or {}, wanted, said, chosen=False, others=others)


def take_chosen_faces(session: Session, plan: Plan, preparation: Preparation) -> None:
    """Add the faces that were chosen, and confirm guesses of the gallery; one undo reverts all.

    What was left out no longer waits; a guess that was left out is no longer in the gallery.
    """
    said = "Taking what you chose", "Nothing was changed: the photos still wait."
    _bring_in(session, plan.found, plan.readings, preparation, said, chosen=True)


def _bring_in(
    session: Session,
    found: FoundPhotos,
    readings: Mapping[Path, FaceReading],
    preparation: Preparation,
    said: tuple[str, str],
    *,
    chosen: bool,
    others: Mapping[Path, FaceReading] | None = None,
) -> None:
    """Read photographs in a job, and enrol their faces; ``chosen``: a person has chosen them."""
    gallery = session.gallery
    if session.jobs.is_busy("import"):
        session.show_message(_READING, "warn")
        return
    held = unmoved_faces(gallery.faces, found.photos)

    def work(tick: Tick) -> tuple[FaceSet, Detections]:
        cut = adding_preparation(gallery, preparation, tick)
        faces = load_faces(
            *(found, cut, tick),
            known=held,
            already=readings,
            guess=not chosen,
            every=True,
            others=others,
        )
        keys = {photo.key for photo in faces.index.photos}
        return faces, {} if chosen else detections_of(keys, faces.skipped)

    def done(result: tuple[FaceSet, Detections]) -> None:
        faces, detections = result
        skipped, tried = read_at(faces.skipped, now()), {photo.path for photo in found.photos}
        unused = after_import(session.skipped, tried, skipped)
        if len(faces) or chosen:
            _enrol(
                session, replace(faces, skipped=skipped), preparation, unused, detections, chosen
            )
        else:
            session.keep_unused(unused, detections)
            session.show_message("No photograph could be used.", "error", skipped)

    session.run("import", said[0], work, done, cancelled=said[1])


def _enrol(
    session: Session,
    faces: FaceSet,
    preparation: Preparation,
    unused: Unused,
    detections: Detections,
    chosen: bool,
) -> None:
    before = session.gallery
    old, new = set(session.skipped), set(unused)
    gone = tuple(file for file in session.skipped if file not in new)
    come = tuple(file for file in unused if file not in old)
    enrolment, places = Enrolment.of(faces, before.index), before.index.places
    guesses = {p.key: p.path for p in before.index.photos if p.placement.source == "guess"}
    out = {file.path for file in come} if chosen else set()
    removed = {key for key, path in guesses.items() if path in out}
    confirmed = sum(old.key in guesses for old in enrolment.replaced.values()) if chosen else 0
    replaced = len(enrolment.replaced) - confirmed
    others = [photo for photo in faces.index.photos if photo.key not in enrolment.replaced]
    added = [photo for photo in others if photo.key not in places]

    def edit(gallery: Gallery) -> Gallery:
        made = gallery if len(gallery.faces) else gallery.prepared(faces.select([]), preparation)
        if len(faces):
            made = made.enrol(enrolment.faces, enrolment.places)
        return made.remove(removed) if removed else made

    def done() -> None:
        parts = (
            ("confirming", "confirmed", confirmed, count(confirmed, "guess", "guesses")),
            ("adding", "added", len(added), count_faces(added)),
            ("replacing", "replaced", replaced, count(replaced)),
            ("leaving out", "left out", len(out), count(len(out))),
        )
        made = [part for part in parts if part[2]]
        title = " and ".join(f"{doing} {what}" for doing, _, _, what in made)
        session.remember(
            title or ("choosing faces" if chosen else "adding 0 photos"), before, gone, come
        )
        if chosen:
            words = (f"{what} {were(number)} {did}." for _, did, number, what in made)
            session.show_message(" ".join((*words, "Ctrl+Z takes it back.")), "ok")
        else:
            known = {file_key(photo.key) for photo in others if photo.key in places}
            taken = enrolment.faces.index.photos
            doubtful = sum(photo.placement.source == "guess" for photo in taken)
            text = _counts(added, replaced, len(known), faces.skipped, doubtful)
            session.show_message(text, "warn" if faces.skipped else "ok", faces.skipped)
        if session.person is None and session.gallery.people:
            session.select_person(session.gallery.people[0])

    session.write("Saving the photos", edit, done, unused, detections)


def _counts(
    added: Sequence[FacePhoto], replaced: int, known: int, skipped: Sequence[Skipped], guesses: int
) -> str:
    """Return what came of all photographs that were found."""
    open_ = sum(file.needs_choice for file in skipped)
    left = len(skipped) - open_
    parts = [f"{count_faces(added)} {were(len(added))} added."] if added or not replaced else []
    if replaced:
        had = "it had" if replaced == 1 else "they had"
        parts.append(f"{replaced:,} {were(replaced)} replaced, as {had} changed.")
    if guesses:
        which = "1 is a guess" if guesses == 1 else f"{guesses:,} are guesses"
        parts.append(f"{which} which face is meant: confirm on People.")
    if known:
        parts.append(f"{known:,} {were(known)} in the gallery already.")
    if open_:
        parts.append(f"{open_:,} still {'needs' if open_ == 1 else 'need'} your choice of a face.")
    if left:
        parts.append(f"{left:,} {were(left)} left out.")
    return " ".join(parts)


def train(session: Session, recipe: Recipe | None = None) -> None:
    """Fit the face space, perhaps by another recipe; pages can use the old one meanwhile."""
    begun = session.gallery

    def done(fitted: Gallery) -> None:
        before = session.gallery

        def finish() -> None:
            session.remember(f"the recipe {recipe.name}" if recipe else "training", before)
            space = session.gallery.trained.space
            words = f"{count(len(space), 'component')} from {count(space.count, 'face')}."
            by = f" by {recipe.name}" if recipe else ""
            chosen = session.gallery.automatic
            session.show_message(
                f"Trained{by}: {words}{f' {chosen.reason}' if chosen else ''}", "ok"
            )

        def edit(now: Gallery) -> Gallery:
            # The coordinates of all faces are there already, unless some came or went meanwhile.
            if now is begun:
                return fitted
            by = fitted if recipe or now.recipe == begun.recipe else now
            changed = replace(now, recipe=by.recipe, automatic=by.automatic, training=None)
            return changed.adopt(fitted.trained)

        session.write("Saving the face space", edit, finish)

    session.run(
        "train",
        f"Training on {count(len(begun.included), 'face')}",
        lambda tick: begun.train(tick, recipe=recipe),
        done,
        cancelled="Training cancelled: nothing was changed.",
    )


def use_recipe(session: Session, recipe: Recipe) -> None:
    """Compare by another recipe; where that needs training anew, the old one serves until then."""
    gallery = session.gallery
    if gallery.training is not None and recipe.refits(gallery.training.recipe):
        train(session, recipe)
    elif session.apply(f"the recipe {recipe.name}", lambda now: now.with_recipe(recipe)):
        session.show_message(f"Faces are compared by {recipe.name} from now on.", "ok")


def use_automatic(session: Session) -> None:
    """Let every training choose the recipe, beginning with one now."""
    done = session.apply("Automatic", lambda now: replace(now, automatic=NOT_MEASURED))
    if done and session.gallery.training:
        train(session)


def ask_share(session: Session, share: float) -> None:
    """Let at most this share of strangers be named."""
    title = f"at most {100 * share:g} % of strangers named"
    session.apply(title, lambda gallery: gallery.with_share(share))


def answer(
    session: Session, replies: Sequence[Callable[[Gallery], Reply]], done: Callable[[str], object]
) -> bool:
    """Give answers, which are one step of undo; return whether they are taken.

    Several are kept in a thread. ``done`` gets what they have changed, once they are kept.
    """
    before, number = session.gallery, len(replies)
    if number == 1:
        try:
            reply = replies[0](before)
        except EigenfacesError as error:
            session.show_message(str(error), "error")
            return False
        if taken := session.apply(reply.title, lambda _: reply.gallery):
            done(reply.sentence)
        return taken

    def kept() -> None:
        session.remember(f"{number} answers", before)
        done(f"{number} faces are answered.")

    return session.write("Keeping the answers", lambda now: together(now, replies), kept)


def prepare_again(session: Session, preparation: Preparation) -> None:
    """Cut all faces again from the photographs, to another size or policy.

    They stay where they are, unless it has changed whether photographs are cropped already: then
    only what a person or a file has said still holds.
    """
    gallery = session.gallery
    if session.jobs.is_busy("import"):
        session.show_message(_READING, "warn")
        return
    if not len(gallery.faces):
        none = FaceSet.empty(preparation.shape)
        session.apply("the face size", lambda now: now.prepared(none, preparation))
        return
    same = preparation.already_cropped == gallery.preparation.already_cropped
    wanted = [
        (photo, photo.placement if same or photo.placement.source != "found" else None)
        for photo in gallery.index.photos
    ]

    def work(tick: Tick) -> FaceSet:
        faces = recrop_faces(wanted, preparation, tick)
        gallery.prepared(faces, preparation)  # refused at once where photographs are gone
        return faces

    def done(faces: FaceSet) -> None:
        before = session.gallery
        session.write(
            "Saving the photos",
            lambda now: now.prepared(faces, preparation),  # which may have changed meanwhile
            lambda: session.remember("the face size", before),
        )

    title, cancelled = "Cutting the faces anew", "Nothing was changed."
    session.run("import", title, work, done, cancelled=cancelled)


def take_as_probes(session: Session, paths: Sequence[Path]) -> bool:
    """Add dropped photographs to recognise; leave folders, projects and the untrained alone."""
    others = any(path.is_dir() or path.suffix == SUFFIX for path in paths)
    if others or session.gallery.training is None:
        return False
    add_probes(session, paths)
    return True


def add_probes(session: Session, paths: Sequence[Path], *, search: bool = False) -> None:
    """Read every face of these photographs or folders, to be recognised.

    ``search``: faces are searched for even where those of the gallery are cut already.
    """
    gallery = session.gallery
    before = gallery.preparation
    preparation = replace(before, already_cropped=before.already_cropped and not search)

    def work(tick: Tick) -> tuple[list[Probe], list[Skipped]]:
        found = photos_of(paths)
        probes, skipped = list[Probe](), list(found.skipped)
        frame = frame_of_gallery(gallery, tick)
        for result in probes_on_each(found.photos, preparation, tick, frame):
            if isinstance(result, Skipped):
                skipped.append(result)
            else:
                probes += result
        return with_gallery_keys(gallery, probes), skipped

    def done(result: tuple[list[Probe], list[Skipped]]) -> None:
        if session.gallery.preparation != before:  # changed while this waited its turn
            add_probes(session, paths, search=search)
            return
        probes, skipped = result
        session.put_probes(probes, [each.path for each in skipped if each.kind == "no face"])
        if len(skipped) == 1:
            text = f"“{skipped[0].path.name}” was skipped. {skipped[0].reason}"
            session.show_message(text, "warn", tuple(skipped))
        elif skipped:
            session.show_message(
                f"{count(len(skipped), 'file')} were skipped.", "warn", tuple(skipped)
            )

    title, cancelled = "Reading the photos", "Stopped. No photo was added."
    session.run("add probes", title, work, done, about=tuple(paths), cancelled=cancelled)


def new_project(session: Session) -> None:
    """Start an empty project, once no change to the open project runs or waits.

    As when another project is opened, a training or an evaluation under way is cancelled.
    """
    if not session.jobs.is_busy("open", "import", "write", "save as"):
        session.new()
        return
    title, cancelled = "Starting a new project", "The project stays open."
    session.run("open", title, lambda _: None, lambda _: session.new(), cancelled=cancelled)


def open_project(session: Session, path: Path) -> None:
    """Open a project file; the open project stays open until that has succeeded.

    It waits for photographs that are on their way into the project so far, not for a training or an
    evaluation: these go on until the other project is there, and are then given up.
    """
    if session.project is not None and _same_place(session.project.path, path):
        session.show_message(f"“{path.name}” is the project that is open.")
        return

    def done(project: Project) -> None:
        session.switch(project)
        session.show_page("people")

    _open(session, path.name, path, lambda tick: Project.open(path, tick), done)


def open_sample(session: Session) -> None:
    """Open the AT&T sample, trained, on the Eigenfaces page."""

    def work(tick: Tick) -> Project:
        blank = Gallery.new(SAMPLE_PREPARATION)
        gallery = replace(blank, faces=load_sample(tick)).train(tick)
        tick(0, 0)
        return _left_behind(gallery) or Project.create(draft_path(SAMPLE), gallery)

    def done(project: Project) -> None:
        session.switch(project, dispensable=True)
        session.show_page("eigenfaces")

    _open(session, "the sample", SAMPLE, work, done)


def _open(
    session: Session,
    name: str,
    about: object,
    work: Callable[[Tick], Project],
    done: Callable[[Project], None],
) -> None:
    """Open a project in a job, unless it is being opened already, as by a double click."""
    if not any((job.kind, job.about) == ("open", about) for job in session.jobs.running):
        session.run("open", f"Opening {name}", work, done, about=about, cancelled="Not opened.")


def _left_behind(gallery: Gallery) -> Project | None:
    """Open the draft of the sample that holds only this gallery; None if there is none.

    A process that was killed leaves it: whoever closes such a draft removes it.
    """
    for path in sorted(drafts_folder().glob(f"{SAMPLE} *{SUFFIX}")):
        with suppress(EigenfacesError):  # in use, or damaged
            project = Project.open(path)
            if not project.read_only and holds_only(project, gallery):
                return project
            project.close()
    return None


def save_as(session: Session, path: Path) -> None:
    """Save the project to a file that the person chose, and continue with that file."""
    if path.suffix != SUFFIX:
        path = path.with_name(path.name + SUFFIX)
    old, blank = session.project, session.gallery
    if session.jobs.is_busy("save as"):
        session.show_message(BUSY, "warn")
        return
    if old is not None and _same_place(old.path, path):
        if old.is_in_place:
            session.show_message(
                f"“{path.name}” is this project. Every change is in its file at once."
            )
            return
        if path.exists():
            session.show_message(
                f"Another program has put something else in the place of “{path.name}”. Choose "
                "another name, so that neither is lost.",
                "warn",
            )
            return

    def work(tick: Tick) -> tuple[Project, Gallery, bool]:
        if old is None:
            return Project.create(path, blank), blank, False
        gallery, lost = old.gallery, old.is_overwritten  # with everything added while this waited
        return Project.create(path, gallery, old), gallery, lost

    def done(result: tuple[Project, Gallery, bool]) -> None:
        project, gallery, lost = result
        try:
            if session.gallery is not gallery:  # edited while it was written
                project.save(session.gallery)
        except EigenfacesError as error:
            project.close()
            session.show_error(error)
            return
        session.moved(project)
        text = f"Saved as “{path.name}”. Every change is kept there at once."
        if lost:
            text += " The evaluations kept in the old file could not be read any more."
        session.show_message(text, "warn" if lost else "ok")

    session.run("save as", f"Saving {path.name}", work, done, cancelled="Not saved.")


def _same_place(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:  # one of them is not there
        return first.absolute() == second.absolute()
