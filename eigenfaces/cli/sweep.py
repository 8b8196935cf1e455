"""The command ``sweep``: many settings on the same folds, in a table that can be taken up again."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import cast

import typer

from eigenfaces.cli import evaluation_options as say
from eigenfaces.cli.evaluate import leaks_refused
from eigenfaces.cli.evaluation_text import source_words
from eigenfaces.cli.options import Sample
from eigenfaces.cli.plaintext import counted, shown, table
from eigenfaces.cli.protocols import ProtocolOptions, protocol_said, usual_words
from eigenfaces.cli.reading import Named, PhotoOptions, list_skipped, listed_on_failure, read_named
from eigenfaces.cli.recipe_options import RecipeOptions, recipe_of
from eigenfaces.cli.running import DONE, SOME_UNUSED, check_new, columns, command, note, progress
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.evaluate import split_up, taking_part
from eigenfaces.evaluation.results import Setting
from eigenfaces.evaluation.sweep import Cell, Grid, Size, folds_words, from_csv, to_csv
from eigenfaces.evaluation.sweep import sweep as measure
from eigenfaces.lighting import Lighting
from eigenfaces.recipes import Recipe
from eigenfaces.report.words import limits, percent
from eigenfaces.writing import written_whole

BEST = 10
"""Lines that are printed."""

OPTIMISTIC = (
    "The best of many settings, chosen on the probes themselves, is optimistic: try it on other "
    "photographs before you believe it."
)


@dataclass(frozen=True)
class GridOptions:
    """What is gone through: every combination of these."""

    distance: say.Distances = None
    components: say.Counts = None
    lighting: say.Lightings = None
    size: say.Sizes = None
    drop_first: say.Dropped = None

    def grid(self, recipe: Recipe) -> Grid:
        """Return what is said; all else is usual, and lighting and dropped those of a recipe."""
        usual = Grid()
        said = cast(list[tuple[int, ...]], self.components or [])
        return Grid(
            recipes=(recipe,),
            distances=tuple(dict.fromkeys(self.distance or usual.distances)),
            components=tuple(dict.fromkeys(chain.from_iterable(said))) or usual.components,
            lightings=cast(
                tuple[Lighting, ...], tuple(dict.fromkeys(self.lighting or [recipe.lighting]))
            ),
            sizes=tuple(cast(list[Size], self.size)) if self.size else usual.sizes,
            dropped=tuple(dict.fromkeys(self.drop_first or [recipe.dropped])),
        )


@command
def sweep(
    source: say.Faces = None,
    *,
    output: say.Table,
    sample: Sample = False,
    overwrite: say.StartAnew = False,
    grid: GridOptions,
    split: ProtocolOptions,
    allow_leaks: say.AllowLeaks = False,
    name: say.RecipeName = "Eigenfaces",
    recipe: RecipeOptions,
    photos: PhotoOptions,
) -> int:
    """Measure many settings on the same folds: rank-1 accuracy with its 95 % interval, as CSV.

    The table grows on disk, and is whole at any moment. Stopped and asked again, it is taken up
    where it was left, if photographs and protocol are the same; other settings may be added so.

    ```
    eigenfaces sweep --sample -o table.csv --distance l2 --distance cosine -k 10,20,40,80
    eigenfaces sweep people/ -o table.csv --lighting none --lighting tan-triggs --size 46x56
    ```
    """
    check_new(output, overwrite=True)
    read = read_named(source, sample=sample, photos=photos)
    faces = taking_part(read.faces)
    protocol = protocol_said(split, len(faces))
    start = recipe_of(read.recipe, recipe)
    setting = Setting(start, protocol, split.seed, curves=False, allow_leaks=allow_leaks)
    with listed_on_failure(read.faces.skipped), leaks_refused():
        drawn = split_up(faces, setting)
    folds, asked = folds_words(drawn, protocol), grid.grid(start)
    _mention_too_many(asked, min(len(fold.train) for fold in drawn.folds) - 1)
    known = _known(output, folds, overwrite)

    def write(cells: Sequence[Cell]) -> None:
        with written_whole(output) as part:
            part.write_text(to_csv(cells, folds), "utf-8")

    with progress("Measuring") as tick:
        cells = measure(faces, setting, asked, known=known, tick=tick, grown=write)
    typer.echo(_heading(read, f"{protocol.words()}{usual_words(split, protocol)}"))
    typer.echo(f"{shown(output)}: {counted(len(cells), 'setting')}.\n")
    typer.echo(best_text(cells, columns()))
    list_skipped(read.faces.skipped)
    return SOME_UNUSED if read.faces.skipped else DONE


def _mention_too_many(asked: Grid, most: int) -> None:
    """Say which numbers of components are left out; refuse a grid of which nothing is left."""
    if min(asked.dropped) >= min(most, max(asked.components)):
        raise EigenfacesError(
            "So many leading components are dropped that none is left to compare. Drop fewer, or "
            "ask for a larger k."
        )
    too_many = [str(k) for k in asked.components if k > most]
    if too_many and len(too_many) < len(asked.components):  # else the sweep itself refuses
        note(f"k = {', '.join(too_many)} left out: these folds have at most {most} components.")


def _known(output: Path, folds: str, overwrite: bool) -> list[Cell]:
    """Return what an earlier run has measured already, if it is to be taken up."""
    if overwrite or not output.exists():
        return []
    try:
        known = from_csv(output.read_text("utf-8"), folds)
    except UnicodeDecodeError:
        raise EigenfacesError(
            f"“{output}” is no table of a sweep. Choose another file to write to, or add "
            "--overwrite to replace it."
        ) from None
    except EigenfacesError as error:
        raise EigenfacesError(f"“{output}”: {error} Or add --overwrite to replace it.") from None
    note(f"“{output}” is taken up where it was left, with {counted(len(known), 'setting')}.")
    return known


def _heading(read: Named, protocol: str) -> str:
    faces = taking_part(read.faces)
    people = counted(len(faces.people), "person", "people")
    return (
        f"{source_words(read.source)}: {counted(len(faces), 'photograph')} of {people}.\n"
        f"{protocol}."
    )


def best_text(cells: Sequence[Cell], width: int) -> str:
    """List the best settings, the one with fewer components first where they are as good."""
    best = sorted(cells, key=lambda cell: (-cell.accuracy, cell.components))[:BEST]
    rows = [
        (
            percent(each.accuracy),
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
