"""The recipes beside each other: thirty years of naming faces, measured on the same photographs."""

from __future__ import annotations

from dataclasses import dataclass

from eigenfaces.evaluation.metrics import Figure
from eigenfaces.recognition.automatic import BEHIND, preferred

YEARS = {"Eigenfaces": 1991, "Fisherfaces": 1997, "Texture": 2006, "Network": 2017}
"""When each was published: by M. Turk and A. Pentland; P. Belhumeur, J. Hespanha and D. Kriegman;
T. Ahonen, A. Hadid and M. Pietikäinen; D. King."""


@dataclass(frozen=True)
class RecipeResult:
    """How often a recipe is right, as its evaluation says first; or why that is not known."""

    recipe: str
    figure: Figure | None
    reason: str = ""


@dataclass(frozen=True)
class RecipesCompared:
    """Recipes measured in the same folds, the simplest first.

    ``doubt`` says whether the best is ahead of the one that Automatic would take by more than
    chance; empty where it is the same one. ``leaks`` of the split, which were allowed. ``crops``:
    of ready crops, not of photographs.
    """

    results: tuple[RecipeResult, ...]
    doubt: str = ""
    leaks: int = 0
    crops: bool = True

    @property
    def shares(self) -> dict[str, float]:
        """How often each is right that could be measured."""
        return {each.recipe: each.figure.value for each in self.results if each.figure}

    @property
    def chosen(self) -> tuple[str, str]:
        """Which one Automatic would take, and which is best; empty where none was measured."""
        if not (shares := self.shares):
            return "", ""
        return preferred(shares, crops=self.crops), max(shares, key=lambda name: shares[name])

    @property
    def sentence(self) -> str:
        """Which one Automatic would take, and why."""
        (chosen, best), points = self.chosen, f"{100 * BEHIND:g} points"
        if not chosen:
            return "None of them could be measured."
        by_photos = chosen == "Network" and not self.crops
        first = "which tells strangers best," if by_photos else "the simplest"
        why = f", {first} at most {points} behind the best"
        if chosen == best:
            simpler = chosen != next(iter(self.shares)) and not by_photos
            why = ": it is right most often"
            why += f", and every simpler one is more than {points} behind" if simpler else ""
        words = f"Automatic would take {chosen}{why}."
        if self.doubt:
            ahead = 100 * (self.shares[best] - self.shares[chosen])
            words += f" {best} is {ahead:.1f} points ahead; {self.doubt}."
        if self.leaks:
            words += " Some of what is searched for is known already: all are too good."
        return words
