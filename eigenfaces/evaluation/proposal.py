"""Which recipe names a gallery's own photographs best: each is left out in turn.

What is measured is proposed and never chosen: only a recipe that is better than the one in use
beyond chance. Of many photographs some are drawn, and are the whole gallery then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.arrays import Flags, Numbers
from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.evaluation.in_pixels import city_block
from eigenfaces.evaluation.intervals import LEVEL, paired_test, share_intervals
from eigenfaces.evaluation.stages import Stages
from eigenfaces.faces.crops import Crops
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.recognition.comparison import Enrolled
from eigenfaces.recognition.features import PixelFeatures, forget_features
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.held_out import Holding
from eigenfaces.recognition.people_features import drawn, numbered
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.space.one_thread import one_thread
from eigenfaces.wording import count, percent

MOST_PHOTOS = 400
"""Measured at most; of more, so many are drawn."""

MOST_OF_EACH = 5
"""Photographs of a person that are drawn, where there are more than `MOST_PHOTOS` of many people.

Whether all are measured or 600 drawn, the same recipe was proposed in 69 of 72 cases: 24 draws from
six galleries (made of the sample, 40 to 400 people with 5 to 250 photographs of each, and AT&T,
London and Yale together), each of the three recipes in use. In the 3 others, of 40 × 250,
Discriminant names 99.8 %, and 89 to 93 % of those drawn: Texture was proposed instead. Of 400 × 25
all recipes name 59, 82 and 99 %; of those drawn 40–48, 70–78 and 94–97 with 5 of each person, 12,
24 and 69 with 2, which take 25 s of processor time instead of 10, and 65, 90 and 99 with 10. Since
then 400 are drawn: in half the time and memory the same recipe as of 600 in 54 of 54 cases (18
draws from six galleries made of the sample, 40 to 400 people with 5 to 100 photographs of each).
"""

NO_SPACE = "No face space at all"
"""What raw pixels are called: what every recipe has to be held against."""

_ABOUT = {
    "Texture": "light taken out, texture compared",
    "Discriminant": "pixels, turned to tell people apart",
    NO_SPACE: "raw pixels, city-block distance: to compare",
}
_PARTS = {"Texture": 4.0, "Discriminant": 1.5, NO_SPACE: 2.0}
"""About how long each takes, in seconds; any other 1."""


@dataclass(frozen=True, eq=False)
class Measured:
    """How often a recipe names a gallery's photographs rightly, each left out in turn.

    Parameters
    ----------
    name, about
        What it is called, and how it compares in a few words.
    recipe
        The recipe; None for raw pixels, which are there only to compare.
    people
        (m,) the number of the person on each of the photographs asked.
    answers
        (m,) the number of the person each was taken for; −1 where nobody was left.
    """

    name: str
    about: str
    recipe: Recipe | None
    people: Numbers
    answers: Numbers

    @property
    def right(self) -> Flags:
        """(m,) whether each was named rightly."""
        return self.answers == self.people

    @property
    def named(self) -> int:
        """How many were named rightly."""
        return int(self.right.sum())

    @property
    def share(self) -> float:
        """The share named rightly, 0…1."""
        return float(self.right.mean()) if len(self.right) else float("nan")

    @cached_property
    def limits(self) -> tuple[float, float]:
        """The 95 % interval of the share, by person."""
        low, high = share_intervals(self.by_person, np.bincount(self.people))
        return float(low), float(high)

    @property
    def by_person(self) -> Numbers:
        """(p,) how many photographs of each person were named rightly."""
        return np.bincount(self.people[self.right], minlength=int(self.people.max(initial=-1)) + 1)


@dataclass(frozen=True)
class OnlyOne:
    """A photograph that only one of two recipes names rightly.

    ``key`` is the photograph's in the gallery; ``taken_for`` is whom the other recipe took it for.
    """

    key: str
    person: str
    taken_for: str


@dataclass(frozen=True, eq=False)
class PhotoByPhoto:
    """The same photographs by two recipes: how many are named rightly by which.

    ``examples`` are of those that only the first names, of different people as far as there are.
    """

    first: str
    second: str
    both: int
    only_first: int
    only_second: int
    neither: int
    examples: tuple[OnlyOne, ...]


@dataclass(frozen=True, eq=False)
class Proposal:
    """All recipes on a gallery's own photographs, and which is proposed.

    Parameters
    ----------
    basis
        What it was made from: `eigenfaces.recognition.gallery.Gallery.basis`.
    keys
        The m photographs asked: those of people with another one enrolled, or drawn.
    enrolled
        How many photographs are enrolled; of more than `MOST_PHOTOS`, so many are drawn.
    names
        The name of each person, by number.
    measured
        Every recipe, the best first; last, without a face space.
    in_use
        The one that names faces now.
    proposed
        The one that is proposed; None where none is better beyond chance.
    p
        The p-value of the paired permutation test, by person, of the best other recipe against
        the one in use; not a number where nothing could be measured.
    """

    basis: str
    keys: tuple[str, ...]
    enrolled: int
    names: tuple[str, ...]
    measured: tuple[Measured, ...]
    in_use: Measured
    proposed: Measured | None
    p: float

    @property
    def drawn(self) -> bool:
        """Whether it was measured on some of the photographs only."""
        return self.enrolled > MOST_PHOTOS

    @property
    def reason(self) -> str:
        """Why nothing could be measured; empty where it was."""
        if len(self.names) < 2:
            return "Recipes are compared by whom they name: at least two people are needed."
        if not self.keys:
            return (
                "Nobody has two photographs, so none can be left out and still be named. With a "
                "second one of some people, recipes can be compared on your own photographs."
            )
        return ""

    def sentence(self) -> str:
        """Return what was found, with its figures."""
        if self.reason:
            return self.reason
        best, use = self.proposed or self.in_use, self.in_use
        photos = f"{len(self.keys):,} of your photographs" if self.drawn else "your photographs"
        if self.proposed:
            return f"On {photos} {best.name} names {_percent(best)}, {use.name} {_percent(use)}."
        return (
            f"On {photos} {use.name}, which is in use, names {_percent(use)}; no other "
            "recipe is better beyond chance."
        )

    def measured_on(self) -> str:
        """Return what the figures were measured on."""
        people = count(len(np.unique(self.in_use.people)), "person")
        photos = f"{count(len(self.keys))} of {people}"
        if self.drawn:
            photos = f"{len(self.keys):,} of {count(self.enrolled)}, of {people} drawn by chance"
        return f"Measured on {photos}, each left out in turn. Nothing changes unless you say so."

    def how(self) -> str:
        """Return how it was measured, and how sure the difference is."""
        told = (
            "Each photograph of somebody with another one is taken out of the gallery, and of what "
            "is fitted, and then named by the photographs that are left. Whiskers are 95 % "
            "intervals, by person: photographs of one person are not independent."
        )
        if self.drawn:
            told += (
                f" Of so many photographs {MOST_PHOTOS} are drawn, a few of each of many people, "
                "and are the gallery here. Fewer people are easier to tell apart, fewer "
                "photographs of each harder: with all of them the shares would be others."
            )
        if not np.isfinite(self.p):
            return told
        chance = "p < 0.001" if self.p < 0.001 else f"p = {self.p:.3f}"
        return (
            f"{told} A recipe is proposed if it names more than the one in use by more than chance "
            f"would (paired permutation test over people; here {chance})."
        )

    def changes(self) -> tuple[str, ...]:
        """Return what using the proposed recipe changes, a sentence each."""
        if self.proposed is None:
            return ()
        name, recipe = self.proposed.name, self.proposed.recipe
        pictures = recipe is not None and isinstance(recipe.features, PixelFeatures)
        return (
            f"Names on Recognise and in Evaluate come from {name}.",
            "The mark for strangers is found anew, in the background.",
            "Eigenfaces, Reconstruct, Synthesise and Map show what is compared."
            if pictures
            else f"Eigenfaces, Reconstruct, Synthesise and Map stay: {name} has no pictures.",
            "Ctrl+Z takes it back; verdicts so far keep the recipe they were made with.",
        )

    def photo_by_photo(self, first: Measured, second: Measured, most: int = 12) -> PhotoByPhoto:
        """Return the same photographs by two of `measured`, with at most so many examples."""
        ours, theirs = first.right, second.right
        counts = ((one & other).sum() for one in (ours, ~ours) for other in (theirs, ~theirs))
        both, only_first, only_second, neither = (int(each) for each in counts)
        places = np.flatnonzero(ours & ~theirs)
        # The first of everybody, then their second …
        seen = [
            int((first.people[places[:at]] == first.people[p]).sum()) for at, p in enumerate(places)
        ]
        examples = tuple(
            OnlyOne(
                self.keys[place],
                self.names[first.people[place]],
                self.names[second.answers[place]] if second.answers[place] >= 0 else "nobody",
            )
            for place in places[np.argsort(seen, kind="stable")][:most]
        )
        return PhotoByPhoto(
            first.name, second.name, both, only_first, only_second, neither, examples
        )


def propose(gallery: Gallery, tick: Tick = no_tick) -> Proposal:
    """Return all recipes on the photographs of a trained gallery, each left out in turn.

    Of more than `MOST_PHOTOS` so many are drawn, fitted to and compared, so that it takes some
    seconds however many there are.

    The recipe in use is measured with its own settings, the others as they usually are.
    """
    with one_thread():
        return _propose(gallery, tick)


def _propose(gallery: Gallery, tick: Tick) -> Proposal:
    forget_features()  # training and calibrating, which have shared them, are over
    recipes = recipes_beside(gallery.compared_by)
    stages = Stages({name: _PARTS.get(name, 1.0) for name in (*recipes, NO_SPACE)}, tick)
    faces = _taking_part(gallery)
    index = faces.index.photos
    enrolled = [row for row, photo in enumerate(index) if photo.person is not None]
    names = tuple(dict.fromkeys(index[row].person or "" for row in enrolled))
    people = np.array([names.index(index[row].person or "") for row in enrolled], np.intp)
    mated = np.bincount(people, minlength=1)[people] > 1
    answers = {}
    if len(names) > 1 and mated.any():
        for name, recipe in recipes.items():
            answers[name] = _by_recipe(faces, recipe, stages.begin(name))
        crops = faces.pixels.select(enrolled)
        answers[NO_SPACE] = _by_raw_pixels(crops, people, mated, stages.begin(NO_SPACE))
    else:
        mated[:] = False
    measured = [
        Measured(
            name,
            _ABOUT.get(name, "pixels, nearest face"),
            recipes.get(name),
            people[mated],
            answers.get(name, people)[mated],
        )
        for name in (*recipes, NO_SPACE)
    ]
    return _proposal(
        gallery, [index[enrolled[at]].key for at in np.flatnonzero(mated)], names, measured
    )


def _proposal(
    gallery: Gallery, keys: Sequence[str], names: tuple[str, ...], measured: Sequence[Measured]
) -> Proposal:
    in_use = next(each for each in measured if each.recipe == gallery.compared_by)
    ranked = sorted(measured[:-1], key=lambda each: -each.named)
    others = [each for each in ranked if each is not in_use]
    p, proposed = float("nan"), None
    if keys and others:
        p = paired_test(others[0].by_person, in_use.by_person)
        if others[0].named > in_use.named and p < 1 - LEVEL:
            proposed = others[0]
    every = (*ranked, measured[-1])
    enrolled = len(gallery.enrolled)
    return Proposal(gallery.basis, tuple(keys), enrolled, names, every, in_use, proposed, p)


def _taking_part(gallery: Gallery) -> FaceSet:
    """Return the faces that are there; of very many, some of the enrolled that are drawn."""
    rows = gallery.taking_part
    if len(rows) > MOST_PHOTOS:
        people = numbered([gallery.index.photos[row].person for row in gallery.enrolled])
        rows = np.asarray(gallery.enrolled)[drawn(people, MOST_PHOTOS, MOST_OF_EACH)].tolist()
    return gallery.faces.select(rows)


def recipes_beside(in_use: Recipe) -> dict[str, Recipe]:
    """Return every recipe by name: of those with the same features, the one in use."""
    kind = type(in_use.features)
    recipes = [in_use if type(each.features) is kind else each for each in RECIPES.values()]
    return {each.name: each for each in recipes}


def _by_recipe(faces: FaceSet, recipe: Recipe, tick: Tick) -> Numbers:
    """Return the number of the nearest person of each photograph, which is away meanwhile."""
    names = [photo.person for photo in faces.index.photos]
    holding = Holding.of_features(
        recipe.features.of_all(faces.pixels, faces.shape, part_of(tick, 0, 3)),
        names,
        faces.shape,
        recipe,
        part_of(tick, 1, 3),
    )
    return holding.without_photos(part_of(tick, 2, 3)).person


def _by_raw_pixels(crops: Crops, people: Numbers, asked: Flags, tick: Tick) -> Numbers:
    """Return the number of the nearest person of each photograph asked, −1 of the others."""
    rows = np.flatnonzero(asked)
    distances = city_block(crops, rows, tick)
    distances[np.arange(len(rows)), rows] = np.inf
    enrolled = Enrolled(people, int(people.max()) + 1)
    answers = np.full(len(people), -1, np.intp)
    answers[rows] = enrolled.distances(distances, "nearest").argmin(axis=1)
    return answers


def _percent(measured: Measured) -> str:
    return percent(measured.share, 0)
