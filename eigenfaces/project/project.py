"""The project file: a gallery and its evaluations in one file, changed a transaction at a time.

`sqlite_file` handles the file itself, `tables` defines its content.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from eigenfaces.errors import ProjectError, Tick, no_tick
from eigenfaces.evaluation.records import Record, from_json, to_json
from eigenfaces.faces.findings import FOUND
from eigenfaces.project.atomic_files import clear_unfinished, put_in_place, temporary_path
from eigenfaces.project.probe_tables import load_asked, write_asked
from eigenfaces.project.runs import (
    Run,
    copy_runs,
    list_runs,
    packed,
    read_run,
    write_run,
)
from eigenfaces.project.sqlite_file import (
    SqliteFile,
    damaged,
    first_number,
    new_file,
    replacing,
    sentences,
)
from eigenfaces.project.storage import (
    Stored,
    load_gallery,
    with_faces,
    write_changes,
    write_new,
)
from eigenfaces.project.stored_faces import (
    FaceStore,
    copy_faces,
    delete_faces,
    left_over,
    unstored,
)
from eigenfaces.project.tables import VERSION, check_pages, check_tables, is_large
from eigenfaces.project.unused import (
    Texts,
    Unused,
    load_findings,
    load_unused,
    write_findings,
    write_unused,
)
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import NOTHING_ASKED, Asked

SUFFIX = ".eigenfaces"

APPLICATION_ID = 0x45464143

_FACES_AT_ONCE = 2000
"""Crops that are written in one transaction."""


class Project:
    """An open project file and the gallery it holds. Use `create`, `open`, `save` and `close`."""

    def __init__(
        self, file: SqliteFile, store: FaceStore, unused: Unused = (), asked: Asked = NOTHING_ASKED
    ) -> None:
        self.path = file.path
        self.read_only = file.read_only
        self._file = file
        self._store = store
        self._unused = unused
        self._asked = asked
        self._stored = Stored.nothing(Gallery.new())
        self._removed: set[str] = set()

    @property
    def gallery(self) -> Gallery:
        """The gallery as stored in the file, from which its crops are read when they are wanted."""
        return self._stored.gallery

    @property
    def unused(self) -> Unused:
        """The photographs of imports that are not in the gallery, as stored in the file."""
        return self._unused

    @property
    def asked(self) -> Asked:
        """The faces to recognise, as stored in the file."""
        return self._asked

    @property
    def is_in_place(self) -> bool:
        """Whether its file is still in its place, and no other program has changed it."""
        return self._file.is_in_place()

    @property
    def is_overwritten(self) -> bool:
        """Whether another program has written into its file, so that it cannot be read any more."""
        return not self._file.is_unchanged()

    @classmethod
    def create(
        cls,
        path: Path | str,
        gallery: Gallery | None = None,
        runs_of: Project | None = None,
        *,
        unused: Unused = (),
        findings: Texts | None = None,
    ) -> Project:
        """Write a new project to a temporary file, move it to its place, and open it.

        The evaluations kept in ``runs_of`` are copied into it, what waits there, what is to be
        recognised, and the faces that undo may bring back; the evaluations of a file that another
        program has overwritten meanwhile are lost.
        """
        path, gallery, asked = Path(path), gallery or Gallery.new(), NOTHING_ASKED
        if runs_of is not None:
            unused, findings = runs_of.unused, runs_of.findings()
            fits = gallery.preparation == runs_of.gallery.preparation
            asked = runs_of.asked if fits else NOTHING_ASKED
        with sentences(path):
            if not path.parent.is_dir():
                raise ProjectError(f"There is no folder “{path.parent}”. Make it first.")
            real = path.resolve()  # a link stays a link
            with temporary_path(real) as part:
                with new_file(part, first_number(VERSION)) as connection:
                    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                    stored = write_new(connection, gallery)
                    write_unused(connection, unused)
                    write_findings(connection, findings or {})
                    write_asked(connection, NOTHING_ASKED, asked)
                    if runs_of is not None and not runs_of.is_overwritten:
                        with runs_of._file.reading() as source:
                            copy_runs(source, connection)
                            copy_faces(source, connection, runs_of._removed)
                with replacing(path):
                    put_in_place(part, real)
        file = SqliteFile(path)
        project = cls(file, FaceStore(file), unused, asked)
        project._take(stored)
        if runs_of is not None:
            runs_of._store.goes_on_in(project._store)
            project._removed = {*runs_of._removed}
        return project

    @classmethod
    def open(cls, path: Path | str, tick: Tick = no_tick, *, shared: bool = False) -> Project:
        """Open a project file; raise `ProjectError`, a sentence, if that is not possible.

        It may come from anybody: nothing in it is run, and all that is read of it is checked, its
        crops when they are wanted, and in a large file the coordinates of its faces. ``tick`` is
        called during that, and may stop it. ``shared``: it will only be read, and others may read
        it at the same time.
        """
        path = Path(path)
        file = SqliteFile(path, shared=shared, tick=tick)
        try:
            store = FaceStore(file)
            with file.reading(tick) as connection:
                stored, unused, asked, left = _load(file, store, connection)
                large = is_large(connection)
            if not large:
                stored.read(tick)
            if not file.read_only:
                clear_unfinished(path.parent)
            project = cls(file, store, unused, asked)
            project._take(stored)
            project._removed = set() if shared else left
            with contextlib.suppress(ProjectError):  # it is tried again, and said, by `close`
                project._forget_removed()
            return project
        except BaseException:
            file.close()
            raise

    def save(
        self, gallery: Gallery, unused: Unused | None = None, findings: Texts | None = None
    ) -> None:
        """Save this gallery in the file, in one transaction or not at all.

        With it ``unused`` photographs (None: as they are), and what was found in photographs. Faces
        to recognise that were cut otherwise are dropped: they cannot be compared with it.
        """
        fits = gallery.preparation == self.gallery.preparation
        asked = self._asked if fits else NOTHING_ASKED
        change = self._stored.to(gallery)
        if gallery.training is not self.gallery.training or change.stale.size:
            self._file.refuse_another_file()
            self._stored.read()  # undo returns to it
        gallery = self._with_faces(gallery, change.recut)
        with self._file.transaction() as connection:
            stored = write_changes(connection, self._stored, gallery)
            write_asked(connection, self._asked, asked)
            write_findings(connection, findings or {})
            if unused is not None:
                write_unused(connection, unused)
        self._take(stored)
        if change.recut or change.gone.size:
            self._removed = (self._removed | change.left) - gallery.index.by_crop.keys()
        self._asked = asked
        self._unused = self._unused if unused is None else unused

    def _with_faces(self, gallery: Gallery, of: Sequence[int]) -> Gallery:
        """Write crops that the file does not hold, some at a time: others may look meanwhile.

        No photograph has them as its face yet, so they count as removed until then.
        """
        for start in range(0, len(of), _FACES_AT_ONCE):
            some = of[start : start + _FACES_AT_ONCE]
            crops = {gallery.index.photos[row].crop for row in some}
            with self._file.looking() as connection:
                missing = unstored(connection, crops)
            if missing:
                with self._file.transaction() as connection:
                    gallery = with_faces(connection, gallery, some)
                self._removed |= {gallery.index.photos[row].crop for row in some}
        return gallery

    def _take(self, stored: Stored) -> None:
        """Go on with what is in the file now, and leave its crops there."""
        gallery = stored.gallery
        faces = self._store.faces(gallery.faces)
        gallery = gallery if faces is gallery.faces else replace(gallery, faces=faces)
        self._stored = replace(stored, gallery=gallery)

    def _forget_removed(self) -> None:
        """Delete the crops that no photograph has as its face; undo cannot bring them back then."""
        if self._removed and not self.read_only:
            with self._file.transaction() as connection:
                delete_faces(connection, self._removed)
            self._removed = set()

    def ask(self, asked: Asked) -> None:
        """Store the faces to recognise, as far as they are cut as the gallery's faces are.

        Where the file cannot be written, they are kept until it is closed.
        """
        shape = self.gallery.faces.shape
        fitting = tuple(probe for probe in asked.probes if probe.image.shape == shape)
        asked = replace(asked, probes=fitting)
        if asked != self._asked and not self.read_only:
            with self._file.transaction() as connection:
                write_asked(connection, self._asked, asked)
        self._asked = asked

    def recall(self, calibration: Calibration) -> None:
        """Keep a calibration that holds; where the file cannot be written, until it is closed."""
        gallery = self.gallery.recalling(calibration)
        if self.read_only:
            self._stored = replace(self._stored, gallery=gallery)
        elif gallery is not self.gallery:
            self.save(gallery)

    def findings(self) -> Texts:
        """Return what was found in its photographs; nothing where it cannot be read any more."""
        if self.is_overwritten:
            return {}
        with self._file.reading() as connection:
            return load_findings(connection)

    def runs(self) -> list[Run]:
        """Return id, time and name of every stored evaluation, the oldest first."""
        with self._file.reading() as connection:
            return list_runs(connection)

    def run(self, number: int) -> Record:
        """Return a stored evaluation."""
        with self._file.reading() as connection:
            text = read_run(connection, number)
        return from_json(text)

    def add_run(self, made: str, name: str, record: Record) -> int:
        """Store an evaluation, with the time it was made (ISO 8601); return its id."""
        if self.read_only:
            raise ProjectError(
                f"“{self.path.name}” is read-only, so this evaluation is not kept with it. Write a "
                "report of it, or save a copy of the project elsewhere and evaluate that."
            )
        run = packed(to_json(record))
        with self._file.transaction() as connection:
            return write_run(connection, made, name, run)

    def delete_run(self, number: int) -> None:
        """Delete an evaluation."""
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM run WHERE id = ?", (number,))

    def close(self) -> None:
        """Close the file. Everything is already saved; removed faces leave it now.

        Raises
        ------
        ProjectError
            They could not be overwritten; the file is closed all the same.
        """
        if self._file.is_closed:
            return
        try:
            self._forget_removed()
        except ProjectError as error:
            raise ProjectError(
                f"“{self.path.name}” still holds the faces that were removed from it: they could "
                "not be overwritten when it was closed. Open it again where it can be written, and "
                "they are."
            ) from error
        finally:
            self._file.close()


def _load(
    file: SqliteFile, store: FaceStore, connection: sqlite3.Connection
) -> tuple[Stored, Unused, Asked, set[str]]:
    """Return the content of a valid project file, and which crops are nobody's face any more.

    An error is raised for others. What was found in photographs before is remembered.
    """
    if file.application_id != APPLICATION_ID:
        raise ProjectError(f"“{file.path}” is not a project file of this program.")
    if file.version != VERSION:
        raise ProjectError(
            f"“{file.path.name}” was made by another version of this program. Open it with that "
            "version, or update this one."
        )
    try:
        check_tables(connection)
        check_pages(connection, file.path.stat().st_size)
        stored = load_gallery(connection, store)
        faces = stored.gallery.faces
        unused = load_unused(connection)
        asked = load_asked(connection, faces.shape)
        FOUND.remember(load_findings(connection))
        left = left_over(connection, faces.index.by_crop)
        return stored, unused, asked, left
    except ValueError as error:
        raise damaged(file.path, str(error)) from error
