"""Commands for the photographs in a project: who is in them, what to check, and which are new."""

import os
import sys
from contextlib import closing
from dataclasses import replace
from difflib import get_close_matches
from typing import Annotated, Any

from eigenfaces.cli import options, running, sources
from eigenfaces.cli.options import argument, flag
from eigenfaces.cli.running import SOME_UNUSED, print_result, print_text, progress
from eigenfaces.cli.sources import open_project
from eigenfaces.errors import EigenfacesError
from eigenfaces.importing.load import load_faces
from eigenfaces.photographs.find import Skipped
from eigenfaces.photographs.known import known_files, with_files
from eigenfaces.project.album import album
from eigenfaces.project.content import Content
from eigenfaces.project.forget import without_forgotten
from eigenfaces.project.unused import unused_after_import
from eigenfaces.project.watch import Look, after_look, look
from eigenfaces.recognition.collection import check_collection
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import preparation_for_adding
from eigenfaces.text import count


def find(
    file: options.ProjectFile,
    people: Annotated[list[str], argument("NAME...", "The people who must be in the photos.")],
    *,
    zero: Annotated[
        bool, flag("-0", "End each path with a null byte, not a new line, for xargs -0.")
    ] = False,
) -> int | None:
    """Print the paths of the photos that show all of these people, newest first.

    ```
    eigenfaces find family.eigenfaces Ada Grace
    eigenfaces find family.eigenfaces Ada -0 | xargs -0 -I {} cp {} ada/
    ```

    If no photo shows all of them, nothing is printed, and the exit code is 3.
    """
    with closing(open_project(file, shared=True)) as project:
        content = project.content
    names = [_known(content.gallery, name) for name in people]
    photos = album(content, names)
    end = b"\0" if zero else os.linesep.encode()
    paths = (os.fsencode(photo.photograph.path) for photo in photos)
    sys.stdout.flush()
    out = getattr(sys.stdout, "buffer", None)
    text = b"".join(path + end for path in paths)
    if out is None:
        sys.stdout.write(os.fsdecode(text))
    else:
        out.write(text)
        out.flush()
    return None if photos else SOME_UNUSED


def _known(gallery: Gallery, name: str) -> str:
    """Return the exact name of a person, or raise an error that suggests similar names."""
    known = gallery.known_name(name)
    if known in gallery.people:
        return known
    near = get_close_matches(name, gallery.people, 3, 0.5)
    hint = f" Perhaps you meant {' or '.join(f'“{one}”' for one in near)}." if near else ""
    raise EigenfacesError(f"Nobody in the gallery is called “{name}”.{hint}")


def check(file: options.ProjectFile, *, as_json: options.AsJson = False) -> None:
    """List what to check in a project, most important first.

    This includes pairs of names that look like one person, names that look like two people, photos
    that fit another person better, nearly identical photos, and people with one photo. Nothing is
    changed. To answer, use “Check the collection” on the People page of the window. Anything you
    have answered there is not listed again. People are compared only after `train`.

    The keys of --json: file, compared (whether people were compared), findings (kind, sentence,
    remedy, people, photos).

    ```
    eigenfaces check family.eigenfaces
    ```
    """
    with closing(open_project(file, shared=True)) as project:
        gallery = project.gallery
        with progress("Checking the collection") as tick:
            findings = check_collection(gallery, tick)
    photos = gallery.index.photos
    rows = gallery.index.row_by_id
    records: list[dict[str, Any]] = [
        {
            "kind": found.kind,
            "sentence": found.sentence,
            "remedy": found.remedy,
            "people": [*dict.fromkeys(found.people)],
            "photos": [str(photos[rows[face]].path) for face in found.faces],
        }
        for found in findings
    ]
    compared = gallery.training is not None
    content = {"file": str(file), "compared": compared, "findings": records}
    lines = [f"{file}: {count(len(findings), 'thing')} to review."]
    for number, record in enumerate(records, 1):
        lines.append(f"{number}. {record['sentence']} {record['remedy']}")
        lines += [f"   {path}" for path in record["photos"]]
    if not compared:
        lines.append(f"People were not compared. Train the project first: eigenfaces train {file}")
    print_result(as_json, content, "\n".join(map(running.printable, lines)))


def update(
    file: options.ProjectFile,
    *,
    dry_run: Annotated[bool, flag("--dry-run", "Only report what would change.")] = False,
) -> int | None:
    """Look for photos that are new, changed, moved or missing in a project's folders.

    The folders are those from which photos were added. New photos are added under the name of their
    folder. Changed photos are read again, and a face keeps its name if the eyes are in the same
    position. Moved photos are recognised by their SHA-256. Missing photos are marked, but nobody is
    deleted. A folder that cannot be reached is reported and left alone. Run `train` afterwards to
    compute the face space again.

    ```
    eigenfaces update family.eigenfaces --dry-run
    eigenfaces update family.eigenfaces
    ```
    """
    with closing(open_project(file, shared=dry_run)) as project:
        content = project.content
        with progress("Looking for new photos") as tick:
            found = look(content, tick)
        print_text(found.sentence)
        if dry_run:
            return None
        after = after_look(content, found)
        skipped = list[Skipped]()
        if found.found.photos:
            after, skipped = _read(after, found)
        project.write(after)
    if skipped:
        print_text(sources.skipped_text(skipped))
    added = len(after.gallery.faces) - len(content.gallery.faces)
    if added:
        running.echo_err(f"{count(added, 'face')} added. Train again: eigenfaces train {file}")
    return SOME_UNUSED if skipped else None


def _read(content: Content, found: Look) -> tuple[Content, list[Skipped]]:
    """Add new and changed photographs to a project, and return it with those left unused."""
    gallery = content.gallery
    with progress("Reading photos") as tick:
        preparation = preparation_for_adding(gallery, gallery.preparation)
        faces = load_faces(
            found.found, preparation, tick, known=gallery.faces, guess=True, every=True
        )
    faces = without_forgotten(faces, content.forgotten)
    shas = {photo.path: photo.photograph.sha for photo in faces.index.photos}
    files = known_files((photo.path for photo in found.found.photos), shas)
    tried = {file.path for file in files}
    unused = unused_after_import(content.unused, tried, faces.skipped)
    probes = [probe.photo for probe in content.probe_list.probes]
    if len(faces):
        gallery = gallery.enrol(faces, probes)
    known = with_files(content.files, files)
    after = replace(content.with_gallery(gallery), files=known, unused=unused)
    return after, [*faces.skipped]
