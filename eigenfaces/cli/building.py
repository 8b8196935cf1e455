"""The commands that make a project of photographs, and show what is in it and in them."""

import contextlib
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.cli import sources
from eigenfaces.cli.options import (
    PHOTOGRAPHS,
    AsJson,
    NewFolder,
    Overwrite,
    PhotoOptions,
    ProjectFile,
    RecipeOptions,
    Sample,
    flag,
    option,
    output_option,
)
from eigenfaces.cli.running import (
    DONE,
    SOME_UNUSED,
    check_new,
    check_new_folder,
    echo_err,
    print_json,
    progress,
    shown,
    table,
    write_table,
)
from eigenfaces.errors import EigenfacesError, PhotoError
from eigenfaces.faces.face_set import FacePhoto
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import concerns, sharpness
from eigenfaces.faces.read import FaceReading, map_photos, read_every_face
from eigenfaces.importing.load import Noticed
from eigenfaces.photographs.decode import PICTURES, resolved
from eigenfaces.photographs.photos import (
    EYE_COLUMNS,
    FACES_TABLE,
    FoundPhotos,
    Photo,
    Skipped,
    find_photos,
    safe_name,
)
from eigenfaces.project.exports import grey_levels
from eigenfaces.project.file import atomic_write
from eigenfaces.project.project import Project
from eigenfaces.project.save import detections_of
from eigenfaces.recognition.automatic import NOT_MEASURED
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe, comparison_words, lighting_words
from eigenfaces.sample import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.text import count

FACE_COLUMNS = (
    *("photo", "person", "face", "box_left", "box_top", "box_size"),
    *("left_x", "left_y", "right_x", "right_y", "angle", "sharpness"),
    *("found", "concerns", "reason"),
)
"""Of ``faces.csv``; lengths in pixels of the upright photograph, the angle in degrees clockwise."""

Row = dict[str, object]


def build(
    folder: Annotated[Path | None, typer.Argument(metavar="FOLDER", help=PHOTOGRAPHS)] = None,
    *,
    output: Annotated[Path, output_option("FILE", "The project file to make.")],
    sample: Sample = False,
    overwrite: Overwrite = False,
    unused: Annotated[
        Path | None, option("CSV", "List every photograph that is not used in this file.")
    ] = None,
    photos: PhotoOptions,
    recipe: RecipeOptions,
) -> int:
    """Make a project file: find the faces, find their face space, enrol everybody.

    Photographs that cannot be used are counted by their reasons, and --unused lists them all
    (photo, person, kind, reason); the exit code is then 3. What should be looked at (a doubtful
    face, a blurred one) is listed too: `faces` shows it. Of several faces on a photograph the one
    is taken that recurs on the person's others, and listed as a guess; where that is not sure,
    none is. Unless something is said of the recipe, the recipes are measured on the photographs
    themselves, held out, and the simplest that is hardly behind the best is taken.

    ```
    eigenfaces build people/ -o people.eigenfaces
    eigenfaces build yale/ --pattern '{person}.*' --lighting tan-triggs -o yale.eigenfaces
    eigenfaces build crops/ --already-cropped -o crops.eigenfaces
    eigenfaces build --sample -k 100 --distance cosine -o att.eigenfaces
    ```
    """
    by = recipe.changing(Recipe())
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
    preparation, noticed = photos.preparation, list[Noticed]()
    if folder is None:
        faces, preparation = sources.read_sample(), SAMPLE_PREPARATION
    else:
        faces, noticed = sources.read_photos(sources.find(folder, photos), preparation, guess=True)
    skipped = faces.skipped
    with sources.list_skipped_on_failure(skipped):
        automatic = NOT_MEASURED if by == Recipe() and not recipe.recipe_name else None
        gallery = _trained(Gallery(faces, preparation, by, automatic=automatic))
        detections = detections_of({photo.key for photo in faces.index.photos}, skipped)
        place = resolved(output)  # what a link leads to
        Project.create(place, gallery, unused=skipped, detections=detections).close()
        typer.echo(_built_text(gallery, output))
        if noticed:
            typer.echo(sources.found_text(noticed))
        if unused is not None:
            lines = [(each.path, each.person or "", each.kind, each.reason) for each in skipped]
            write_table(unused, ("photo", "person", "kind", "reason"), lines)
    if skipped:
        listed = f"“{shown(unused)}” lists" if unused else "Add --unused FILE for a list of"
        typer.echo(sources.unused_text(skipped, f"{listed} them all."))
    # Guesses come first: a wrong one is another person's face.
    concerning = sorted((n for n in noticed if n.concerns), key=lambda each: not each.guess)
    if concerning:
        reasons = [(n.photo.path, " ".join(one.reason for one in n.concerns)) for n in concerning]
        typer.echo(
            f"{count(len(reasons), 'photograph')} to look at:\n{sources.first_of(reasons)}\n"
            "See them with “eigenfaces faces”; where a face is wrong, state its eyes in a file and "
            "build again with --eyes."
        )
    return SOME_UNUSED if skipped else DONE


def train(file: ProjectFile) -> int:
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
    typer.echo(_built_text(gallery, file))
    return DONE


def _trained(gallery: Gallery) -> Gallery:
    with progress("Finding the face space") as tick:
        gallery = gallery.train(tick)
    with progress("Measuring what distances mean") as tick:
        return gallery.calibrate(tick)


def _built_text(gallery: Gallery, file: Path) -> str:
    photos = count(len(gallery.faces), "photograph")
    people = count(len(gallery.people), "person")
    components = count(len(gallery.trained.representation), "component")
    chosen = "" if gallery.automatic is None else f"\n{gallery.automatic.reason}"
    asked = gallery.recipe.matcher.components
    if isinstance(asked, int) and asked > gallery.k:
        chosen += f"\n-k {asked} asks for more components than there are: all are compared."
        chosen += f" (-k {asked}% keeps {asked} % of the variance.)" * (asked <= 100)
    return (
        f"{shown(file)}: {photos} of {people}, {components}, "
        f"the first {gallery.k:,} compared by {gallery.recipe.matcher.distance}.{chosen}"
    )


def info(file: ProjectFile, *, as_json: AsJson = False) -> int:
    """Show what a project holds: people, components, variance explained, missing photographs.

    The keys of --json: file, photos, unnamed, excluded, people (name, photos), trained, components,
    compared, explained_variance_ratio (the first ten), components_for (0.90, 0.95, 0.99),
    preparation, recipe, changed_since_training, missing, strangers, calibrated, compared_in (face
    space, or the recipe whose own coordinates are compared).
    """
    gallery = sources.open_gallery(file)
    summary = _summary(gallery, file)
    if as_json:
        print_json(summary)
    else:
        typer.echo(f"{shown(file)}\n{table((), _summary_rows(gallery, summary))}")
    return DONE


def _summary(gallery: Gallery, file: Path) -> dict[str, Any]:
    """Return the output of ``info --json``. Scripts rely on the keys and their order."""
    training, index = gallery.training, gallery.index
    space = training.space if training else None
    ratios, shares = space.variance_ratio[:10].tolist() if space else [], (0.90, 0.95, 0.99)
    own = training is not None and not training.in_face_space
    return {
        "file": str(file),
        "photos": len(index.photos),
        "unnamed": len(index.rows_of(None)),
        "excluded": sum(photo.excluded for photo in index.photos),
        "people": [{"name": p, "photos": len(index.rows_of(p))} for p in gallery.people],
        "trained": space is not None,
        "components": len(space) if space else 0,
        "compared": gallery.k if space else 0,
        "explained_variance_ratio": ratios,
        "components_for": {f"{s:.2f}": space.fewest_for(s) for s in shares} if space else {},
        "preparation": asdict(gallery.preparation),
        "recipe": gallery.recipe.record,
        "changed_since_training": gallery.changes,
        "missing": [str(photo.path) for photo in gallery.missing()],
        "strangers": gallery.share,
        "calibrated": gallery.calibrated is not None and not gallery.calibrated.reason,
        "compared_in": gallery.compared_by.name if own else "face space",
    }


def _summary_rows(gallery: Gallery, summary: dict[str, Any]) -> list[tuple[str, str]]:
    prepared, recipe = gallery.preparation, gallery.recipe
    ratios = summary["explained_variance_ratio"]
    how = f"cropped already, {prepared.fit}" if prepared.already_cropped else "found and aligned"
    rows = [
        ("Photographs", f"{summary['photos']:,}, of {count(len(summary['people']), 'person')}"),
        ("Faces", f"{prepared.width} × {prepared.height} pixels, {how}"),
        ("Lighting", lighting_words(recipe)),
        ("Recipe", comparison_words(recipe)),
    ]
    if summary["unnamed"]:
        rows.append(("Nobody named", count(summary["unnamed"], "photograph")))
    if summary["excluded"]:
        rows.append(("Left out", f"{count(summary['excluded'], 'photograph')}, by hand"))
    if summary["trained"]:
        components, compared = f"{summary['components']:,}", f"{summary['compared']:,}"
        said = f"{components}, of which {compared} compared"
        if summary["compared_in"] != "face space":
            said = f"{components} to look at; {summary['compared_in']} compares {compared} "
            said += "coordinates of its own"
        if dropped := recipe.matcher.dropped:
            said += f", the first {dropped} dropped"
        each = " ".join(f"{100 * ratio:.2f}" for ratio in ratios)
        first = "first one" if len(ratios) == 1 else f"first {len(ratios)}"
        needed = ", ".join(
            f"{float(share):.0%}: {'more than are kept' if k is None else k}"
            for share, k in summary["components_for"].items()
        )
        asked = "" if summary["calibrated"] else " asked, not calibrated"
        rows += [
            ("Components", said),
            ("Variance", f"{sum(ratios):.2%} in the {first}: {each}"),
            ("Needed for", needed),
            ("Strangers named", f"at most {100 * gallery.share:g} %{asked}"),
            ("Since training", f"{count(gallery.changes, 'change')}"),
        ]
    else:
        rows.append(("Components", "none yet: there is no face space"))
    rows.append(("Not on disk", count(len(summary["missing"]), "photograph")))
    return rows + [("", path) for path in summary["missing"]]


def faces(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help=PHOTOGRAPHS)],
    *,
    output: NewFolder,
    photos: PhotoOptions,
    every: Annotated[
        bool, flag("--all", "Every face of each photograph, not only the one that is meant.")
    ] = False,
) -> int:
    """Write the face of each photograph as PNG, and a table of what was found.

    DIR gets a sub-folder a person. Of several faces on a photograph the one is taken that recurs on
    the person's others, and marked as a guess; where that is not sure, the photograph is passed
    over. With --all every face is written, from left to right.

    faces.csv has a line for each face, and for each photograph that was passed over: photo, person,
    face (its picture), box_left, box_top, box_size, left_x, left_y, right_x, right_y (the eyes),
    angle, sharpness, found (found, guess, doubtful, from a file, cropped), concerns, reason (why it
    was passed over). Pixels of the upright photograph; degrees, clockwise.

    eyes.csv holds the eyes alone. Where a face is wrong, correct its line; for a photograph that
    was passed over, add one; and build with these eyes. With --all there is no such file: it has
    one line for a photograph.

    ```
    eigenfaces faces people/ -o cut
    eigenfaces build people/ --eyes cut/eyes.csv -o people.eigenfaces
    ```
    """
    preparation = photos.preparation
    check_new_folder(output)
    found = find_photos(resolved(folder), photos.pattern, photos.eyes)
    if found.remarks:
        echo_err(found.remarks)
    with atomic_write(output) as part:
        pictures = _Pictures(part)
        if every:
            cut, skipped = _every_face(pictures, found, preparation)
        else:
            look = partial(_row, preparation)
            meant, cut = sources.read_photos(found, preparation, look=look, guess=True)
            for number, (photo, row) in enumerate(zip(meant.index.photos, cut, strict=True)):
                row["face"] = pictures.save(photo, grey_levels(meant.image(number)))
            skipped = meant.skipped
        if not cut:
            several = any(each.kind == "several faces" for each in skipped)
            why = skipped[0].reason if len(skipped) == 1 else f"{sources.kinds_text(skipped)}."
            remedy = " With --all every face of each is written." * several
            raise EigenfacesError(f"No photograph has a face that can be used: {why}{remedy}")
        passed_over = [(each.path, each.person or "", *[""] * 12, each.reason) for each in skipped]
        rows = [[row.get(name, "") for name in FACE_COLUMNS] for row in cut]
        write_table(part / FACES_TABLE, FACE_COLUMNS, [*rows, *passed_over])
        if not every:
            eyes = [row | {"file": row["photo"]} for row in cut if "left_x" in row]
            lines = [[row[name] for name in EYE_COLUMNS] for row in eyes]
            write_table(part / "eyes.csv", EYE_COLUMNS, lines)
    doubtful, guesses = (sum(row["found"] == kind for row in cut) for kind in ("doubtful", "guess"))
    typer.echo(
        f"{shown(output)}: {count(len(cut), 'face')}, {doubtful:,} of them doubtful"
        f"{f' and {guesses:,} guesses among several' * bool(guesses)}; "
        f"{sum(bool(row['concerns']) for row in cut)} with concerns, which faces.csv states."
    )
    if skipped:
        typer.echo(sources.unused_text(skipped, "faces.csv lists them all."))
    return SOME_UNUSED if skipped else DONE


def _every_face(
    pictures: "_Pictures", found: FoundPhotos, preparation: Preparation
) -> tuple[list[Row], Sequence[Skipped]]:
    rows, skipped = [], list(found.skipped)
    with progress("Looking for faces") as tick:
        read = partial(read_every_face, preparation=preparation)
        for photo, seen in zip(found.photos, map_photos(read, found.photos, tick), strict=True):
            if isinstance(seen, PhotoError):
                skipped.append(Skipped.from_error(seen, photo))
                continue
            for reading in seen:
                path = pictures.save(photo, grey_levels(reading.face))
                rows.append(_row(preparation, reading) | {"face": path})
    return rows, skipped


def _row(preparation: Preparation, reading: FaceReading) -> Row:
    """Return the row of a face in ``faces.csv``, without the path of its picture."""
    photo, placement = reading.photo, reading.photo.placement
    eyes = placement.eyes if placement else None
    row: Row = {"photo": photo.path, "person": photo.person or "", "found": "cropped"}
    if placement is not None and eyes is not None:
        row["found"] = "doubtful" if reading.doubtful else placement.source
        numbers = *eyes.box, *eyes.left, *eyes.right, eyes.angle
        row |= dict(zip(FACE_COLUMNS[3:11], (f"{each:.2f}" for each in numbers), strict=True))
    row["sharpness"] = f"{sharpness(reading.face):.3f}"
    row["concerns"] = ", ".join(each.kind for each in concerns(reading, preparation))
    return row


class _Pictures:
    """Pictures in a new folder: a sub-folder a person, the photograph's name, each used once."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder, self._homes = folder, dict[str | None, str]({None: ""})
        self._taken = {FACES_TABLE, "eyes.csv"}

    def save(self, photo: Photo | FacePhoto, levels: NDArray[np.uint8]) -> str:
        """Write a face (h, w) of this photograph; return the path within the folder."""
        if photo.person not in self._homes:
            home = self._homes[photo.person] = self._free("", str(photo.person)) + "/"
            (self._folder / home).mkdir()
        known = photo.path.suffix.lower()[1:] in PICTURES
        name = photo.path.stem if known else photo.path.name
        path = self._free(self._homes[photo.person], name, ".png")
        Image.fromarray(levels).save(self._folder / path, "PNG")
        return path

    def _free(self, home: str, name: str, end: str = "") -> str:
        """Return a path that every file system accepts, with a number if it is already used."""
        safe, number = safe_name(name), 1
        free = f"{home}{safe}{end}"
        while free.casefold() in self._taken:
            number += 1
            free = f"{home}{safe}-{number}{end}"
        self._taken.add(free.casefold())
        return free
