"""Commands that create a project from photographs, and show its content and its faces."""

import contextlib
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from PIL import Image

from eigenfaces.cli import options, running, sources
from eigenfaces.cli.options import PhotoOptions, RecipeOptions, argument, option
from eigenfaces.cli.running import SOME_UNUSED, print_result, print_text, progress, table
from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import concerns, sharpness
from eigenfaces.faces.read import FaceReading
from eigenfaces.files import atomic_write, resolved
from eigenfaces.photographs.decode import PICTURES
from eigenfaces.photographs.find import FACES_TABLE, FoundPhotos, find_photos
from eigenfaces.photographs.known import known_files
from eigenfaces.photographs.names import safe_name
from eigenfaces.photographs.placement import EYE_COLUMNS
from eigenfaces.project.exports import grey_levels, numbered_names
from eigenfaces.project.project import Project
from eigenfaces.recognition.automatic import NOT_MEASURED
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.look_alikes import find_look_alikes
from eigenfaces.recognition.recipe import Recipe, recipe_words
from eigenfaces.sample import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.text import count

CUT_FACE_COLUMNS = (
    "photo",
    "person",
    "face",
    "box_left",
    "box_top",
    "box_size",
    "left_x",
    "left_y",
    "right_x",
    "right_y",
    "angle",
    "sharpness",
    "found",
    "concerns",
    "reason",
)
"""Columns of ``faces.csv``: lengths in pixels of the upright photograph, angles clockwise."""


def build(
    folder: Annotated[Path | None, argument("FOLDER", options.PHOTOGRAPHS)] = None,
    *,
    output: Annotated[Path, options.output("FILE", "The project file to create.")],
    sample: options.Sample = False,
    overwrite: options.Overwrite = False,
    unused: Annotated[
        Path | None, option("CSV", "Write a list of all unused photos to this file.")
    ] = None,
    photos: PhotoOptions,
    recipe: RecipeOptions,
) -> int | None:
    """Create a project file: find the faces, compute their face space, and enrol everybody.

    Photos that cannot be used are listed with the reasons, and the exit code is 3. Faces to check
    (doubtful or blurred ones) are also listed, and `faces` shows them. If a photo has several
    faces, the one that recurs in the person's other photos is used and listed as a guess. If that
    is not certain, none is used. Unless you give a recipe or one of its settings, the recipes are
    evaluated on held-out photos, and the simplest one that is nearly as good as the best is used.

    ```
    eigenfaces build people/ -o people.eigenfaces
    eigenfaces build yale/ --pattern '{person}.*' --lighting tan-triggs -o yale.eigenfaces
    eigenfaces build crops/ --already-cropped -o crops.eigenfaces
    eigenfaces build --sample -k 100 --distance cosine -o att.eigenfaces
    ```
    """
    start = recipe.applied_to(Recipe())
    if (folder is None) != sample:
        raise typer.BadParameter("Give either a FOLDER or --sample.")
    if sample:
        photos.refuse_unused("sample")
    for file in filter(None, (output, unused)):
        running.check_new(file, overwrite)
    if output.exists():  # a project that a window has open is not replaced
        Project.open(output).close()
    preparation = photos.preparation
    inspected = list[sources.PhotoConcerns]()
    found = FoundPhotos(())
    if folder is None:
        faces = sources.read_sample()
        preparation = SAMPLE_PREPARATION
    else:
        found = sources.find(folder, photos, marked=True)
        faces, inspected = sources.read_photos(
            found, preparation, guess=True, thorough=photos.thorough
        )
    with sources.list_skipped_on_failure(faces.skipped):
        automatic = None if recipe.are_given else NOT_MEASURED
        gallery = _trained(Gallery(faces, preparation, start, automatic=automatic))
        # If the path is a link, its target is written and the link stays.
        with contextlib.closing(
            Project.create(resolved(output), gallery, unused=faces.skipped)
        ) as project:
            shas = {photo.path: photo.photograph.sha for photo in faces.index.photos}
            files = known_files((photo.path for photo in found.photos), shas)
            project.write(replace(project.content, files=files, folders=found.folders))
    if unused is not None:
        lines = [(file.path, file.person or "", file.kind, file.reason) for file in faces.skipped]
        running.write_csv(unused, ("photo", "person", "kind", "reason"), lines)
    print_text(
        sources.look_alikes_text(gallery),
        _gallery_text(gallery, output),
        sources.detections_text(inspected),
        sources.skipped_text(faces.skipped),
        sources.concerns_text(inspected),
    )
    return SOME_UNUSED if faces.skipped else None


def train(file: options.ProjectFile) -> None:
    """Recompute a project's face space from all the photos that are now in it.

    The calibration, which says what distances mean, is also measured again.

    ```
    eigenfaces train people.eigenfaces
    ```
    """
    with contextlib.closing(Project.open(file)) as project:
        if project.read_only:
            raise EigenfacesError(f"“{file}” cannot be written: copy it, and train the copy.")
        gallery = _trained(project.gallery)
        project.save(gallery)
    print_text(sources.look_alikes_text(gallery), _gallery_text(gallery, file))


def _trained(gallery: Gallery) -> Gallery:
    with progress("Computing the face space") as tick:
        gallery = gallery.train(tick)
    with progress("Measuring what distances mean") as tick:
        return gallery.calibrate(tick)


def _gallery_text(gallery: Gallery, file: Path) -> str:
    photos = count(len(gallery.faces), "photo")
    people = count(len(gallery.people), "person")
    components = count(len(gallery.trained.matching_space), "component")
    lines = [
        f"{file}: {photos} of {people}, {components}, "
        f"the first {gallery.k:,} compared by {gallery.recipe.matcher.distance}."
    ]
    if gallery.automatic is not None:
        lines.append(gallery.automatic.reason)
    wanted = gallery.recipe.matcher.components
    if isinstance(wanted, int) and wanted > gallery.k:
        share = f" (-k {wanted}% keeps {wanted} % of the variance.)" if wanted <= 100 else ""
        lines.append(
            f"-k {wanted} asks for more components than there are, so all are compared.{share}"
        )
    return "\n".join(lines)


def info(file: options.ProjectFile, *, as_json: options.AsJson = False) -> None:
    """Show what a project contains: people, components, explained variance, missing photos.

    The keys of --json: file, photos, unnamed, excluded, people (name, photos), trained, components,
    compared, explained_variance_ratio (the first ten), components_for (0.90, 0.95, 0.99),
    preparation, recipe, changed_since_training, missing, lost (faces that are no longer found in
    photos that were saved again: photo; face, its number in the photo; person), strangers,
    calibrated, compared_in (face space, or the recipe whose own coordinates are compared),
    look_alikes (sentences about two names that may be one person, or one name that may be two).
    """
    gallery = sources.open_gallery(file)
    summary = _summary(gallery)
    rows = table((), _summary_rows(gallery, summary))
    print_result(as_json, {"file": str(file)} | summary, f"{file}\n{rows}")


def _summary(gallery: Gallery) -> dict[str, Any]:
    """Return the values of ``info --json``. Scripts rely on the keys and their order."""
    training, index = gallery.training, gallery.index
    space = training.space if training else None
    ratios = space.variance_ratio[:10].tolist() if space else []
    shares = (0.90, 0.95, 0.99)
    own = training is not None and not training.in_face_space
    return {
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
        "changed_since_training": gallery.changes_since_training,
        "missing": [str(photo.path) for photo in gallery.missing_photos()],
        "lost": [
            {"photo": str(photo.path), "face": photo.number, "person": photo.person}
            for photo in index.photos
            if photo.lost
        ],
        "strangers": gallery.share,
        "calibrated": gallery.calibrated is not None and not gallery.calibrated.reason,
        "compared_in": gallery.matching_recipe.name if own else "face space",
        "look_alikes": [alike.sentence for alike in find_look_alikes(gallery)],
    }


def _summary_rows(gallery: Gallery, summary: dict[str, Any]) -> list[tuple[str, str]]:
    prepared = gallery.preparation
    unnamed = summary["unnamed"]
    excluded = summary["excluded"]
    how = "already cropped" if prepared.already_cropped else "found and aligned"
    rows = [
        ("Photos", f"{summary['photos']:,}, of {count(len(gallery.people), 'person')}"),
        ("Faces", f"{prepared.width} × {prepared.height} pixels, {how}"),
        ("Recipe", recipe_words(gallery.recipe)),
        *([("Nobody named", count(unnamed, "photo"))] if unnamed else ()),
        *([("Left out", f"{count(excluded, 'photo')}, by hand")] if excluded else ()),
        *(_training_rows(summary) or [("Components", "none yet, as there is no face space")]),
        ("Not on disk", count(len(summary["missing"]), "photo")),
    ]
    rows += [("", path) for path in summary["missing"]]
    rows += [("Look alike", sentence) for sentence in summary["look_alikes"]]
    if lost := summary["lost"]:
        rows.append(("No longer found", f"{count(len(lost), 'face')} in photos saved again"))
        rows += [("", f"{face['photo']}: {face['person'] or 'nobody named'}") for face in lost]
    return rows


def _training_rows(summary: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the rows about a project's training, or no rows if it has not been trained."""
    if not summary["trained"]:
        return []
    number, compared = f"{summary['components']:,}", f"{summary['compared']:,}"
    components = f"{number}, of which {compared} are compared"
    if (own := summary["compared_in"]) != "face space":
        components = f"{number} to view; {own} compares {compared} coordinates of its own"
    ratios = summary["explained_variance_ratio"]
    first = "first one" if len(ratios) == 1 else f"first {len(ratios)}"
    percents = " ".join(f"{100 * ratio:.2f}" for ratio in ratios)
    needed = (
        f"{float(share):.0%}: {'more than are kept' if k is None else k}"
        for share, k in summary["components_for"].items()
    )
    note = "" if summary["calibrated"] else " requested, not calibrated"
    return [
        ("Components", components),
        ("Variance", f"{sum(ratios):.2%} in the {first}: {percents}"),
        ("Needed for", ", ".join(needed)),
        ("Strangers named", f"at most {100 * summary['strangers']:g} %{note}"),
        ("Since training", count(summary["changed_since_training"], "change")),
    ]


def faces(
    folder: Annotated[Path, argument("FOLDER", options.PHOTOGRAPHS)],
    *,
    output: options.NewFolder,
    photos: PhotoOptions,
) -> int | None:
    """Write the face in each photo as a PNG file, and a table of the faces that were found.

    DIR gets a sub-folder for each person. If a photo has several faces, the one that recurs in the
    person's other photos is used and marked as a guess. If that is not certain, the photo is left
    out.

    faces.csv has a line for each photo: photo, person, face (its PNG), box_left, box_top, box_size,
    left_x, left_y, right_x, right_y (the eyes), angle, sharpness, found (found, guess, doubtful,
    from a file, cropped), concerns, reason (why the photo was left out). Lengths are in pixels of
    the upright photo, the angle in degrees clockwise.

    eyes.csv has only the eye positions, and omits photos that had to be turned. If a face is
    wrong, correct its line. If a photo was left out, add a line. Then build with this file.

    ```
    eigenfaces faces people/ -o cut
    eigenfaces build people/ --eyes cut/eyes.csv -o people.eigenfaces
    ```
    """
    running.check_new_folder(output)
    found = find_photos(resolved(folder), photos.pattern, photos.eyes)
    look = partial(_row, photos.preparation)
    cut, rows = sources.read_photos(
        found, photos.preparation, look=look, guess=True, thorough=photos.thorough
    )
    if not rows:
        skipped = cut.skipped
        why = skipped[0].reason if len(skipped) == 1 else f"{sources.kinds_text(skipped)}."
        raise EigenfacesError(f"No photo has a face that can be used: {why}")
    with atomic_write(output) as part:
        part.mkdir()
        for number, (row, name) in enumerate(zip(rows, _picture_names(cut), strict=True)):
            row["face"] = name
            (part / name).parent.mkdir(exist_ok=True)
            Image.fromarray(grey_levels(cut.image(number))).save(part / name, "PNG")
        lines = [[row.get(name, "") for name in CUT_FACE_COLUMNS] for row in rows]
        lines += [[file.path, file.person or "", *[""] * 12, file.reason] for file in cut.skipped]
        running.write_csv(part / FACES_TABLE, CUT_FACE_COLUMNS, lines)
        eyes = [row | {"file": row["photo"]} for row in rows if "left_x" in row]
        eyes_lines = [[row[name] for name in EYE_COLUMNS] for row in eyes]
        running.write_csv(part / "eyes.csv", EYE_COLUMNS, eyes_lines)
    kinds = [row["found"] for row in rows]
    guesses = f" and {kinds.count('guess'):,} guesses among several" if "guess" in kinds else ""
    print_text(
        f"{output}: {count(len(rows), 'face')}, {kinds.count('doubtful'):,} of them "
        f"doubtful{guesses}; {sum(bool(row['concerns']) for row in rows)} with concerns, listed "
        "in faces.csv.",
        sources.skipped_text(cut.skipped),
    )
    return SOME_UNUSED if cut.skipped else None


def _picture_names(faces: FaceSet) -> Iterator[str]:
    """Yield a unique name for each face's picture, in a folder for its person.

    No two names differ only in case.
    """
    taken = {FACES_TABLE, "eyes.csv"}
    homes = dict[str | None, str]({None: ""})

    def unused_name(name: str, suffix: str = "") -> str:
        path = next(p for p in numbered_names(name, suffix) if p.casefold() not in taken)
        taken.add(path.casefold())
        return path

    for photo in faces.index.photos:
        if photo.person not in homes:
            homes[photo.person] = f"{unused_name(safe_name(str(photo.person)))}/"
        known = photo.path.suffix.lower()[1:] in PICTURES
        name = safe_name(photo.path.stem if known else photo.path.name)
        yield unused_name(f"{homes[photo.person]}{name}", ".png")


def _row(preparation: Preparation, reading: FaceReading) -> dict[str, object]:
    """Return the row of ``faces.csv`` for a face, without the path of its picture."""
    photo = reading.photo
    placement = reading.photo.placement
    eyes = placement.eyes if placement else None
    row: dict[str, object] = {"photo": photo.path, "person": photo.person or "", "found": "cropped"}
    if placement is not None and eyes is not None:
        row["found"] = "doubtful" if reading.doubtful else placement.source
        if not photo.turned:  # otherwise these would be positions in the turned photo
            numbers = *eyes.box, *eyes.left, *eyes.right, eyes.angle
            texts = (f"{number:.2f}" for number in numbers)
            row |= dict(zip(CUT_FACE_COLUMNS[3:11], texts, strict=True))
    row["sharpness"] = f"{sharpness(reading.face):.3f}"
    row["concerns"] = ", ".join(concern.kind for concern in concerns(reading, preparation))
    return row
