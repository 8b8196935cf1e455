"""The commands ``repeat`` and ``compare``: repeat the evaluation of a report, compare two."""

import math
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from eigenfaces.cli.evaluating import measured, source_words
from eigenfaces.cli.options import AsJson
from eigenfaces.cli.running import DIFFERENT, DONE, note, print_json, shown, table
from eigenfaces.cli.sources import is_project, open_gallery, read_photos, read_sample
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.compare import difference
from eigenfaces.evaluation.controls import Control
from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.records import Evaluation, Record, read_report
from eigenfaces.evaluation.run import compare_recipes
from eigenfaces.faces.face_set import FaceSet, PhotoIndex
from eigenfaces.photographs.decode import resolved
from eigenfaces.photographs.photos import find_photos
from eigenfaces.recognition.recipe import recipe_words
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, some_of, with_limits

ALIKE = 1e-9
"""How far, relatively, a number may be from what was stated: it is rounded otherwise elsewhere."""


def repeat(
    report: Annotated[
        Path, typer.Argument(metavar="REPORT", help="The .json that evaluate wrote.")
    ],
    *,
    faces: Annotated[
        Path | None,
        typer.Option(
            metavar="SOURCE",
            show_default="where they were",
            help="The folder or project file in which the same photographs are now.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Measure again what a report states, and say whether every figure came out the same.

    The photographs are looked for where they were, or where --faces says, and are known by the
    SHA-256 of their files. Numbers are the same that differ by less than a billionth. The exit
    code is 4 where anything differs.

    The keys of --json: same; figures (name, stated, now: value, low and high; same); curves_same;
    largest_difference of any score; versions (those that differ: stated, now).
    """
    record = read_report(report)
    there, setting = _faces(record, report, faces), record.evaluation.setting
    again, compared = measured(there, setting), record.evaluation.recipes
    if compared is not None:
        names = [each.recipe for each in compared.results]
        compared = compare_recipes(there, setting, names, crops=compared.crops)
        again = replace(again, recipes=compared)
    found = repetition(record, Record(again, record.preparation, record.source))
    if as_json:
        print_json(found)
    else:
        typer.echo(_repetition_text(record, found))
    return DONE if found["same"] else DIFFERENT


def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="A .json that evaluate wrote.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another one.")],
    *,
    as_json: AsJson = False,
) -> int:
    """Put two reports side by side, and say whether they differ by more than chance.

    The paired permutation test is by person, and asks for the same searches in both: the same
    photographs, by the same protocol.

    The keys of --json: points (the first minus the second, percentage points), p, sentence,
    limits (the 95 % interval of points, or null).
    """
    records = read_report(first), read_report(second)
    found = difference(*(each.evaluation for each in records))
    if found.points is None:
        raise EigenfacesError(found.sentence)
    if as_json:
        print_json(asdict(found))
        return DONE
    for name, path, record in zip("AB", (first, second), records, strict=True):
        setting = record.evaluation.setting
        what = f"{setting.protocol.words()}; {shown(recipe_words(setting.recipe))}"
        typer.echo(f"{name}  {shown(path)}: {what}")
    ours, theirs = (_figures(each.evaluation) for each in records)
    rows = [(name, _words(ours.get(name)), _words(theirs.get(name))) for name in ours | theirs]
    typer.echo(f"\n{table(('Figure', 'A', 'B'), rows)}\n\n{found.sentence}")
    return DONE


def _faces(record: Record, report: Path, place: Path | None) -> FaceSet:
    """Return the faces of a record in its order and under its names, cropped in the same way."""
    source, photos = record.source, record.evaluation.photos
    where = _found(source.place, report) if place is None else place
    if place is None and source.kind == "sample":
        faces = read_sample()
    elif where is None:
        raise EigenfacesError(
            f"“{source.place}” is not there. Say with --faces where the photographs are now."
        )
    elif is_project(where):
        gallery = open_gallery(where)
        if gallery.preparation != record.preparation:
            raise EigenfacesError(
                "The faces in the project are cut otherwise than those of the report: choose the "
                "preparation that the report states, or give the folder of photographs as --faces."
            )
        faces = gallery.faces
    else:
        eyes = None if source.eyes is None else _found(source.eyes, report)
        if source.eyes is not None and eyes is None:
            note(f"“{source.eyes}”, which stated the eyes, is not there: faces may differ.")
        found = find_photos(resolved(where), source.pattern, eyes)
        faces = read_photos(found, record.preparation)[0]
    kept, missing = [], []
    for photo in photos:
        row = faces.index.row_of(photo.key)
        if row is not None:
            kept.append(row)
        else:
            missing.append(photo.path.parts[-2:])
    if missing:
        reasons = {each.path.parts[-2:]: each.reason.rstrip(".") for each in faces.skipped}
        reasons |= {photo.path.parts[-2:]: "its file has changed" for photo in faces.index.photos}
        said = [f"“{'/'.join(each)}” ({reasons.get(each, 'missing')})" for each in missing]
        raise EigenfacesError(
            f"{len(said)} of the {len(photos)} photographs in the report are not there as they "
            f"were: {some_of(said, 5)}. Put them back, or say with --faces where they are now."
        )
    return FaceSet(faces.pixels.select(kept), faces.shape, PhotoIndex(photos))


def _found(place: str, report: Path) -> Path | None:
    """Return an existing path, relative to the current folder or to the report's; else None."""
    return next((p for p in (Path(place), report.parent / place) if p.exists()), None)


def repetition(stated: Record, now: Record) -> dict[str, Any]:
    """Compare the record of a report with a new one; return the keys of ``repeat --json``."""
    before, after = (_figures(each.evaluation) for each in (stated, now))
    figures = [
        {"name": name, "stated": before.get(name), "now": after.get(name)}
        | {"same": _close(before.get(name), after.get(name))}
        for name in before | after
    ]
    ours, theirs = (_arrays(each.evaluation) for each in (stated, now))
    others = {name for name in ours | theirs if not _close(ours.get(name), theirs.get(name))}
    curves, largest = {name for name in others if name.startswith("k ")}, None
    if others <= curves | {"distances"}:  # of the same searches
        with np.errstate(invalid="ignore"):  # infinite distances on both sides
            apart = np.abs(ours["distances"] - theirs["distances"])
        largest = float(np.nanmax(apart, initial=0))
    names = sorted({*stated.versions, *now.versions})
    versions = {name: [of.versions.get(name, "none") for of in (stated, now)] for name in names}
    return {
        "same": all(each["same"] for each in figures) and not others,
        "figures": figures,
        "curves_same": not curves,
        "largest_difference": largest,
        "versions": {name: pair for name, pair in versions.items() if pair[0] != pair[1]},
    }


def _figures(of: Evaluation) -> dict[str, list[float | None]]:
    """Return value and limits of every figure and control; None where there is none."""
    every: list[Figure | Control] = [*of.all_figures, *of.controls]
    named = {str(each.kind): each for each in every}
    for each in of.recipes.results if of.recipes else ():
        if each.figure is not None:
            named[each.recipe] = each.figure

    def known(*numbers: float | None) -> list[float | None]:
        return [None if n is None or math.isnan(n) else n for n in numbers]

    return {name: known(each.value, each.low, each.high) for name, each in named.items()}


def _arrays(of: Evaluation) -> dict[str, Doubles]:
    """Return the other numbers of a report by their names; those for every k begin with “k”."""
    found = {"thresholds": of.thresholds} | vars(of.pairs if of.searches is None else of.searches)
    for part, curves in ({} if of.by_components is None else vars(of.by_components)).items():
        named = curves.items() if isinstance(curves, dict) else [("", curves)]
        found |= {f"k {part} {name}": curve for name, curve in named}
    return found


def _close(stated: object, now: object) -> bool:
    """Say whether numbers are the same, relative to each, or to the largest where one is near 0."""
    a, b = np.array(stated, float), np.array(now, float)
    least = ALIKE * np.abs(a[np.isfinite(a)]).max(initial=0)
    return a.shape == b.shape and np.allclose(b, a, rtol=ALIKE, atol=least, equal_nan=True)


def _repetition_text(record: Record, found: dict[str, Any]) -> str:
    """Return which results are the same, and which are not."""
    result, figures = record.evaluation, found["figures"]
    photos, protocol = count(len(result.photos), "photograph"), result.setting.protocol.words()
    says = {True: "yes", False: "no"}
    rows = [
        (each["name"], _words(each["stated"]), _words(each["now"]), says[each["same"]])
        for each in figures
    ]
    if result.by_components is not None:
        rows.append(("evidence for every k", "", "", says[found["curves_same"]]))
    others = sum(not each["same"] for each in figures)
    said = "Every figure came out the same, but not every score and curve."
    if others:
        said = f"{others} of {count(len(figures), 'figure')} came out otherwise."
    if found["largest_difference"] is None:
        said += "\nThe scores are not of the same searches, or these have other answers."
    elif found["same"]:
        said = "Every figure and every score came out the same."
    else:
        said += f"\nLargest difference of any score: {found['largest_difference']:.3g}."
    differ = [f"{name} {then} (now {new})" for name, (then, new) in found["versions"].items()]
    made = f"other versions: {', '.join(differ)}" if differ else "the same versions of everything"
    return (
        f"{source_words(record.source)}: the same {photos}, by SHA-256; {protocol}.\n\n"
        f"{table(('Figure', 'Stated', 'Now', 'Same'), rows)}\n\n{said}\nMade with {made}."
    )


def _words(numbers: list[float | None] | None) -> str:
    value, low, high = numbers or (None, None, None)
    return "–" if value is None else with_limits(value, low, high)
