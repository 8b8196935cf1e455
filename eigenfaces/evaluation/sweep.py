"""Measure many settings on the same folds, in a table that a later run can continue."""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import get_type_hints

import numpy as np
from PIL import Image

from eigenfaces.arrays.crops import Crops
from eigenfaces.csv_files import as_table, from_cell
from eigenfaces.errors import EigenfacesError, Tick, no_tick, part_of
from eigenfaces.evaluation.dimensions import ByComponents, FoldByComponents, of_fold, summed_up
from eigenfaces.evaluation.evaluate import make_split, workers_for
from eigenfaces.evaluation.measuring import Split
from eigenfaces.evaluation.processes import each_of
from eigenfaces.evaluation.published_protocols import Protocol
from eigenfaces.evaluation.results import Setting
from eigenfaces.evaluation.spaces import Spaces
from eigenfaces.evaluation.sweep_grid import Grid, Size, check, check_size, refusal
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.matcher import SMOOTHING
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.recipe_words import unusual_settings
from eigenfaces.space.one_thread import one_thread
from eigenfaces.space.representation import Smoothing

Combination = tuple[str, str, int, int, str, int]
"""What a cell says that is set, but for the number of components."""


@dataclass(frozen=True)
class Cell:
    """One row of the table: a setting, and its rank-1 accuracy with the 95 % interval.

    ``recipe``: the name of the recipe and its unusual settings, see `recipe_label`. Settings
    that are often varied have their own columns, too.
    """

    recipe: str
    lighting: str
    height: int
    width: int
    distance: str
    dropped: int
    components: int
    accuracy: float
    low: float
    high: float
    window: str = "none"
    whitening: str = "none"
    smoothing: Smoothing = 0.0
    rule: str = "nearest"
    neighbours: int = 1

    @property
    def combination(self) -> Combination:
        """All settings but the number of components."""
        size = self.height, self.width
        return self.recipe, self.lighting, *size, self.distance, self.dropped


OPTIMISTIC = (
    "The best of many settings, chosen on the probes themselves, is optimistic: try it on other "
    "photographs before you believe it."
)
"""What is to be said beside every table of a sweep."""

Grown = Callable[[Sequence[Cell]], None]


def sweep(
    faces: FaceSet,
    setting: Setting,
    grid: Grid,
    *,
    known: Sequence[Cell] = (),
    tick: Tick = no_tick,
    grown: Grown | None = None,
    executor: Executor | None = None,
) -> list[Cell]:
    """Return the results of every setting of a grid on the folds of a protocol.

    Parameters
    ----------
    faces
        n faces; unnamed and excluded ones do not take part.
    setting
        Its protocol, seed and ``allow_leaks``; its recipe is ignored.
    grid
        The settings to combine.
    known
        Cells of an earlier run on the same faces and folds: they are not measured again.
    tick
        Called before every fold of every block.
    grown
        Called with the whole table as it grows.
    executor
        Where the folds are measured, see `eigenfaces.evaluation.processes`; None: here.
    """
    split = make_split(faces, setting)
    if split.in_pairs:
        raise EigenfacesError("A sweep needs searches. Choose a protocol that is not of pairs.")
    most = most_components(split)
    wanted = tuple(k for k in sorted(set(grid.components)) if k <= most)
    check(grid, split.faces.shape, most)
    cells = {(*cell.combination, cell.components): cell for cell in known}
    blocks = [
        _Block(recipes, resized(split.faces, size), wanted)
        for recipes, size in itertools.product(_grouped_by_space(grid.starts()), grid.sizes)
    ]
    for number, block in enumerate(blocks):
        missing = [
            (recipe, dropped, name)
            for recipe in block.recipes
            for dropped, name in itertools.product(grid.dropped, grid.distances)
            if refusal(recipe, name) is None
            and any(
                (*block.combination(recipe, name, dropped), k) not in cells
                for k in wanted
                if k > dropped
            )
        ]
        task = _Task(block, split, missing)
        for cell in task.cells(part_of(tick, number, len(blocks)), executor) if missing else ():
            cells[(*cell.combination, cell.components)] = cell
        if grown is not None:
            grown(list(cells.values()))
    return list(cells.values())


def workers_for_sweep(
    faces: FaceSet, setting: Setting, grid: Grid
) -> AbstractContextManager[Executor | None]:
    """Return where the folds of a sweep are to be measured: in processes, if these pay."""
    return workers_for(
        faces, setting, times=len(_grouped_by_space(grid.starts())) * len(grid.sizes)
    )


def most_components(split: Split) -> int:
    """Return the number of components that every fold of a split can have."""
    return min(len(fold.train) for fold in split.folds) - 1


def _grouped_by_space(recipes: Sequence[Recipe]) -> list[list[Recipe]]:
    """Return the recipes in groups that can use the same face space."""
    groups: list[list[Recipe]] = []
    for recipe in recipes:
        of = next((group for group in groups if not group[0].refits(recipe)), None)
        if of is None:
            groups.append([recipe])
        else:
            of.append(recipe)
    return groups


@dataclass(frozen=True, eq=False)
class _Block:
    """Recipes that share face spaces: with the same fit, on faces of one size."""

    recipes: list[Recipe]
    faces: FaceSet
    components: tuple[int, ...]

    def combination(self, recipe: Recipe, distance: str, dropped: int) -> Combination:
        return recipe_label(recipe), recipe.pixels.lighting, *self.faces.shape, distance, dropped

    def cells(self, by: ByComponents, recipe: Recipe, dropped: int) -> Iterator[Cell]:
        own = {name: said for name, said in recipe.settings.items() if name in _OWN_COLUMN}
        for name in by.accuracy:
            for k in self.components:
                if dropped < k <= len(by):
                    curves = by.accuracy[name], by.low[name], by.high[name]
                    accuracy, low, high = (float(curve[k - 1]) for curve in curves)
                    where = self.combination(recipe, name, dropped)
                    yield Cell(*where, k, accuracy, low, high, **own)


@dataclass(frozen=True, eq=False)
class _Task:
    """What is missing of a block: recipes, numbers of dropped components, and distances."""

    block: _Block
    split: Split
    missing: list[tuple[Recipe, int, str]]

    @cached_property
    def spaces(self) -> Spaces:
        return Spaces.of(self.block.faces, self.block.recipes[0])

    @cached_property
    def wanted(self) -> list[tuple[Recipe, int, list[str]]]:
        """The distances for each recipe and number of dropped components."""
        names: dict[tuple[Recipe, int], list[str]] = {}
        for recipe, dropped, name in self.missing:
            names.setdefault((recipe, dropped), []).append(name)
        return [(*which, some) for which, some in names.items()]

    def prepare(self) -> None:
        """Compute what all folds have in common, summed in one thread."""
        with one_thread():
            self.spaces.prepare(self.split.folds)

    def measured(self, number: int) -> list[FoldByComponents]:
        """Return the results of a fold for each that is wanted, summed in one thread."""
        fold, people = self.split.folds[number], self.split.people
        with one_thread():
            space = self.spaces.fit(fold.train)
            return [
                of_fold(space, fold, people, replace(recipe.matcher, dropped=dropped), tuple(names))
                for recipe, dropped, names in self.wanted
            ]

    def cells(self, tick: Tick, executor: Executor | None) -> Iterator[Cell]:
        """Yield the cells."""
        count, prepare = len(self.split.folds), _Task.prepare
        by_fold = [*each_of(_Task.measured, self, count, tick, executor, prepare=prepare)]
        for (recipe, dropped, _names), *folds in zip(self.wanted, *by_fold, strict=True):
            yield from self.block.cells(summed_up(folds, self.split.count), recipe, dropped)


def recipe_label(recipe: Recipe) -> str:
    """Return a recipe's name and its unusual settings, which identify its cells."""
    return ", ".join([recipe.name, *unusual_settings(recipe)])


def resized(faces: FaceSet, size: Size | None) -> FaceSet:
    """Return crops made smaller by averaging; raise `EigenfacesError` if they would be larger."""
    if size is None or size == faces.shape:
        return faces
    check_size(size, faces.shape)
    height, width = size
    pixels = np.empty((len(faces), height * width), np.float32)
    for row in range(len(faces)):
        image = Image.fromarray(faces.image(row))
        smaller = image.resize((width, height), Image.Resampling.BOX)
        pixels[row] = np.asarray(smaller, np.float32).ravel()
    return FaceSet(Crops(pixels), size, faces.index, faces.skipped)


def to_csv(cells: Sequence[Cell], folds: str) -> str:
    """Return a table as CSV, the best settings first; ``folds`` identifies faces and folds."""
    best_first = sorted(cells, key=lambda cell: -cell.accuracy)
    rows = ([*(getattr(cell, name) for name in _COLUMNS), folds] for cell in best_first)
    return as_table([*_COLUMNS, "folds"], rows)


def from_csv(text: str, folds: str) -> list[Cell]:
    """Return the cells of a table from `to_csv`; raise `EigenfacesError` if ``folds`` differs.

    Older tables, without columns for window, whitening, smoothing, rule and neighbours, are read
    too: there, these are in the recipe.
    """
    try:
        table = csv.DictReader(io.StringIO(text))
        columns = set(table.fieldnames or ())
        if text and columns - {*_OWN_COLUMN} != {*_COLUMNS, "folds"} - {*_OWN_COLUMN}:
            raise ValueError("its columns are others")
        lines = [{name: from_cell(line[name] or "") for name in columns} for line in table]
        cells = [_cell(_OWN.findall(line["recipe"]) + list(line.items())) for line in lines]
        others = {line["folds"] for line in lines} - {folds}
    except (KeyError, ValueError, TypeError, EigenfacesError, csv.Error) as error:
        raise EigenfacesError(
            f"This is no table of a sweep ({error}). Choose another file to write to."
        ) from None
    if others:
        raise EigenfacesError(
            "This table is of other faces or another protocol. Choose another file to write to."
        )
    return cells


def _cell(said: Sequence[tuple[str, str]]) -> Cell:
    """Return the cell in a line of a table."""
    line = dict(said)
    cell = Cell(**{name: read(line[name]) for name, read in _READ.items() if name in line})  # type: ignore[arg-type]
    if not 0 <= cell.accuracy <= 1:
        raise ValueError("an accuracy is no share")
    return cell


def folds_words(split: Split, protocol: Protocol) -> str:
    """Return what identifies the faces and folds of a sweep: the protocol and a hash."""
    content = "".join(photo.key + (photo.person or "") for photo in split.faces.index.photos)
    digest = hashlib.sha256((content + repr(protocol)).encode())
    for block in split.faces.pixels.blocks():  # the same photos can be cropped differently
        digest.update(block.tobytes())
    return f"{protocol.words()}; {digest.hexdigest()[:16]}"


_COLUMNS = tuple(each.name for each in fields(Cell))
_OWN_COLUMN = ("window", "whitening", "smoothing", "rule", "neighbours")
_OWN = re.compile(rf", ({'|'.join(_OWN_COLUMN)}) ([^,]+)")
"""What of a recipe has a column of its own, and how the words for the recipe say it."""

_READ: dict[str, Callable[[str], object]] = {
    name: SMOOTHING.read if name == "smoothing" else kind
    for name, kind in get_type_hints(Cell).items()
}
