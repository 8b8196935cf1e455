"""Automatic: the recipe is chosen by what the recipes reach on the gallery's own photographs."""

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

MOST_BEHIND = 0.03  # how far the recipe chosen may be behind the best


@dataclass(frozen=True)
class RecipeChoice:
    """A recipe, and the share of photographs that each of those measured names rightly."""

    recipe: str
    shares: dict[str, float]
    missing: bool = False  # whether it might be Network, whose model files are not installed

    @property
    def rightly(self) -> str:
        """How many photographs it names rightly, in a few words; empty where nothing is known.

        >>> RecipeChoice("Texture", {"Texture": 0.975, "Eigenfaces": 0.8}).rightly
        'Right on 97.5 % of your photos'
        """
        share = self.shares.get(self.recipe)
        return "" if share is None else f"Right on {percent(share)} of your photos"

    @property
    def reason(self) -> str:
        """Why it is that, as a sentence; and how to get Network, if it is missing."""
        why = "nothing can be held out yet: that takes two people, and two photos of one of them"
        if percents := {name: percent(share) for name, share in self.shares.items()}:
            why = f"{percents.pop(self.recipe)} of your photos, held out"
            why += "".join(f"; {name} {share}" for name, share in percents.items())
        return f"Named by {self.recipe}: {why}. {self.hint}".strip()

    @property
    def hint(self) -> str:
        """How to get Network, if it is missing and might name more; else empty."""
        return f"Network might name more. {network.HOW_TO_GET_IT}" if self.missing else ""


NOT_MEASURED = RecipeChoice("Eigenfaces", {})  # before the first training


def choose_recipe(
    faces: FaceSet, rows: Sequence[int], *, crops: bool, tick: Tick = no_tick
) -> tuple[RecipeChoice, list[PrincipalFaces]]:
    """Return the `preferred_recipe` of those there are, measured in ten folds of photographs.

    And the faces as each recipe measured sees them, to be fitted to again.

    ``rows`` are the faces that train; the named ones among them are enrolled. ``crops``: whether
    they are ready crops, of which the network sees less than of photographs.
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
        far_ahead = shares[choice] >= 1 - MOST_BEHIND  # so that no other is taken, but for Network
        if far_ahead and (crops or missing or "Network" in shares):
            return RecipeChoice(choice, shares), measured
    return RecipeChoice(preferred_recipe(shares, crops=crops), shares, missing), measured


def share_named_rightly(refits: CrossValidation) -> float:
    """Return the share of photographs, held out in ten folds, that are named as they should be."""
    fold = fold_numbers(refits.enrolled_people)
    nearest = refits.without_photos(fold=fold)
    right = nearest.person == refits.enrolled_people
    return float(np.mean(right[nearest.held_out & (fold >= 0)]))


def preferred_recipe(shares: Mapping[str, float], *, crops: bool) -> str:
    """Return the recipe that Automatic takes, of those at most `MOST_BEHIND` behind the best.

    Of photographs that is Network, which tells strangers; of ready ``crops``, or else, the first.
    """
    near = [name for name in RECIPES if shares.get(name, -1) >= max(shares.values()) - MOST_BEHIND]
    return "Network" if "Network" in near and not crops else near[0]
