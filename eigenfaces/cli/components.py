"""The command ``components``: those of a project, or of any pictures, as pictures and numbers."""

from pathlib import Path

import typer

from eigenfaces.cli import options
from eigenfaces.cli.face_sources import open_gallery
from eigenfaces.cli.plaintext import shown
from eigenfaces.cli.running import DONE, check_new_folder, command, note, progress
from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.image_set import ImageSet, size_words
from eigenfaces.laboratory.lessons.subjects import SUBJECTS
from eigenfaces.laboratory.picture_files import read_pictures
from eigenfaces.photographs.decode import resolved
from eigenfaces.project.exports import export_components
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import count

_OWN = ("digits", "patches")
"""Picture sets that come with the program."""


@command
def components(
    file: options.ProjectOrNone = None,
    *,
    output: options.NewFolder,
    pictures: options.PictureSet = None,
    size: options.PictureSize = None,
    k: options.First = None,
) -> int:
    """Write the mean and the components of a project, or of any pictures, as pictures and numbers.

    mean.png; component_001.png … in grey with zero at level 128, each on its own symmetric scale,
    which components.csv states as “limit” beside the variances. Those of a project are the
    eigenfaces: of faces whose light is evened out as the recipe says. Of pictures in colour all
    have three channels, zero again at 128.

    ```
    eigenfaces components people.eigenfaces -k 20 -o components
    eigenfaces components --pictures digits -o digits
    eigenfaces components --pictures holidays/ --size 48x32 -k 30 -o holidays-30
    ```
    """
    if (file is None) == (pictures is None):
        raise typer.BadParameter("Give either a FILE or --pictures.")
    if file is not None and size is not None:
        raise typer.BadParameter("The faces of a project have their size: leave --size out.")
    wanted = None if size is None else options.named_size(size)
    check_new_folder(output)
    said = ""
    if file is not None:
        space = _first(open_gallery(file).trained.space, k)
    else:
        read = _read(pictures or "", wanted)
        with progress("Finding components") as tick:
            whole = read.space(tick)
        space = _first(whole, k)
        said = (
            f"\n{read.title}, {size_words(read.shape)}: {len(space):,} of "
            f"{count(len(whole), 'component')} keep {float(space.kept[-1]):.1%} of the variance."
        )
    with progress("Writing components") as tick:
        export_components(space, output, tick)
    typer.echo(f"{shown(output)}: the mean and {count(len(space), 'component')}.{said}")
    return DONE


def _first(space: FaceSpace, k: int | None) -> FaceSpace:
    return space if k is None else space.first(k)


def _read(what: str, size: tuple[int, int] | None) -> ImageSet:
    """Return a picture set of the program, or that in a folder or file, with its notes said."""
    if what in _OWN:
        if size is not None:
            raise EigenfacesError(f"The {what} have their size: leave --size out.")
        made = SUBJECTS[what].make(0)
        assert isinstance(made, ImageSet)
        return made
    place = resolved(Path(what))
    if not place.exists():
        raise EigenfacesError(
            f"There are no pictures “{what}”: choose {', '.join(_OWN)}, a folder, an .npz, or an "
            "IDX file."
        )
    with progress("Reading pictures") as tick:
        read = read_pictures(place, tick, size=size)
    for each in read.notes:
        note(each)
    return read
