"""The command ``sweep``: measure many settings on the same folds; the table can be continued."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TypeVar, cast

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
from eigenfaces.cli.options import Correlation, Sample
from eigenfaces.cli.plaintext import shown, table
from eigenfaces.cli.protocols import ProtocolOptions, default_protocol_words, protocol_from
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
)
from eigenfaces.evaluation.sweep import sweep as measure
from eigenfaces.evaluation.sweep_grid import Grid, Size, check, left_out, refusal
from eigenfaces.photographs.decoding import read_text
from eigenfaces.project.atomic_files import atomic_write
from eigenfaces.recognition.lighting import Lighting, Window
from eigenfaces.recognition.recipe import Recipe, Rule, Whitening
from eigenfaces.wording import count, limits, percent

T = TypeVar("T")

BEST = 10
"""Lines that are printed."""


@dataclass(frozen=True)
class GridOptions:
    """What is gone through: every combination of these."""

    distance: evaluation_options.Distances = None
    components: evaluation_options.Counts = None
    lighting: evaluation_options.Lightings = None
    window: evaluation_options.Windows = None
    size: evaluation_options.Sizes = None
    drop_first: evaluation_options.Dropped = None
    whitening: evaluation_options.Whitenings = None
    smoothing: evaluation_options.Smoothings = None
    rule: evaluation_options.Rules = None
    neighbours: evaluation_options.Voting = None

    def grid(self, recipe: Recipe) -> Grid:
        """Return the grid of the given options; all others have defaults, or come from a recipe.

        Of the default distances, only those that work with one of the given whitenings.
        """
        usual = Grid()
        counts = chain.from_iterable(cast(list[tuple[int, ...]], self.components or []))
        grid = Grid(
            recipes=(recipe,),
            distances=_each(self.distance) or usual.distances,
            components=_each(counts) or usual.components,
            lightings=cast(tuple[Lighting, ...], _each(self.lighting)) or (recipe.lighting,),
            sizes=cast(tuple[Size, ...], _each(self.size)) or usual.sizes,
            dropped=_each(self.drop_first) or (recipe.dropped,),
            windows=cast(tuple[Window, ...], _each(self.window)),
            whitenings=cast(tuple[Whitening, ...], _each(self.whitening)),
            smoothings=_each(self.smoothing),
            rules=cast(tuple[Rule, ...], _each(self.rule)),
            neighbours=_each(self.neighbours),
        )
        if self.distance:
            return grid
        starts = grid.starts()
        able = [name for name in usual.distances if not all(refusal(one, name) for one in starts)]
        return replace(grid, distances=tuple(able))


def _each(said: Iterable[T] | None) -> tuple[T, ...]:
    """Return the given values without duplicates."""
    return tuple(dict.fromkeys(said or ()))


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
    name: evaluation_options.RecipeName = "Eigenfaces",
    correlation: Correlation = False,
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
    start = replace(read.recipe, scaling="correlation") if correlation else read.recipe
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
            part.write_text(to_csv(cells, folds), "utf-8")

    with progress("Measuring") as tick:
        cells = measure(faces, setting, asked, known=known, tick=tick, grown=write)
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
