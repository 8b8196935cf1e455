"""Automatic choice of a recipe, based on how well each one names the people in the gallery."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces import network
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.held_out import CrossValidation
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.statistics import fold_numbers
from eigenfaces.recognition.training import PrincipalFaces
from eigenfaces.space.discriminant import FEWEST_FOR_DISCRIMINANT
from eigenfaces.text import percent

MOST_BEHIND = 0.03  # the chosen recipe's share of correct names may be this far below the best


@dataclass(frozen=True)
class RecipeChoice:
    """The chosen recipe, and the share of photographs named correctly by each evaluated recipe."""

    recipe: str
    shares: dict[str, float]
    missing: bool = False  # whether Network was left out because its model files are missing

    @property
    def rightly(self) -> str:
        """A short phrase stating the share of photographs named correctly; empty if unknown.

        >>> RecipeChoice("Texture", {"Texture": 0.975, "Eigenfaces": 0.8}).rightly
        'Right on 97.5 % of your photos'
        """
        share = self.shares.get(self.recipe)
        return "" if share is None else f"Right on {percent(share)} of your photos"

    @property
    def reason(self) -> str:
        """A sentence giving the reason for the choice, followed by the hint, if there is one."""
        why = "nothing can be held out yet, as that needs two people, and two photos of one of them"
        if percents := {name: percent(share) for name, share in self.shares.items()}:
            why = f"it names {percents.pop(self.recipe)} of your photos correctly, held out"
            why += "".join(f"; {name} {share}" for name, share in percents.items())
        return f"{self.recipe} was chosen: {why}. {self.hint}".strip()

    @property
    def hint(self) -> str:
        """How to get Network if it is missing and might name more photographs; otherwise empty."""
        return f"Network might name more photos. {network.HOW_TO_GET_IT}" if self.missing else ""


NOT_MEASURED = RecipeChoice("Eigenfaces", {})  # before the first training


def choose_recipe(
    faces: FaceSet, rows: Sequence[int], *, crops: bool, tick: Tick = no_tick
) -> tuple[RecipeChoice, list[PrincipalFaces]]:
    """Choose the `preferred_recipe` by ten-fold cross-validation over photographs.

    For use in training, also return the faces' principal coordinates for each evaluated recipe.

    ``rows``: the faces to train on; the named ones are enrolled. ``crops``: whether the
    faces are ready-made crops, which show the network less than whole photographs do.
    """
    named = [name for row in rows if (name := faces.index.photos[row].person) is not None]
    people = len(set(named))
    works = {name: name == "Eigenfaces" or people >= FEWEST_FOR_DISCRIMINANT for name in RECIPES}
    works["Network"] = network.is_installed()
    there = [name for name in RECIPES if works[name]]
    if not crops:
        there.sort(key=lambda name: name not in ("Eigenfaces", "Network"))  # these two first
    missing = "Network" not in there
    if people < 2 or people == len(named):
        by_photo = not (missing or crops)
        recipe = "Network" if by_photo else "Eigenfaces"
        return RecipeChoice(recipe, {}, missing and not crops), []
    shares: dict[str, float] = {}
    measured: list[PrincipalFaces] = []
    for number, name in enumerate(there):
        tried = RECIPES[name]
        step = part_of(tick, number, len(there))
        seen = PrincipalFaces.of(faces, rows, tried.features, step)
        measured.append(seen)
        shares[name] = share_named_rightly(CrossValidation(seen.principal, seen.people, tried))
        choice = preferred_recipe(shares, crops=crops)
        far_ahead = shares[choice] >= 1 - MOST_BEHIND  # if so, only Network could replace it
        if far_ahead and (crops or missing or "Network" in shares):
            return RecipeChoice(choice, shares), measured
    return RecipeChoice(preferred_recipe(shares, crops=crops), shares, missing), measured


def share_named_rightly(refits: CrossValidation) -> float:
    """Return the share of photographs named correctly in ten-fold cross-validation."""
    fold = fold_numbers(refits.enrolled_people)
    nearest = refits.without_photos(fold=fold)
    right = nearest.person == refits.enrolled_people
    return float(np.mean(right[nearest.held_out & (fold >= 0)]))


def preferred_recipe(shares: Mapping[str, float], *, crops: bool) -> str:
    """Return the recipe to choose from those whose shares are within `MOST_BEHIND` of the best.

    For photographs, Network is chosen if it is among these recipes, as it rejects strangers well.
    Otherwise, and for ready-made ``crops``, the simplest of these recipes is chosen.
    """
    near = [name for name in RECIPES if shares.get(name, -1) >= max(shares.values()) - MOST_BEHIND]
    return "Network" if "Network" in near and not crops else near[0]
