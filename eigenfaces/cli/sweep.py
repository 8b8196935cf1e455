"""The command ``sweep``: measure many settings on the same folds; the table can be continued."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from eigenfaces.cli import evaluation_options
from eigenfaces.cli.evaluate import explain_leaks
from eigenfaces.cli.evaluation_text import source_words
from eigenfaces.cli.face_sources import (
    NamedFaces,
    PhotoOptions,
    list_skipped,
    list_skipped_on_failure,
    read_named_faces,
)
from eigenfaces.cli.field_options import flag_of, option, reader, with_options
from eigenfaces.cli.field_options import shown as shown_value
from eigenfaces.cli.options import Sample
from eigenfaces.cli.plaintext import shown, table
from eigenfaces.cli.protocols import ProtocolOptions, default_protocol_words, protocol_from
from eigenfaces.cli.recipe_options import FIELDS, USUAL, RecipeName
from eigenfaces.cli.running import (
    DONE,
    SOME_UNUSED,
    check_new,
    command,
    note,
    progress,
    terminal_width,
)
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.evaluate import make_split, participating_faces
from eigenfaces.evaluation.results import Setting
from eigenfaces.evaluation.sweep import (
    OPTIMISTIC,
    Cell,
    folds_words,
    from_csv,
    most_components,
    to_csv,
    workers_for_sweep,
)
from eigenfaces.evaluation.sweep import sweep as measure
from eigenfaces.evaluation.sweep_grid import Grid, check, left_out, refusal
from eigenfaces.photographs.decoding import read_text
from eigenfaces.project.atomic_files import atomic_write
from eigenfaces.recognition.features import SCALING
from eigenfaces.recognition.matcher import COMPONENTS, DISTANCE
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.wording import Field, Whole, count, limits, percent

BEST = 10
"""Lines that are printed."""


_USUAL = Grid()
_DISTANCES, _COUNTS = (
    ", ".join(map(shown_value, each)) for each in (_USUAL.distances, _USUAL.components)
)
_VARIED = {name: each for name, each in FIELDS.items() if not flag_of(each)}


def _again(field: Field) -> Any:
    """Return the annotation of an option that can be repeated."""
    kind = int if isinstance(field, Whole) else str
    usual = _DISTANCES if field is DISTANCE else shown_value(USUAL[field.name])
    if field is not COMPONENTS:
        return Annotated[
            list[kind] | None,  # type: ignore[valid-type]
            option(field, about=f"{field.about}, again for each", show_default=usual),
        ]
    help_text = f"{field.about}, again or after a comma for each."
    counted = option(
        field,
        parser=reader(evaluation_options.counts),
        metavar="N,N…",
        help=help_text,
        show_default=_COUNTS.replace(" ", ""),
    )
    return Annotated[list[str] | None, counted]


@with_options(
    {name: _again(each) for name, each in _VARIED.items()} | {"size": evaluation_options.Sizes}
)
class GridOptions:
    """What is gone through: every combination of these."""

    def grid(self, recipe: Recipe) -> Grid:
        """Return the grid of the given options; all others have defaults, or come from a recipe.

        Of the default distances, only those that work with one of the given whitenings.
        """
        said = {name: _each(values) for name, values in vars(self).items() if values}
        grid = Grid(
            recipes=(recipe,),
            distances=said.pop("distance", _USUAL.distances),
            components=_each(chain.from_iterable(said.pop("components", ()))) or _USUAL.components,
            sizes=said.pop("size", _USUAL.sizes),
            dropped=said.pop("dropped", (recipe.matcher.dropped,)),
            settings=said,
        )
        if vars(self)["distance"]:
            return grid
        starts = grid.starts()
        able = [name for name in _USUAL.distances if not all(refusal(one, name) for one in starts)]
        return replace(grid, distances=tuple(able))


def _each(said: Iterable[Any]) -> tuple[Any, ...]:
    """Return the given values without duplicates."""
    return tuple(dict.fromkeys(said))


@command
def sweep(
    source: evaluation_options.Faces = None,
    *,
    output: evaluation_options.Table,
    sample: Sample = False,
    overwrite: evaluation_options.StartAnew = False,
    grid: GridOptions,
    split: ProtocolOptions,
    allow_leaks: evaluation_options.AllowLeaks = False,
    name: RecipeName = None,
    correlation: Annotated[bool, option(SCALING)] = False,
    photos: PhotoOptions,
) -> int:
    """Measure many settings on the same folds: rank-1 accuracy with its 95 % interval, as CSV.

    The table grows on disk, and is whole at any moment. Stopped and asked again, it is taken up
    where it was left, if photographs and protocol are the same; other settings may be added so.

    ```
    eigenfaces sweep --sample -o table.csv --distance l2 --distance cosine -k 10,20,40,80
    eigenfaces sweep people/ -o table.csv --lighting none --lighting tan-triggs --size 46x56
    eigenfaces sweep people/ -o table.csv --whitening none --whitening pca --smoothing 10%
    ```
    """
    check_new(output, overwrite=True)
    read = read_named_faces(source, sample=sample, photos=photos)
    faces = participating_faces(read.faces)
    protocol = protocol_from(split, len(faces))
    start = RECIPES[name] if name else read.recipe
    if correlation:
        start = start.changed(scaling="correlation")
    setting = Setting(start, protocol, split.seed, curves=False, allow_leaks=allow_leaks)
    with list_skipped_on_failure(read.faces.skipped), explain_leaks():
        drawn = make_split(faces, setting)
    folds, asked = folds_words(drawn, protocol), grid.grid(start)
    most = most_components(drawn)
    check(asked, faces.shape, most)
    for sentence in left_out(asked, most):
        note(sentence)
    known = _known(output, folds, overwrite)

    def write(cells: Sequence[Cell]) -> None:
        with atomic_write(output) as part:
            part.write_text(to_csv(cells, folds), "utf-8", newline="")

    where = workers_for_sweep(faces, setting, asked)
    with progress("Measuring") as tick, where as executor:
        cells = measure(
            faces, setting, asked, known=known, tick=tick, grown=write, executor=executor
        )
    typer.echo(_heading(read, f"{protocol.words()}{default_protocol_words(split, protocol)}"))
    typer.echo(f"{shown(output)}: {count(len(cells), 'setting')}.\n")
    typer.echo(best_text(cells, terminal_width()))
    list_skipped(read.faces.skipped)
    return SOME_UNUSED if read.faces.skipped else DONE


def _known(output: Path, folds: str, overwrite: bool) -> list[Cell]:
    """Return the cells of an earlier run, if it is to be continued."""
    if overwrite or not output.exists():
        return []
    try:
        text = read_text(output)
    except UnicodeDecodeError:
        raise EigenfacesError(
            f"“{output}” is no table of a sweep. Choose another file to write to, or add "
            "--overwrite to replace it."
        ) from None
    try:
        known = from_csv(text, folds)
    except EigenfacesError as error:
        raise EigenfacesError(f"“{output}”: {error} Or add --overwrite to replace it.") from None
    note(f"“{output}” is taken up where it was left, with {count(len(known), 'setting')}.")
    return known


def _heading(read: NamedFaces, protocol: str) -> str:
    faces = participating_faces(read.faces)
    people = count(len(faces.index.people), "person")
    return (
        f"{source_words(read.source)}: {count(len(faces), 'photograph')} of {people}.\n{protocol}."
    )


def best_text(cells: Sequence[Cell], width: int) -> str:
    """Return the best settings; of equally good ones, those with fewer components first."""
    best = sorted(cells, key=lambda cell: (-cell.accuracy, cell.components))[:BEST]
    rows = [
        (
            percent(each.accuracy, 2),
            limits(each.low, each.high),
            each.distance,
            str(each.components),
            each.lighting,
            f"{each.width} × {each.height}",
            str(each.dropped),
            each.recipe,
        )
        for each in best
    ]
    heading = ("Rank-1", "95 % interval", "Distance", "k", "Lighting", "Size", "Dropped", "Recipe")
    return f"{table(heading, rows, width)}\n{OPTIMISTIC}"
