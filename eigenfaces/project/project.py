"""The project file: a gallery and its evaluations in one file, changed a transaction at a time.

`file` is about the file itself and its tables, `content` is about what is in them.
"""

from __future__ import annotations

import contextlib
import zlib
from dataclasses import replace
from pathlib import Path
from threading import RLock

from eigenfaces.errors import EigenfacesError, ProjectError, Tick, no_tick
from eigenfaces.evaluation.records import Record, from_json, to_json
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.files import clear_unfinished, put_in_place, temporary_path
from eigenfaces.project.content import (
    MOST_DOCUMENT,
    Content,
    descriptor_changes,
    load_content,
    load_descriptions,
    with_crop_hashes,
    write_content,
)
from eigenfaces.project.file import (
    SqliteFile,
    as_project_errors,
    check_tables,
    damaged_file_error,
    lock_for_replacement,
    new_file,
)
from eigenfaces.project.unused import Unused
from eigenfaces.recognition.calibration import Calibration
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import NO_PROBES, ProbeList

SUFFIX = ".eigenfaces"
Run = tuple[int, str, str]  # id, when it was made (ISO 8601), and name of an evaluation kept


class Project:
    """An open project file and the gallery it holds. Use `create`, `open`, `save` and `close`.

    Its methods raise `ProjectError` where the file cannot be read or written.

    Parameters
    ----------
    file
        The open file, as `create` and `open` make it.
    content
        What is in it.

    Attributes
    ----------
    path
        Where the file is.
    read_only
        Whether nothing can be written into it.

    Examples
    --------
    >>> from contextlib import closing
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with closing(Project.create(Path(folder, "people.eigenfaces"))) as project:
    ...         project.save(Gallery.new())
    ...     with closing(Project.open(Path(folder, "people.eigenfaces"))) as project:
    ...         print(project.gallery.people, project.runs())
    () []
    """

    def __init__(self, file: SqliteFile, content: Content) -> None:
        self.path = file.path
        self.read_only = file.read_only
        self._file = file
        self._content = content
        self._changing = RLock()  # one change after another, from whichever thread

    @property
    def gallery(self) -> Gallery:
        """The gallery as stored in the file."""
        return self._content.gallery

    @property
    def unused(self) -> Unused:
        """The photographs of imports that are not in the gallery, as stored in the file."""
        return self._content.unused

    @property
    def probe_list(self) -> ProbeList:
        """The faces to recognise, as stored in the file."""
        return self._content.probe_list

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
    ) -> Project:
        """Return a new project, written to a temporary file and moved to its place.

        What ``runs_of`` keeps and what waits there is copied, unless it was overwritten meanwhile.

        Raises
        ------
        ProjectError
            There is no such folder, or the file cannot be written there.
        """
        path = Path(path)
        gallery = gallery or Gallery.new()
        probe_list = NO_PROBES
        if runs_of is not None:
            unused = runs_of.unused
            if gallery.preparation == runs_of.gallery.preparation:
                probe_list = runs_of.probe_list
        with as_project_errors(path):
            if not path.parent.is_dir():
                raise ProjectError(f"There is no folder “{path.parent}”. Make it first.")
            real = path.resolve()  # a link stays a link
            content = Content(with_crop_hashes(gallery, ()), unused, probe_list)
            with temporary_path(real) as part:
                with new_file(part) as connection:
                    write_content(connection, None, content)
                    if runs_of is not None and not runs_of.is_overwritten:
                        with runs_of._file.reading() as source:
                            runs = source.execute("SELECT * FROM run")
                            connection.executemany("INSERT INTO run VALUES (?, ?, ?, ?)", runs)
                with lock_for_replacement(path):
                    put_in_place(part, real)
        return cls(SqliteFile(path), content)

    @classmethod
    def open(cls, path: Path | str, tick: Tick = no_tick, *, shared: bool = False) -> Project:
        """Return the project in a file; raise `ProjectError`, a sentence, if it cannot be read.

        It may come from anybody: nothing in it is run, and what is read is of its type and as its
        checksum says. ``tick`` is called during that, and may stop it. ``shared``: it will only be
        read, and others may read it at the same time.
        """
        path = Path(path)
        file = SqliteFile(path, shared=shared)
        try:
            with file.reading() as connection:
                check_tables(connection, path)
                content = load_content(connection, tick)
                if vectors := load_descriptions(connection):
                    DESCRIPTORS.add(vectors)
            if not file.read_only:
                clear_unfinished(path.parent)
            return cls(file, content)
        except BaseException as error:
            file.close()
            worded = type(error) is ValueError or isinstance(error, EigenfacesError)
            damage = (ValueError, TypeError, KeyError, OverflowError, RecursionError)
            if isinstance(error, ProjectError) or not (worded or isinstance(error, damage)):
                raise  # anything else is a fault of the program
            why = str(error).rstrip(".") if worded else "its content does not fit together"
            raise damaged_file_error(path, why) from error

    def save(
        self,
        gallery: Gallery,
        unused: Unused | None = None,
        probe_list: ProbeList | None = None,
    ) -> None:
        """Save this gallery in the file, in one transaction or not at all.

        With it ``unused`` photographs and the faces to recognise (None: as they are). Faces to
        recognise that were cut otherwise are dropped: they cannot be compared with it.
        """
        with self._changing:
            if probe_list is None:
                fits = gallery.preparation == self.gallery.preparation
                probe_list = self.probe_list if fits else NO_PROBES
            gallery = with_crop_hashes(gallery, self._content.crop_names)
            content = Content(gallery, self.unused if unused is None else unused, probe_list)
            with self._file.transaction() as connection:
                write_content(connection, self._content, content)
            self._content = content

    def save_probes(self, probe_list: ProbeList) -> None:
        """Store the faces to recognise that are cut as the gallery is, if it can be written."""
        with self._changing:
            shape = self.gallery.faces.shape
            fitting = tuple(probe for probe in probe_list.probes if probe.image.shape == shape)
            content = replace(self._content, probe_list=replace(probe_list, probes=fitting))
            if content.probe_list != self.probe_list and not self.read_only:
                with self._file.transaction() as connection:
                    write_content(connection, self._content, content)
            self._content = content

    def save_calibration(self, calibration: Calibration) -> None:
        """Store a calibration that holds; where the file cannot be written, until it is closed."""
        with self._changing:
            gallery = self.gallery.with_calibration(calibration)
            if self.read_only:
                self._content = replace(self._content, gallery=gallery)
            elif gallery is not self.gallery:
                self.save(gallery)

    def runs(self) -> list[Run]:
        """Return id, time and name of every stored evaluation, the oldest first."""
        with self._file.reading() as connection:
            return connection.execute("SELECT id, made, name FROM run ORDER BY id").fetchall()

    def run(self, number: int) -> Record:
        """Return a stored evaluation; raise `ProjectError` where it is gone, or is none."""
        with self._file.reading() as connection:
            query = "SELECT record FROM run WHERE id = ?"
            row = connection.execute(query, (number,)).fetchone()
        if row is None:
            raise ProjectError("This evaluation is no longer in the project.")
        packer = zlib.decompressobj()
        with contextlib.suppress(zlib.error, UnicodeError):
            content = packer.decompress(row[0], MOST_DOCUMENT)
            if content and packer.eof:
                return from_json(content.decode())
        raise ProjectError("This evaluation is damaged in the project file. Run it again.")

    def add_run(self, made: str, name: str, record: Record) -> int:
        """Return the id of an evaluation that is stored, with the time it was made (ISO 8601).

        Raises
        ------
        ProjectError
            The file is read-only, or the evaluation has too many scores.
        """
        if self.read_only:
            raise ProjectError(
                f"“{self.path.name}” is read-only, so this evaluation is not kept with it. Write a "
                "report of it, or save a copy of the project elsewhere and evaluate that."
            )
        text = to_json(record).encode()
        if len(text) > MOST_DOCUMENT:
            raise ProjectError(
                "This evaluation has too many scores to be kept in a project. Write a report of "
                "it: its JSON file holds them all."
            )
        row = made, name, zlib.compress(text)
        with self._file.transaction() as connection:
            cursor = connection.execute("INSERT INTO run VALUES (NULL, ?, ?, ?)", row)
        return int(cursor.lastrowid or 0)

    def delete_run(self, number: int) -> None:
        """Delete an evaluation."""
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM run WHERE id = ?", (number,))

    def close(self) -> None:
        """Close the file. Everything is already saved, but for what describes faces since then."""
        with contextlib.suppress(ProjectError):  # it would be found out again
            with self._file.reading() as connection:
                new = descriptor_changes(connection, self._content)[0]
            if new and not (self.read_only or self._file.shared):
                self.save(self.gallery)
        self._file.close()
