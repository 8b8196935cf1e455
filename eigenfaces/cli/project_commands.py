"""The commands of a project: build, train, info, reconstruct."""

import contextlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import typer

from eigenfaces.cli import options
from eigenfaces.cli.face_sources import (
    PhotoOptions,
    list_skipped_on_failure,
    open_gallery,
    read_photos,
    read_sample,
)
from eigenfaces.cli.json_output import overview
from eigenfaces.cli.plaintext import (
    attention_text,
    built_text,
    found_text,
    overview_text,
    shown,
    unused_text,
)
from eigenfaces.cli.recipe_options import RecipeOptions
from eigenfaces.cli.running import (
    DONE,
    SOME_UNUSED,
    check_new,
    command,
    print_json,
    progress,
    terminal_width,
)
from eigenfaces.errors import EigenfacesError, PhotoError
from eigenfaces.importing.load import Noticed
from eigenfaces.photographs.decode import resolved
from eigenfaces.photographs.photos import Skipped
from eigenfaces.project.exports import reconstruction, save_grey
from eigenfaces.project.file import atomic_write
from eigenfaces.project.project import Project
from eigenfaces.project.save import texts_of
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import main_face_on
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.sample import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.text import as_table, count

UNUSED_COLUMNS = ("photo", "person", "kind", "reason")
"""Of the list of photographs that were not used."""


@command
def build(
    folder: options.Folder = None,
    *,
    output: options.Output,
    sample: options.Sample = False,
    overwrite: options.Overwrite = False,
    unused: options.UnusedList = None,
    photos: PhotoOptions,
    recipe: RecipeOptions,
) -> int:
    """Make a project file: find the faces, find their face space, enrol everybody.

    Photographs that cannot be used are counted by their reasons, and --unused lists them all
    (photo, person, kind, reason); the exit code is then 3. What should be looked at (a doubtful
    face, a blurred one) is listed too: `faces` shows it. Of several faces on a photograph the one
    is taken that recurs on the person's others, and listed as a guess; where that is not sure,
    none is.

    ```
    eigenfaces build people/ -o people.eigenfaces
    eigenfaces build yale/ --pattern '{person}.*' --lighting tan-triggs -o yale.eigenfaces
    eigenfaces build crops/ --already-cropped -o crops.eigenfaces
    eigenfaces build --sample -k 100 --distance cosine -o att.eigenfaces
    ```
    """
    by = recipe.of(Recipe())
    if (folder is None) != sample:
        raise typer.BadParameter("Give either a FOLDER or --sample.")
    if sample:
        photos.refuse_for("sample")
    check_new(output, overwrite)
    if output.exists():  # only a project, and one that no window has open, is replaced
        Project.open(output).close()
    if unused is not None:
        if resolved(unused) == resolved(output):
            raise typer.BadParameter("Give the project and the list of --unused different names.")
        check_new(unused, overwrite)
    if folder is None:
        gallery = Gallery(read_sample(), SAMPLE_PREPARATION, by)
        gallery = _train_and_save(gallery, output)
        return _report(gallery, output, unused)
    found = photos.find(folder)
    faces, noticed = read_photos(found, photos.preparation, guess=True)
    gallery = _train_and_save(Gallery(faces, photos.preparation, by), output)
    return _report(gallery, output, unused, noticed)


@command
def train(file: options.ProjectFile) -> int:
    """Find the face space of a project again, with the photographs that are in it by now.

    What distances mean is measured anew, too.

    ```
    eigenfaces train people.eigenfaces
    ```
    """
    with contextlib.closing(Project.open(file)) as project:
        if project.read_only:
            raise EigenfacesError(
                f"“{shown(file)}” cannot be written: copy it, and train the copy."
            )
        gallery = _trained(project.gallery)
        project.save(gallery)
    typer.echo(built_text(gallery, file))
    return DONE


@command
def info(file: options.ProjectFile, *, as_json: options.AsJson = False) -> int:
    """Show what a project holds: people, components, variance explained, missing photographs.

    The keys of --json: file, photos, unnamed, excluded, people (name, photos), trained, components,
    compared, explained_variance_ratio (the first ten), components_for (0.90, 0.95, 0.99),
    preparation, recipe, changed_since_training, missing, strangers, calibrated, compared_in (face
    space, or the recipe whose own coordinates are compared).
    """
    summary = overview(open_gallery(file), file)
    if as_json:
        print_json(asdict(summary) | {"recipe": summary.recipe.record})
    else:
        typer.echo(overview_text(summary, terminal_width()))
    return DONE


@command
def reconstruct(
    file: options.ProjectFile,
    photo: options.Face,
    *,
    k: options.Count,
    output: options.Made,
    overwrite: options.Overwrite = False,
) -> int:
    """Rebuild a face from the mean and the first N components, as PNG.

    Grey values are those of the face, its light evened out as the recipe says; they are cut off at
    black and white: nothing is stretched.
    """
    check_new(output, overwrite)
    gallery = open_gallery(file)
    training = gallery.trained
    try:
        with progress("Looking") as tick:
            face = main_face_on(photo, gallery, tick)
    except PhotoError as error:
        raise EigenfacesError(f"{shown(photo)}: {error}") from None
    save_grey(output, reconstruction(gallery, face, k))
    features = training.features(face.reshape(1, -1))
    kept = float(training.space.first(k).energy_kept(features)[0, -1])
    typer.echo(
        f"{shown(output)}: {k:,} of {count(len(training.space), 'component')}, which keep "
        f"{kept:.1%} of this face's squared deviation from the mean."
    )
    return DONE


def _trained(gallery: Gallery) -> Gallery:
    with progress("Finding the face space") as tick:
        gallery = gallery.train(tick)
    with progress("Measuring what distances mean") as tick:
        return gallery.calibrate(tick)


def _train_and_save(gallery: Gallery, output: Path) -> Gallery:
    skipped = gallery.faces.skipped
    with list_skipped_on_failure(skipped):
        gallery = _trained(gallery)
        keys = {photo.key for photo in gallery.faces.index.photos}
        findings = texts_of(keys, skipped)
        place = resolved(output)  # what a link leads to
        Project.create(place, gallery, unused=skipped, findings=findings).close()
    return gallery


def _report(
    gallery: Gallery, output: Path, unused: Path | None, noticed: Sequence[Noticed] = ()
) -> int:
    skipped = gallery.faces.skipped
    typer.echo(built_text(gallery, output))
    if noticed:
        typer.echo(found_text(noticed))
    if unused is not None:
        with list_skipped_on_failure(skipped):
            _write_list(unused, skipped)
    if skipped:
        listed = "Add --unused FILE for a list of them all."
        if unused is not None:
            listed = f"“{shown(unused)}” lists them all."
        typer.echo(unused_text(skipped, terminal_width(), listed))
    if any(each.concerns for each in noticed):
        typer.echo(attention_text(noticed, terminal_width()))
    return SOME_UNUSED if skipped else DONE


def _write_list(path: Path, skipped: Sequence[Skipped]) -> None:
    rows = ([each.path, each.person or "", each.kind, each.reason] for each in skipped)
    with atomic_write(path) as part:
        part.write_text(as_table(UNUSED_COLUMNS, rows), "utf-8", newline="")
