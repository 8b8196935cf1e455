"""The nearest people of each photograph, had it, or its person, never been in the gallery.

What a gallery's own photographs tell about new ones: how near a photograph is to its own person
while it is away, and how near a person's photographs are to everybody else while the person is
away, as those of a stranger.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.arrays import Doubles, Flags, Numbers
from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.comparison import Comparison, Enrolled, Matching
from eigenfaces.recognition.people_features import numbered
from eigenfaces.recognition.recipe import Recipe

_MOST_FITS = 40  # of spaces from which some photographs, or people, are away
_MOST_EXACT = 600  # photographs; with more, fewer fits
_FEW_FITS = 10


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest people of m photographs.

    Parameters
    ----------
    person
        (m,) the number of the nearest person; −1 where nobody is left.
    distance
        (m,) to that person, by the rule of the matcher; infinite where nobody is left.
    runner_up
        (m,) distance to the next person; infinite where there is none.
    """

    person: Numbers
    distance: Doubles
    runner_up: Doubles

    @property
    def margin(self) -> Doubles:
        """(m,) how much farther the runner-up is."""
        return self.runner_up - self.distance


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The m enrolled photographs of a gallery of p people, each held out.

    Parameters
    ----------
    people
        (m,) the number of the person on each, in the order of enrolment.
    member
        Its nearest people while the photograph is away.
    stranger
        Its nearest people while its person is away.
    """

    people: Numbers
    member: Nearest
    stranger: Nearest

    @property
    def mated(self) -> Flags:
        """(m,) whether another photograph of the same person is enrolled."""
        return np.bincount(self.people)[self.people] > 1

    @property
    def right(self) -> Flags:
        """(m,) whether the nearest person is the right one."""
        return self.member.person == self.people

    @property
    def count(self) -> int:
        """The number of people."""
        return len(np.unique(self.people))


def held_out(
    faces: FaceSet, enrolled: Sequence[int], recipe: Recipe, tick: Tick = no_tick
) -> HeldOut:
    """Return the nearest people of each enrolled face of a recipe, while it is held out.

    Held out, a photograph (for `HeldOut.stranger`: its person) is neither compared with nor
    fitted to.

    Parameters
    ----------
    faces
        All faces; ``enrolled`` are the rows that take part.
    recipe
        How they are compared.
    """
    rows = np.asarray(enrolled, np.intp)
    crops = faces.pixels.select(rows)
    people = [faces.index.photos[row].person for row in rows.tolist()]
    features = recipe.features.of_all(crops, faces.shape)
    folds = recipe.features.folds(
        features, people, faces.shape, components=recipe.matcher.whitening == "zca"
    )
    numbers = numbered(people)
    photos = np.arange(len(rows))

    def nearest(units: Numbers) -> Nearest:
        """Return it for photographs while all of the same unit are away."""
        person = np.full(len(rows), -1, np.intp)
        best, second = np.full((2, len(rows)), np.inf)
        for number, group in enumerate(_groups(units)):
            tick(number, _MOST_FITS)
            gone = np.isin(units, group)
            if (~gone).sum() < 2:
                continue
            space = folds.fit(np.flatnonzero(~gone))
            comparison = Comparison.of(recipe.matcher, space)
            points = comparison.compared(space.coordinates)
            for probe in np.flatnonzero(gone):
                others = photos[units != units[probe]]
                matching = Matching(
                    recipe.matcher,
                    Enrolled(numbers[others], int(numbers.max()) + 1),
                    comparison.distances,
                    points[[probe]],
                    points[others],
                )
                first, *rest = matching.order[0]
                person[probe], best[probe] = first, matching.to_people[0, first]
                if rest:
                    second[probe] = matching.to_people[0, rest[0]]
        return Nearest(person, best, second)

    return HeldOut(numbers, nearest(photos), nearest(numbers))


def _groups(units: Numbers) -> Iterable[Numbers]:
    """Yield units that are away together from what is fitted, spread over all of them."""
    every = np.unique(units)
    fits = min(len(every), _MOST_FITS if len(units) <= _MOST_EXACT else _FEW_FITS)
    for start in range(fits):
        yield every[start::fits]
