"""The settings that a sweep combines, and which combinations are impossible."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field

from eigenfaces.errors import EigenfacesError
from eigenfaces.recognition.matcher import COMPONENTS, DISTANCE, Matcher
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.wording import Whole

Size = tuple[int, int]
"""(height, width) of a crop."""

COUNTS = Whole(
    name=COMPONENTS.name,
    label="Numbers of components",
    about=COMPONENTS.about,
    least=1,
    most=COMPONENTS.most,
    refusal="Give the numbers of components as whole numbers from 1 up, with commas between them, "
    "like 10,20,40.",
)
"""What a sweep goes through instead of a share of the variance."""


@dataclass(frozen=True)
class Grid:
    """The settings of a sweep: every possible combination is measured.

    Some are not possible together (Mahalanobis whitens by itself), and some have no effect
    (smoothing without whitening, neighbours without voting): `left_out` returns which, in words.

    Parameters
    ----------
    recipes
        Recipes to start from; all other settings are as in each of them.
    distances
        By name.
    components
        Numbers of components; those larger than a fold allows are left out.
    sizes
        (height, width) to which crops are reduced; None: their own size.
    dropped
        The number of leading components that are left out.
    settings
        Values of other settings by their names; others are as in each of the recipes.
    """

    recipes: tuple[Recipe, ...] = (Recipe(),)
    distances: tuple[str, ...] = ("L2", "L1", "cosine", "Mahalanobis cosine")
    components: tuple[int, ...] = (10, 20, 40, 60, 80, 100, 150, 200)
    sizes: tuple[Size | None, ...] = (None,)
    dropped: tuple[int, ...] = (0,)
    settings: Mapping[str, tuple[object, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = tuple(map(DISTANCE.checked, self.distances))
        object.__setattr__(self, "distances", names)

    def starts(self) -> list[Recipe]:
        """Return the different recipes of the grid, without distance and components."""
        made = (
            _start(recipe, dict(zip(self.settings, chosen, strict=True)))
            for recipe in self.recipes
            for chosen in itertools.product(*self.settings.values())
        )
        return list(dict.fromkeys(made))


def _start(recipe: Recipe, changes: dict[str, object]) -> Recipe:
    """Return a changed recipe, with a distance that is always possible, without idle settings."""
    start = recipe.changed(distance="L2", components=1.0, dropped=0, **changes)
    return start.changed(**{name: getattr(Matcher(), name) for name in start.matcher.idle})


def left_out(grid: Grid, most: int) -> list[str]:
    """Return which parts of a grid are not measured and why, a sentence each.

    ``most``: the number of components that every fold can have.
    """
    found = []
    too_many = [str(k) for k in sorted(set(grid.components)) if k > most]
    if too_many:
        ks = ", ".join(too_many)
        found.append(f"k = {ks} left out: these folds have at most {most} components.")
    for dropped in grid.dropped:
        few = [str(k) for k in sorted(set(grid.components)) if k <= min(dropped, most)]
        if few:
            ks = ", ".join(few)
            found.append(f"k = {ks} left out where the first {dropped} are dropped: none is left.")
    starts = grid.starts()
    for whitening in dict.fromkeys(each.matcher.whitening for each in starts):
        of = next(each for each in starts if each.matcher.whitening == whitening)
        names = ", ".join(name for name in grid.distances if refusal(of, name))
        if names:
            found.append(
                f"{whitening.upper()} whitening left out with {names}: a distance that whitens by "
                "itself is not whitened twice."
            )
    if any(grid.settings.get("smoothing", ())) and any(
        each.matcher.whitening == "none" for each in starts
    ):
        found.append("Smoothing left out without whitening: it changes nothing there.")
    idle = dict.fromkeys(each.matcher.rule for each in starts if each.matcher.rule != "nearest")
    if any(each != 1 for each in grid.settings.get("neighbours", ())) and idle:
        found.append(
            f"Neighbours left out with the rule {', '.join(idle)}: they do not vote there."
        )
    return found


def refusal(recipe: Recipe, distance: str) -> EigenfacesError | None:
    """Return why a recipe cannot be used with a distance; None if it can."""
    try:
        recipe.changed(distance=distance)  # raises if they are not possible together
    except EigenfacesError as error:
        return error
    return None


def check(grid: Grid, shape: Size, most: int) -> None:
    """Raise `EigenfacesError` if a setting of a grid is not possible with any of the others.

    ``shape``: of the faces; ``most``: the number of components that every fold can have.
    """
    for size in grid.sizes:
        check_size(size or shape, shape)
    if min(grid.components) > most:
        raise EigenfacesError(f"These folds have at most {most} components: ask for fewer.")
    if min(grid.dropped) >= min(most, max(grid.components)):
        raise EigenfacesError(
            "So many leading components are dropped that none is left to compare. Drop fewer, or "
            "ask for a larger k."
        )
    starts = grid.starts()
    for name in grid.distances:
        refusals = [refusal(start, name) for start in starts]
        if refusals[0] is not None and all(refusals):
            raise refusals[0]


def check_size(size: Size, shape: Size) -> None:
    """Raise `EigenfacesError` if faces would become larger than they were cropped."""
    height, width = size
    if not (0 < height <= shape[0] and 0 < width <= shape[1]):
        raise EigenfacesError(
            f"The faces are {shape[1]} × {shape[0]} pixels: a sweep can make them smaller, not "
            f"{width} × {height}."
        )
