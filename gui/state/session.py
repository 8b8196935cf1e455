"""The mutable state: the open project, its history and the selection.

Pages read it and call its methods. Its signals carry no values, so each page reads again what it
shows. Expected errors become a message and change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

from PySide6.QtCore import QObject, Signal

from eigenfaces.errors import EigenfacesError, ProjectError, Tick
from eigenfaces.faces.identity import FaceId, FacePhoto
from eigenfaces.photographs.find import Skipped
from eigenfaces.photographs.known import KnownFile, with_files
from eigenfaces.project.album import AlbumPhoto, album
from eigenfaces.project.content import Content, KeptRun
from eigenfaces.project.history import History
from eigenfaces.project.project import Project
from eigenfaces.project.unused import Unused
from eigenfaces.project.watch import Look
from eigenfaces.recognition.answers import forget_answers_about_other_faces
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import (
    NO_PROBES,
    Line,
    Probe,
    ProbeList,
    with_answers_carried_over,
)
from eigenfaces.space.arrays import Floats
from eigenfaces.text import count
from .jobs import JobCancelled, JobKind, Jobs, Rule
from .settings import LastView, Settings, draft_path, drafts_folder

T = TypeVar("T")
Severity = Literal["info", "ok", "warn", "error"]
Edit = Callable[[Gallery], Gallery]
ContentEdit = Callable[[Content], Content]


@dataclass(frozen=True)
class Message:
    """A sentence for the message bar, and the skipped photographs that it mentions."""

    text: str
    severity: Severity = "info"
    skipped: tuple[Skipped, ...] = ()
    interrupted: bool = False  # it offers to finish an import
    undoable: bool = False  # it is about the last change, and offers to undo it
    look: Look | None = None  # it offers to update the project by a look in its folders


class Session(QObject):
    """State shared by the pages. Edits are functions from one frozen state to the next.

    Each edit is made at once, in memory and in the file. Undo and redo are edits, too.
    """

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
        self.photo: FaceId | None = None  # the selected face: of the gallery, or of a probe
        self.person: str | None = None
        self._album: tuple[Content, object, tuple[AlbumPhoto, ...]] | None = None  # the last one
        self.searched = ""  # words by which everybody's photographs are filtered; "": all
        self.history = History()
        self.arrived: frozenset[FaceId] = frozenset()  # faces of the last import
        self.why_untrained = ""  # a sentence saying why there is no face space, if known
        self._blank = Gallery.new()
        self._refused: tuple[str, Callable[[], bool]] | None = None  # see `continue_in`
        self._untouched = False  # the unchanged sample, which need not be kept

    # The project

    @property
    def gallery(self) -> Gallery:
        """The gallery of the open project; an empty one if none is open."""
        return self.project.gallery if self.project else self._blank

    @property
    def probe_list(self) -> ProbeList:
        """The faces to recognise, and the photographs in which no face was found."""
        return self.project.probe_list if self.project else NO_PROBES

    @property
    def probes(self) -> tuple[Probe, ...]:
        """The faces to recognise."""
        return self.probe_list.probes

    @property
    def skipped(self) -> Unused:
        """The unused photographs of all imports."""
        return self.project.unused if self.project else ()

    @property
    def name(self) -> str:
        """The name of the project."""
        return self.project.path.stem if self.project else "Untitled project"

    @property
    def is_draft(self) -> bool:
        """Whether a person has not saved the project to a file yet."""
        return self.project is None or self.project.path.parent == drafts_folder()

    @property
    def takes_no_changes(self) -> bool:
        """Whether the file cannot be changed: it is read-only, has been moved, and so on."""
        project = self.project
        if project is None:
            return False
        return self._refused is not None or project.read_only or not project.is_in_place

    def other_recent_projects(self) -> list[Path]:
        """Return the recent projects, except the one that is open."""
        now = None if self.project is None else self.project.path
        return [path for path in self.settings.recent_projects if path != now]

    def face(self, face: FaceId) -> tuple[FacePhoto, Floats] | None:
        """Return a face of the gallery or a probe: its `FacePhoto` and its crop (h, w)."""
        for probe in self.probes:
            if probe.photo.id == face:
                return probe.photo, probe.image
        gallery, row = self.gallery, self.gallery.index.row_of(face)
        return None if row is None else (gallery.index.photos[row], gallery.faces.image(row))

    # The view

    def show_message(
        self,
        text: str,
        severity: Severity = "info",
        skipped: Unused = (),
        *,
        interrupted: bool = False,
        undoable: bool = False,
        look: Look | None = None,
    ) -> None:
        """Show a sentence in the message bar, perhaps with an offer."""
        self.message = Message(text, severity, skipped, interrupted, undoable, look)
        self.message_changed.emit()

    def show_error(self, error: EigenfacesError) -> None:
        """Show why something failed or was cancelled."""
        if str(error):
            self.show_message(str(error), "info" if isinstance(error, JobCancelled) else "error")

    def show_page(self, page: str) -> None:
        """Go to the page with this key."""
        if page != self.page:
            self.page = page
            self.page_changed.emit()

    def select(self, photo: FaceId | None) -> None:
        """Select a face, and its person, for all pages."""
        face = self.face(photo) if photo else None
        self.photo = photo if face else None
        if face and (row := self.gallery.index.row_of(face[0].id)) is not None:
            # If a probe is also in the gallery, its name is there.
            self.person = self.gallery.index.photos[row].person
        self.selection_changed.emit()

    def search(self, words: str) -> None:
        """Show all photographs that match these words; "" matches all."""
        self.searched = words
        self.selection_changed.emit()

    def album(self, people: tuple[str, ...] = (), words: str = "") -> tuple[AlbumPhoto, ...]:
        """Return photographs of the project: see `album`. The last result is kept.

        So showing the result of a search does not repeat the search.
        """
        if self.project is None:
            return ()
        content = self.project.content
        wanted = people, words
        if self._album is None or self._album[0] is not content or self._album[1] != wanted:
            self._album = content, wanted, album(content, people, words)
        return self._album[2]

    def select_person(self, person: str | None) -> None:
        """Select a person, and the first face of that person, for all pages."""
        rows = self.gallery.index.rows_of(person)
        self.person = person
        self.searched = ""
        self.photo = self.gallery.index.photos[rows[0]].id if rows else None
        self.selection_changed.emit()

    # Changes: each is one transaction, made at once

    def apply(self, title: str, edit: Edit) -> bool:
        """Make a change of the gallery; see `change`."""
        return self.change(title, lambda now: now.with_gallery(edit(now.gallery)))

    def change(self, title: str, edit: ContentEdit, ends_import: bool = False) -> bool:
        """Change the project's content, in memory and in its file; return whether that succeeded.

        ``title`` is the name of the change for undo; with "" it is no step of undo. If the change
        fails, nothing is changed, and a message says why. If the file could not take it, it is made
        when the project is saved elsewhere. ``ends_import``: see `Project.write`.
        """
        try:
            project = self._own_project()
            before = project.content
            after = edit(before)
            project.write(after, ends_import=ends_import)
        except EigenfacesError as error:
            again = partial(self.change, title, edit, ends_import)
            self._refused = (title, again) if isinstance(error, ProjectError) else None
            self.show_error(error)
            return False
        self._refused = None
        if title and not after.is_like(before):
            self.history = self.history.remember(title, before, project.content)
        self._announce(before)
        return True

    def amend(self, edit: Edit) -> bool:
        """Make a change of the gallery that follows from the last one; one undo reverts both."""
        done = self.change("", lambda now: now.with_gallery(edit(now.gallery)))
        if done and self.project is not None:
            self.history = self.history.amend(self.project.content)
        return done

    def put_probes(
        self,
        probes: Collection[Probe],
        without_face: Collection[Path] = (),
        verb: str = "adding",
        *,
        files: Collection[KnownFile] = (),
    ) -> bool:
        """Add probes and photographs without a face; select the first. Undo removes them again.

        ``files`` describes the files of the photographs that were read.
        """
        new = {probe.photo.id: probe for probe in probes}
        amount = count(len(new), "face") if new else count(len(without_face))

        def edit(now: Content) -> Content:
            old = {probe.photo.id: probe for probe in now.probe_list.probes}
            gallery = with_answers_carried_over(now.gallery, [*old.values()], [*new.values()])
            gallery = forget_answers_about_other_faces(gallery, old, new)
            listed = now.probe_list.add(probes, without_face)
            known = with_files(now.files, files)
            return replace(now, gallery=gallery, probe_list=listed, files=known)

        done = self.change(f"{verb} {amount} to recognise", edit)
        if done and new:
            self.select(next(iter(new)))
        return done

    def remove_probes(self, lines: Collection[Line]) -> None:
        """Remove probes, and photographs without a face, from the list."""
        title = f"removing {len(lines):,} from the list"
        if self.change(title, lambda now: replace(now, probe_list=now.probe_list.remove(lines))):
            self.select(self.probes[0].photo.id if self.probes else None)

    def set_calibration(self, calibration: Calibration) -> None:
        """Keep the calibration, unless the gallery has changed; this is no step of undo."""
        if self.project is not None:
            self.apply("", lambda now: now.with_calibration(calibration))

    def forget_readings(self) -> None:
        """Forget the readings of unfinished imports: nobody wants them."""
        if self.project is not None:
            with suppress(EigenfacesError):
                self.project.write(self.project.content, ends_import=True)

    def own_project(self) -> Project | None:
        """Return the open project, or else a new draft; None, with a message, if that fails."""
        try:
            return self._own_project()
        except EigenfacesError as error:
            self.show_error(error)
            return None

    def _own_project(self) -> Project:
        if self.project is None:
            self._set_project(Project.create(draft_path("Untitled project"), self._blank))
            self._announce()  # it has a name and a file, even while it is empty
        assert self.project is not None
        return self.project

    def forget_person(self, person: str, runs: Collection[KeptRun], *, remember: bool) -> bool:
        """Forget a person for good, without undo; return whether that succeeded.

        ``runs`` are the evaluations that do not name the person.
        """
        project = self.project
        if project is None:
            return False
        try:
            before = project.forget_person(person, remember=remember, runs=runs)
        except EigenfacesError as error:
            self.show_error(error)
            return False
        self.history = History()
        self._album = None
        self._announce(before)
        return True

    # Jobs

    def run(
        self,
        kind: JobKind,
        title: str,
        work: Callable[[Tick], T],
        done: Callable[[T], object],
        failed: Callable[[EigenfacesError], object] | None = None,
        *,
        key: object = None,
        cancelled: str = "",
    ) -> None:
        """Start a job, and say what it waits for; without ``failed``, show its errors, too."""
        failed = failed or self.show_error
        self.jobs.start(kind, title, work, done, failed, key=key, cancelled=cancelled)
        ahead = self.jobs.blocking_job(kind)
        if ahead is not None and Rule.UNASKED not in kind.rules:
            self.show_message(f"{ahead.title} comes first. If you cannot wait, cancel it below.")

    def undo(self) -> None:
        """Undo the last change."""
        project = self.project
        if project is not None and (back := self.history.undo(project.content)) is not None:
            step, history = back
            self._go(f"undoing {step.title}", step.undo, history, f"Undone: {step.title}.")

    def redo(self) -> None:
        """Redo the last undone change."""
        project = self.project
        if project is not None and (forward := self.history.redo(project.content)) is not None:
            step, history = forward
            self._go(f"redoing {step.title}", step.redo, history, f"Redone: {step.title}.")

    def _go(self, title: str, edit: ContentEdit, history: History, sentence: str) -> bool:
        """Go to another state of the history; return whether that succeeded."""
        before = self.history
        self.history = history  # before the change, whose signal makes the menu read it
        done = self.change("", edit)
        if done:
            self.show_message(sentence)
        else:
            self.history = before
            if self._refused is not None:
                self._refused = title, partial(self._go, title, edit, history, sentence)
        return done

    def _announce(self, before: Content | None = None) -> None:
        """Deselect what no longer exists, and tell the pages what has changed since ``before``."""
        if self.photo and self.face(self.photo) is None:
            self.photo = None
        if self.person is not None and self.person not in self.gallery.people:
            row = self.gallery.index.row_of(self.photo) if self.photo else None
            self.person = None if row is None else self.gallery.index.photos[row].person
        now = None if self.project is None else self.project.content
        if now is None or before is None or now.probe_list != before.probe_list:
            self.probes_changed.emit()
        self.gallery_changed.emit()
        self.selection_changed.emit()

    # The open project

    def open(self, project: Project, *, untouched: bool = False) -> None:
        """Change to another project; an ``untouched`` draft is only kept if it is changed."""
        self.jobs.cancel(*JobKind.all_with(Rule.OF_PROJECT))
        self.close_project()
        self._set_project(project)
        self._untouched = untouched
        if self.gallery.people:
            self.select_person(self.gallery.people[0])
        self._announce()

    def new(self) -> None:
        """Start an empty project; the open project stays in its file."""
        self.jobs.cancel(*JobKind.all_with(Rule.OF_PROJECT))
        self.close_project()
        self.show_page("people")

    def continue_in(self, project: Project) -> str:
        """Continue with the same project in another file; undo still works.

        Return the title of the change that the old file could not take, now made here, or "".
        """
        history, draft = self.history, self.project if self.is_draft else None
        photo, person, refused = self.photo, self.person, self._refused
        self.forget_readings()  # the other file has them
        self.close_project()
        self._set_project(project)
        if draft is not None:
            self._delete(draft)
        self.history, self.photo, self.person = history, photo, person
        self._announce()
        if refused is None:
            return ""
        title, again = refused
        return title if again() else ""

    def close_project(self) -> None:
        """Close the project; delete a draft without any work in it."""
        if (project := self.project) is not None:
            useless = not (len(project.gallery.faces) or project.unused or project.readings)
            history = self.history
            changed = history.undo_title or history.redo_title or project.is_overwritten
            if self._untouched and not changed:
                useless = not (project.runs or project.unused)
            project.close()
            if self.is_draft and useless:
                self._delete(project)
            else:
                self.settings.add_recent(project.path)
        self.project = self.photo = self.person = None
        self.searched = ""
        self._untouched, self._refused, self.history = False, None, History()
        self._album = None
        self.arrived = frozenset()
        self._announce()

    def close(self) -> None:
        """Stop all jobs and close the file, which has every change already: see `close_project`.

        The current view is remembered, so that the next start goes back to it.
        """
        self.jobs.close()
        path = self.project.path if self.project else None
        view = None if path is None else LastView(path, self.page, self.person)
        self.close_project()
        is_there = path in self.settings.recent_projects  # otherwise it was an empty draft
        self.settings.last_view = view if is_there else None

    def _set_project(self, project: Project) -> None:
        self.project = project
        self.settings.add_recent(project.path)  # drafts too, so that they are found after a crash

    def _delete(self, draft: Project) -> None:
        """Delete a draft if possible; for 1 GB this takes half a second."""
        self.settings.forget_recent(draft.path)
        with suppress(OSError):
            draft.path.unlink(missing_ok=True)
