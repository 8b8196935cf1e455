"""Project files, which hold a gallery and its evaluations and are changed in transactions.

The module `file` handles the file itself and its tables, `content` the data in the tables, and
`rows` the rows that a change writes.
"""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Collection, Sequence
from dataclasses import fields, replace
from pathlib import Path
from threading import RLock

from eigenfaces.errors import EigenfacesError, ProjectError, Tick, no_tick
from eigenfaces.evaluation.records import EvaluationRecord, from_json, to_json
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.faces.portraits import PORTRAITS
from eigenfaces.files import clear_unfinished, put_in_place, temporary_path
from eigenfaces.project.content import MOST_TEXT, Content, KeptRun, Reader, as_json, load_content
from eigenfaces.project.file import (
    SqliteFile,
    as_project_errors,
    check_tables,
    damaged_file_error,
    lock_for_replacement,
    new_file,
)
from eigenfaces.project.forget import forgotten_faces, without_person
from eigenfaces.project.moved import beside, folders_of
from eigenfaces.project.readings import KeptReading, load_readings
from eigenfaces.project.rows import RowChange, Rows, Statement, record_rows
from eigenfaces.project.unused import Unused
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import ProbeList

SUFFIX = ".eigenfaces"


def _is_known_without_file(before: Content, now: Content) -> bool:
    """Return whether the content changed only in parts that a read-only project keeps in memory."""
    names = (field.name for field in fields(Gallery) if field.name != "calibration")
    same = all(getattr(before.gallery, name) is getattr(now.gallery, name) for name in names)
    return same and replace(before, gallery=now.gallery, probe_list=now.probe_list).is_like(now)


def _place_statement(path: Path) -> Statement:
    """Return the statement that stores the folder of a project file."""
    row = ("place", as_json(folders_of(path)))
    return "INSERT OR REPLACE INTO document VALUES (?, ?)", [row]


class Project:
    """Open project file with a gallery. Use `create`, `open`, `save` and `close`.

    Methods raise `ProjectError` if the file cannot be read or written.

    Parameters
    ----------
    file
        The open file, from `create` or `open`.
    content
        The content of the file.
    rows
        The state of the tables in the file.

    Attributes
    ----------
    path
        The path of the file.
    read_only
        Whether the file cannot be written to.

    Examples
    --------
    >>> from contextlib import closing
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with closing(Project.create(Path(folder, "people.eigenfaces"))) as project:
    ...         project.save(Gallery.new())
    ...     with closing(Project.open(Path(folder, "people.eigenfaces"))) as project:
    ...         print(project.gallery.people, project.runs)
    () ()
    """

    def __init__(self, file: SqliteFile, content: Content, rows: Rows) -> None:
        self.path = file.path
        self.read_only = file.read_only
        self._file = file
        self._content = content
        self._rows = rows
        self._changing = RLock()  # allows one change at a time, from any thread
        self.readings: tuple[KeptReading, ...] = ()
        """The readings of imports that were interrupted or are still running."""

        self._reading_names: tuple[str, ...] = ()  # names of the values that store the readings
        self._rewrite_is_due = False  # whether somebody was forgotten since the last rewrite

    @property
    def content(self) -> Content:
        """All the data stored in the file."""
        return self._content

    @property
    def gallery(self) -> Gallery:
        """The gallery as stored in the file."""
        return self._content.gallery

    @property
    def unused(self) -> Unused:
        """The imported photographs that are not in the gallery, as stored in the file."""
        return self._content.unused

    @property
    def probe_list(self) -> ProbeList:
        """The faces to recognise, as stored in the file."""
        return self._content.probe_list

    @property
    def runs(self) -> tuple[KeptRun, ...]:
        """The evaluations saved in the file, oldest first."""
        return self._content.runs

    @property
    def is_in_place(self) -> bool:
        """Whether the file is still at its path and no other program has changed it."""
        return self._file.is_in_place()

    @property
    def is_overwritten(self) -> bool:
        """Whether another program has written to the file, so that it can no longer be read."""
        return not self._file.is_unchanged()

    @classmethod
    def create(
        cls,
        path: Path | str,
        gallery: Gallery | None = None,
        runs_of: Project | None = None,
        *,
        unused: Unused = (),
    ) -> Project:
        """Create a project in a temporary file, move the file into place, and return the project.

        Everything in ``runs_of`` except the gallery is copied, including the readings of unfinished
        imports. Evaluations are left out if another program has overwritten the original file.

        Raises
        ------
        ProjectError
            The folder does not exist, or the file cannot be written there.
        """
        path = Path(path)
        gallery = gallery or Gallery.new()
        content = Content(gallery, tuple(dict.fromkeys(unused)))
        if runs_of is not None:
            content = replace(runs_of.content.with_gallery(gallery), runs=())
        rows = Rows()
        with as_project_errors(path):
            if not path.parent.is_dir():
                raise ProjectError(f"There is no folder “{path.parent}”. Create it first.")
            real = path.resolve()  # a link remains a link
            with temporary_path(real) as part:
                with new_file(part) as connection:
                    records = []
                    if runs_of is not None and not runs_of.is_overwritten:
                        content = replace(content, runs=runs_of.runs)
                        with runs_of._file.reading() as source:
                            records = [*record_rows(source, content.runs)]
                    change = rows.change(None, content)
                    change.statements.append(_place_statement(path))
                    RowChange([*records, *change.large], change.statements).write(connection)
                with lock_for_replacement(path):
                    put_in_place(part, real)
        rows.note([*records, *change.large])
        project = cls(SqliteFile(path), content, rows)
        if runs_of is not None:
            with contextlib.suppress(ProjectError):  # the photographs can be read again
                project.keep_readings(runs_of.readings)
        return project

    @classmethod
    def open(cls, path: Path | str, tick: Tick = no_tick, *, shared: bool = False) -> Project:
        """Open the project in a file, or raise `ProjectError` if the file cannot be read.

        The file need not be trusted: nothing in it is executed, and all types and checksums are
        checked. ``tick`` is called regularly, and may cancel the reading. If ``shared``, the file
        is opened only for reading, so that other processes can read it at the same time.
        """
        path = Path(path)
        file = SqliteFile(path, shared=shared)
        try:
            with file.reading() as connection:
                check_tables(connection, path)
                reader = Reader(connection)
                content = load_content(reader, tick)
                if vectors := reader.descriptions():
                    DESCRIPTORS.add(vectors)
                PORTRAITS.add(reader.portraits())
                reading_names = reader.document("readings", tuple[str, ...]) or ()
                readings = load_readings(reader, reading_names, tick)
                places = reader.document("place", tuple[Path, ...]) or ()
                rows = Rows()
                rows.take(connection, content, reader)
            if not file.read_only:
                clear_unfinished(path.parent)
            project = cls(file, content, rows)
            project.readings, project._reading_names = readings, reading_names
            if set(places).isdisjoint(folders_of(path)):
                project._move_beside(places)
            if not (file.read_only or shared):
                project._sweep()  # delete values left by a killed process
            return project
        except BaseException as error:
            file.close()
            worded = type(error) is ValueError or isinstance(error, EigenfacesError)
            damage = (ValueError, TypeError, KeyError, OverflowError, RecursionError)
            if isinstance(error, ProjectError) or not (worded or isinstance(error, damage)):
                raise  # any other error is a bug in the program
            why = str(error).rstrip(".") if worded else "its parts do not match"
            raise damaged_file_error(path, why) from error

    def _move_beside(self, places: Sequence[Path]) -> None:
        """Use the photographs that were moved or copied together with the project file."""
        moved = beside(self._content, places, self.path)
        if self.read_only or self._file.shared:
            self._content = moved
            return
        change = self._rows.change(self._content, moved)
        change.statements.append(_place_statement(self.path))
        with self._file.transaction() as connection:
            change.write(connection)
        self._content = moved

    def save(
        self,
        gallery: Gallery,
        unused: Unused | None = None,
        probe_list: ProbeList | None = None,
    ) -> None:
        """Save a gallery in the file, completely or not at all.

        ``unused`` photographs and faces to recognise are saved as well, unless they are None. Faces
        to recognise that were cropped differently are dropped, as they cannot be compared.
        """
        with self._changing:
            content = self._content.with_gallery(gallery)
            if unused is not None:
                content = replace(content, unused=tuple(dict.fromkeys(unused)))
            if probe_list is not None:
                content = replace(content, probe_list=probe_list)
            self.write(content)

    def write(self, content: Content, *, ends_import: bool = False) -> None:
        """Store new content in the file, completely or not at all.

        Only the differences are written. If the file is read-only, faces to recognise and a
        calibration are kept in memory until it is closed. With ``ends_import``, the readings of an
        import are deleted too, because they are now in the content or no longer needed.
        """
        with self._changing:
            if self.read_only and _is_known_without_file(self._content, content):
                self._content = content
                return
            change = self._rows.change(self._content, content)
            if ends_import and self.readings:
                forgotten = [("readings",)]
                change.statements.append(("DELETE FROM document WHERE name = ?", forgotten))
            if change:
                with self._file.transaction() as connection:
                    change.write(connection)
                self._rows.note(change.large)
            self._content = content
            if ends_import:
                self.readings = ()
                self._reading_names = ()

    def store_ahead(self, content: Content, tick: Tick = no_tick) -> None:
        """Store the large values of new content in advance, so that the change only writes rows.

        Any thread may call this. The values are stored in pieces, so that other changes can be made
        in between. Values that no change uses are deleted when the file is closed.
        """
        if not self.read_only:
            self._rows.store_ahead(self._file, self._rows.lacking(content), tick)

    def keep_readings(self, readings: Sequence[KeptReading]) -> None:
        """Store the readings made so far by an import, in case the process is killed.

        Any thread may call this. The readings are kept until a change ends the import (`write`).
        """
        sound = [one for one in readings if one.is_sound]
        text = as_json([one.as_stored() for one in sound])
        if not sound or len(text) > MOST_TEXT:
            return
        self._rows.store_ahead(self._file, self._rows.lacking_for_readings(sound), no_tick)
        name = self._rows.store_text(self._file, text)
        with self._changing:
            names = tuple(dict.fromkeys((*self._reading_names, name)))
            with self._file.transaction() as connection:
                row = ("readings", as_json(names))
                connection.execute("INSERT OR REPLACE INTO document VALUES (?, ?)", row)
            self.readings += tuple(sound)
            self._reading_names = names

    def store_record(self, record: EvaluationRecord) -> str:
        """Store the record of an evaluation, and return its SHA-256 for a `KeptRun`.

        Raises
        ------
        ProjectError
            The file is read-only, or the evaluation has too many scores.
        """
        if self.read_only:
            raise ProjectError(
                f"“{self.path.name}” is read-only, so this evaluation is not saved in it. Write a "
                "report, or save a copy of the project elsewhere and evaluate that copy."
            )
        text = to_json(record).encode()
        if len(text) > MOST_TEXT:
            raise ProjectError(
                "This evaluation has too many scores to save in a project. Write a report "
                "instead: its JSON file contains all scores."
            )
        return self._rows.store_text(self._file, zlib.compress(text))

    def copy_records(self, other: Project) -> None:
        """Copy the records of evaluations that another project has and this one lacks."""
        missing = [run for run in other.runs if run not in self.runs]
        if missing:
            with other._file.reading() as source:
                rows = [*record_rows(source, missing)]
            self._rows.store_ahead(self._file, rows, no_tick)

    def add_run(self, made: str, name: str, record: EvaluationRecord) -> KeptRun:
        """Save an evaluation with the time at which it was run (ISO 8601); see `store_record`."""
        run = KeptRun(made, name, self.store_record(record))
        with self._changing:
            self.write(replace(self._content, runs=(*self.runs, run)))
        return run

    def record(self, run: KeptRun) -> EvaluationRecord:
        """Return a saved evaluation, or raise `ProjectError` if it is missing or damaged."""
        if run not in self.runs:
            raise ProjectError("This evaluation is no longer in the project.")
        with self._file.reading() as connection, contextlib.suppress(ValueError):
            packed = Reader(connection).large(run.record)
            packer = zlib.decompressobj()
            with contextlib.suppress(zlib.error, UnicodeError):
                content = packer.decompress(packed, MOST_TEXT)
                if content and packer.eof:
                    return from_json(content.decode())
        raise ProjectError("This evaluation is damaged in the project file. Run it again.")

    def runs_without(self, person: str) -> frozenset[KeptRun]:
        """Read all evaluations, and return those that do not name a person."""
        return frozenset(run for run in self.runs if not self._names(run, person))

    def forget_person(
        self, person: str, *, remember: bool = False, runs: Collection[KeptRun] | None = None
    ) -> Content:
        """Forget a person permanently, and return the content as it was before.

        After `rewrite` or `close` has rewritten the file, nothing about the person is left in it;
        see `forget`. This cannot be undone. ``runs`` is the result of `runs_without`, if
        already known.

        Raises
        ------
        EigenfacesError
            Nobody has this name.
        ProjectError
            The file is read-only, or cannot be written to.
        """
        with self._changing:
            before = self._content
            if self.read_only:
                raise ProjectError(f"“{self.path.name}” is read-only, so nobody was forgotten.")
            name = before.gallery.known_name(person)
            if runs is None:
                runs = self.runs_without(name)
            kept = [run for run in self.runs if run in runs]
            after = without_person(before, name, kept, remember=remember)
            self.readings, self._reading_names = (), ()
            self.write(after, ends_import=True)
            self._rewrite_is_due = True
            crops = {face.crop for face in forgotten_faces(before, name)}
            crops -= {photo.crop for photo in after.gallery.index.photos}
            PORTRAITS.forget(crops)
            DESCRIPTORS.forget(crops)
        return before

    def rewrite(self) -> None:
        """Rewrite the whole file, so that no deleted data is left in it. Any thread may call this.

        Raises
        ------
        ProjectError
            The file cannot be written. `close` will try again.
        """
        with self._changing:  # otherwise a change could use values that are being deleted
            self._sweep()
        self._file.rewrite()
        self._rewrite_is_due = False

    def _names(self, run: KeptRun, person: str) -> bool:
        """Return whether an evaluation names a person, or True if it cannot be read."""
        try:
            text = to_json(self.record(run))
        except EigenfacesError:
            return True
        escaped = json.dumps(person)
        return f'"{person}"' in text or escaped in text or f"/{person}/" in text

    def close(self) -> None:
        """Delete unused values and close the file. Everything has already been saved."""
        if not (self.read_only or self._file.shared):
            with contextlib.suppress(ProjectError):  # if the file was moved, nothing is lost
                self.store_ahead(self._content)  # descriptors that were computed since
                self._sweep()
                if self._rewrite_is_due:
                    self._file.rewrite()
        self._file.close()

    def _sweep(self) -> None:
        crops = (one.crop_names for one in self.readings)
        used = {*self._reading_names}.union(*crops)
        self._rows.sweep(self._file, self._content, used)
