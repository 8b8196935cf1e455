"""The command ``evaluate``: figures by a protocol, with intervals and controls, and the report."""

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import typer

from eigenfaces.cli import evaluation_options
from eigenfaces.cli.evaluation_text import evaluation_text
from eigenfaces.cli.face_sources import (
    PhotoOptions,
    list_skipped,
    list_skipped_on_failure,
    read_named_faces,
)
from eigenfaces.cli.options import AsJson, Overwrite, Sample
from eigenfaces.cli.plaintext import found_text, shown
from eigenfaces.cli.protocols import (
    ProtocolOptions,
    default_protocol_words,
    protocol_from,
    share_from,
)
from eigenfaces.cli.recipe_options import RecipeOptions
from eigenfaces.cli.running import (
    DONE,
    SOME_UNUSED,
    check_new,
    check_new_folder,
    command,
    progress,
    terminal_width,
)
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.controls import LeakError
from eigenfaces.evaluation.records import Evaluation, Record, Setting, to_json
from eigenfaces.evaluation.run import check_component_count, participating_faces
from eigenfaces.evaluation.run import evaluate as measure
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.report import write_figures, write_report
from eigenfaces.report.page import with_relative_paths


@command
def evaluate(
    source: evaluation_options.Faces = None,
    *,
    sample: Sample = False,
    output: evaluation_options.Report = None,
    overwrite: Overwrite = False,
    figures: evaluation_options.FigureFolder = None,
    as_json: AsJson = False,
    split: ProtocolOptions,
    share: evaluation_options.Share = None,
    allow_leaks: evaluation_options.AllowLeaks = False,
    no_curves: evaluation_options.NoCurves = False,
    dask: evaluation_options.Cluster = None,
    recipe: RecipeOptions,
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
    eigenfaces evaluate lfw/ --protocol pairs --pairs pairs.txt --already-cropped -o lfw.html
    ```

    `eigenfaces repeat report.json` measures again, and says whether everything came out the same.

    The keys of --json, and of the .json of a report: format, version, made_with, source,
    preparation, setting, photos (file, person, sha256, size), people, left_out (people with too few
    photographs), unused, thresholds, figures and controls (name, value, low, high, note),
    duplicates, leaks, by_components (accuracy by distance, with its interval; left_out, kept),
    searches, pairs, and, where a share of strangers is named, strangers.
    """
    _check_places(output, figures, overwrite)
    read = read_named_faces(source, sample=sample, photos=photos)
    with list_skipped_on_failure(read.faces.skipped):
        faces = participating_faces(read.faces)
        protocol = protocol_from(split, len(faces))
        by = recipe.of(read.recipe)
        named = share_from(share, protocol)
        setting = Setting(by, protocol, split.seed, not no_curves, allow_leaks, named)
        check_component_count(faces, setting)
        with explain_leaks():
            record = Record(measured(faces, setting, dask), read.preparation, read.source)
    written = _write(record, output, figures)
    if as_json:
        typer.echo(to_json(with_relative_paths(record)))
    else:
        typer.echo(
            evaluation_text(record, default_protocol_words(split, protocol), terminal_width())
        )
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


@contextlib.contextmanager
def explain_leaks() -> Iterator[None]:
    """Add to the error of a refused leak how to allow it."""
    try:
        yield
    except LeakError as error:
        raise EigenfacesError(f"{error} To allow it, add --allow-leaks.") from None


def _check_places(output: Path | None, figures: Path | None, overwrite: bool) -> None:
    """Raise `EigenfacesError` early if a file or folder to write cannot be written."""
    if output is not None:
        check_new(output, overwrite)
        check_new(output.with_name(f"{output.stem}-scores.txt"), overwrite)
        if output.suffix.lower() == ".html":
            check_new(output.with_suffix(".json"), overwrite)
    if figures is not None:
        check_new_folder(figures)


def _write(record: Record, output: Path | None, figures: Path | None) -> Iterable[Path]:
    written: list[Path] = []
    if output is not None:
        with progress("Writing the report") as tick:
            written += write_report(record, output, tick)
    if figures is not None:
        with progress("Drawing the figures") as tick:
            write_figures(record, figures, tick)
        written.append(figures)
    return written
