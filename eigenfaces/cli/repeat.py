"""The commands ``repeat`` and ``compare``: repeat the evaluation of a report, compare two."""

from collections.abc import Mapping
from dataclasses import asdict
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
from eigenfaces.evaluation.records import Record, content_of, read_report
from eigenfaces.faces.face_set import FaceSet, PhotoIndex
from eigenfaces.photographs.decode import resolved
from eigenfaces.photographs.photos import find_photos
from eigenfaces.recognition.recipe import recipe_words
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
    again = measured(_faces(record, report, faces), record.evaluation.setting)
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
    ours, theirs = (_figures(content_of(each)) for each in records)
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
    rows = [faces.index.row_of(photo.key) for photo in photos]
    reasons = {each.path.parts[-2:]: each.reason.rstrip(".") for each in faces.skipped}
    reasons |= {photo.path.parts[-2:]: "its file has changed" for photo in faces.index.photos}
    lost = [photo.path.parts[-2:] for photo, row in zip(photos, rows, strict=True) if row is None]
    missing = [f"“{'/'.join(each)}” ({reasons.get(each, 'missing')})" for each in lost]
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
    before, after = content_of(stated), content_of(now)
    ours, theirs = _figures(before), _figures(after)
    pairs = {name: (ours.get(name), theirs.get(name)) for name in ours | theirs}
    figures = [
        {"name": name, "stated": a, "now": b, "same": _close(a, b)}
        for name, (a, b) in pairs.items()
    ]
    ours, theirs = _arrays(before), _arrays(after)
    others = {name for name in ours | theirs if not _close(ours.get(name), theirs.get(name))}
    curves, largest = {name for name in others if name.startswith("k ")}, None
    if others <= curves | {"distances"}:  # of the same searches
        apart = np.array(ours["distances"], float) - np.array(theirs["distances"], float)
        largest = float(np.nanmax(np.abs(apart), initial=0))
    made = [each["made_with"] for each in (before, after)]
    versions = {name: [of.get(name, "none") for of in made] for name in sorted(made[0] | made[1])}
    return {
        "same": all(each["same"] for each in figures) and not others,
        "figures": figures,
        "curves_same": not curves,
        "largest_difference": largest,
        "versions": {name: pair for name, pair in versions.items() if pair[0] != pair[1]},
    }


def _figures(content: Mapping[str, Any]) -> dict[str, list[float | None]]:
    """Return value and limits of every figure and control that a report states."""
    strangers = content.get("strangers", {"figures": []})
    every = [*content["figures"], *strangers["figures"], *content["controls"]]
    return {each["name"]: [each["value"], each["low"], each["high"]] for each in every}


def _arrays(content: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the other numbers of a report by their names; those for every k begin with “k”."""
    found = {"thresholds": content["thresholds"]} | (content["searches"] or content["pairs"])
    for part, curves in (content["by_components"] or {}).items():
        named = curves.items() if isinstance(curves, dict) else [("", curves)]
        found |= {f"k {part} {name}": curve for name, curve in named}
    return found


def _close(stated: list[Any] | None, now: list[Any] | None) -> bool:
    """Say whether numbers are the same, relative to each, or to the largest where one is near 0."""
    a, b = np.array(stated, float), np.array(now, float)
    least = ALIKE * np.abs(a[np.isfinite(a)]).max(initial=0)
    return a.shape == b.shape and np.allclose(b, a, rtol=ALIKE, atol=least, equal_nan=True)


def _repetition_text(record: Record, found: dict[str, Any]) -> str:
    """Return which results are the same, and which are not."""
    result, figures, others = record.evaluation, found["figures"], 0
    photos, protocol = count(len(result.photos), "photograph"), result.setting.protocol.words()
    says, rows = {True: "yes", False: "no"}, []
    for each in figures:
        others += not each["same"]
        cells = _words(each["stated"]), _words(each["now"]), says[each["same"]]
        rows.append((each["name"], *cells))
    if result.by_components is not None:
        rows.append(("evidence for every k", "", "", says[found["curves_same"]]))
    said = ["Every figure came out the same, but not every score and curve."]
    if others:
        said = [f"{others} of {count(len(figures), 'figure')} came out otherwise."]
    if found["largest_difference"] is None:
        said.append("The scores are not of the same searches, or these have other answers.")
    elif found["same"]:
        said = ["Every figure and every score came out the same."]
    else:
        said.append(f"Largest difference of any score: {found['largest_difference']:.3g}.")
    differ = [f"{name} {then} (now {now})" for name, (then, now) in found["versions"].items()]
    made = f"other versions: {', '.join(differ)}" if differ else "the same versions of everything"
    blocks = (
        f"{source_words(record.source)}: the same {photos}, by SHA-256; {protocol}.",
        table(("Figure", "Stated", "Now", "Same"), rows),
        "\n".join([*said, f"Made with {made}."]),
    )
    return "\n\n".join(blocks)


def _words(numbers: list[float | None] | None) -> str:
    value, low, high = numbers or (None, None, None)
    return "–" if value is None else with_limits(value, low, high)
