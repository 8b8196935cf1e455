"""Automatic: the recipe is chosen by what the recipes reach on the gallery's own photographs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces import network
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.calibration import Refits, refits
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.space.discriminant import FEWEST_PEOPLE
from eigenfaces.space.folds import dealt
from eigenfaces.text import percent

BEHIND = 0.03
"""How far the recipe that is chosen may be behind the best: the simplest one such is taken."""


@dataclass(frozen=True)
class RecipeChoice:
    """A recipe, and the share of photographs that each of those measured names rightly."""

    recipe: str
    shares: dict[str, float]

    @property
    def reason(self) -> str:
        """Why it is that, as a sentence."""
        if not self.shares:
            return f"Named by {self.recipe}: nothing can be held out yet."
        said = {name: percent(share, 0) for name, share in self.shares.items()}
        mine = said.pop(self.recipe)
        rest = "".join(f"; {name} {share}" for name, share in said.items())
        return f"Named by {self.recipe}: {mine} of your photos, held out{rest}."


NOT_MEASURED = RecipeChoice("Eigenfaces", {})
"""Before the first training."""


def choose_recipe(
    faces: FaceSet, rows: Sequence[int], *, crops: bool, tick: Tick = no_tick
) -> RecipeChoice:
    """Return the simplest recipe that is at most `BEHIND` the best, in ten folds of photographs.

    Parameters
    ----------
    faces
        All faces. ``rows`` are those that train; the named ones among them are enrolled.
    crops
        Whether they are ready crops, of which the network sees less than of photographs.
    """
    named = [name for row in rows if (name := faces.index.photos[row].person) is not None]
    people = len(set(named))
    there = [name for name in RECIPES if _works(name, people)]
    if people < 2 or people == len(named):
        return RecipeChoice("Network" if "Network" in there and not crops else "Eigenfaces", {})
    shares: dict[str, float] = {}
    for number, name in enumerate(there):
        step = part_of(tick, number, len(there))
        shares[name] = _named_rightly(refits(faces, rows, RECIPES[name], step))
        if shares[name] >= 1 - BEHIND:  # no other can be farther ahead
            return RecipeChoice(name, shares)
    return RecipeChoice(simplest(shares), shares)


def simplest(shares: Mapping[str, float]) -> str:
    """Return the simplest recipe that is at most `BEHIND` the best: the first, as they stand."""
    best = max(shares.values())
    return next(name for name, share in shares.items() if share >= best - BEHIND)


def _named_rightly(made: Refits) -> float:
    """Return the share of photographs, held out in ten folds, that are nearest to their person."""
    fold = dealt(made.people)
    held = made.without_photos(fold=fold)
    return float(np.mean((held.person == made.people)[held.drawn & (fold >= 0)]))


def _works(name: str, people: int) -> bool:
    """Return whether a recipe can be used with so many people."""
    if name == "Network":
        return network.is_there()
    return name == "Eigenfaces" or people >= FEWEST_PEOPLE
