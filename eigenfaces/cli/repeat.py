"""The commands ``repeat`` and ``compare``: repeat the evaluation of a report, compare two."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import typer

from eigenfaces.cli import evaluation_options
from eigenfaces.cli.evaluate import measured
from eigenfaces.cli.evaluation_text import source_words
from eigenfaces.cli.face_sources import is_project, open_gallery, read_photos, read_sample
from eigenfaces.cli.options import AsJson
from eigenfaces.cli.plaintext import shown, table
from eigenfaces.cli.reproducibility import Repetition, Triple, read_report, repetition, same_photos
from eigenfaces.cli.running import DIFFERENT, DONE, command, note, print_json, terminal_width
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.paired import difference
from eigenfaces.evaluation.records import Record
from eigenfaces.evaluation.results import Control, Evaluation
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.photographs.decoding import resolved
from eigenfaces.photographs.photos import find_photos
from eigenfaces.recognition.recipe import recipe_words
from eigenfaces.wording import count, with_limits


@command
def repeat(
    report: evaluation_options.ReportFile,
    *,
    faces: evaluation_options.FacesElsewhere = None,
    as_json: AsJson = False,
) -> int:
    """Measure again what a report states, and say whether every figure came out the same.

    The photographs are looked for where they were, or where --faces says, and are known by the
    SHA-256 of their files. On the same machine everything comes out the same to the last bit; on
    another one the last digits of scores may differ. The exit code is 4 where anything differs.

    The keys of --json: same; figures (name, stated, now: value, low and high; same); curves_same;
    largest_difference of any score; versions (those that differ: stated, now).
    """
    record = read_report(report)
    setting = record.evaluation.setting
    again = measured(same_photos(record, _faces(record, report, faces)), setting)
    found = repetition(record, Record(again, record.preparation, record.source))
    if as_json:
        print_json(asdict(found))
    else:
        typer.echo(repetition_text(record, found, terminal_width()))
    return DONE if found.same else DIFFERENT


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
    ours, theirs = read_report(first), read_report(second)
    found = difference(ours.evaluation, theirs.evaluation)
    if found.points is None:
        raise EigenfacesError(found.sentence)
    if as_json:
        print_json(asdict(found))
        return DONE
    named = {"A": (first, ours), "B": (second, theirs)}
    lines = [f"{name}  {_described(path, record)}" for name, (path, record) in named.items()]
    typer.echo("\n".join([*lines, "", _side_by_side(ours, theirs), "", found.sentence]))
    return DONE


def _faces(record: Record, report: Path, place: Path | None) -> FaceSet:
    """Return the faces of a record, read again and cropped in the same way."""
    source = record.source
    if place is None and source.kind == "sample":
        return read_sample()
    where = _found(source.place, report) if place is None else place
    if where is None:
        raise EigenfacesError(
            f"“{source.place}” is not there. Say with --faces where the photographs are now."
        )
    if is_project(where):
        gallery = open_gallery(where)
        if gallery.preparation != record.preparation:
            raise EigenfacesError(
                "The faces in the project are cut otherwise than those of the report: choose the "
                "preparation that the report states, or give the folder of photographs as --faces."
            )
        return gallery.faces
    eyes = None if source.eyes is None else _found(source.eyes, report)
    if source.eyes is not None and eyes is None:
        note(f"“{source.eyes}”, which stated the eyes, is not there: faces may be cut otherwise.")
    found = find_photos(resolved(where), source.pattern, eyes)
    return read_photos(found, record.preparation)[0]


def _found(place: str, report: Path) -> Path | None:
    """Return an existing path, relative to the current folder or to the report's; else None."""
    places = (Path(place), report.parent / place)
    return next((each for each in places if each.exists()), None)


def repetition_text(record: Record, found: Repetition, width: int) -> str:
    """Return which results are the same, and which are not."""
    result = record.evaluation
    protocol = result.setting.protocol.words()
    photos = count(len(result.photos), "photograph")
    rows = [
        (each.name, _words(each.stated), _words(each.now), "yes" if each.same else "no")
        for each in found.figures
    ]
    if result.by_components is not None:
        rows.append(("evidence for every k", "", "", "yes" if found.curves_same else "no"))
    blocks = [
        f"{source_words(record.source)}: the same {photos}, by SHA-256; {protocol}.",
        table(("Figure", "Stated", "Now", "Same"), rows, width),
        "\n".join(_verdict(found)),
    ]
    if found.versions:
        heading = ("Version of", "Stated", "Now")
        lines = [(name, *pair) for name, pair in found.versions.items()]
        blocks.append(table(heading, lines, width))
    return "\n\n".join(blocks)


def _verdict(found: Repetition) -> Iterator[str]:
    others = sum(not each.same for each in found.figures)
    if found.same:
        yield "Every figure and every score came out the same, to the last bit."
    elif others:
        yield f"{others} of {count(len(found.figures), 'figure')} came out otherwise."
    else:
        yield "Every figure came out the same, but not every score and curve."
    if found.largest_difference is None:
        yield "The scores are not of the same searches, or these have other answers."
    elif not found.same:
        yield f"Largest difference of any score: {found.largest_difference:.3g}."
    if not found.versions:
        yield "Made with the same versions of everything."


def _words(numbers: Triple) -> str:
    value, low, high = numbers
    if value is None:
        return "–"
    return with_limits(value, low, high)


def _described(path: Path, record: Record) -> str:
    setting = record.evaluation.setting
    return f"{shown(path)}: {setting.protocol.words()}; {shown(recipe_words(setting.recipe))}"


def _side_by_side(ours: Record, theirs: Record) -> str:
    sides = [{each.kind: each for each in _all(one.evaluation)} for one in (ours, theirs)]
    rows = []
    for kind in dict.fromkeys([*sides[0], *sides[1]]):
        figures = [side.get(kind) for side in sides]
        cells = [_words((f.value, f.low, f.high)) if f else "–" for f in figures]
        rows.append((kind, *cells))
    return table(("Figure", "A", "B"), rows, terminal_width())


def _all(of: Evaluation) -> list[Figure | Control]:
    return [*of.all_figures, *of.controls]
