"""Where a command reads faces from: the sample, a folder of photographs, or a project file."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import typer

from eigenfaces.cli import options
from eigenfaces.cli.plaintext import skipped_text
from eigenfaces.cli.running import note, progress, terminal_width, until_the_end
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.records import Source
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import concerns
from eigenfaces.faces.read import FaceReading
from eigenfaces.importing.load import Noticed, load_faces
from eigenfaces.photographs.decode import resolved
from eigenfaces.photographs.photos import FoundPhotos, Skipped, find_photos, suggest_pattern
from eigenfaces.project.project import SUFFIX, Project
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.sample import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.sample import load_sample
from eigenfaces.text import count

_DATABASE = b"SQLite format 3\0"


@dataclass(frozen=True)
class PhotoOptions:
    """Photographs: who is on them, and how their faces are cut."""

    pattern: options.Pattern = None
    eyes: options.EyesFile = None
    height: options.Height = 112
    width: options.Width = 92
    fit: options.Shape = "fill"
    already_cropped: options.AlreadyCropped = False

    @property
    def preparation(self) -> Preparation:
        """How faces are cropped."""
        return Preparation(self.height, self.width, self.fit, self.already_cropped)

    def find(self, place: Path) -> FoundPhotos:
        """Return the photographs of a folder or a list.

        A note is printed if some have no name, or somebody's folder is empty.
        """
        found = find_photos(resolved(place), self.pattern, self.eyes)
        files = [each.path for each in found.photos] + [each.path for each in found.skipped]
        if self.pattern is not None and all(path.parent != resolved(place) for path in files):
            note("--pattern has no effect: it names photographs directly in the folder.")
        _note_unnamed(found)
        note_remarks(found)
        return found

    def refuse_for(self, what: str) -> None:
        """Raise an error if options are given that have no effect."""
        if self != PhotoOptions():
            raise typer.BadParameter(
                f"The {what} has its own names and size: leave these options out."
            )


@dataclass(frozen=True, eq=False)
class NamedFaces:
    """Faces to evaluate, how they were cropped, their source, and the recipe of that source."""

    faces: FaceSet
    preparation: Preparation
    source: Source
    recipe: Recipe
    noticed: tuple[Noticed, ...] = ()


def read_named_faces(
    place: Path | None,
    *,
    sample: bool,
    photos: PhotoOptions,
) -> NamedFaces:
    """Return the faces of the sample, a project file, or a folder (or list) of photographs."""
    if (place is None) != sample:
        raise typer.BadParameter("Give either a SOURCE or --sample.")
    if place is None:
        photos.refuse_for("sample")
        return NamedFaces(read_sample(), SAMPLE_PREPARATION, Source("sample"), Recipe())
    if is_project(place):
        photos.refuse_for("project")
        gallery = open_gallery(place)
        source = Source("project", str(place))
        return NamedFaces(gallery.faces, gallery.preparation, source, gallery.recipe)
    eyes = None if photos.eyes is None else str(photos.eyes)
    found = photos.find(place)
    faces, noticed = read_photos(found, photos.preparation)
    source = Source("folder", str(place), photos.pattern, eyes)
    return NamedFaces(faces, photos.preparation, source, Recipe(), tuple(noticed))


def is_project(place: Path) -> bool:
    """Return whether this is a project file, not a folder or a list of photographs."""
    if not place.is_file():
        return False
    with place.open("rb") as file:
        return place.suffix == SUFFIX or file.read(len(_DATABASE)) == _DATABASE


def open_project(file: Path, *, shared: bool = False) -> Project:
    """Open a project file until the command ends: the faces are read from it."""
    return until_the_end.enter_context(contextlib.closing(Project.open(file, shared=shared)))


def open_gallery(file: Path) -> Gallery:
    """Return the gallery in a project file, which other commands may read at the same time."""
    return open_project(file, shared=True).gallery


def read_sample() -> FaceSet:
    """Return the AT&T faces."""
    with progress("Reading the sample") as tick:
        return load_sample(tick)


def read_photos(
    found: FoundPhotos,
    preparation: Preparation,
    *,
    guess: bool = False,
) -> tuple[FaceSet, list[Noticed]]:
    """Return the cropped face of every photograph, and which photographs need attention.

    ``guess``: of several faces, take the one that recurs on a person's photographs. Not for an
    evaluation: the names that are to be found would have chosen the faces.
    """
    noticed: dict[Path, Noticed] = {}

    def notice(one: Noticed) -> None:
        noticed[one.photo.path] = one

    look = None if preparation.already_cropped else partial(_noticed, preparation)
    with progress("Reading photographs") as tick:
        faces = load_faces(
            found,
            preparation,
            tick,
            look=look,
            notice=notice,
            guess=guess,
        )
    if look is None:
        return faces, []
    # Photographs without a face come before duplicates.
    skipped = sorted(faces.skipped, key=lambda each: each.kind == "duplicate")
    kept = [noticed[photo.path] for photo in faces.index.photos]
    return replace(faces, skipped=tuple(skipped)), kept


def _noticed(preparation: Preparation, reading: FaceReading) -> Noticed:
    return Noticed(reading.photo, concerns(reading, preparation))


def note_remarks(found: FoundPhotos) -> None:
    """Print what else was noticed where photographs were looked for."""
    if found.remarks:
        note(found.remarks)


def _note_unnamed(found: FoundPhotos) -> None:
    names = [photo.path.name for photo in found.photos if photo.person is None]
    if not names:
        return
    proposal = suggest_pattern(names)
    fits = f" --pattern '{proposal}' fits them all." if proposal else ""
    note(
        f"{count(len(names), 'photograph')} directly in the folder and not in a person's "
        "sub-folder: nobody is named on them, so they shape the face space but are never an "
        f"answer. A flat folder needs --pattern to name people by their file names.{fits}"
    )


def list_skipped(skipped: Sequence[Skipped], *, beside: bool = False) -> None:
    """Print the photographs that were not used; to standard error if ``beside`` a result."""
    if skipped:
        typer.echo(skipped_text(skipped, terminal_width()), err=beside)


@contextlib.contextmanager
def list_skipped_on_failure(skipped: Sequence[Skipped]) -> Iterator[None]:
    """Print the photographs that were not used if the work on the others fails."""
    try:
        yield
    except EigenfacesError:
        list_skipped(skipped, beside=True)
        raise
