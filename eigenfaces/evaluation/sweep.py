"""Many settings on the same folds, in one table that can be taken up again where it was left."""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import get_type_hints

import numpy as np
from PIL import Image

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.evaluation.dimensions import ByComponents, FoldByComponents, of_fold, summed_up
from eigenfaces.evaluation.evaluate import Split, split_up
from eigenfaces.evaluation.named import Protocol
from eigenfaces.evaluation.results import Setting
from eigenfaces.evaluation.spaces import Spaces
from eigenfaces.faces import FaceSet
from eigenfaces.lighting import Lighting
from eigenfaces.recipes import Recipe

Size = tuple[int, int]
"""(height, width) of a crop."""

Combination = tuple[str, str, int, int, str, int]
"""What a cell says that is set, but for the number of components."""


@dataclass(frozen=True)
class Grid:
    """What a sweep goes through: every combination of these.

    Parameters
    ----------
    recipes
        Recipes to start from; all that is not named below stays as each of them says.
    distances, lightings
        By name.
    components
        Numbers of components; those that a fold does not have are left out.
    sizes
        (height, width) to make the crops smaller to; None leaves them as they are.
    dropped
        How many leading components are left out.
    """

    recipes: tuple[Recipe, ...] = (Recipe(),)
    distances: tuple[str, ...] = ("L2", "L1", "cosine", "Mahalanobis cosine")
    components: tuple[int, ...] = (10, 20, 40, 60, 80, 100, 150, 200)
    lightings: tuple[Lighting, ...] = ("none",)
    sizes: tuple[Size | None, ...] = (None,)
    dropped: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Cell:
    """One line of the table: a setting, and its rank-1 accuracy with the 95 % interval.

    ``recipe`` names what the other columns do not say.
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

    @property
    def combination(self) -> Combination:
        """All that was set but the number of components."""
        size = self.height, self.width
        return self.recipe, self.lighting, *size, self.distance, self.dropped


Grown = Callable[[Sequence[Cell]], None]


def sweep(
    faces: FaceSet,
    setting: Setting,
    grid: Grid,
    *,
    known: Sequence[Cell] = (),
    tick: Tick = no_tick,
    grown: Grown | None = None,
) -> list[Cell]:
    """Measure every setting of a grid on the folds of a protocol.

    Parameters
    ----------
    faces
        n faces; unnamed and excluded ones do not take part.
    setting
        Its protocol, seed and ``allow_leaks``; its recipe does not count.
    grid
        What is gone through.
    known
        Cells of an earlier run on the same faces and folds: they are not measured again.
    tick
        Called before every fold of every block.
    grown
        Called with the whole table as it grows.
    """
    split = split_up(faces, setting)
    if split.in_pairs:
        raise EigenfacesError("A sweep needs searches. Choose a protocol that is not of pairs.")
    _check(grid, split.faces)
    most = min(len(fold.train) for fold in split.folds) - 1
    wanted = tuple(k for k in sorted(set(grid.components)) if k <= most)
    if not wanted:
        raise EigenfacesError(f"These folds have at most {most} components: ask for fewer.")
    cells = {(*cell.combination, cell.components): cell for cell in known}
    blocks = list(itertools.product(grid.recipes, grid.lightings, grid.sizes))
    for number, (recipe, lighting, size) in enumerate(blocks):
        block = _Block(replace(recipe, lighting=lighting), resized(split.faces, size), wanted)
        missing = [
            (dropped, name)
            for dropped, name in itertools.product(grid.dropped, grid.distances)
            if any(
                (*block.combination(name, dropped), k) not in cells for k in wanted if k > dropped
            )
        ]
        for cell in _measured(block, split, missing, _stage(tick, number, len(blocks))):
            cells[(*cell.combination, cell.components)] = cell
        if grown is not None:
            grown(list(cells.values()))
    return list(cells.values())


def _check(grid: Grid, faces: FaceSet) -> None:
    """Refuse what some cell could not be measured by, before the first one is."""
    for size in grid.sizes:
        _check_size(size or faces.shape, faces)
    for recipe, name in itertools.product(grid.recipes, grid.distances):
        replace(recipe, distance=name)  # says itself what does not go together
        if recipe.whitening == "zca" and name not in ("L2", "cosine"):
            raise EigenfacesError(
                f"With ZCA whitening, “{name}” is not summed over components, so a sweep cannot "
                "measure it. Choose L2 or cosine, or another whitening."
            )


def _check_size(size: Size, faces: FaceSet) -> None:
    height, width = size
    if not (0 < height <= faces.shape[0] and 0 < width <= faces.shape[1]):
        raise EigenfacesError(
            f"The faces are {faces.shape[1]} × {faces.shape[0]} pixels: a sweep can make them "
            f"smaller, not {width} × {height}."
        )


def _stage(tick: Tick, number: int, blocks: int) -> Tick:
    """Return a tick for one of several blocks of equal length."""
    return lambda done, total: tick(number * total + done, blocks * total)


@dataclass(frozen=True, eq=False)
class _Block:
    """What shares its face spaces: a recipe but for distance and number of components."""

    recipe: Recipe
    faces: FaceSet
    components: tuple[int, ...]

    def combination(self, distance: str, dropped: int) -> Combination:
        words = recipe_words(self.recipe)
        return words, self.recipe.lighting, *self.faces.shape, distance, dropped

    def cells(self, by: ByComponents, dropped: int) -> Iterator[Cell]:
        for name in by.accuracy:
            for k in self.components:
                if dropped < k <= len(by):
                    curves = by.accuracy[name], by.low[name], by.high[name]
                    values = [float(curve[k - 1]) for curve in curves]
                    yield Cell(*self.combination(name, dropped), k, *values)


def _measured(
    block: _Block, split: Split, missing: list[tuple[int, str]], tick: Tick
) -> Iterator[Cell]:
    """Yield the cells of a block for some combinations of dropped components and distance."""
    by_dropped: dict[int, list[str]] = {}
    for dropped, name in missing:
        by_dropped.setdefault(dropped, []).append(name)
    if not missing:
        return
    spaces = Spaces.of(block.faces, block.recipe)
    found: dict[int, list[FoldByComponents]] = {dropped: [] for dropped in by_dropped}
    for number, fold in enumerate(split.folds):
        tick(number, len(split.folds))
        space = spaces.fit(fold.train)
        for dropped, names in by_dropped.items():
            recipe = replace(block.recipe, components=1.0, dropped=dropped)
            found[dropped].append(of_fold(space, fold, split.people, recipe, tuple(names)))
    for dropped, folds in found.items():
        yield from block.cells(summed_up(folds, split.count), dropped)


def recipe_words(recipe: Recipe) -> str:
    """Return a recipe's name, and what in it is not as usual and has no column of its own."""
    usual = Recipe()
    others = [
        f"{name} {getattr(recipe, name)}"
        for name in ("window", "scaling", "whitening", "smoothing", "rule", "neighbours")
        if getattr(recipe, name) != getattr(usual, name)
    ]
    return ", ".join([recipe.name, *others])


def resized(faces: FaceSet, size: Size | None) -> FaceSet:
    """Make crops smaller by averaging; refuse to make them larger than they were cut."""
    if size is None or size == faces.shape:
        return faces
    _check_size(size, faces)
    height, width = size
    pixels = np.empty((len(faces), height * width), np.float32)
    for row in range(len(faces)):
        image = Image.fromarray(faces.image(row))
        smaller = image.resize((width, height), Image.Resampling.BOX)
        pixels[row] = np.asarray(smaller, np.float32).ravel()
    return FaceSet(pixels, size, faces.photos, faces.skipped)


_COLUMNS = tuple(each.name for each in fields(Cell))


def to_csv(cells: Sequence[Cell], folds: str) -> str:
    """Write a table, the best settings first; ``folds`` says on which faces and folds."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow([*_COLUMNS, "folds"])
    for cell in sorted(cells, key=lambda cell: -cell.accuracy):
        table.writerow([*(getattr(cell, name) for name in _COLUMNS), folds])
    return out.getvalue()


def from_csv(text: str, folds: str) -> list[Cell]:
    """Read a table that `to_csv` wrote for the same faces and folds; else refuse it, in words."""
    try:
        table = csv.DictReader(io.StringIO(text))
        if text and set(table.fieldnames or ()) != {*_COLUMNS, "folds"}:
            raise ValueError("its columns are others")
        lines = list(table)
        types = get_type_hints(Cell)
        cells = [Cell(**{name: types[name](line[name]) for name in _COLUMNS}) for line in lines]
        others = {line["folds"] for line in lines} - {folds}
    except (KeyError, ValueError, TypeError, csv.Error) as error:
        raise EigenfacesError(
            f"This is no table of a sweep ({error}). Choose another file to write to."
        ) from None
    if others:
        raise EigenfacesError(
            "This table is of other faces or another protocol. Choose another file to write to."
        )
    return cells


def folds_words(split: Split, protocol: Protocol) -> str:
    """Return what names the faces and the folds of a sweep: their protocol and a digest."""
    content = "".join(photo.key + (photo.person or "") for photo in split.faces.photos)
    digest = hashlib.sha256((content + repr(protocol)).encode())
    digest.update(split.faces.pixels.tobytes())  # the same photos can be cut otherwise
    return f"{protocol.words()}; {digest.hexdigest()[:16]}"
