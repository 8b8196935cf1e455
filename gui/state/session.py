"""The mutable state: the open project, its history, what is selected, the probes.

Pages read it and call it; its signals carry no values, so each page reads again what it shows.
Expected errors become a message and change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

from PySide6.QtCore import QObject, Signal

from eigenfaces.errors import EigenfacesError, ProjectError, Tick
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.photographs.photos import Skipped
from eigenfaces.project.history import History, Step, is_large
from eigenfaces.project.project import Project
from eigenfaces.project.save import Detections, Unused, without
from eigenfaces.recognition.answers import about_these_faces
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import NO_PROBES, Probe, ProbeList
from eigenfaces.space.arrays import Floats
from eigenfaces.text import count
from gui.state.jobs import Jobs, Stopped
from gui.state.settings import Settings, draft_path, drafts_folder

T = TypeVar("T")
Tone = Literal["info", "ok", "warn", "error"]
Edit = Callable[[Gallery], Gallery]

SAMPLE = "AT&T sample"
_OF_THE_PROJECT = (  # jobs that read the project they are started in, or whose result is for it
    *("import", "train", "add probes", "evaluate", "recipes", "map", "write", "keep run"),
    *("calibrate", "check photos", "group faces", "preview", "even light", "measure frame"),
    "measure map",
)

BUSY = "One moment: the last change is still being written. Then try again."


@dataclass(frozen=True)
class Message:
    """A sentence for the message bar, and the skipped photographs it mentions."""

    text: str
    tone: Tone = "info"
    skipped: tuple[Skipped, ...] = ()


class Session(QObject):
    """State shared by the pages. Edits are functions from gallery to gallery; undo reverts them."""

    gallery_changed = Signal()
    selection_changed = Signal()
    probes_changed = Signal()
    page_changed = Signal()
    message_changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        self.jobs = Jobs(self)
        self.project: Project | None = None
        self.message: Message | None = None
        self.page = "people"
        self.photo: str | None = None  # key of the selected face: of the gallery, or of a probe
        self.person: str | None = None
        self.history = History()
        self.asked = NO_PROBES
        self._blank = Gallery.new()
        self._before: Gallery | None = None  # while a large change is written
        self._dispensable: Gallery | None = None  # the sample as it was opened: easily opened again
        self._prepared = self._blank.preparation  # how the probes were cut

    @property
    def is_writing(self) -> bool:
        """Whether a large change is being written to the file; other edits wait for it."""
        return self.jobs.is_busy("write")

    # What is shown

    @property
    def gallery(self) -> Gallery:
        """The gallery of the open project; an empty one where none is open.

        A large change is made in a thread, while a page may be doing anything: until it is
        announced, the gallery is as it was.
        """
        if self._before is not None and self.is_writing:
            return self._before
        return self.project.gallery if self.project else self._blank

    @property
    def probes(self) -> tuple[Probe, ...]:
        """The faces to recognise."""
        return self.asked.probes

    @property
    def without_face(self) -> frozenset[Path]:
        """The photographs to recognise in which no face was found."""
        return self.asked.without_face

    @property
    def skipped(self) -> Unused:
        """The photographs of all imports that are not used."""
        return self.project.unused if self.project else ()

    @property
    def name(self) -> str:
        """The name of the project."""
        return self.project.path.stem if self.project else "Untitled project"

    @property
    def is_draft(self) -> bool:
        """Whether the person has not saved the project to a file yet."""
        return self.project is None or self.project.path.parent == drafts_folder()

    @property
    def takes_no_changes(self) -> bool:
        """Whether the project is read-only, or another program moved or replaced its file."""
        project = self.project
        return project is not None and (project.read_only or not project.is_in_place)

    def face(self, key: str) -> tuple[FacePhoto, Floats] | None:
        """Return a face of the gallery or a probe by its key: the photograph and (h, w)."""
        for probe in self.probes:
            if probe.photo.key == key:
                return probe.photo, probe.image
        gallery, row = self.gallery, self.gallery.index.row_of(key)
        return None if row is None else (gallery.index.photos[row], gallery.faces.image(row))

    def put_probes(
        self, probes: Collection[Probe], without_face: Collection[Path] = (), verb: str = "adding"
    ) -> None:
        """Add probes, and photographs without a face; select the first. Undo takes them back."""
        new = {probe.photo.key: probe for probe in probes}
        held = {probe.photo.key: probe for probe in self.probes}
        number = count(len(new), "face") if new else count(len(without_face))
        self._ask(f"{verb} {number} to recognise", self.asked.adding(probes, without_face))
        gallery = about_these_faces(self.gallery, held, new)
        if gallery is not self.gallery and self._try(lambda: self._save(gallery)):
            self._announce()
        if new:
            self.select(next(iter(new)))

    def remove_probes(self, keys: Collection[str]) -> None:
        """Remove probes, and photographs without a face, from the list."""
        self._ask(f"taking {len(keys):,} off the list", self.asked.without(keys))
        if self.photo in keys:
            self.select(self.probes[0].photo.key if self.probes else None)

    def _ask(self, title: str, asked: ProbeList) -> None:
        """Change what is listed to recognise."""
        if asked != self.asked:
            self.remember(title, self.gallery)
            self.asked = asked
            self._keep_asked()
            self.probes_changed.emit()

    def _keep_asked(self) -> None:
        """Store the probes in the project; while it is being written, once that has ended."""
        if self.project is not None and not self.is_writing:
            self._try(partial(self.project.ask, self.asked))

    def show_message(
        self, text: str, tone: Tone = "info", skipped: tuple[Skipped, ...] = ()
    ) -> None:
        """Show a sentence in the message bar."""
        self.message = Message(text, tone, skipped)
        self.message_changed.emit()

    def keep_calibration(self, calibration: Calibration) -> None:
        """Keep what distances mean, unless the gallery has changed; undo does not concern it."""
        if self.project and self._try(partial(self.project.recall, calibration)):
            self._announce()

    def keep_unused(self, unused: Unused, detections: Detections) -> None:
        """Keep photographs that are not used in the project, and what was found in them."""
        if self._try(lambda: self._save(self.gallery, unused, detections)):
            self._announce()

    def show_page(self, page: str) -> None:
        """Go to the page of this name."""
        if page != self.page:
            self.page = page
            self.page_changed.emit()

    def select(self, photo: str | None) -> None:
        """Select a face, and its person, for all pages."""
        found = self.face(photo) if photo else None
        self.photo = photo if found else None
        row = self.gallery.index.row_of(found[0].key) if found else None
        if row is not None:  # a probe that is also in the gallery has its name there
            self.person = self.gallery.index.photos[row].person
        self.selection_changed.emit()

    def select_person(self, person: str | None) -> None:
        """Select a person, and the first face of that person, for all pages."""
        rows = self.gallery.index.rows_of(person)
        self.person = person
        self.photo = self.gallery.index.photos[rows[0]].key if rows else None
        self.selection_changed.emit()

    # Edits

    def apply(self, title: str, edit: Edit, asked: ProbeList | None = None) -> bool:
        """Make a small change, in one transaction; it can be undone. Return whether it was made."""
        before = self.gallery
        if not self._try(lambda: self._save(edit(before))):
            return False
        self.remember(title, before)
        self.asked = asked or self.asked
        self._announce()
        return True

    def undo(self) -> None:
        """Undo the last change."""
        if (found := self.history.back(self.gallery, self.asked)) is not None:
            self._take(*found, "Undone", without(self.skipped, found[0].come, found[0].gone))

    def redo(self) -> None:
        """Redo the change undone last."""
        if (found := self.history.forward(self.gallery, self.asked)) is not None:
            self._take(*found, "Done again", without(self.skipped, found[0].gone, found[0].come))

    def _take(self, step: Step, then: History, word: str, unused: Unused) -> None:
        """Change to another state of the history."""
        now = self.gallery

        def taken() -> None:
            self.history, self.asked = then, step.asked
            self._prepared = gallery.preparation
            self.show_message(f"{word}: {step.title}.")

        gallery = step.gallery.recalling(now.calibration)
        if is_large(now, gallery):
            self.write(word, lambda _: gallery, taken, unused)
        elif self._try(lambda: self._save(gallery, unused)):  # as small as the edit was
            taken()
            self._announce()

    def _try(self, act: Callable[[], object]) -> bool:
        """Return whether an action succeeded; if not, nothing is changed and a message says why."""
        try:
            act()
        except EigenfacesError as error:
            self.show_error(error)
            return False
        return True

    def _save(
        self, gallery: Gallery, unused: Unused | None = None, detections: Detections | None = None
    ) -> None:
        if self.is_writing:
            raise EigenfacesError(BUSY)
        self._own_project().save(gallery, unused, detections)

    def _own_project(self) -> Project:
        """Return the open project; where there is none, start a draft."""
        if self.project is None:
            self._adopt(Project.create(draft_path("Untitled project"), self._blank))
        assert self.project is not None
        return self.project

    def write(
        self,
        title: str,
        edit: Edit,
        done: Callable[[], None],
        unused: Unused | None = None,
        detections: Detections | None = None,
    ) -> bool:
        """Make a large change in a thread; others wait for it. Return whether it has begun."""
        if self.is_writing:
            self.show_message(BUSY, "warn")
            return False

        def finish(_: None) -> None:
            self._before = None
            done()
            self._announce()

        def work(_tick: Tick) -> None:
            # The project of now: it may have been saved elsewhere while this waited.
            self._own_project().save(edit(before), unused, detections)

        before, cancelled = self.gallery, "This was cancelled: nothing was changed."
        if not self._try(self._own_project):
            return False
        self._before = before
        self.run("write", title, work, finish, cancelled=cancelled)
        return True

    def run(
        self,
        kind: str,
        title: str,
        work: Callable[[Tick], T],
        done: Callable[[T], object],
        failed: Callable[[EigenfacesError], object] | None = None,
        *,
        about: object = None,
        cancelled: str = "",
    ) -> None:
        """Start a job, and say what it waits for; without ``failed``, say its failure, too."""
        failed = failed or self.show_error
        self.jobs.start(kind, title, work, done, failed, about=about, cancelled=cancelled)
        if (ahead := self.jobs.ahead_of(kind)) is not None:
            self.show_message(
                f"{ahead.title} comes first. If you cannot wait for it, cancel it below."
            )

    def show_error(self, error: EigenfacesError) -> None:
        """Say why a job came to no result."""
        if str(error):
            self.show_message(str(error), "info" if isinstance(error, Stopped) else "error")

    def remember(self, title: str, before: Gallery, gone: Unused = (), come: Unused = ()) -> None:
        """Record a change, so that undo restores what was before it, and what waited then."""
        self.history = self.history.remember(title, before, self.asked, gone, come)

    def _announce(self) -> None:
        """Drop what is gone or no longer fits, and inform the pages."""
        if self.probes and self._prepared != self.gallery.preparation:
            self.asked = NO_PROBES  # cut differently, they cannot be compared with the gallery
        self._prepared = self.gallery.preparation
        self._keep_asked()
        if self.photo and self.face(self.photo) is None:
            self.photo = None
        if self.person is not None and self.person not in self.gallery.people:
            row = self.gallery.index.row_of(self.photo) if self.photo else None
            self.person = None if row is None else self.gallery.index.photos[row].person
        self.gallery_changed.emit()
        self.selection_changed.emit()

    # The open project

    def switch(self, project: Project, *, dispensable: bool = False) -> None:
        """Change to another project; a dispensable one is only kept if something is changed."""
        self.jobs.cancel(*_OF_THE_PROJECT)
        self.close_project()
        self._adopt(project)
        self.asked = project.asked
        self._prepared = project.gallery.preparation
        self._dispensable = project.gallery if dispensable else None
        if self.gallery.people:
            self.select_person(self.gallery.people[0])
        self._announce()

    def new(self) -> None:
        """Start an empty project; the open project stays in its file."""
        self.jobs.cancel(*_OF_THE_PROJECT)
        self.close_project()
        self.show_page("people")

    def moved(self, project: Project) -> None:
        """Continue with the same project in another file; undo still works."""
        history, draft = self.history, self.project if self.is_draft else None
        kept = self.asked, self._prepared, self.photo, self.person
        self.close_project()
        self._adopt(project)
        if draft is not None:
            self._delete(draft)
        self.history = history
        self.asked, self._prepared, self.photo, self.person = kept
        self._announce()

    def close_project(self) -> None:
        """Close the project; delete a draft in which the person has made nothing."""
        if self.project is not None:
            self._keep_asked()
            untouched = self._dispensable and holds_only(self.project, self._dispensable)
            self.project.close()
            empty = not (len(self.gallery.faces) or self.skipped)
            if self.is_draft and (untouched or empty):
                self._delete(self.project)
            else:
                self.settings.add_recent(self.project.path)
        self.project = self._dispensable = self.photo = self.person = None
        self.asked = NO_PROBES
        self.history = History()
        self._announce()

    def close(self) -> None:
        """Stop all jobs and close the file: see `close_project`. Every change is in it already."""
        self.jobs.close()
        self.close_project()

    def _adopt(self, project: Project) -> None:
        self.project = project
        self.settings.add_recent(project.path)  # drafts too: so they are found again after a crash

    def _delete(self, draft: Project) -> None:
        """Delete a draft, where that is possible; of one of 1 GB it takes half a second."""
        self.settings.forget_recent(draft.path)
        with suppress(OSError):
            draft.path.unlink(missing_ok=True)


def holds_only(project: Project, gallery: Gallery) -> bool:
    """Return whether a project holds only this gallery; k may differ: it is easily set again.

    Photographs of the gallery may have been recognised, and its distances measured.
    """
    now = project.gallery
    asked = (gallery.index.row_of(probe.photo.key) for probe in project.asked.probes)
    with suppress(ProjectError):  # if that cannot be read, assume that it holds more
        return (
            now.index.photos == gallery.index.photos
            and now.preparation == gallery.preparation
            and now.recipe.changed(components=gallery.recipe.matcher.components) == gallery.recipe
            and (now.training is None, now.changes) == (gallery.training is None, gallery.changes)
            and (now.answers, now.share) == (gallery.answers, gallery.share)
            and not (
                project.unused or project.runs() or project.asked.without_face or None in asked
            )
        )
    return False
