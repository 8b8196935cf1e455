"""Where a command reads faces from (the sample, photographs, a project), and what is told of them.

Of photographs it is told which were not used, what was found, and what should be looked at.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from eigenfaces.cli.options import PhotoOptions
from eigenfaces.cli.running import echo_err, exit_stack, progress, table, terminal_width
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.controls import LeakError
from eigenfaces.evaluation.records import Source
from eigenfaces.evaluation.run import participating_faces
from eigenfaces.faces.face_choice import MIXED, mixed_words
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import TITLES, concerns
from eigenfaces.faces.read import FaceReading
from eigenfaces.importing.load import Noticed, load_faces
from eigenfaces.photographs.decode import is_there, resolved
from eigenfaces.photographs.photos import (
    FACES_TABLE,
    FoundPhotos,
    Placement,
    Skipped,
    find_photos,
    person_from_name,
    suggest_pattern,
)
from eigenfaces.project.project import SUFFIX, Project
from eigenfaces.recognition.gallery import Gallery, without_duplicates
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.sample import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.sample import load_sample
from eigenfaces.text import count, shortened, were

_DATABASE = b"SQLite format 3\0"
_SHORT_PATH = 24  # letters of a path that are always shown
_FIRST = 5  # photographs that a summary shows


@dataclass(frozen=True, eq=False)
class NamedFaces:
    """Faces to evaluate, how they were cropped, their source, and the recipe of that source."""

    faces: FaceSet
    preparation: Preparation
    source: Source
    recipe: Recipe
    noticed: Sequence[Noticed] = ()
    automatic: bool = False  # whether the recipe chose itself


def read_named_faces(
    place: Path | None, *, sample: bool, photos: PhotoOptions, once: bool = False
) -> NamedFaces:
    """Return the faces of the sample, a project, or photographs; ``once``: no near-duplicates."""

    def kept(faces: FaceSet) -> FaceSet:
        return without_duplicates(participating_faces(faces)) if once else faces

    if (place is None) != sample:
        raise typer.BadParameter("Give either a SOURCE or --sample.")
    if place is None:
        photos.refuse_for("sample")
        return NamedFaces(read_sample(), SAMPLE_PREPARATION, Source("sample"), Recipe())
    if is_project(place):
        photos.refuse_for("project")
        gallery = open_gallery(place)
        source = Source("project", str(place))
        found = kept(gallery.faces), gallery.preparation, source, gallery.recipe
        return NamedFaces(*found, automatic=gallery.automatic is not None)
    eyes = None if photos.eyes is None else str(photos.eyes)
    # Which of several faces is meant is not guessed: the names to be found would choose the faces.
    faces, noticed = read_photos(find(place, photos), photos.preparation)
    source = Source("folder", str(place), photos.pattern, eyes)
    return NamedFaces(kept(faces), photos.preparation, source, Recipe(), noticed)


def is_project(place: Path) -> bool:
    """Return whether this is a project file, not a folder or a list of photographs."""
    if not place.is_file():
        return False
    with place.open("rb") as file:
        return place.suffix == SUFFIX or file.read(len(_DATABASE)) == _DATABASE


def open_project(file: Path, *, shared: bool = False) -> Project:
    """Open a project file until the command ends: the faces are read from it."""
    return exit_stack.enter_context(contextlib.closing(Project.open(file, shared=shared)))


def open_gallery(file: Path) -> Gallery:
    """Return the gallery in a project file, which other commands may read at the same time."""
    return open_project(file, shared=True).gallery


def read_sample() -> FaceSet:
    """Return the AT&T faces."""
    with progress("Reading the sample") as tick:
        return load_sample(tick)


def find(place: Path, said: PhotoOptions) -> FoundPhotos:
    """Return the photographs of a folder or a list, and note what has no name or is empty."""
    found = find_photos(resolved(place), said.pattern, said.eyes)
    files = [*(each.path for each in found.photos), *(each.path for each in found.skipped)]
    if said.pattern is not None and all(path.parent != resolved(place) for path in files):
        echo_err("--pattern has no effect: it names photographs directly in the folder.")
    if names := [photo.path.name for photo in found.photos if photo.person is None]:
        proposal = suggest_pattern(names)
        fits = ""
        if proposal:
            people = {person_from_name(name, proposal) for name in names}
            fits = f" --pattern '{proposal}' fits them all: {count(len(people), 'person')}."
        echo_err(
            f"{count(len(names), 'photograph')} directly in the folder and not in a person's "
            "sub-folder: nobody is named on them, so they shape the face space but are never an "
            f"answer. A flat folder needs --pattern to name people by their file names.{fits}"
        )
    if found.remarks:
        echo_err(found.remarks)
    if is_there(resolved(place) / FACES_TABLE) and not said.already_cropped:
        echo_err("These faces are cut already: with --already-cropped they are taken as they are.")
    return found


def read_photos(
    found: FoundPhotos,
    preparation: Preparation,
    *,
    look: Callable[[FaceReading], Any] | None = None,
    guess: bool = False,
) -> tuple[FaceSet, list[Any]]:
    """Return the cropped face of every photograph, and what ``look`` returns of its reading.

    Without ``look`` that is what needs attention, if faces are searched for; else nothing.
    ``guess``: of several faces, take the one that recurs on a person's photographs; without
    ``look``, all of them where nobody is named.
    """
    seen: dict[tuple[Path, Placement | None], Any] = {}
    said, mixed = Counter[str](), dict[str, None]()
    unseen = look is None and preparation.already_cropped

    def notice(reading: FaceReading) -> None:
        said.update({reading.rescaled, reading.truncated * unseen} - {""})
        if reading.choice is MIXED and reading.photo.person is not None:
            mixed[reading.photo.person] = None
        if not unseen:
            known = concerns(reading, preparation)
            kept = tuple(each for each in known if each.kind != "scaled")
            place = reading.photo.path, reading.photo.placement
            seen[place] = look(reading) if look else Noticed(reading.photo, kept)

    with progress("Reading photographs" if look is None else "Looking for faces") as tick:
        faces = load_faces(
            found, preparation, tick, notice=notice, guess=guess, every=guess and not look
        )
    for person in mixed:
        echo_err(f"{mixed_words(person)} Give each of them a folder, or their photographs no name.")
    for sentence, times in said.items():
        echo_err(f"{count(times, 'photograph')}: {sentence}")
    # Photographs without a face come before duplicates.
    skipped = sorted(faces.skipped, key=lambda each: each.kind == "duplicate")
    photos = () if unseen else faces.index.photos
    return replace(faces, skipped=tuple(skipped)), [
        seen[each.path, each.placement] for each in photos
    ]


def found_text(noticed: Sequence[Noticed]) -> str:
    """Return how many faces were found, and how many positions were given."""
    sources = Counter(each.photo.placement.source for each in noticed if each.photo.placement)
    guesses, stated = sources["guess"], sources["from a file"]
    found, several = sources["found"] + guesses, count(guesses, "photograph")
    kinds = (
        (found, f"{count(found, 'face')} found"),
        (guesses, f"on {several} with several faces, a guess which one is meant"),
        (stated, f"{count(stated, 'face')} cut by the eyes that a file states"),
    )
    return "; ".join(words for number, words in kinds if number) + "."


def _table(reasons: Iterable[tuple[Path, str]]) -> str:
    most = max(_SHORT_PATH, terminal_width() // 2 - 2)  # half of a line
    rows = [(shortened(path, most), reason) for path, reason in reasons]
    return table(("Photograph", "Reason"), rows)


def first_of(reasons: Sequence[tuple[Path, str]]) -> str:
    """Return the first photographs with their reasons, and how many more there are."""
    more = f"\nand {len(reasons) - _FIRST:,} more." * (len(reasons) > _FIRST)
    return _table(reasons[:_FIRST]) + more


def kinds_text(skipped: Iterable[Skipped]) -> str:
    """Return how many photographs were not used for which kind of reason."""
    kinds = Counter(TITLES[each.kind].lower() for each in skipped).most_common()
    return ", ".join(f"{number:,} {kind}" for kind, number in kinds)


def unused_text(skipped: Sequence[Skipped], listed_in: str) -> str:
    """Return how many photographs were not used and why, the first of them, and where all are."""
    reasons = [(each.path, each.reason) for each in skipped]
    many = f"{count(len(skipped), 'photograph')} {were(len(skipped))}"
    return f"{many} not used: {kinds_text(skipped)}.\n{first_of(reasons)}\n{listed_in}"


def list_skipped(skipped: Sequence[Skipped], *, beside: bool = False) -> None:
    """Print the photographs that were not used; to standard error if ``beside`` a result."""
    if skipped:
        heading = f"{count(len(skipped), 'photograph')} not used:"
        reasons = _table((each.path, each.reason) for each in skipped)
        typer.echo(f"{heading}\n{reasons}", err=beside)


@contextlib.contextmanager
def list_skipped_on_failure(skipped: Sequence[Skipped]) -> Iterator[None]:
    """Print the photographs that were not used if the work on the others fails."""
    try:
        yield
    except EigenfacesError as error:
        list_skipped(skipped, beside=True)
        if isinstance(error, LeakError):
            raise EigenfacesError(
                f"{error} To exclude what is nearly the same picture, add --exclude-duplicates; to "
                "allow it, --allow-leaks."
            ) from None
        raise
