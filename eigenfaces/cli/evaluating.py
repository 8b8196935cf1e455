"""The commands that measure how well people are told apart, and take such measurements again."""

import itertools
import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from eigenfaces.cli.options import (
    SETTINGS,
    AllowLeaks,
    AsJson,
    ExcludeDuplicates,
    FaceSource,
    Overwrite,
    PhotoOptions,
    ProtocolOptions,
    RecipeOptions,
    Sample,
    flag,
    one_of_the,
    option,
    output_option,
    reader,
    share_option,
)
from eigenfaces.cli.running import (
    DIFFERENT,
    DONE,
    SOME_UNUSED,
    check_new,
    check_new_folder,
    echo_err,
    print_json,
    progress,
    shown,
    table,
    terminal_width,
    write_table,
)
from eigenfaces.cli.sources import (
    NamedFaces,
    found_text,
    is_project,
    list_skipped,
    list_skipped_on_failure,
    open_gallery,
    read_named_faces,
    read_photos,
    read_sample,
)
from eigenfaces.errors import EigenfacesError, part_of
from eigenfaces.evaluation.by_components import best_k
from eigenfaces.evaluation.compare import difference
from eigenfaces.evaluation.controls import Control
from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.protocols import Lists, OpenSet
from eigenfaces.evaluation.published import Reproduction
from eigenfaces.evaluation.published import published as published_figures
from eigenfaces.evaluation.records import (
    Evaluation,
    RecipesCompared,
    Record,
    Setting,
    Source,
    read_report,
    to_json,
)
from eigenfaces.evaluation.result_words import left_out_words, remarks
from eigenfaces.evaluation.run import (
    check_component_count,
    compare_recipes,
    make_split,
    participating_faces,
)
from eigenfaces.evaluation.run import evaluate as measure
from eigenfaces.faces.face_set import FaceSet, PhotoIndex
from eigenfaces.photographs.decode import resolved
from eigenfaces.photographs.photos import find_photos
from eigenfaces.recognition.calibration import USUAL_SHARE
from eigenfaces.recognition.recipe import RECIPES, recipe_words
from eigenfaces.report.files import report_files, write_figures, write_report
from eigenfaces.report.page import with_relative_paths
from eigenfaces.report.tables import recipes_table
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import capital, count, limits, one_of, percent, some_of, with_limits

SHOWN = 10  # leaks, duplicates and people left out that are listed at most


def evaluate(
    source: FaceSource = None,
    *,
    sample: Sample = False,
    output: Annotated[
        Path | None,
        option(
            "FILE",
            "The report: .html (with .json and the scores beside it) or .json.",
            *("-o", "--output"),
            parser=reader(lambda text: report_files(Path(text))[0]),
        ),
    ] = None,
    overwrite: Overwrite = False,
    figures: Annotated[Path | None, option("DIR", "A new or empty folder for the figures.")] = None,
    as_json: AsJson = False,
    split: ProtocolOptions,
    share: Annotated[
        float | None,
        share_option(
            "open-set, lists: of strangers, how many may be named at most. The limit comes from "
            "the gallery of each fold alone; what it reached is stated.",
            USUAL_SHARE,
        ),
    ] = None,
    allow_leaks: AllowLeaks = False,
    exclude_duplicates: ExcludeDuplicates = False,
    no_curves: Annotated[
        bool, flag("--no-curves", "Leave out the evidence for k, which takes a while.")
    ] = False,
    dask: Annotated[
        str | None,
        option(
            "ADDRESS",
            "Measure the folds on the workers of a Dask cluster, which hold this program, too: the "
            "address of its scheduler, like tcp://10.0.0.2:8786. It needs eigenfaces[dask].",
        ),
    ] = None,
    recipe: RecipeOptions,
    recipes: Annotated[
        Any,
        option(
            "all|NAME,NAME",
            "Several recipes, as they are, beside each other in the same folds; in the report "
            "beside the one that --recipe names.",
            parser=reader(lambda text: _recipes(text)),
        ),
    ] = None,
    photos: PhotoOptions,
) -> int:
    """Measure how well people are recognised: figures with protocol, seed and 95 % interval.

    Everything that is fitted is fitted in each fold to that fold's own photographs. Beside the
    result stand the same folds without a face space, with the faces covered, and guessed. Splits
    whose probes are known to them are refused, with the names.

    ```
    eigenfaces evaluate --sample -o report.html
    eigenfaces evaluate people/ --protocol 10-fold --distance cosine -k 60 -o report.html
    eigenfaces evaluate people.eigenfaces --protocol open-set --strangers 0.3 --json
    eigenfaces evaluate people/ --recipes all
    eigenfaces evaluate lfw/ --protocol pairs --pairs pairs.txt --already-cropped -o lfw.html
    ```

    `eigenfaces repeat report.json` measures again, and says whether everything came out the same.

    The keys of --json, and of the .json of a report: format, version, made_with, source,
    preparation, setting, photos (file, person, sha256, size), people, left_out (people with too few
    photographs), unused, thresholds, figures (name, value, low, high, note, by) and controls (all
    but the last), duplicates, leaks, by_components (accuracy by distance, with its interval;
    left_out, kept), searches, pairs; where a share of strangers is named, strangers; with
    --recipes, recipes (results: recipe, figure, reason; doubt; leaks; crops).
    """
    for path in report_files(output) if output is not None else ():
        check_new(path, overwrite)
    if figures is not None:
        check_new_folder(figures)
    read = read_named_faces(source, sample=sample, photos=photos, once=exclude_duplicates)
    with list_skipped_on_failure(read.faces.skipped):
        faces = participating_faces(read.faces)
        protocol, by = split.named(), recipe.changing(read.recipe)
        if share is not None and not isinstance(protocol, OpenSet | Lists):
            raise typer.BadParameter(f"--share cannot be said of the protocol “{protocol.kind}”.")
        named = USUAL_SHARE if share is None else share
        setting = Setting(by, protocol, split.seed, not no_curves, allow_leaks, named)
        compared = None
        if recipes is not None:
            crops = read.preparation.already_cropped
            with progress("Measuring") as bar:
                compared = compare_recipes(faces, setting, recipes, bar, crops=crops, cluster=dask)
            if output is None and figures is None and not as_json:
                typer.echo(_recipes_text(compared, setting, read))
                list_skipped(read.faces.skipped)
                return SOME_UNUSED if read.faces.skipped else DONE
        check_component_count(faces, setting)
        evaluation = replace(measured(faces, setting, dask), recipes=compared)
        record = Record(evaluation, read.preparation, read.source)
    written: list[Path] = []
    if output is not None:
        with progress("Writing the report") as tick:
            written += write_report(record, output, tick)
    if figures is not None:
        with progress("Drawing the figures") as tick:
            write_figures(record, figures, tick)
        written.append(figures)
    if as_json:
        typer.echo(to_json(with_relative_paths(record)))
    else:
        chosen = read.automatic and recipe == RecipeOptions()
        typer.echo(evaluation_text(record, "; chosen by Automatic" * chosen))
        if read.noticed:
            typer.echo(f"\n{found_text(read.noticed)}")
        if written:
            typer.echo("\n" + "\n".join(f"Written: {shown(path)}" for path in written))
    list_skipped(read.faces.skipped, beside=as_json)
    return SOME_UNUSED if read.faces.skipped else DONE


def measured(faces: FaceSet, setting: Setting, cluster: str | None = None) -> Evaluation:
    """Evaluate, here or on the workers of a cluster, with a progress bar."""
    with progress("Measuring") as bar:
        return measure(faces, setting, bar, enter=bar.enter, cluster=cluster)


def source_words(source: Source) -> str:
    """Return where the faces came from."""
    return "The AT&T sample" if source.kind == "sample" else shown(source.place)


def evaluation_text(record: Record, chosen: str = "") -> str:
    """Return figures, controls, the best k, and what else is to be known, as text."""
    result = record.evaluation
    first = "There is no figure: nobody who is enrolled was searched for."
    figures = ""
    if result.figures:
        main = result.figures[0]
        first = f"{capital(main.kind)}: {main.words()}; in brackets its 95 % interval, {main.by}."
    if rows := _rows(result.all_figures):
        figures = table(("Figure", "Value", "95 % interval", "Counted on"), rows)
    heading = ("To hold beside it", "Value", "95 % interval", "")
    warnings = [f"{each.title}: {each.sentence}" for each in remarks(result) if each.warns]
    controls = "\n".join([table(heading, _rows(result.controls)), *warnings])
    by, ks, evidence = result.by_components, [], ""
    for name, curve in by.accuracy.items() if by else ():
        if by and np.isfinite(curve).any():
            k = best_k(curve)
            interval = limits(float(by.low[name][k - 1]), float(by.high[name][k - 1]))
            ks.append((name, f"{k} of {len(by)}", percent(float(curve[k - 1]), 2), interval))
    if ks:
        evidence = (
            f"{table(('The evidence for k', 'k', 'Rank-1', '95 % interval'), ks)}\n"
            "The smallest k at the highest accuracy of each distance. It is seen on the probes "
            "themselves: try a k chosen so on other photographs."
        )
    blocks = [_heading(record, chosen), first, figures, controls, evidence]
    return "\n\n".join(block for block in (*blocks, *_remarks(result)) if block)


def _recipes(text: str) -> tuple[str, ...]:
    said = [each.strip() for each in text.split(",") if each.strip()]
    if [each.casefold() for each in said] == ["all"]:
        return tuple(RECIPES)
    return tuple(one_of(RECIPES, each, "recipe") for each in said or [text])


def _recipes_text(compared: RecipesCompared, setting: Setting, read: NamedFaces) -> str:
    made, faces = recipes_table(compared), participating_faces(read.faces)
    photos, who = count(len(faces), "photograph"), count(len(faces.index.people), "person")
    return (
        f"{source_words(read.source)}: {photos} of {who}.\n{setting.protocol.words()}, seed "
        f"{setting.seed}.\n\n{table([capital(name) for name, _ in made.columns], made.rows)}\n\n"
        f"{compared.sentence}"
    )


def _heading(record: Record, chosen: str) -> str:
    result, preparation = record.evaluation, record.preparation
    setting = result.setting
    photos, who = count(len(result.photos), "photograph"), count(len(result.people), "person")
    folds = count(len(result.thresholds), "fold")
    lines = [
        f"{source_words(record.source)}: {photos} of {who}.",
        f"{setting.protocol.words()}; {folds}, seed {setting.seed}.",
        f"{shown(recipe_words(setting.recipe))}{chosen}.",
    ]
    sizes = sorted({photo.size for photo in result.photos})
    if preparation.already_cropped and len(sizes) > 1:
        (low_height, low_width), (height, width) = sizes[0], sizes[-1]
        lines.append(
            f"The photographs have {len(sizes)} sizes, from {low_width} × {low_height} to "
            f"{width} × {height}: each was brought to {preparation.width} × {preparation.height} "
            f"({preparation.fit})."
        )
    return "\n".join(lines)


def _rows(of: Iterable[Figure | Control]) -> list[tuple[str, str, str, str]]:
    return [
        (each.kind, percent(each.value, 2), limits(each.low, each.high), each.note) for each in of
    ]


def _remarks(result: Evaluation) -> Iterable[str]:
    if leaks := [each.sentence for each in result.leaks]:
        heading = "This split leaks, which was allowed, so the figures are too good"
        yield _listed(f"{heading} ({count(len(leaks), 'leak')}):", leaks)
    if result.duplicates:
        names = [photo.path.name for photo in result.photos]
        yield _listed(
            f"Nearly the same picture ({count(len(result.duplicates), 'pair')}):",
            [f"“{names[each.first]}” and “{names[each.second]}”" for each in result.duplicates],
        )
    if result.left_out:
        yield _listed(f"{left_out_words(result)}:", result.left_out)


def _listed(heading: str, lines: Sequence[str]) -> str:
    more = [f"… and {len(lines) - SHOWN} more."] if len(lines) > SHOWN else []
    return "\n".join([heading, *(f"  {shown(line)}" for line in lines[:SHOWN]), *more])


def _axis(text: str) -> tuple[str, tuple[object, ...]]:
    """Return the name of a setting and the values that it is to have, as in “k=20,95%”."""
    said, _, values = text.partition("=")
    known = {each.option or name: name for name, each in SETTINGS.items()}
    known["k"] = "components"
    name = known[one_of(known, said.strip(), "setting")]
    read = SETTINGS[name].read
    found = tuple(dict.fromkeys(read(each.strip()) for each in values.split(",") if each.strip()))
    if not found:
        raise EigenfacesError(f"Say which values “{said}” is to have, like k=20,40,80.")
    return name, found


def sweep(
    source: FaceSource = None,
    *,
    output: Annotated[Path, output_option("CSV", "The table, the best first.")],
    grid: Annotated[
        list[Any] | None,
        option(
            "NAME=VALUE,VALUE…",
            "A setting of evaluate and its values, again for each setting: k=20,40,80 or "
            "distance=l2,cosine.",
            parser=reader(_axis),
        ),
    ] = None,
    recipe: Annotated[
        list[str] | None,
        option(
            "NAME",
            "A recipe to start from, again for each recipe.",
            usual="a project's own; else Eigenfaces",
            parser=one_of_the("recipe", RECIPES),
        ),
    ] = None,
    sample: Sample = False,
    overwrite: Overwrite = False,
    split: ProtocolOptions,
    allow_leaks: AllowLeaks = False,
    exclude_duplicates: ExcludeDuplicates = False,
    photos: PhotoOptions,
) -> int:
    """Measure every combination of some settings on the same folds, as `evaluate` does, as CSV.

    What is not said is as in the project's recipe. Combinations that are not possible are told of,
    and left out.

    ```
    eigenfaces sweep --sample -o table.csv --grid distance=l2,cosine --grid k=10,20,40,80
    eigenfaces sweep people/ -o table.csv --recipe texture --recipe network --protocol 1-shot
    ```
    """
    check_new(output, overwrite)
    axes: dict[str, Any] = dict(grid or [])
    if len(axes) < len(grid or []):
        raise typer.BadParameter("Say --grid once for each setting, with all its values.")
    if recipe:
        axes["recipe"] = tuple(dict.fromkeys(recipe))
    if not axes:
        raise typer.BadParameter("Say with --grid or --recipe what is to be tried.")
    read = read_named_faces(source, sample=sample, photos=photos, once=exclude_duplicates)
    with list_skipped_on_failure(read.faces.skipped):
        faces = participating_faces(read.faces)
        protocol = split.named()
        setting = Setting(read.recipe, protocol, split.seed, False, allow_leaks)
        make_split(faces, setting)  # fails if no combination could be measured
        asked, found = list(itertools.product(*axes.values())), []
        with progress("Measuring") as bar:
            for number, values in enumerate(asked):
                said = dict(zip(axes, values, strict=True))
                try:
                    by = RECIPES.get(said.pop("recipe", ""), read.recipe).changed(**said)
                    setting = replace(setting, recipe=by)
                    check_component_count(faces, setting)
                    first = measure(faces, setting, part_of(bar, number, len(asked))).figures[0]
                    found.append((*values, first.kind, first.value, first.low, first.high))
                except EigenfacesError as error:
                    echo_err(f"{', '.join(map(str, values))}: left out. {error}")
        if not found:
            raise EigenfacesError("None of these combinations is possible.")
    found.sort(key=lambda row: -row[-3])
    write_table(output, [*axes, "figure", "value", "low", "high"], found)
    typer.echo(f"{protocol.words()}.\n{shown(output)}: {count(len(found), 'combination')}.\n")
    best = [(*row[:-3], percent(row[-3], 2), limits(*row[-2:])) for row in found[:10]]
    typer.echo(table([*axes, "Figure", "Value", "95 % interval"], best))
    typer.echo(
        "The best of many settings, chosen on the probes themselves, is optimistic: try it on "
        "other photographs before you believe it."
    )
    list_skipped(read.faces.skipped)
    return SOME_UNUSED if read.faces.skipped else DONE


def published(*, as_json: AsJson = False) -> int:
    """Measure the figures that others published, each beside its source and protocol.

    All are of the AT&T faces, which come with the program. A figure is reproduced when ours rounds
    to the digits published, or is the nearest that counts of errors can give. The exit code is 0 if
    every figure is, and 4 if one is not.

    The keys of --json: a list of figure, expected, unit, faces, protocol, source, note, steps (in
    one per cent, of counts of errors), ours (numbers), verdict and reproduced (true or false).
    """
    with progress("Measuring") as tick:
        found = list(published_figures(tick))
    outcomes = [each.outcome for each in found]
    if as_json:
        rows = []
        for each in found:
            ours = {"ours": list(each.ours), "verdict": each.verdict}
            rows.append(asdict(each.row) | ours | {"reproduced": each.outcome != "not reproduced"})
        print_json(rows)
    else:
        protocols = itertools.groupby(found, lambda each: (each.row.faces, each.row.protocol))
        blocks = [_published_text(list(some)) for _, some in protocols]
        right, nearest = len(found) - outcomes.count("not reproduced"), outcomes.count("nearest")
        remark = f", {nearest} as nearly as can be" if nearest else ""
        blocks.append(f"{right} of {count(len(found), 'figure')} are reproduced{remark}.")
        typer.echo("\n\n".join(blocks))
    return DIFFERENT if "not reproduced" in outcomes else DONE


def _published_text(some: Sequence[Reproduction]) -> str:
    def folded(text: str, indent: str = "") -> str:
        return textwrap.fill(
            shown(text),
            min(terminal_width(), 100),
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
        )

    rows = []
    for each in some:
        said = (f"{digits} {each.row.unit}".strip() for digits in (each.row.expected, each.text))
        rows.append((each.row.figure, *said, each.verdict))
    lines = [folded(f"{some[0].row.faces}: {some[0].row.protocol}.")]
    lines.append(table(("Figure", "Published", "Ours", "Verdict"), rows))
    sources: dict[str, list[str]] = {}
    for each in some:
        sources.setdefault(each.row.source, []).append(each.row.expected)
    for source, digits in sources.items():
        which = f" of {', '.join(digits)}" if len(sources) > 1 else ""
        lines.append(folded(f"Source{which}: {source}.", "  "))
    lines += [folded(each.row.note, "  ") for each in some if each.row.note]
    return "\n".join(lines)


ALIKE = 1e-9  # how far, relatively, a number may be from what was stated


def repeat(
    report: Annotated[
        Path, typer.Argument(metavar="REPORT", help="The .json that evaluate wrote.")
    ],
    *,
    faces: Annotated[
        Path | None,
        option(
            "SOURCE",
            "The folder or project file in which the same photographs are now.",
            usual="where they were",
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
        typer.echo(_repeated_text(record, found))
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
    ours, theirs = (_values(each.evaluation) for each in records)
    rows = [
        (name, _interval(ours.get(name)), _interval(theirs.get(name))) for name in ours | theirs
    ]
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
            echo_err(f"“{source.eyes}”, which stated the eyes, is not there: faces may differ.")
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
    before, after = (_values(each.evaluation) for each in (stated, now))
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


def _values(of: Evaluation) -> dict[str, list[float | None]]:
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


def _repeated_text(record: Record, found: dict[str, Any]) -> str:
    result, figures = record.evaluation, found["figures"]
    photos, protocol = count(len(result.photos), "photograph"), result.setting.protocol.words()
    says = {True: "yes", False: "no"}
    rows = [
        (each["name"], _interval(each["stated"]), _interval(each["now"]), says[each["same"]])
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


def _interval(numbers: list[float | None] | None) -> str:
    value, low, high = numbers or (None, None, None)
    return "–" if value is None else with_limits(value, low, high)
