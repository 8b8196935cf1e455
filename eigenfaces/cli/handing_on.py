"""Commands that export a project's names, share it, or permanently remove a person from it."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from eigenfaces.cli import options, running
from eigenfaces.cli.options import argument, flag, option
from eigenfaces.cli.running import SOME_UNUSED, print_text, progress
from eigenfaces.cli.sources import open_project
from eigenfaces.files import atomic_write, resolved
from eigenfaces.project.exports import outgoing, sort_into, write_faces, write_sidecars
from eigenfaces.project.project import Project
from eigenfaces.project.share import for_others, for_recognising
from eigenfaces.text import count


def export(
    file: options.ProjectFile,
    *,
    xmp: Annotated[bool, flag("--xmp", "Write the names into XMP sidecar files.")] = False,
    csv: Annotated[Path | None, option("FILE", "Write a CSV table of all named faces.")] = None,
    json: Annotated[Path | None, option("FILE", "Write the same table as JSON.")] = None,
    sort_folder: Annotated[
        Path | None, option("DIR", "Copy photos into a folder for each person.", "--sort-into")
    ] = None,
    share: Annotated[
        Path | None, option("FILE", "Write a project for somebody else, without file paths.")
    ] = None,
    recogniser: Annotated[
        Path | None, option("FILE", "Write a project without pictures, only to recognise people.")
    ] = None,
    overwrite: options.Overwrite = False,
) -> int | None:
    """Export the names in a project: all named faces in all photos.

    --xmp writes the names into PHOTO.xmp beside each photo, as face regions that digiKam and other
    programs read. In an existing file, everything else is kept. A name is marked as confirmed, and
    `build` reads it as a fact. If it is a guess which of several faces is meant, the name is marked
    as a guess. A favourite gets five stars. --csv writes a line for each face: file, left, top,
    size in pixels, name, verdict. --json writes the same as a list of objects. --sort-into copies
    the photos into DIR/NAME. The photos themselves are never changed.

    --share writes a project that recognises people as this one does. It has the names, and the
    faces in grey and in colour, but not the photos, their paths, file names and dates, or any
    answers. --recogniser writes a project without any pictures, and therefore without a face space.
    It has the names, and the 128 numbers that the network computes for each face, and it recognises
    people with the Network recipe, even if this project has another recipe. These numbers identify
    people, so give either project only to people you trust with them.

    ```
    eigenfaces export family.eigenfaces --xmp
    eigenfaces export family.eigenfaces --csv names.csv --sort-into sorted/
    eigenfaces export family.eigenfaces --share for-grandma.eigenfaces
    ```
    """
    if not (xmp or csv or json or sort_folder or share or recogniser):
        raise typer.BadParameter(
            "Specify what to write: --xmp, --csv, --json, --sort-into, --share or --recogniser."
        )
    for target in filter(None, (csv, json, share, recogniser)):
        running.check_new(target, overwrite)
    refused: list[str] = []
    with closing(open_project(file, shared=True)) as project:
        content = project.content
        names = outgoing(content)
        faces = names.faces
        if xmp:
            with progress("Writing the names") as tick:
                written, refused = write_sidecars(faces, names.favourites, tick)
            named = count(len(faces), "face")
            running.echo_err(f"{named} named; {count(written, 'sidecar file')} written.")
            for sentence in refused:
                running.echo_err(sentence)
        for table in filter(None, (csv, json)):
            with atomic_write(table) as part:
                write_faces(part, faces, as_json=table is json)
            running.echo_err(f"{count(len(faces), 'face')} written to “{table}”.")
        if sort_folder is not None:
            with progress("Copying the photos") as tick:
                copies = sort_into(sort_folder, faces, tick)
            running.echo_err(copies.words(str(sort_folder)))
            refused += [f"{path}" for path in copies.gone]
        if share is not None:
            Project.create(resolved(share), for_others(content.gallery)).close()
            running.echo_err(f"“{share}” has {count(len(content.gallery.people), 'person')}.")
        if recogniser is not None:
            with progress("Describing the faces") as tick:
                shared = for_recognising(content.gallery, tick)
            Project.create(resolved(recogniser), shared).close()
            running.echo_err(f"“{recogniser}” has {count(len(shared.people), 'person')}.")
    return SOME_UNUSED if refused else None


def forget(
    file: options.ProjectFile,
    person: Annotated[str, argument("NAME", "The person to forget.")],
    *,
    remember: Annotated[
        bool, flag("--do-not-ask-again", "Remember only the positions of the faces.")
    ] = False,
) -> None:
    """Forget a person for good: nothing about them remains in the project except names of folders.

    The project loses their name, their faces in grey and in colour, the numbers that describe their
    faces, your answers about them, and evaluations that name them. The file is rewritten. The
    project also loses its face space, which was made from their faces among others, and `train`
    computes it again. This cannot be undone. Their photos are kept, as are files beside the photos
    and any copies. A folder's name remains in the project if the folder has photos of other people.

    With --do-not-ask-again, the SHA-256 of each photo and the position of the face in it are kept,
    so that you are not asked about these faces if the photos are added again.

    ```
    eigenfaces forget family.eigenfaces "Ada Byron"
    ```
    """
    with closing(open_project(file)) as project:
        name = project.gallery.known_name(person)
        project.forget_person(name, remember=remember)
        project.rewrite()
    print_text(
        f"{name} has been forgotten. The photos and any files of names beside them are kept.",
        f"Train the project again: eigenfaces train {file}",
    )
