"""Sources of faces for commands: the sample, photographs or a project, with notes on them.

For photographs, the notes say which were not used, what was found, and what to check.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from eigenfaces.cli import running
from eigenfaces.cli.options import PhotoOptions
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.controls import LeakError
from eigenfaces.evaluation.records import EvaluationSource
from eigenfaces.evaluation.run import participating_faces
from eigenfaces.faces.face_choice import MIXED, mixed_words
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import TITLES, Concern, concerns
from eigenfaces.faces.read import FaceReading
from eigenfaces.files import resolved
from eigenfaces.importing.load import load_faces
from eigenfaces.importing.scan import with_events
from eigenfaces.photographs.find import FoundPhotos, Photo, Skipped, find_photos
from eigenfaces.photographs.names import lookalikes_words, person_from_name, suggest_pattern
from eigenfaces.photographs.placement import Placement
from eigenfaces.photographs.regions import with_marked_faces
from eigenfaces.project.project import SUFFIX, Project
from eigenfaces.recognition.duplicates import without_duplicates
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.look_alikes import find_look_alikes
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.sample import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.sample import load_sample
from eigenfaces.text import count, shortened, was_or_were

_DATABASE = b"SQLite format 3\0"
_SHORT_PATH = 24  # the number of letters of a path that are always shown

PhotoConcerns = tuple[Photo, tuple[Concern, ...]]  # a photograph, and the concerns about its face


def read_gallery(
    place: Path | None,
    sample: bool,
    photos: PhotoOptions,
    exclude_duplicates: bool,
    *,
    middle: bool = False,
) -> tuple[Gallery, EvaluationSource, Sequence[PhotoConcerns]]:
    """Return a gallery of the faces to evaluate, from the sample, a project, or photographs.

    Also return the source of the faces, and concerns about them. For ``middle``, see `read_photos`.
    """
    if (place is None) != sample:
        raise typer.BadParameter("Give either a SOURCE or --sample.")
    inspected: Sequence[PhotoConcerns] = ()
    if place is None:
        photos.refuse_unused("sample")
        gallery = Gallery(read_sample(), SAMPLE_PREPARATION, Recipe())
        source = EvaluationSource("sample")
    elif is_project(place):
        photos.refuse_unused("project")
        project = open_project(place, shared=True)
        source = EvaluationSource("project", str(place))
        faces = replace(project.gallery.faces, skipped=project.unused)
        gallery = replace(project.gallery, faces=faces)
    else:
        eyes = None if photos.eyes is None else str(photos.eyes)
        source = EvaluationSource("folder", str(place), photos.pattern, eyes, photos.thorough)
        # Among several faces none is guessed, as the names to be found would decide the guess.
        found = find(place, photos)
        faces, inspected = read_photos(
            found, photos.preparation, middle=middle, thorough=photos.thorough
        )
        gallery = Gallery(faces, photos.preparation, Recipe())
    if exclude_duplicates and not sample:
        faces = without_duplicates(participating_faces(gallery.faces))
        gallery = replace(gallery, faces=faces, training=None)
    return gallery, source, inspected


def is_project(place: Path) -> bool:
    """Return whether a path is a project file rather than a folder or a list of photographs."""
    if not place.is_file():
        return False
    with place.open("rb") as file:
        return place.suffix == SUFFIX or file.read(len(_DATABASE)) == _DATABASE


def open_project(file: Path, *, shared: bool = False) -> Project:
    """Open a project file for reading faces, and keep it open until the command ends."""
    return running.exit_stack.enter_context(contextlib.closing(Project.open(file, shared=shared)))


def open_gallery(file: Path) -> Gallery:
    """Return the gallery in a project file, which other commands may read at the same time."""
    return open_project(file, shared=True).gallery


def read_sample() -> FaceSet:
    """Return the faces of the AT&T sample."""
    with running.progress("Reading the sample") as tick:
        return load_sample(tick)


def find(place: Path, options: PhotoOptions, *, marked: bool = False) -> FoundPhotos:
    """Return the photographs in a folder or a list, and print notes about them.

    With ``marked``, faces that other programs have marked in the photographs are included.
    """
    photos = find_photos(resolved(place), options.pattern, options.eyes)
    if marked:
        photos = with_marked_faces(photos)
    if options.events:
        photos = with_events(photos, photos.people)
    if names := [photo.path.name for photo in photos.photos if photo.person is None]:
        note = ""
        if pattern := suggest_pattern(names):
            people = {person_from_name(name, pattern) for name in names}
            note = f" --pattern '{pattern}' fits them all: {count(len(people), 'person')}."
        running.echo_err(
            f"{count(len(names), 'photo')} directly in the folder and not in a person's "
            "sub-folder: nobody is named in them, so they shape the face space but are never an "
            f"answer. To take names from file names, use --pattern.{note}"
        )
    for sentence in (photos.note, lookalikes_words(photos.people), photos.marked_words):
        if sentence:
            running.echo_err(sentence)
    return photos


def read_photos(
    photos: FoundPhotos,
    preparation: Preparation,
    *,
    look: Callable[[FaceReading], Any] | None = None,
    guess: bool = False,
    middle: bool = False,
    thorough: bool = False,
) -> tuple[FaceSet, list[Any]]:
    """Return the cropped face of every photograph, and a list with a result for each photograph.

    The result is the value that ``look`` returns, or else the concerns about the face, unless faces
    are already cropped. If there are several faces, ``guess`` uses the one that recurs in the
    person's photographs, and ``middle`` uses the one nearest the middle if it is unclear which is
    meant. With ``guess`` but no ``look``, all faces are used if nobody is named. For ``thorough``,
    see `load_faces`.
    """
    results: dict[tuple[Path, Placement | None], Any] = {}
    notes = Counter[str]()
    mixed = dict[str, None]()
    cropped = look is None and preparation.already_cropped

    def notice(reading: FaceReading) -> None:
        said = [reading.rescaled, reading.pages]
        if cropped:
            said.append(reading.truncated)
        notes.update(filter(None, said))
        photo = reading.photo
        if reading.choice is MIXED and photo.person is not None:
            mixed[photo.person] = None
        if not cropped:
            known = tuple(c for c in concerns(reading, preparation) if not c.is_note)
            results[photo.path, photo.placement] = look(reading) if look else (photo, known)

    with running.progress("Looking for faces" if look else "Reading photos") as tick:
        faces = load_faces(
            photos,
            preparation,
            tick,
            notice=notice,
            guess=guess,
            every=guess and not look,
            middle=middle,
            thorough=thorough,
        )
    for person in mixed:
        running.echo_err(
            f"{mixed_words(person)} Give each person a folder, or say that folders are --events."
        )
    for sentence, times in notes.items():
        running.echo_err(f"{count(times, 'photo')}: {sentence}")
    # Photographs without a face come before duplicates.
    skipped = sorted(faces.skipped, key=lambda file: file.kind == "duplicate")
    used = () if cropped else faces.index.photos
    of_each = [results[photo.path, photo.placement] for photo in used]
    return replace(faces, skipped=tuple(skipped)), of_each


def detections_text(inspected: Sequence[PhotoConcerns]) -> str:
    """Return how many faces were found, and how many were cropped with eyes from a file, or ""."""
    sources = Counter(photo.placement.source for photo, _ in inspected if photo.placement)
    guesses, stated = sources["guess"], sources["from a file"]
    found = sources["found"] + sources["middle"] + guesses
    several = count(guesses, "photo")
    parts = (
        (found, f"{count(found, 'face')} found"),
        (guesses, f"in {several} with several faces, the face is a guess"),
        (stated, f"{count(stated, 'face')} cropped with the eyes in a file"),
    )
    return "; ".join(words for number, words in parts if number) + ("." if inspected else "")


def concerns_text(inspected: Sequence[PhotoConcerns]) -> str:
    """Return the list of photographs to check. Guesses come first, because they may be wrong."""
    noted = [(p, some) for p, some in inspected if some]
    noted.sort(key=lambda pair: all(concern.kind != "guess" for concern in pair[1]))
    if not noted:
        return ""
    rows = [(photo.path, " ".join(concern.reason for concern in some)) for photo, some in noted]
    return (
        f"{count(len(rows), 'photo')} to review:\n{reasons_table(rows)}\n"
        "See them with “eigenfaces faces”; if a face is wrong, give its eye positions in a file "
        "and build again with --eyes."
    )


def reasons_table(reasons: Sequence[tuple[Path, str]]) -> str:
    """Return a table of photographs, each with its reason."""
    longest = max(_SHORT_PATH, running.terminal_width() // 2 - 2)  # half of a line
    rows = [(shortened(path, longest), reason) for path, reason in reasons]
    return running.table(("Photo", "Reason"), rows)


def kinds_text(skipped: Sequence[Skipped]) -> str:
    """Return the number of unused photographs for each kind of reason."""
    kinds = Counter(TITLES[file.kind].lower() for file in skipped).most_common()
    return ", ".join(f"{number:,} {kind}" for kind, number in kinds)


def skipped_text(skipped: Sequence[Skipped]) -> str:
    """Return a list of the photographs that were not used, and why, or "" if all were used."""
    if not skipped:
        return ""
    many = f"{count(len(skipped), 'photo')} {was_or_were(len(skipped))}"
    reasons = reasons_table([(file.path, file.reason) for file in skipped])
    return f"{many} not used: {kinds_text(skipped)}.\n{reasons}"


@contextlib.contextmanager
def list_skipped_on_failure(skipped: Sequence[Skipped]) -> Iterator[None]:
    """Print the photographs that were not used if processing the others fails."""
    try:
        yield
    except EigenfacesError as error:
        running.print_text(skipped_text(skipped), err=True)
        if isinstance(error, LeakError):
            raise EigenfacesError(
                f"{error} To exclude nearly identical pictures, add --exclude-duplicates. To "
                "allow leaks, add --allow-leaks."
            ) from None
        raise


def look_alikes_text(gallery: Gallery) -> str:
    """Return sentences about two names that may be one person or one name that may be two."""
    sentences = [alike.sentence for alike in find_look_alikes(gallery)]
    if not sentences:
        return ""
    advice = (
        "Correct the names, or answer on the People page of the window. Until then, two people who "
        "may be one are not counted as strangers to each other."
    )
    return "\n".join([*sentences, advice])
