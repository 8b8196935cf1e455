"""The commands ``repeat`` and ``compare``: repeat the evaluation of a report, compare two."""

import math
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
import typer

from eigenfaces.cli import evaluation_options
from eigenfaces.cli.evaluate import measured
from eigenfaces.cli.evaluation_text import source_words
from eigenfaces.cli.face_sources import is_project, open_gallery, read_photos, read_sample
from eigenfaces.cli.options import AsJson
from eigenfaces.cli.plaintext import shown, table
from eigenfaces.cli.running import DIFFERENT, DONE, command, note, print_json, terminal_width
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.figures import Figure
from eigenfaces.evaluation.paired import difference
from eigenfaces.evaluation.records import Record, read_report
from eigenfaces.evaluation.results import Control, Evaluation
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.photo_index import PhotoIndex
from eigenfaces.photographs.decoding import resolved
from eigenfaces.photographs.photos import find_photos
from eigenfaces.recognition.recipe_words import recipe_words
from eigenfaces.space.arrays import Doubles
from eigenfaces.wording import count, some_of, with_limits

ALIKE = 1e-9
"""How far, relatively, a number may be from what was stated: it is rounded otherwise elsewhere."""

Numbers = Doubles | list[float | None] | None
"""Some of what a report states; None for what it does not."""


@command
def repeat(
    report: evaluation_options.ReportFile,
    *,
    faces: evaluation_options.FacesElsewhere = None,
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
    again = measured(_faces(record, report, faces), record.evaluation.setting)
    found = repetition(record, Record(again, record.preparation, record.source))
    if as_json:
        print_json(found)
    else:
        typer.echo("\n\n".join(_repetition_text(record, found, terminal_width())))
    return DONE if found["same"] else DIFFERENT


@command
def compare(
    first: evaluation_options.FirstReport,
    second: evaluation_options.SecondReport,
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
    typer.echo(f"\n{table(('Figure', 'A', 'B'), rows, terminal_width())}\n\n{found.sentence}")
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
    rows = [faces.index.row_of(photo.key) for photo in photos]
    there = {photo.path.parts[-2:] for photo in faces.index.photos}
    unusable = {each.path.parts[-2:]: each.reason for each in faces.skipped}
    missing = []
    for photo, row in zip(photos, rows, strict=True):
        if row is None:
            tail = photo.path.parts[-2:]
            reason = "its file has changed" if tail in there else unusable.get(tail, "missing")
            missing.append(f"“{'/'.join(tail)}” ({reason.rstrip('.')})")
    if missing:
        raise EigenfacesError(
            f"{len(missing)} of the {len(photos)} photographs in the report are not there as they "
            f"were: {some_of(missing, 5)}. Put them back, or say with --faces where they are now."
        )
    pixels = faces.pixels.select([row for row in rows if row is not None])
    return FaceSet(pixels, faces.shape, PhotoIndex(photos))


def _found(place: str, report: Path) -> Path | None:
    """Return an existing path, relative to the current folder or to the report's; else None."""
    places = (Path(place), report.parent / place)
    return next((each for each in places if each.exists()), None)


def repetition(stated: Record, now: Record) -> dict[str, Any]:
    """Compare the record of a report with a new one; return the keys of ``repeat --json``."""
    before, after = _figures(stated.evaluation), _figures(now.evaluation)
    pairs = {name: (before.get(name), after.get(name)) for name in before | after}
    figures = [
        {"name": name, "stated": a, "now": b, "same": a is not None and _close(a, b)}
        for name, (a, b) in pairs.items()
    ]
    a, b = _arrays(stated.evaluation), _arrays(now.evaluation)
    others = {name for name in a | b if not _close(a.get(name), b.get(name))}
    curves = {name for name in a | b if name.startswith("k ")}
    largest = None
    if not others - curves - {"distances"} and a["distances"].shape == b["distances"].shape:
        with np.errstate(invalid="ignore"):  # of two that are infinite
            apart = np.abs(a["distances"] - b["distances"])
        largest = float(np.nanmax(apart, initial=0))
    versions = {
        name: (stated.versions.get(name, "none"), now.versions.get(name, "none"))
        for name in sorted({*stated.versions, *now.versions})
    }
    return {
        "same": all(each["same"] for each in figures) and not others,
        "figures": figures,
        "curves_same": not others & curves,
        "largest_difference": largest if largest is None or math.isfinite(largest) else None,
        "versions": {name: pair for name, pair in versions.items() if pair[0] != pair[1]},
    }


def _figures(of: Evaluation) -> dict[str, list[float | None]]:
    """Return value and limits of every figure and control; None for what could not be had."""
    every: list[Figure | Control] = [*of.all_figures, *of.controls]
    return {
        each.kind: [
            number if number is not None and math.isfinite(number) else None
            for number in (each.value, each.low, each.high)
        ]
        for each in every
    }


def _arrays(of: Evaluation) -> dict[str, Doubles]:
    """Return all other numbers by what they are; those for every k begin with “k”."""
    scores, by = of.searches if of.searches is not None else of.pairs, of.by_components
    found = {"thresholds": of.thresholds}
    for each in fields(scores):  # type: ignore[arg-type]
        found[each.name] = getattr(scores, each.name)
    if of.searches is not None:
        found["distances"] = np.array([*of.searches.distances.rows()])
    if by is not None:
        found |= {"k left out": by.left_out, "k kept": by.kept}
        for part in ("accuracy", "low", "high"):
            found |= {f"k {part} {name}": curve for name, curve in getattr(by, part).items()}
    return found


def _close(stated: Numbers, now: Numbers) -> bool:
    """Say whether numbers are the same, relative to each, or to the largest where one is near 0."""
    a, b = np.array(stated, np.float64), np.array(now, np.float64)
    least = ALIKE * np.abs(a[np.isfinite(a)]).max(initial=0)
    return a.shape == b.shape and np.allclose(b, a, rtol=ALIKE, atol=least, equal_nan=True)


def _repetition_text(record: Record, found: dict[str, Any], width: int) -> Iterator[str]:
    """Yield, block after block, which results are the same, and which are not."""
    result, figures = record.evaluation, found["figures"]
    photos, protocol = count(len(result.photos), "photograph"), result.setting.protocol.words()
    yield f"{source_words(record.source)}: the same {photos}, by SHA-256; {protocol}."
    says = {True: "yes", False: "no"}
    rows = [(f["name"], _words(f["stated"]), _words(f["now"]), says[f["same"]]) for f in figures]
    if result.by_components is not None:
        rows.append(("evidence for every k", "", "", says[found["curves_same"]]))
    yield table(("Figure", "Stated", "Now", "Same"), rows, width)
    others = sum(not each["same"] for each in figures)
    if found["same"]:
        said = ["Every figure and every score came out the same."]
    elif others:
        said = [f"{others} of {count(len(figures), 'figure')} came out otherwise."]
    else:
        said = ["Every figure came out the same, but not every score and curve."]
    if found["largest_difference"] is None:
        said.append("The scores are not of the same searches, or these have other answers.")
    elif not found["same"]:
        said.append(f"Largest difference of any score: {found['largest_difference']:.3g}.")
    if not found["versions"]:
        said.append("Made with the same versions of everything.")
    yield "\n".join(said)
    if found["versions"]:
        lines = [(name, *pair) for name, pair in found["versions"].items()]
        yield table(("Version of", "Stated", "Now"), lines, width)


def _words(numbers: list[float | None] | None) -> str:
    value, low, high = numbers or (None, None, None)
    return "–" if value is None else with_limits(value, low, high)
