"""Commands that measure how well people are recognised, and repeat or compare measurements."""

import contextlib
import itertools
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from eigenfaces.cli import options, running, sources
from eigenfaces.cli.options import PhotoOptions, ProtocolOptions, RecipeOptions, argument, option
from eigenfaces.cli.running import DIFFERENT, SOME_UNUSED, print_result, print_text, progress, table
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation import run
from eigenfaces.evaluation.by_components import best_k
from eigenfaces.evaluation.compare import difference
from eigenfaces.evaluation.protocols import Lists, OpenSet, Pairs
from eigenfaces.evaluation.published import Reproduction
from eigenfaces.evaluation.published import published as published_figures
from eigenfaces.evaluation.records import (
    Evaluation,
    EvaluationRecord,
    EvaluationSetting,
    EvaluationSource,
    read_report,
    to_json,
)
from eigenfaces.evaluation.result_words import notices, remarks
from eigenfaces.faces.face_set import FaceSet, PhotoIndex
from eigenfaces.files import resolved
from eigenfaces.photographs.find import find_photos
from eigenfaces.recognition.limits import USUAL_SHARE
from eigenfaces.recognition.recipe import RECIPES, Recipe, recipe_words
from eigenfaces.report import tables
from eigenfaces.report.page import report_files, with_relative_paths, write_figures, write_report
from eigenfaces.text import (
    capital,
    count,
    first_few,
    interval_text,
    parse_name,
    percent,
    with_interval,
)

_FIRST = 10  # the number of rows printed of a long table
_ALIKE = 1e-9  # the relative difference up to which numbers are the same


def _recipes(text: str) -> tuple[str, ...]:
    """Return the names of the recipes in a string such as “all” or “texture,network”."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if [name.casefold() for name in names] == ["all"]:
        return tuple(RECIPES)
    return tuple(parse_name(RECIPES, name, "recipe") for name in names or [text])


_Report = Annotated[
    Any,  # the paths of the report's files
    option(
        "FILE",
        "The report to write: .html (with .json and scores beside it) or .json.",
        "-o",
        "--output",
        read=lambda text: report_files(Path(text)),
    ),
]
_Figures = Annotated[Path | None, option("DIR", "A new or empty folder for the figures.")]
_Share = Annotated[
    float | None,
    options.share("open-set, lists: name at most this share of strangers.", USUAL_SHARE),
]
_NoCurves = Annotated[
    bool, options.flag("--no-curves", "Skip the accuracy for every k, which is slow.")
]
_Controls = Annotated[
    bool, options.flag("--controls", "pairs: also measure with covered faces, which is slow.")
]
_Dask = Annotated[
    str | None,
    option("ADDRESS", "Measure on a Dask cluster, with a scheduler such as tcp://10.0.0.2:8786."),
]
_Recipes = Annotated[
    Any,  # the names of the recipes
    option("all|NAME,NAME", "Compare several recipes on the same folds.", read=_recipes),
]


def evaluate(
    source: options.FaceSource = None,
    *,
    sample: options.Sample = False,
    output: _Report = None,
    overwrite: options.Overwrite = False,
    figures: _Figures = None,
    as_json: options.AsJson = False,
    split: ProtocolOptions,
    share: _Share = None,
    allow_leaks: options.AllowLeaks = False,
    exclude_duplicates: options.ExcludeDuplicates = False,
    no_curves: _NoCurves = False,
    controls: _Controls = False,
    dask: _Dask = None,
    recipe: RecipeOptions,
    recipes: _Recipes = None,
    photos: PhotoOptions,
) -> int | None:
    """Measure how well people are recognised. Each figure comes with a 95 % interval.

    In each fold, everything is fitted to the training photos of that fold alone. For comparison,
    the same folds are also evaluated without a face space, with covered faces, and by guessing. If
    probes are also enrolled or used for training, the split is refused, and these photos are named.

    ```
    eigenfaces evaluate --sample -o report.html
    eigenfaces evaluate people/ --protocol 10-fold --distance cosine -k 60 -o report.html
    eigenfaces evaluate people.eigenfaces --protocol open-set --strangers 0.3 --json
    eigenfaces evaluate people/ --recipes all
    eigenfaces evaluate lfw/ --protocol pairs --pairs pairs.txt --already-cropped -o lfw.html
    ```

    `eigenfaces repeat report.json` measures again, and says whether everything is the same.

    The keys of --json, and of a .json report: format, version, made_with, source, preparation,
    setting, photos (file, sha256, face, person, size; face is its number in the photo), people,
    too_few_photos (people), unused, thresholds, metrics (name, value, low, high, note, by),
    controls (the same without by), duplicates, leaks, by_components (accuracy by distance, with its
    interval; squares_lost, variance_kept), searches, pairs. Some keys are present only if they
    apply: strangers; recipes (results: recipe, figure, reason; leaks; crops); failures (fold,
    people, mated), for searches or pairs without a usable photo; by_middle, the number of photos in
    lists or pairs in which, of several faces, the one nearest the middle is used.
    """
    for path in output or ():
        running.check_new(path, overwrite)
    if figures is not None:
        running.check_new_folder(figures)
    protocol = split.build()
    gallery, origin, inspected = sources.read_gallery(
        source,
        sample,
        photos,
        exclude_duplicates,
        middle=isinstance(protocol, Lists | Pairs),
    )
    compared = None
    skipped = () if origin.kind == "project" else gallery.faces.skipped
    code = SOME_UNUSED if skipped else None
    with sources.list_skipped_on_failure(skipped):
        faces = run.participating_faces(gallery.faces)
        if not isinstance(protocol, Lists | Pairs):  # these may name unused photographs
            faces = replace(faces, skipped=skipped)
        if share is not None and not isinstance(protocol, OpenSet | Lists):
            raise typer.BadParameter(f"--share cannot be used with the protocol “{protocol.kind}”.")
        named = USUAL_SHARE if share is None else share
        start = recipe.applied_to(gallery.recipe)
        setting = EvaluationSetting(
            recipe=start,
            protocol=protocol,
            seed=split.seed,
            curves=not no_curves,
            allow_leaks=allow_leaks,
            share=named,
            controls=controls,
        )
        if recipes is not None:
            more: Any = {"crops": gallery.preparation.already_cropped, "cluster": dask}
            with progress("Measuring") as tick:
                compared = run.compare_recipes(faces, setting, recipes, tick, **more)
            if not (output or figures or as_json):
                print_text(
                    f"{_faces_text(origin, faces.index)}\n{protocol.words()}, seed {split.seed}.",
                    f"{_text_of(tables.recipes_table(compared))}\n\n{compared.sentence}",
                    sources.skipped_text(skipped),
                )
                return code
        run.check_component_count(faces, setting)
        evaluation = replace(_run_evaluation(faces, setting, dask), recipes=compared)
        record = EvaluationRecord(evaluation, gallery.preparation, origin)
    files = _write(record, output, figures)
    if as_json:
        typer.echo(to_json(with_relative_paths(record)))
        print_text(sources.skipped_text(skipped), err=True)
        return code
    by_automatic = gallery.automatic is not None and not recipe.are_given
    chosen = "; chosen by Automatic" if by_automatic else ""
    faces_text, unused = sources.detections_text(inspected), sources.skipped_text(skipped)
    print_text(evaluation_text(record, chosen), faces_text, files, unused)
    return code


def _run_evaluation(
    faces: FaceSet, setting: EvaluationSetting, cluster: str | None = None
) -> Evaluation:
    """Run an evaluation locally or on the workers of a cluster, with a progress bar."""
    with progress("Measuring") as bar:
        return run.evaluate(faces, setting, bar, enter=bar.set_stage, cluster=cluster)


def _write(record: EvaluationRecord, report: Sequence[Path] | None, figures: Path | None) -> str:
    """Write the report and the folder of figures, if requested, and return a list of the files."""
    written: list[Path] = []
    if report is not None:
        with progress("Writing the report") as tick:
            written += write_report(record, report[0], tick)
    if figures is not None:
        with progress("Drawing the figures") as tick:
            write_figures(record, figures, tick)
        written.append(figures)
    return "\n".join(f"Written: {path}" for path in written)


def _faces_text(source: EvaluationSource, index: PhotoIndex) -> str:
    photos, people = count(len(index.photos), "photo"), count(len(index.people), "person")
    return f"{_place(source)}: {photos} of {people}."


def _place(source: EvaluationSource) -> str:
    return "The AT&T sample" if source.kind == "sample" else source.place


def _text_of(part: tables.Table) -> str:
    """Return a table of a report as text, or "" if it has no rows. Long tables are truncated."""
    if not part:
        return ""
    more = len(part.rows) - _FIRST
    heading = [capital(name) for name, _ in part.columns]
    rows = table(heading, part.rows[:_FIRST] if more > 1 else part.rows)
    return f"{rows}\n… and {more} more." if more > 1 else rows


def evaluation_text(record: EvaluationRecord, chosen: str = "") -> str:
    """Return the figures, controls, best k and notices as text.

    ``chosen`` is a note to add after the recipe.
    """
    result = record.evaluation
    setting = record.evaluation.setting
    folds = count(len(result.thresholds), "fold")
    recipe = recipe_words(setting.recipe)
    first = "There is no figure, because none of the people searched for is enrolled."
    if result.metrics:
        figure = result.metrics[0]
        interval = f"in brackets its 95 % interval, {figure.by}"
        first = f"{capital(figure.kind)}: {figure.words()}; {interval}."
    rows = [
        (
            control.kind,
            percent(control.value, 2),
            interval_text(control.low, control.high),
            control.note,
        )
        for control in result.controls
    ]
    controls = [table(("Compare with", "Value", "95 % interval", ""), rows)]
    controls += [f"{remark.title}: {remark.sentence}" for remark in remarks(result) if remark.warns]
    blocks = (
        f"{_faces_text(record.source, PhotoIndex(result.photos))}\n"
        f"{setting.protocol.words()}; {folds}, seed {setting.seed}.\n{recipe}{chosen}.",
        first,
        _text_of(tables.figures_table(result)),
        "\n".join(controls),
        _component_counts_text(result),
        *notices(result),
        _text_of(tables.duplicates_table(result)),
    )
    return "\n\n".join(filter(None, blocks))


def _component_counts_text(result: Evaluation) -> str:
    """Return the best number of components for each distance, or "" if it was not measured."""
    rows = []
    by = result.by_components
    for name, curve in by.accuracy.items() if by else ():
        if by and np.isfinite(curve).any():
            k = best_k(curve)
            interval = interval_text(float(by.low[name][k - 1]), float(by.high[name][k - 1]))
            rows.append((name, f"{k} of {len(by)}", percent(float(curve[k - 1]), 2), interval))
    if not rows:
        return ""
    return (
        f"{table(('How many components', 'k', 'Rank-1', '95 % interval'), rows)}\n"
        "The smallest k with the highest accuracy for each distance. It was chosen on the probes "
        "themselves, so check it on other photos."
    )


def _axis(text: str) -> tuple[str, tuple[object, ...]]:
    """Return the name of a setting and the values to try, from a string such as “k=20,95%”."""
    typed_name, _, typed_values = text.partition("=")
    names = {setting.option or name: name for name, setting in options.SETTINGS.items()}
    names["k"] = "components"
    name = names[parse_name(names, typed_name.strip(), "setting")]
    texts = [value.strip() for value in typed_values.split(",") if value.strip()]
    if not texts:
        raise EigenfacesError(f"Give values for “{typed_name}”, such as k=20,40,80.")
    return name, tuple(dict.fromkeys(map(options.SETTINGS[name].read, texts)))


_Grid = Annotated[
    list[Any] | None,  # of `_axis`
    option(
        "NAME=VALUE,VALUE…", "A setting and its values, such as k=20,40,80; repeatable.", read=_axis
    ),
]
_StartRecipes = Annotated[
    list[str] | None,
    option("NAME", "A recipe to start from; repeatable.", read=options.choice("recipe", RECIPES)),
]


def sweep(
    source: options.FaceSource = None,
    *,
    output: Annotated[Path, options.output("CSV", "The table to write, best result first.")],
    grid: _Grid = None,
    recipe: _StartRecipes = None,
    sample: options.Sample = False,
    overwrite: options.Overwrite = False,
    split: ProtocolOptions,
    allow_leaks: options.AllowLeaks = False,
    exclude_duplicates: options.ExcludeDuplicates = False,
    photos: PhotoOptions,
) -> int | None:
    """Measure every combination of the given settings on the same folds, and write a CSV file.

    Each combination is measured in the same way as by `evaluate`. Other settings come from the
    project's recipe. Impossible combinations are listed and skipped.

    ```
    eigenfaces sweep --sample -o table.csv --grid distance=l2,cosine --grid k=10,20,40,80
    eigenfaces sweep people/ -o table.csv --recipe texture --recipe network --protocol 1-shot
    ```
    """
    running.check_new(output, overwrite)
    axes: dict[str, Any] = dict(grid or [])
    if len(axes) < len(grid or []):
        raise typer.BadParameter("Give --grid once for each setting, with all its values.")
    if recipe:
        axes["recipe"] = tuple(dict.fromkeys(recipe))
    if not axes:
        raise typer.BadParameter("Specify what to try with --grid or --recipe.")
    protocol = split.build()
    middle = isinstance(protocol, Lists | Pairs)
    gallery, origin, _ = sources.read_gallery(
        source, sample, photos, exclude_duplicates, middle=middle
    )
    faces = gallery.faces
    skipped = () if origin.kind == "project" else faces.skipped
    with sources.list_skipped_on_failure(skipped):
        setting = EvaluationSetting(gallery.recipe, protocol, split.seed, False, allow_leaks)
        made = run.make_split(faces, setting)  # fails if no combination could be measured
        tried = dict[tuple[Any, ...], Recipe]()
        results = []

        def leave_out(values: tuple[Any, ...], reason: object) -> None:
            running.echo_err(f"{', '.join(map(str, values))}: left out. {reason}")

        for values in itertools.product(*axes.values()):
            changes = dict(zip(axes, values, strict=True))
            try:
                start = RECIPES.get(changes.pop("recipe", ""), gallery.recipe)
                recipe_tried = start.changed(**changes)
                run.check_component_count(faces, replace(setting, recipe=recipe_tried))
                tried[values] = recipe_tried
            except EigenfacesError as error:
                leave_out(values, error)
        with progress("Measuring") as bar:
            measured = run.measure_recipes(made, setting, [*tried.values()], bar)
        for values, result in zip(tried, measured, strict=True):
            if (first := result.figure) is None:
                leave_out(values, result.reason)
            else:
                results.append((*values, first.kind, first.value, first.low, first.high))
        if not results:
            raise EigenfacesError("None of these combinations is possible. Try other settings.")
    results.sort(key=lambda row: -row[-3])
    running.write_csv(output, [*axes, "figure", "value", "low", "high"], results)
    best = [(*row[:-3], percent(row[-3], 2), interval_text(*row[-2:])) for row in results[:_FIRST]]
    print_text(
        f"{protocol.words()}.\n{output}: {count(len(results), 'combination')}.",
        f"{table([*axes, 'Figure', 'Value', '95 % interval'], best)}\n"
        "The best of many settings was chosen on the probes themselves, so its figure is "
        "optimistic: check it on other photos.",
        sources.skipped_text(skipped),
    )
    return SOME_UNUSED if skipped else None


def published(*, as_json: options.AsJson = False) -> int | None:
    """Reproduce published figures, each with its source and protocol.

    All figures are for the AT&T faces, which come with the program. A figure is reproduced if ours
    rounds to the published digits, or is the nearest figure that any number of errors can give. The
    exit code is 0 if every figure is reproduced, and 4 otherwise.

    --json prints a list of objects with the keys figure, expected, unit, faces, protocol, source,
    note, steps (in one per cent, for error counts), ours (numbers), verdict and reproduced.
    """
    with progress("Measuring") as tick:
        results = list(published_figures(tick))
    content = [
        asdict(result.row)
        | {"ours": list(result.ours), "verdict": result.verdict}
        | {"reproduced": result.outcome != "not reproduced"}
        for result in results
    ]
    outcomes = [result.outcome for result in results]
    wrong, nearest = outcomes.count("not reproduced"), outcomes.count("nearest")
    remark = f", {nearest} as closely as possible" if nearest else ""
    summary = f"{len(results) - wrong} of {count(len(results), 'figure')} are reproduced{remark}."
    protocols = itertools.groupby(results, lambda result: (result.row.faces, result.row.protocol))
    blocks = (_published_text(list(group)) for _, group in protocols)
    print_result(as_json, content, *blocks, summary)
    return DIFFERENT if wrong else None


def _published_text(results: Sequence[Reproduction]) -> str:
    """Return the published figures for one protocol beside ours, with sources and notes."""
    rows = []
    figures = dict[str, list[str]]()
    for result in results:
        row = result.row
        both = (f"{digits} {row.unit}".strip() for digits in (row.expected, result.text))
        rows.append((row.figure, *both, result.verdict))
        figures.setdefault(row.source, []).append(row.expected)
    lines = [f"{results[0].row.faces}: {results[0].row.protocol}."]
    lines.append(table(("Figure", "Published", "Ours", "Verdict"), rows))
    for source, digits in figures.items():
        which = f" of {', '.join(digits)}" if len(figures) > 1 else ""
        lines.append(f"  Source{which}: {source}.")
    return "\n".join([*lines, *(f"  {r.row.note}" for r in results if r.row.note)])


def repeat(
    report: Annotated[Path, argument("REPORT", "A .json report of evaluate.")],
    *,
    faces: Annotated[
        Path | None, option("SOURCE", "Where the photos are now.", usual="where they were")
    ] = None,
    as_json: options.AsJson = False,
) -> int | None:
    """Repeat the measurement of a report, and say whether every figure is the same.

    The photos are read from where they were, or from the source given with --faces, and are
    identified by the SHA-256 of their files. Two numbers count as the same if they differ by less
    than a billionth. The exit code is 4 if anything differs.

    The keys of --json: same; figures (name, stated, now, same; stated and now are value, low and
    high); others (the other parts of the report with different numbers); versions (stated and now,
    if they differ).
    """
    record = read_report(report)
    photos = _faces_of(record, report, faces)
    setting = record.evaluation.setting
    again = _run_evaluation(photos, setting)
    compared = record.evaluation.recipes
    if compared is not None:
        names = [result.recipe for result in compared.results]
        compared = run.compare_recipes(photos, setting, names, crops=compared.crops)
        again = replace(again, recipes=compared)
    content = repetition(record, EvaluationRecord(again, record.preparation, record.source))
    print_result(as_json, content, *_repetition_text(record, content))
    return None if content["same"] else DIFFERENT


def _faces_of(record: EvaluationRecord, report: Path, place: Path | None) -> FaceSet:
    """Read the faces of a record again, with the order, names and crops that it states."""

    def existing(path: str) -> Path | None:
        """Return a path if it exists, relative to the current folder or to the report's folder."""
        return next((p for p in (Path(path), report.parent / path) if p.exists()), None)

    source = record.source
    photos = record.evaluation.photos
    where = place or existing(source.place)
    if place is None and source.kind == "sample":
        faces = sources.read_sample()
    elif where is None:
        raise EigenfacesError(
            f"“{source.place}” cannot be found. Say with --faces where the photos are now."
        )
    elif sources.is_project(where):
        project = sources.open_project(where, shared=True)
        if project.gallery.preparation != record.preparation:
            raise EigenfacesError(
                "The faces in the project are not cropped like those in the report. Choose the "
                "preparation that the report records, or give the folder of photos as --faces."
            )
        faces = replace(project.gallery.faces, skipped=project.unused)
    else:
        eyes = None if source.eyes is None else existing(source.eyes)
        if source.eyes is not None and eyes is None:
            running.echo_err(f"The eye positions, “{source.eyes}”, are missing: faces may differ.")
        found = find_photos(resolved(where), source.pattern, eyes)
        middle = isinstance(record.evaluation.setting.protocol, Lists | Pairs)
        faces = sources.read_photos(
            found, record.preparation, middle=middle, thorough=source.thorough
        )[0]
    rows = [faces.index.row_of(photo.id) for photo in photos]
    if missing := [p.path.parts[-2:] for p, row in zip(photos, rows, strict=True) if row is None]:
        reasons = {file.path.parts[-2:]: file.reason.rstrip(".") for file in faces.skipped}
        reasons |= {photo.path.parts[-2:]: "its file has changed" for photo in faces.index.photos}
        names = [f"“{'/'.join(path)}” ({reasons.get(path, 'missing')})" for path in missing]
        raise EigenfacesError(
            f"{len(names)} of the {len(photos)} photos in the report are missing or "
            f"changed: {first_few(names, 5)}. Restore them, or say with --faces where they are now."
        )
    pixels = faces.pixels.select([row for row in rows if row is not None])
    return FaceSet(pixels, faces.shape, PhotoIndex(photos), faces.skipped)


def repetition(stated: EvaluationRecord, now: EvaluationRecord) -> dict[str, Any]:
    """Compare the record of a report with a new one, and return what ``repeat --json`` prints."""
    before, after = _numbers(stated), _numbers(now)
    same = {key: _is_close(before.get(key), after.get(key)) for key in before | after}
    names = sorted({*stated.versions, *now.versions})
    versions = {name: [of.versions.get(name, "none") for of in (stated, now)] for name in names}
    return {
        "same": all(same.values()),
        "figures": [
            {"name": key[1], "stated": before.get(key), "now": after.get(key), "same": close}
            for key, close in same.items()
            if key[0] == "figure"
        ],
        "others": [place for (kind, place), close in same.items() if kind == "other" and not close],
        "versions": {name: pair for name, pair in versions.items() if pair[0] != pair[1]},
    }


def _numbers(record: EvaluationRecord) -> dict[tuple[str, str], Any]:
    """Return the numbers in a report keyed by kind (“figure” or “other”) and name."""
    numbers: dict[tuple[str, str], Any] = {}

    def walk(part: Any, place: str) -> None:
        if isinstance(part, list) and part and isinstance(part[0], dict):
            for item in part:
                walk(item, place)
        elif not isinstance(part, dict):
            with contextlib.suppress(TypeError, ValueError):  # text
                numbers["other", place] = np.array(part, float)
        elif "value" in part:
            interval = [part[key] for key in ("value", "low", "high")]
            numbers["figure", part.get("name", place)] = interval
        else:
            for key, value in part.items():
                walk(value, part.get("recipe", f"{place} {key}"))

    content = json.loads(to_json(record))
    for part in (
        "metrics",
        "controls",
        "thresholds",
        "by_components",
        "searches",
        "pairs",
        "strangers",
        "recipes",
    ):
        walk(content.get(part), part)
    return numbers


def _is_close(stated: object, now: object) -> bool:
    """Return whether numbers are nearly equal, relative to their own size or to the largest."""
    a, b = np.array(stated, float), np.array(now, float)
    near_zero = _ALIKE * np.abs(a[np.isfinite(a)]).max(initial=0)
    return a.shape == b.shape and np.allclose(b, a, rtol=_ALIKE, atol=near_zero, equal_nan=True)


def _repetition_text(record: EvaluationRecord, content: dict[str, Any]) -> tuple[str, str, str]:
    def interval(numbers: list[float | None] | None) -> str:
        value, low, high = numbers or (None, None, None)
        return "–" if value is None else with_interval(value, low, high)

    figures = content["figures"]
    others = ", ".join(content["others"])
    rows = [
        (f["name"], interval(f["stated"]), interval(f["now"]), "yes" if f["same"] else "no")
        for f in figures
    ]
    outcome = "Every figure and every score is unchanged."
    if different := sum(not figure["same"] for figure in figures):
        outcome = f"{different} of {count(len(figures), 'figure')} are different."
    elif others:
        outcome = f"Every figure is unchanged, but some scores or curves differ: {others}."
    changes = [f"{name} {then} (now {new})" for name, (then, new) in content["versions"].items()]
    made = f"other versions: {', '.join(changes)}" if changes else "the same versions of everything"
    photos = count(len(record.evaluation.photos), "photo")
    protocol = record.evaluation.setting.protocol.words()
    return (
        f"{_place(record.source)}: the same {photos}, by SHA-256; {protocol}.",
        table(("Figure", "Stated", "Now", "Same"), rows),
        f"{outcome}\nMade with {made}.",
    )


def compare(
    first: Annotated[Path, argument("A", "The first .json report of evaluate.")],
    second: Annotated[Path, argument("B", "The second report.")],
    *,
    as_json: options.AsJson = False,
) -> None:
    """Compare two reports, and say whether they differ by more than chance would explain.

    A paired permutation test by person needs the same searches in both reports: the same photos,
    under the same protocol.

    The keys of --json: points (the first minus the second, in percentage points), p, sentence,
    limits (the 95 % interval of points, or null).
    """
    one, other = (read_report(path).evaluation for path in (first, second))
    result = difference(one, other)
    if result.points is None:
        raise EigenfacesError(result.sentence)
    runs = (
        f"{path}: {of.setting.protocol.words()}; {recipe_words(of.setting.recipe)}"
        for path, of in ((first, one), (second, other))
    )
    figures = _text_of(tables.comparison_table(one, other))
    print_result(as_json, asdict(result), "\n".join(runs), figures, result.sentence)
