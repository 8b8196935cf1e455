"""Faces without a name, grouped by whom they probably show. Groups are offered, never named."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces import network
from eigenfaces.faces.face_set import FaceSet, file_key
from eigenfaces.recognition.features import TextureFeatures
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.network import NetworkFeatures
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.space.arrays import Doubles, Numbers

MOST_GROUPED = 1500
"""Faces that are grouped at once: of more, the first, and the others once these have names."""


@dataclass(frozen=True)
class FaceGroup:
    """Faces without a name that are probably of one person, the most typical first."""

    keys: tuple[str, ...]  # of their photographs
    perhaps: str | None = None  # who it may be, if somebody is near


def group_faces(gallery: Gallery, tick: Tick = no_tick) -> tuple[FaceGroup, ...]:
    """Return groups of the faces without a name: first those with a suggestion, the largest first.

    By average linkage of what the network says of them, within 0.55, its limit for strangers; where
    its files are not installed, by texture, in groups of three or more. In a trained gallery faces
    nearest to the same person are one group, and one alone is a group, too.
    """
    photos = gallery.index.photos
    rows = [row for row in gallery.included if photos[row].person is None][:MOST_GROUPED]
    if not rows:
        return ()
    faces, step = gallery.faces.select(rows), part_of(tick, 0, 2)
    by_network = network.is_there()
    apart, cut = _by_network(faces, step) if by_network else _by_texture(faces, step)
    files = np.array([file_key(photo.key) for photo in faces.index.photos])
    apart[files[:, None] == files] += 9 * cut  # two faces on one photograph are of two people
    np.fill_diagonal(apart, 0)
    near, fewest = _nearest_people(gallery, faces), 2 if by_network else 3
    found, by_person = list[tuple[Numbers, str | None]](), defaultdict[str, list[Numbers]](list)
    for members in _linked(apart, cut):
        person, votes = Counter(near[at] for at in members).most_common(1)[0]
        if person is not None and 2 * votes > len(members):
            by_person[person].append(members)
        elif len(members) >= fewest:
            found.append((members, None))
    found += [(np.concatenate(some), person) for person, some in by_person.items()]
    groups = []
    for members, perhaps in sorted(found, key=lambda group: (group[1] is None, -len(group[0]))):
        among = apart[np.ix_(members, members)]
        order = np.argsort(among[among.sum(axis=1).argmin()], kind="stable")
        keys = (photos[rows[at]].key for at in members[order])
        groups.append(FaceGroup(tuple(keys), perhaps))
    tick(1, 1)
    return tuple(groups)


def _by_network(faces: FaceSet, tick: Tick) -> tuple[Doubles, float]:
    """Return distances (n, n) by the network, and within which two are of one person."""
    from scipy.spatial.distance import cdist

    by = NetworkFeatures()
    by.meet(faces, tick)
    numbers = by.of(faces.pixels[:], faces.shape)
    return cdist(numbers, numbers), network.limit(0.01)


def _by_texture(faces: FaceSet, tick: Tick) -> tuple[Doubles, float]:
    """Return the same by texture, whitened among these faces: 1 − cosine, within 1.

    The principal components, with variances λ, are divided by √(λ + λ̄/9), as recipes whiten them.
    """
    by, n = TextureFeatures(), len(faces)
    if n < 3:
        return np.full((n, n), 9.0), 1.0
    made = by.principal(by.of_all(faces.pixels, faces.shape, tick))
    ridge = made.total_variance / (9 * (n - 1))
    points = made.coordinates / np.sqrt(made.singular_values**2 / (n - 1) + ridge)
    points /= np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-300)
    return 1 - points @ points.T, 1.0


def _linked(apart: Doubles, cut: float) -> list[Numbers]:
    if len(apart) < 2:
        return [np.arange(len(apart))]
    from scipy.cluster.hierarchy import fcluster, linkage

    pairs = apart[np.triu_indices(len(apart), 1)]
    labels = fcluster(linkage(pairs, "average"), cut, "distance")
    return [np.flatnonzero(labels == label) for label in np.unique(labels)]


def _nearest_people(gallery: Gallery, faces: FaceSet) -> list[str | None]:
    """Return who each face may be, if somebody enrolled is near enough to be suggested."""
    if gallery.calibrated is None or not gallery.enrolled:
        return [None] * len(faces)
    decisions = (each.decision for each in identify_all(gallery, faces.pixels[:]))
    suggested = ("sure", "likely", "ask", "perhaps")
    return [each.nearest[0] if each.kind in suggested else None for each in decisions]
