"""The commands that measure how well people are told apart: evaluate, sweep, published."""

import itertools
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
    note,
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
    list_skipped,
    list_skipped_on_failure,
    read_named_faces,
)
from eigenfaces.errors import EigenfacesError, part_of
from eigenfaces.evaluation.by_components import best_k
from eigenfaces.evaluation.controls import Control
from eigenfaces.evaluation.metrics import Figure
from eigenfaces.evaluation.protocols import Lists, OpenSet
from eigenfaces.evaluation.published import Reproduction
from eigenfaces.evaluation.published import published as published_figures
from eigenfaces.evaluation.recipes import RecipesCompared
from eigenfaces.evaluation.records import Evaluation, Record, Setting, Source, to_json
from eigenfaces.evaluation.result_words import remarks
from eigenfaces.evaluation.run import (
    check_component_count,
    compare_recipes,
    make_split,
    participating_faces,
)
from eigenfaces.evaluation.run import evaluate as measure
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.calibration import USUAL_SHARE
from eigenfaces.recognition.recipe import RECIPES, recipe_words
from eigenfaces.report import write_figures, write_report
from eigenfaces.report.files import report_files
from eigenfaces.report.page import left_out_words, with_relative_paths
from eigenfaces.report.tables import recipes_table
from eigenfaces.text import capital, count, limits, one_of, percent

SHOWN = 10
"""Leaks, duplicates and people left out that are listed at most."""


def evaluate(
    source: FaceSource = None,
    *,
    sample: Sample = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            parser=reader(lambda text: report_files(Path(text))[0]),
            help="The report: .html (with .json and the scores beside it) or .json.",
        ),
    ] = None,
    overwrite: Overwrite = False,
    figures: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A new or empty folder for the figures.")
    ] = None,
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
        bool, typer.Option("--no-curves", help="Leave out the evidence for k, which takes a while.")
    ] = False,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Measure the folds on the workers of a Dask cluster, which hold this program, "
            "too: the address of its scheduler, like tcp://10.0.0.2:8786. It needs "
            "eigenfaces[dask].",
        ),
    ] = None,
    recipe: RecipeOptions,
    recipes: Annotated[
        Any,
        typer.Option(
            "--recipes",
            metavar="all|NAME,NAME",
            parser=reader(lambda text: _recipes(text)),
            help="Several recipes, as they are, beside each other in the same folds; in the report "
            "beside the one that --recipe names.",
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
    """Return an evaluation as text: figures, controls, the best k, and what else is to be known.

    ``chosen``: by whom the recipe was, if not here.
    """
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
    blocks = [_heading(record, chosen), first, figures, controls, _components_text(result)]
    return "\n\n".join(block for block in (*blocks, *_remarks(result)) if block)


def _recipes(text: str) -> tuple[str, ...]:
    """Return the recipes that are named: all of them, or some with commas between."""
    said = [each.strip() for each in text.split(",") if each.strip()]
    if [each.casefold() for each in said] == ["all"]:
        return tuple(RECIPES)
    return tuple(one_of(RECIPES, each, "recipe") for each in said or [text])


def _recipes_text(compared: RecipesCompared, setting: Setting, read: NamedFaces) -> str:
    """Return recipes beside each other as text."""
    made, faces = recipes_table(compared), participating_faces(read.faces)
    photos, who = count(len(faces), "photograph"), count(len(faces.index.people), "person")
    return (
        f"{source_words(read.source)}: {photos} of {who}.\n{setting.protocol.words()}, seed "
        f"{setting.seed}.\n\n{table([capital(name) for name, _ in made.columns], made.rows)}\n\n"
        f"{compared.sentence}"
    )


def _heading(record: Record, chosen: str) -> str:
    """Return what was measured, and that photographs of several sizes were brought to one."""
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


def _components_text(result: Evaluation) -> str:
    by, rows = result.by_components, []
    for name, curve in by.accuracy.items() if by else ():
        if by and np.isfinite(curve).any():
            k = best_k(curve)
            interval = limits(float(by.low[name][k - 1]), float(by.high[name][k - 1]))
            rows.append((name, f"{k} of {len(by)}", percent(float(curve[k - 1]), 2), interval))
    if not rows:
        return ""
    return (
        f"{table(('The evidence for k', 'k', 'Rank-1', '95 % interval'), rows)}\n"
        "The smallest k at the highest accuracy of each distance. It is seen on the probes "
        "themselves: try a k chosen so on other photographs."
    )


def _remarks(result: Evaluation) -> Iterable[str]:
    if result.leaks:
        yield _listed(
            f"This split leaks, which was allowed, so the figures are too good "
            f"({count(len(result.leaks), 'leak')}):",
            [each.sentence for each in result.leaks],
        )
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
    """Return the name of a setting and the values that it is to have.

    >>> _axis("k=20,95%")
    ('components', (20, 0.95))
    """
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
        typer.Option(
            parser=reader(_axis),
            metavar="NAME=VALUE,VALUE…",
            help="A setting of evaluate and its values, again for each setting: k=20,40,80 or "
            "distance=l2,cosine.",
        ),
    ] = None,
    recipe: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            parser=reader(lambda text: one_of(RECIPES, text, "recipe")),
            help="A recipe to start from, again for each recipe.",
            show_default="a project's own; else Eigenfaces",
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
                    note(f"{', '.join(map(str, values))}: left out. {error}")
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
    """Return the figures of one protocol under its name, then their sources and notes."""

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
