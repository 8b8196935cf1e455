"""Maps of a gallery: every face as a point along components, discriminant directions, or by t-SNE.

A view shows two or three axes of a map. What is near in it need not be near in truth: every map
knows in what space that is, and by which distance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.faces.photo_index import PhotoIndex
from eigenfaces.laboratory.image_set import drawn
from eigenfaces.laboratory.maps.faithfulness import Faithfulness, faithfulness
from eigenfaces.laboratory.maps.plane import nearest
from eigenfaces.laboratory.maps.tsne import TsneSettings, tsne
from eigenfaces.recognition.features import forget_features
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.neighbours import Comparison
from eigenfaces.recognition.recipe import RECIPES, Matcher
from eigenfaces.recognition.training import Projected, Training
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.discriminant import DiscriminantSpace
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.representation import Coordinates
from eigenfaces.text import as_table, count

MapKind = Literal["components", "discriminant", "t-SNE"]
NEAREST = 5
"""How many of the nearest faces are shown."""

MOST_DRAWN = 10_000
"""Of more faces, so many are drawn for t-SNE, and to measure what a view keeps of neighbours."""

_DISCRIMINANT = RECIPES["Discriminant"]


@dataclass(frozen=True, eq=False)
class Located:
    """Faces on a map: their coordinates (m, j), what is compared (m, k), and their energy (m,).

    The energy is the squared length of all that the axes could show of a face: its deviation from
    the mean, or its coordinates along all directions.
    """

    coordinates: Doubles
    compared: Coordinates
    energies: Doubles


@dataclass(frozen=True, eq=False)
class FaceMap:
    """The n faces of a gallery along j axes.

    Parameters
    ----------
    kind
        What the axes are.
    coordinates
        (n, j); not a number for faces that are not on it.
    deviations
        (j,) their standard deviations, which a view divides them by; ones for t-SNE.
    shares
        (j,) share of the variance along each axis; None for t-SNE, whose axes mean nothing.
    comparison, compared
        How faces are compared in truth, and what `Comparison.compared` returns of all, (n, …).
    rows
        Those that are on the map.
    named
        What that space is called, as in “in all 161 components”.
    locate
        From crops (m, d) to their places; None for t-SNE, which has none for a new face.
    """

    kind: MapKind
    coordinates: Coordinates
    deviations: Doubles
    shares: Doubles | None
    comparison: Comparison
    compared: Coordinates
    rows: Numbers
    named: str
    locate: Callable[[Floats], Located] | None

    def __len__(self) -> int:
        return len(self.coordinates)

    def view(self, axes: Sequence[int], coordinates: Coordinates | None = None) -> Doubles:
        """Return the places (n, v) along v axes, in standard deviations: of all faces, or others.

        >>> import numpy as np
        >>> two = np.array([[1.0, 4.0], [2.0, 8.0]])
        >>> truth = Comparison(DISTANCES["L2"], slice(2), np.ones(2), None), two, np.arange(2)
        >>> made = FaceMap("t-SNE", two, np.array([1.0, 4.0]), None, *truth, "", None)
        >>> made.view([1, 0]).tolist()
        [[1.0, 1.0], [2.0, 2.0]]
        """
        found, picked = self.coordinates if coordinates is None else coordinates, list(axes)
        return found[:, picked].astype(np.float64) / self.deviations[picked]

    def axis(self, number: int) -> str:
        """Return the name of an axis with its share of the variance."""
        if self.shares is None:
            return f"t-SNE {number + 1}"
        noun = "component" if self.kind == "components" else "direction"
        return f"{noun} {number + 1} ({share_words(float(self.shares[number]))} of the variance)"

    def nearest(self, compared: Coordinates, without: int | None = None) -> tuple[Numbers, Doubles]:
        """Return the rows nearest in truth to one face (k,), and their distances, nearest first.

        ``without``: its own row.
        """
        rows = self.rows[self.rows != without]
        (far,) = self.comparison.exact_distances(compared[None], self.compared[rows])
        order = np.argsort(far, kind="stable")[:NEAREST]
        return rows[order], far[order]

    def near_in_view(self, axes: Sequence[int], row: int) -> Numbers:
        """Return the rows nearest to a face of the gallery in a view, nearest first."""
        places = self.view(axes)
        return nearest(((places - places[row]) ** 2).sum(axis=1), NEAREST, row)

    def faithfulness(self, axes: Sequence[int], tick: Tick = no_tick) -> Faithfulness | None:
        """Return what a view keeps of the neighbours in truth; of very many faces, of some."""
        some = self.rows
        if len(some) > MOST_DRAWN:
            some = some[drawn(len(some), MOST_DRAWN, 0)]
        places, points = self.view(axes)[some], self.comparison.standardised(self.compared[some])
        return faithfulness(
            lambda rows: self.comparison.distance.between(points[rows], points),
            lambda rows: DISTANCES["L2"].between(places[rows], places),
            len(some),
            tick,
        )

    @property
    def faces_words(self) -> str:
        """How many faces are on it, in words."""
        here = count(len(self.rows), "face")
        return here if len(self.rows) == len(self) else f"{here} drawn of {len(self):,}"


def seen(located: Located, axes: Sequence[int]) -> Doubles:
    """Return the share of each face's energy that a view shows, (m,); 1 for the mean itself."""
    shown = (located.coordinates[:, sorted(set(axes))] ** 2).sum(axis=1)
    shares = np.ones_like(shown)
    np.divide(shown, located.energies, out=shares, where=located.energies > 0)
    return np.minimum(shares, 1.0)


def map_of_components(gallery: Gallery) -> FaceMap:
    """Return the map along the components of the face space, which is always fitted.

    Faces are compared as the recipe does where it compares in this space, else by L2 in as many of
    its components as people look at.
    """
    training = gallery.trained
    space = training.space
    matcher = Matcher(components=gallery.shown_k)
    comparison = gallery.comparison if training.other is None else Comparison.of(matcher, space)

    def locate(pixels: Floats) -> Located:
        deviations = space.standardise(training.features(pixels))
        coordinates = (deviations @ space.components.T).astype(np.float64)
        energies = (deviations.astype(np.float64) ** 2).sum(axis=1)
        return Located(coordinates, comparison.compared(coordinates), energies)

    return FaceMap(
        kind="components",
        coordinates=training.coordinates,
        deviations=np.sqrt(space.variances),
        shares=space.variance_ratio,
        comparison=comparison,
        compared=comparison.compared(training.coordinates),
        rows=np.arange(len(gallery.faces)),
        named=f"in all {comparison.which.stop - comparison.which.start} components",
        locate=locate,
    )


def map_of_directions(gallery: Gallery, tick: Tick = no_tick) -> FaceMap:
    """Return the map along the directions of the Discriminant recipe, fitted if they are not yet.

    Raises
    ------
    EigenfacesError
        There are fewer than seven people, or they differ along fewer than two directions.
    """
    training = gallery.trained
    fitted = _directions(gallery, training, tick)
    space = fitted.representation
    assert isinstance(space, DiscriminantSpace)
    directions = len(space.axes)
    if directions < 2:
        raise EigenfacesError(
            "The people of this gallery differ along fewer than two directions, too few for a "
            "map: add photographs of more people."
        )
    comparison = Comparison.of(_DISCRIMINANT.matcher, space)
    coordinates, variances = fitted.coordinates, space.variances[:directions]

    def locate(pixels: Floats) -> Located:
        features = _DISCRIMINANT.features.of(pixels, training.preparation.shape)
        found = space.project(features).astype(np.float64)
        return Located(found, comparison.compared(found), (found**2).sum(axis=1))

    return FaceMap(
        kind="discriminant",
        coordinates=coordinates[:, :directions],
        deviations=np.sqrt(variances),
        shares=variances / variances.sum(),
        comparison=comparison,
        compared=comparison.compared(coordinates),
        rows=np.arange(len(gallery.faces)),
        named=f"in all {directions} directions",
        locate=locate,
    )


def _directions(gallery: Gallery, training: Training, tick: Tick) -> Projected:
    if training.recipe.features == _DISCRIMINANT.features and training.other is not None:
        return training.other
    fitted = Projected.fit(_DISCRIMINANT.features, gallery.faces, gallery.included, 0, tick)
    forget_features()
    return fitted


def map_by_tsne(gallery: Gallery, settings: TsneSettings, tick: Tick = no_tick) -> FaceMap:
    """Return the map by t-SNE of the first components, in a process of its own.

    Of very many faces, of `MOST_DRAWN` that are drawn: t-SNE has no place for the others.

    Raises
    ------
    EigenfacesError
        Settings that do not fit the gallery.
    """
    training, rows = gallery.trained, np.arange(len(gallery.faces))
    comparison = Comparison.of(Matcher(components=settings.components), training.space)
    given = comparison.compared(training.coordinates)
    if len(rows) > MOST_DRAWN:
        rows = drawn(len(rows), MOST_DRAWN, settings.seed)
    places = np.full((len(given), settings.dimensions), np.nan)
    places[rows] = tsne(given[rows], settings, tick)
    return FaceMap(
        kind="t-SNE",
        coordinates=places,
        deviations=np.ones(settings.dimensions),
        shares=None,
        comparison=comparison,
        compared=given,
        rows=rows,
        named=f"in the {given.shape[1]} components",
        locate=None,
    )


def deceiving(
    face_map: FaceMap, axes: Sequence[int], row: int, in_truth: Numbers, index: PhotoIndex
) -> str:
    """Return how far the view of a face deceives, in words: who is near on it, and who in truth."""
    on_map, photos = face_map.near_in_view(axes, row), index.photos
    person, of = photos[row].person, len(on_map)
    if person is None or of == 0:
        both = len(set(on_map.tolist()) & set(in_truth.tolist()))
        return (
            f"A flat view can deceive: of the {of} nearest on this map, {both or 'none'} "
            f"{'is' if both == 1 else 'are'} among the {of} nearest {face_map.named}."
        )
    here, there = (
        sum(photos[each].person == person for each in rows) for rows in (on_map, in_truth)
    )
    says = "A flat view can deceive" if here != there else "Here the flat view says the same"
    return (
        f"{says}: of the {of} nearest on this map, {here or 'none'} "
        f"{'is' if here == 1 else 'are'} {person}; {face_map.named}, {there or 'none'}."
    )


def map_table(face_map: FaceMap, axes: Sequence[int], gallery: Gallery) -> str:
    """Return a view as CSV, a line for each face on it: photo, person, place."""
    titles = [face_map.axis(axis).partition(" (")[0].replace(" ", "_") for axis in axes]
    photos, rows = gallery.index.photos, face_map.rows
    places = zip(rows.tolist(), face_map.view(axes)[rows].tolist(), strict=True)
    return as_table(
        ("photo", "person", *titles),
        (
            [photos[row].path, photos[row].person or "", *(f"{at:.6g}" for at in place)]
            for row, place in places
        ),
    )


def share_words(share: float) -> str:
    """Return a share as a short text.

    >>> share_words(0.174), share_words(0.0172), share_words(0.0004)
    ('17 %', '1.7 %', '<0.1 %')
    """
    if share < 0.001:
        return "<0.1 %"
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{100 * share:.1f} %"
