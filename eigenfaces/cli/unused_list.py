"""The photographs that a build did not use: all in a file beside the project, a few on screen."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from eigenfaces.cli.plaintext import shown, unused_text
from eigenfaces.cli.running import note, terminal_width
from eigenfaces.csv_files import as_table
from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.findings import FOUND
from eigenfaces.photographs.decoding import resolved
from eigenfaces.photographs.photos import Skipped
from eigenfaces.project.atomic_files import atomic_write
from eigenfaces.wording import count

COLUMNS = ("photo", "person", "kind", "reason")


class UnusedList:
    """A CSV file beside a project; of what is in its place only an older such list is replaced."""

    def __init__(self, project: Path, *, overwrite: bool) -> None:
        """Raise `EigenfacesError`, before any work is done, if something is in its place."""
        project = resolved(project)
        self.path = project.with_name(f"{project.stem}.not-used.csv")
        self._overwrite = overwrite
        self._check()

    def _check(self) -> None:
        if os.path.lexists(self.path) and not (self._overwrite and self._is_one()):
            remedy = "Add --overwrite to replace it, or move it elsewhere."
            if not self._is_one():
                remedy = "Move it elsewhere, or choose another name for the project."
            raise EigenfacesError(
                f"“{self.path}” exists already, where the photographs that are not used are to be "
                f"listed. {remedy}"
            )

    def _is_one(self) -> bool:
        heading = as_table(COLUMNS, []).encode()
        if not self.path.is_file() or self.path.is_symlink():
            return False
        with self.path.open("rb") as file:
            return file.read(len(heading)) == heading

    def write(self, skipped: Sequence[Skipped]) -> None:
        """Write the list; without photographs there is none. Print a summary."""
        listed = f"“{shown(self.path)}” lists them all."
        try:
            self._check()  # again: a build may take an hour
            if skipped:
                rows = ([each.path, each.person or "", each.kind, each.reason] for each in skipped)
                with atomic_write(self.path) as part:
                    part.write_text(as_table(COLUMNS, rows), "utf-8", newline="")
            else:
                self.path.unlink(missing_ok=True)
        except (EigenfacesError, OSError) as error:  # the project is there all the same
            listed = f"The list of them could not be written: {error}"
        if skipped:
            typer.echo(unused_text(skipped, terminal_width(), listed))


@contextlib.contextmanager
def going_on(project: Path) -> Iterator[None]:
    """Do work on photographs; if it is stopped at any moment, the next one searches only the rest.

    What was found is written to a file beside the project, which the end of the work removes.
    """
    project = resolved(project)
    unfinished = project.with_name(f"{project.name}.unfinished")
    with FOUND.kept_in(unfinished) as before:
        files = {key for key, _ in before}
        if files:
            note(
                f"An earlier build was not finished. What it found in "
                f"{count(len(files), 'photograph')} is used again where they are the same."
            )
        try:
            yield
            if others := len(files - {key for key, _ in FOUND.used}):
                what = f"What it found in {count(others, 'other photograph')}"
                note(f"{what} was not needed now, and is not kept.")
        except BaseException:
            if unfinished.is_file() and not unfinished.is_symlink():
                where = f"What was found is kept in “{unfinished}”"
                note(f"{where}: the same command goes on from there.")
            raise
