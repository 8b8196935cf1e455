"""Train and recognise the sample faces in a terminal: for machines without a display."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass

import numpy as np
from rich.console import Console
from rich.table import Table

from eigenfaces.evaluation.evaluate import make_split
from eigenfaces.evaluation.figures import identification
from eigenfaces.evaluation.measuring import Split
from eigenfaces.evaluation.protocols import FirstPhotos, Fold
from eigenfaces.evaluation.results import Setting
from eigenfaces.evaluation.searches import Compared, InSpace, Precomputed, Searches, search
from eigenfaces.evaluation.spaces import Spaces
from eigenfaces.recognition.matcher import Matcher
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.samples import load_sample
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.facespace import fewest_components
from eigenfaces.space.folds import FoldSpace
from eigenfaces.space.one_thread import one_thread

_PROTOCOL = FirstPhotos(8)
_FEWER = 100
"""Components that are compared besides those that the recipe asks for."""


@dataclass(frozen=True, eq=False)
class _Sample:
    """The sample faces in one fold, and the face space fitted to the enrolled ones."""

    split: Split
    fold: Fold
    space: FoldSpace

    @property
    def k(self) -> int:
        """Number of components that keep the share of the variance in the recipe."""
        return fewest_components(self.space.kept, Matcher().components)

    def in_space(self, matcher: Matcher) -> Searches:
        """Search for the probes in face space."""
        return self._search(InSpace(self.space, matcher), matcher)

    def in_pixels(self, distance: str) -> Searches:
        """Search for the probes by the distances between grey levels."""
        levels, probes, gallery = self.split.faces.levels, self.fold.probes, self.fold.gallery
        between = np.full((len(levels), len(levels)), np.inf)
        between[np.ix_(probes, gallery)] = DISTANCES[distance](
            levels[probes], levels[gallery], np.ones(1)
        )
        return self._search(Precomputed(between), Matcher(distance=distance))

    def _search(self, compared: Compared, matcher: Matcher) -> Searches:
        return search(compared, self.fold, 0, self.split.people, matcher)

    def share(self, found: Searches) -> str:
        """Return the share of correct names in percent, with its interval."""
        figure = identification(found, self.split.count)[0]
        value, low, high = (100 * each for each in (figure.value, figure.low, figure.high))
        return f"{value:.2f} ({low:.0f}–{high:.0f})"


def recognise_sample() -> None:
    """Train on images 1–8 of each person, recognise images 9 and 10, and print the result."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal may not support every letter
        sys.stdout.reconfigure(errors="replace")
    console = Console(highlight=False)
    with one_thread():
        split = make_split(load_sample(), Setting(Recipe(), _PROTOCOL))
        (fold,) = split.folds
        sample = _Sample(split, fold, Spaces.of(split.faces, Recipe()).fit(fold.train))
        console.print(
            f"AT&T sample, {split.count} people: images 1–8 of each train "
            f"({len(fold.gallery)} photographs),\nimages 9 and 10 are recognised "
            f"({len(fold.probes)}). The face space has {len(sample.space)} components,\nof which "
            f"the first {sample.k} keep 95 % of the variance.\n"
        )
        console.print(_results(sample))
        console.print(
            "In brackets the 95 % interval, by person, of one fixed split; the true\n"
            "uncertainty is larger. Raw pixels need no face space: the line that keeps the\n"
            "rest honest."
        )
        _print_mistakes(console, sample)


def _results(sample: _Sample) -> Table:
    """Return the table of correct answers: one row per distance, with and without face space."""
    probes = len(sample.fold.probes)
    table = Table(title=f"Right answers, in % of {probes} photographs", title_style="")
    table.add_column("distance")
    for column in ("raw pixels", f"k = {_FEWER}", f"k = {sample.k}"):
        table.add_column(column, justify="right")
    for name in DISTANCES:
        weighted = DISTANCES[name].whitens  # by the variances of a face space
        found = [] if weighted else [sample.in_pixels(name)]
        found += [sample.in_space(Matcher(distance=name, components=k)) for k in (_FEWER, sample.k)]
        table.add_row(name, *["–"] * weighted, *map(sample.share, found))
    return table


def _print_mistakes(console: Console, sample: _Sample) -> None:
    matcher, index = Matcher(), sample.split.faces.index
    found = sample.in_space(matcher)
    console.print(f"\nMistaken by {matcher.distance} with k = {sample.k}:")
    far = found.answer_distances
    for row in np.flatnonzero(~found.right).tolist():
        photo, closest = index.photos[found.probes[row]], found.answers[row]
        console.print(
            f"  {photo.person}, image {photo.path.stem}: closest is {index.people[closest]}, "
            f"at {far[row]:.3f}"
        )
