"""Maps of a gallery, on which each face is a point placed along components or by t-SNE.

A view shows two or three axes of a map. Faces that are close in a view need not be close in the
full space. Every map includes that space and its distance. `FaceMap.trustworthiness` measures how
well a view preserves neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.faces.identity import FaceId, FacePhoto
from eigenfaces.laboratory.tsne import tsne, usual_perplexity
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.neighbours import distance_in_space
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.recipe import Matcher
from eigenfaces.space.arrays import Bytes, Coordinates, Doubles, Flags, Floats, Numbers
from eigenfaces.space.distances import Distance
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.principal import draw_rows
from eigenfaces.text import count, name_key, with_minus

MapKind = Literal["components", "t-SNE"]
MapLabel = Literal["person", "folder", "use"]
"""The kind of label that colours faces: the person, the file's folder, or the use in training."""

NEAREST = 5
"""The number of nearest faces shown, and the number of neighbours compared."""

MOST_MEASURED = 500
"""The most faces used to measure trustworthiness; of more faces, a random sample is used."""

_COMPONENTS = 50  # the most components given to t-SNE
_ROOM = 0.06  # share of the range left free around the outermost faces
_ZOOM = (0.5, 400.0)


@dataclass(frozen=True, eq=False)
class ProjectedFaces:
    """Faces placed on a map: coordinates (m, j), the numbers compared (m, k), and energies (m,).

    The energy is the squared length of a face's deviation from the mean.
    """

    coordinates: Doubles
    points: Coordinates
    energies: Doubles

    def energy_shares(self, axes: Sequence[int]) -> Doubles:
        """Return the share (m,) of each face's energy that a view shows; 1 for the mean itself."""
        visible = (self.coordinates[:, sorted(set(axes))] ** 2).sum(axis=1)
        shares = np.ones_like(visible)
        np.divide(visible, self.energies, out=shares, where=self.energies > 0)
        return np.minimum(shares, 1.0)

    def rebuilt(self, axes: Sequence[int], space: FaceSpace) -> Floats:
        """Return the first face (h, w), rebuilt only from the components that the view shows."""
        scores = np.zeros(len(space), np.float32)
        visible = [*axes]
        scores[visible] = self.coordinates[0, visible]
        return space.reconstruct(scores).reshape(space.shape)


@dataclass(frozen=True, eq=False, kw_only=True)
class FaceMap:
    """A map of the n faces of a gallery along j axes."""

    kind: MapKind  # the kind of the axes
    coordinates: Coordinates  # (n, j)
    # (j,) the standard deviations of the coordinates, by which a view divides; ones for t-SNE
    deviations: Doubles
    # (j,) share of the variance along each axis; None for t-SNE, whose axes mean nothing
    shares: Doubles | None
    # the true distance between faces, and the coordinates (n, …) of all faces that it compares
    distance: Distance
    points: Coordinates
    space_words: str  # the name of that space, as in “in all 161 components”
    # from crops (m, d) to their places; None for t-SNE, which cannot place a new face
    project: Callable[[Bytes | Floats], ProjectedFaces] | None

    def __len__(self) -> int:
        return len(self.coordinates)

    def view_coordinates(
        self, axes: Sequence[int], coordinates: Coordinates | None = None
    ) -> Doubles:
        """Return the points (n, v) of all faces, or of ``coordinates``, in standard deviations."""
        coordinates = self.coordinates if coordinates is None else coordinates
        return coordinates[:, [*axes]].astype(np.float64) / self.deviations[[*axes]]

    def axis(self, number: int) -> str:
        """Return the name of an axis with its share of the variance."""
        if self.shares is None:
            return f"t-SNE {number + 1}"
        return f"component {number + 1} ({share_words(float(self.shares[number]))} of the variance)"

    def nearest(self, points: Coordinates, without: int | None = None) -> tuple[Numbers, Doubles]:
        """Return the rows and distances of the faces truly nearest to a face (k,), nearest first.

        ``without`` is the face's own row, which is left out.
        """
        (far,) = self.distance(points[None], self.points)
        rows = _nearest(far, without)
        return rows, far[rows]

    def nearest_in_view(self, axes: Sequence[int], row: int) -> Numbers:
        """Return the rows of the faces nearest to a gallery face in a view, nearest first."""
        places = self.view_coordinates(axes)
        return _nearest(((places - places[row]) ** 2).sum(axis=1), row)

    def trustworthiness(self, axes: Sequence[int]) -> tuple[float, str] | None:
        """Return a view's trustworthiness and an explanation, or None for fewer than three faces.

        If there are very many faces, it is measured on a random sample.
        """
        n = len(self)
        if n < 3:
            return None
        rows = draw_rows(np.arange(n), MOST_MEASURED)
        places = self.view_coordinates(axes)[rows]
        points = self.distance.standardised(self.points[rows])
        truth = self.distance.between(points, points)
        k = min(NEAREST, (len(rows) - 1) // 2)
        sample = f" in a sample of {len(rows):,} faces" if len(rows) < n else ""
        words = (
            f"1 is best, over {k} neighbours{sample}. It falls where neighbours on this map are "
            f"far apart {self.space_words}."
        )
        return trustworthiness(truth, places, k), words

    def neighbour_report(
        self, axes: Sequence[int], row: int, in_truth: Numbers, index: PhotoIndex
    ) -> str:
        """Return a sentence comparing a face's neighbours in the view with its true neighbours."""
        on_map = self.nearest_in_view(axes, row)
        photos = index.photos
        person = photos[row].person
        number = len(on_map)
        if person is None or number == 0:
            here = len(np.intersect1d(on_map, in_truth))
            there = -1
            rest = f"among the {number} nearest {self.space_words}"
        else:
            here, there = (
                sum(photos[at].person == person for at in rows) for rows in (on_map, in_truth)
            )
            rest = f"{person}; {self.space_words}, {there or 'none'}"
        says = "Here the flat view agrees" if here == there else "A flat view can deceive"
        are = "is" if here == 1 else "are"
        return f"{says}: of the {number} nearest on this map, {here or 'none'} {are} {rest}."

    def facts(
        self, axes: Sequence[int], place: Doubles, located: ProjectedFaces | None
    ) -> list[tuple[str, str]]:
        """Return facts about a face: its position in a view, and the share of its energy shown."""
        facts = []
        (unit, name) = ("", "t-SNE") if self.shares is None else (" σ", "Component")
        for axis, score in zip(axes, place.tolist(), strict=True):
            facts.append((f"{name} {axis + 1}", with_minus(f"{score:+.2f}{unit}")))
        if located is not None:
            share = 100 * float(located.energy_shares(axes)[0])
            facts.append(("Seen in this view", f"{share:.0f} % of its energy"))
        return facts


def trustworthiness(truth: Doubles, places: Doubles, k: int) -> float:
    """Return how far the k nearest neighbours on a map can be trusted, 0 to 1.

    Each neighbour is penalised by how many ranks it lies beyond the k truly nearest points.
    Source: J. Venna and S. Kaski, *Neighborhood preservation in nonlinear projection methods*
    (2001). Importing scikit-learn's function would freeze the window for a second.

    Parameters
    ----------
    truth
        The true distances (n, n) between n points.
    places
        The positions (n, v) of the points on the map.
    k
        The number of neighbours, fewer than n / 2.
    """
    n = len(truth)
    shown = ((places[:, None] - places) ** 2).sum(axis=-1)
    far = np.where(np.eye(n, dtype=bool), np.inf, truth)  # no point is its own neighbour
    shown[np.eye(n, dtype=bool)] = np.inf
    near = np.argsort(shown, axis=1, kind="stable")[:, :k]
    ranks = 1 + (far[:, None, :] < np.take_along_axis(far, near, axis=1)[..., None]).sum(axis=-1)
    beyond = float(np.maximum(ranks - k, 0).sum())
    return 1 - 2 * beyond / (n * k * (2 * n - 3 * k - 1))


def _nearest(far: Doubles, without: int | None) -> Numbers:
    """Return the rows with the smallest of n distances, nearest first; ``without`` is left out."""
    rows = np.argsort(far, kind="stable")[: NEAREST + 1]
    return rows[rows != without][:NEAREST]


def map_of_components(gallery: Gallery) -> FaceMap:
    """Return the map of a gallery along the components of its face space.

    If the recipe compares faces in this space, the map uses the recipe's distance. Otherwise it
    uses L2 in the components that the program shows.

    Parameters
    ----------
    gallery
        A trained gallery.

    Returns
    -------
    FaceMap
        The map of all n faces along all k components, in standard deviations of each.

    Raises
    ------
    NotTrainedError
        The gallery is not trained.
    EigenfacesError
        The recipe compares more components than are computed for so many faces.

    Examples
    --------
    >>> from eigenfaces import FaceSet, Gallery, Preparation, Recipe, map_of_components
    >>> images = np.random.default_rng(0).random((4, 16, 16))
    >>> faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Grace", "Grace"])
    >>> gallery = Gallery(faces, Preparation(16, 16), Recipe()).train()
    >>> map_of_components(gallery).view_coordinates((0, 1)).shape
    (4, 2)
    """
    training = gallery.trained
    space = training.space
    distance = gallery.distance
    if not training.in_face_space:
        matcher = Matcher(components=gallery.face_space_k)
        distance = distance_in_space(matcher, space.variances, space.variance_kept)

    def project(pixels: Bytes | Floats) -> ProjectedFaces:
        deviations = space.centre(training.features(pixels))
        coordinates = (deviations @ space.components.T).astype(np.float64)
        energies = (deviations.astype(np.float64) ** 2).sum(axis=1)
        return ProjectedFaces(coordinates, coordinates[:, : distance.k], energies)

    return FaceMap(
        kind="components",
        coordinates=training.coordinates,
        deviations=np.sqrt(space.variances),
        shares=space.variance_ratio,
        distance=distance,
        points=training.coordinates[:, : distance.k],
        space_words=f"in all {count(distance.k - distance.dropped, 'component')}",
        project=project,
    )


def map_by_tsne(
    gallery: Gallery, tick: Tick = no_tick, moved: Callable[[FaceMap], object] | None = None
) -> FaceMap:
    """Return a t-SNE map of a gallery, computed from at most its first 50 components.

    The map is computed in a separate process, which runs no part of the calling script.

    Source: L. van der Maaten and G. Hinton, *Visualizing data using t-SNE* (2008).

    Parameters
    ----------
    gallery
        A trained gallery.
    tick
        Called during the computation. It may raise `Cancelled`, which ends the process.
    moved
        Called with the current map after every ten steps, to show how the faces move. This does not
        change the result. It is not called if scikit-learn does not provide its intermediate steps.

    Returns
    -------
    FaceMap
        The map of all n faces along two axes, which have no meaning of their own.

    Raises
    ------
    NotTrainedError
        The gallery is not trained.
    EigenfacesError
        There are fewer than four faces, they differ in only one component, or the process fails.
    Cancelled
        Raised by ``tick``.

    Examples
    --------
    >>> from eigenfaces import FaceSet, Gallery, Preparation, Recipe, map_by_tsne
    >>> faces = FaceSet.from_arrays(np.random.default_rng(0).random((3, 16, 16)), ["Ada"] * 3)
    >>> map_by_tsne(Gallery(faces, Preparation(16, 16), Recipe()).train())
    Traceback (most recent call last):
    eigenfaces.errors.EigenfacesError: ...
    """
    training = gallery.trained
    matcher = Matcher(components=min(_COMPONENTS, len(training.space)))
    space = training.space
    distance = distance_in_space(matcher, space.variances, space.variance_kept)
    points = training.coordinates[:, : distance.k]
    start = FaceMap(
        kind="t-SNE",
        coordinates=np.zeros((len(points), 2)),
        deviations=np.ones(2),
        shares=None,
        distance=distance,
        points=points,
        space_words=f"in the {count(points.shape[1], 'component')}",
        project=None,
    )

    def at(places: Doubles) -> FaceMap:
        return replace(start, coordinates=places)

    on_the_way = None if moved is None else lambda places: moved(at(places))
    return at(tsne(points, usual_perplexity(len(points)), tick, on_the_way))


def share_words(share: float) -> str:
    """Return a share as a short percentage.

    >>> share_words(0.174), share_words(0.0172), share_words(0.0004)
    ('17 %', '1.7 %', '<0.1 %')
    """
    if share < 0.001:
        return "<0.1 %"
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{100 * share:.1f} %"


def labels_of(photos: Sequence[FacePhoto]) -> dict[MapLabel, list[str]]:
    """Return the labels for colouring faces, by kind: one for each face, or "" if it has none.

    Kinds other than the person are included only if they group the faces differently.
    """
    people = [photo.person or "" for photo in photos]
    found: dict[MapLabel, list[str]] = {"person": people}
    folders = [photo.path.parent.name for photo in photos]
    uses = ["left out" if photo.excluded else "in training" for photo in photos]
    others: dict[MapLabel, list[str]] = {"folder": folders, "use": uses}
    for label, values in others.items():
        parts = len(set(values))
        same = parts == len(set(people)) == len(set(zip(people, values, strict=True)))
        if parts > 1 and not same:
            found[label] = values
    return found


def _searched(photo: FacePhoto) -> str:
    return " ".join((photo.person or "", *photo.path.parts[-2:]))


@dataclass(frozen=True, eq=False)
class MapView:
    """A view of a map along two or three axes, with n faces followed by m probes."""

    places: Doubles  # (n + m, v)
    ids: Sequence[FaceId]  # of the faces and the probes
    names: Sequence[str]  # of each, like “Person 16, photo 1”
    texts: Sequence[str]  # the searchable words of each: the person, the folder and the file
    groups: Numbers  # (n,) the number of the person, or of another label; −1 if none
    labels: Sequence[str]  # the other labels by their numbers; empty for people
    titles: Sequence[str]  # the names of the axes
    measured: bool  # whether lengths along the axes have a meaning

    @classmethod
    def of(
        cls,
        face_map: FaceMap,
        axes: Sequence[int],
        gallery: Gallery,
        probes: Sequence[Probe],
        label: MapLabel = "person",
    ) -> MapView:
        """Return the view of a map, with all faces and then the probes, if the map can place them.

        Faces with the same ``label``, one of `labels_of`, form a group.
        """
        photos = gallery.index.photos
        n = len(gallery.faces)
        places = face_map.view_coordinates(axes)
        ids = [photo.id for photo in photos]
        names = [""] * n
        labels = labels_of(photos)[label]
        known = [*gallery.people] if label == "person" else sorted({*labels} - {""})
        numbers = {name: at for at, name in enumerate(known)}
        groups = np.array([numbers.get(name, -1) for name in labels], np.intp)
        for person, rows in gallery.index.rows_by_person.items():
            for number, row in enumerate(rows, 1):
                names[row] = f"{person or 'Unnamed'}, photo {number}"
        if label == "person":
            known = []
        else:
            names = [f"{name} · {of or 'none'}" for name, of in zip(names, labels, strict=True)]
        texts = [_searched(photo) for photo in photos]
        if face_map.project is not None and probes:
            pixels = np.stack([probe.image.ravel() for probe in probes])
            at = face_map.view_coordinates(axes, face_map.project(pixels).coordinates)
            places = np.concatenate([places, at])
            for probe in probes:
                path = probe.photo.path
                face = f", face {probe.number}" if probe.faces > 1 else ""
                folder = f"{path.parent.name}/" if path.stem.isdecimal() else ""
                ids.append(probe.photo.id)
                names.append(f"{folder}{path.stem}{face}")
                texts.append(_searched(probe.photo))
        measured = face_map.shares is not None
        titles = [face_map.axis(axis) + (", in σ" if measured else "") for axis in axes]
        return cls(places, ids, names, texts, groups, known, titles, measured)

    @property
    def face_count(self) -> int:
        """The number of faces, n."""
        return len(self.groups)

    def found(self, words: str) -> Numbers:
        """Return the indices of the faces and probes that match the search text.

        The text may occur anywhere in the name of the person, the folder or the file.
        """
        key = name_key(words)
        return np.flatnonzero([bool(key) and key in text for text in self._keys])

    @cached_property
    def _keys(self) -> list[str]:
        return [name_key(text) for text in self.texts]

    def point_of(self, face: FaceId) -> int | None:
        """Return the index of a face or probe, or None if it is not in the view."""
        # A probe that is also in the gallery is that face, which comes first.
        return self.ids.index(face) if face in self.ids else None


@dataclass
class Viewpoint:
    """The visible part of a map.

    ``middle`` (2,) is its centre, and ``half`` (2,) is half of its range at zoom 1.
    """

    middle: Doubles = field(default_factory=lambda: np.zeros(2))
    half: Doubles = field(default_factory=lambda: np.ones(2))
    zoom: float = 1.0

    def fit(self, places: Doubles) -> None:
        """Fit the view to all points (n, 2)."""
        low, high = places.min(axis=0), places.max(axis=0)
        self.zoom = 1.0
        self.middle = (low + high) / 2
        self.half = np.maximum((high - low) / 2, 1e-9) * (1 + 2 * _ROOM)

    def ranges(self, width: float, height: float, equal: bool) -> tuple[Doubles, Doubles]:
        """Return the lower and upper limits of both axes in a plot of this size."""
        half = self.half / self.zoom
        if equal:  # a unit across is as long as a unit up
            sides = np.maximum((width, height), 1)
            half = (half / sides).max() * sides
        return self.middle - half, self.middle + half

    def zoom_by(self, factor: float, towards: Doubles) -> None:
        """Zoom in or out around a point (2,), which stays where it is."""
        before = self.zoom
        self.zoom = float(np.clip(before * factor, *_ZOOM))
        self.middle = towards + (self.middle - towards) * before / self.zoom


def neighbour_in_direction(points: Doubles, row: int, direction: tuple[int, int]) -> int | None:
    """Return the row of the point nearest to ``points[row]`` in a direction; None if there is none.

    The direction is (±1, 0) or (0, ±1), where up is positive. Each direction covers a quarter of
    the plane, including the edges. Coincident points are treated as if each lay to the right of
    the one before, so that all can be reached.

    >>> points = np.array([[0.0, 0.0], [3.0, 1.0], [1.0, 2.0], [-1.0, 0.5]])
    >>> [neighbour_in_direction(points, 0, direction) for direction in ((1, 0), (0, 1), (0, -1))]
    [1, 2, None]
    """
    away = points - points[row]
    along = away @ np.array(direction)
    beside = np.abs(away @ np.array(direction[::-1]))
    there = (along > 0) & (beside <= along)
    later = direction[0] * (np.arange(len(points)) - row) > 0
    rows = np.flatnonzero(there | ((away == 0).all(axis=1) & later))
    if not rows.size:
        return None
    far = (away[rows] ** 2).sum(axis=1)
    nearest = rows[far == far.min()]
    return int(nearest[np.abs(nearest - row).argmin()])


def one_per_cell(points: Doubles, width: float, height: float) -> Flags:
    """Return a mask (n,) of the points (n, 2) to show, so that each grid cell shows only one point.

    The last point in each cell is shown.
    """
    cells = np.floor(points / (width, height)).astype(np.int64)
    cells -= cells.min(axis=0, initial=0)
    numbers = cells[:, 0] * (cells[:, 1].max(initial=0) + 1) + cells[:, 1]
    _, from_last = np.unique(numbers[::-1], return_index=True)
    visible = np.zeros(len(points), bool)
    visible[len(points) - 1 - from_last] = True
    return visible
