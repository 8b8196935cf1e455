"""Checks on a gallery: photographs that need attention, and suggestions for unnamed faces.

Unnamed faces are grouped by the person they probably show. A name may be suggested for a group, but
is never assigned automatically.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces import network
from eigenfaces.faces.face_set import FaceSet, PhotoIndex
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.identity import FaceId
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import SOFT_SHARPNESS, Concern, sharpness
from eigenfaces.faces.quality import concerns as concerns_of
from eigenfaces.faces.read import enrolled_reading
from eigenfaces.files import is_there
from eigenfaces.photographs.find import Photo
from eigenfaces.photographs.names import natural_key
from eigenfaces.photographs.placement import Placement
from eigenfaces.recognition.features import TextureFeatures
from eigenfaces.recognition.gallery import NO_ANSWER, Gallery
from eigenfaces.recognition.held_out import CrossValidation
from eigenfaces.recognition.network import NetworkFeatures
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.space.arrays import Floats, Numbers
from eigenfaces.space.principal import Principal
from eigenfaces.threads import one_blas_thread

STANDS_OUT = 1.5  # a photograph this many times the median distance away may stand out


@dataclass(frozen=True, eq=False)
class PhotoChecks:
    """The results of `check_photos` for each face."""

    concerns: Mapping[FaceId, Concern] = field(default_factory=dict)  # why a face needs attention
    faces: Mapping[FaceId, tuple[Placement, Preparation, Concern | None, float]] = field(
        default_factory=dict
    )
    """For each face, its placement and preparation, a concern, and how well it shows the person."""

    apart: Mapping[FaceId, tuple[float, str]] = field(default_factory=dict)
    """For each held-out face, the distance to its person's other faces, and the nearest person."""

    state_key: str = ""  # the state of the gallery in which ``apart`` was measured


@dataclass(frozen=True, eq=False)
class PeopleOverview:
    """The photographs of a gallery, and the results of checks, which may predate the last edit."""

    index: PhotoIndex
    checks: PhotoChecks = field(default_factory=PhotoChecks)

    @cached_property
    def people(self) -> list[str]:
        """All people, sorted by number of photographs in descending order, then by name."""
        rows = self.index.rows_by_person
        return sorted(self.index.people, key=lambda name: (-len(rows[name]), natural_key(name)))

    @cached_property
    def need_attention(self) -> list[int]:
        """The rows that clearly need attention, such as missing, unusual and poor photographs."""
        order = {"gone": 0, "lost": 0, "unlike": 1, "single": 3}
        places = self.index.row_by_id
        concerns = self.checks.concerns
        known = [face for face, concern in concerns.items() if concern.kind != "guess"]
        ranked = sorted(known, key=lambda face: order.get(concerns[face].kind, 2))
        return [places[face] for face in ranked if face in places]

    def concerns_of_rows(self, rows: Iterable[int]) -> list[Concern]:
        """Return the concerns about the photographs in some rows."""
        faces = (self.index.photos[row].id for row in rows)
        return [self.checks.concerns[face] for face in faces if face in self.checks.concerns]

    def best_row(self, rows: Sequence[int]) -> int:
        """Return the row of a person's key photo, or else of the face that shows the person best.

        The best face raises no concern, is sharp, and looks like a typical face from the front.
        """
        photos = self.index.photos
        checks = self.checks

        def rank(row: int) -> tuple[bool, bool, bool, float]:
            photo = photos[row]
            known = checks.faces.get(photo.id)
            return (
                not photo.key,
                photo.excluded,
                photo.id in checks.concerns,
                -known[3] if known else 0.0,
            )

        return min(rows, key=rank)


def standing_out(rows: Sequence[int], index: PhotoIndex, checks: PhotoChecks) -> dict[int, float]:
    """Return which of a person's photographs stand out, and how far: 2.0 is twice the median.

    Such a photograph, when held out, is nearer to somebody else than to its own person, and its
    distance from that person's other photographs is over `STANDS_OUT` times the median.
    """
    photos = index.photos
    apart = {row: checks.apart[photos[row].id] for row in rows if photos[row].id in checks.apart}
    if len(apart) < 3:  # too few to tell
        return {}
    middle = max(float(np.median([distance for distance, _ in apart.values()])), 1e-12)
    times = {row: distance / middle for row, (distance, _) in apart.items()}
    return {
        row: far
        for row, far in times.items()
        if far > STANDS_OUT and apart[row][1] != photos[row].person
    }


def check_photos(gallery: Gallery, before: PhotoChecks, tick: Tick) -> PhotoChecks:
    """Return the most serious concern about each photograph that the user has not confirmed."""
    photos = gallery.index.photos
    rows_of = gallery.index.rows_by_person
    cut = gallery.preparation
    general = general_faces()
    step = part_of(tick, 0, 2)
    faces = {}
    for row, photo in enumerate(photos):
        step(row, len(photos))
        checked = before.faces.get(photo.id)
        if checked is None or checked[:2] != (photo.placement, cut):
            crop = gallery.faces.image(row)
            reading = enrolled_reading(Photo(photo.path, photo.person), gallery.faces, row)
            poor = next(iter(concerns_of(reading, cut)), None)  # worded as for a new photograph
            unusual = general.distance_of(crop, cut.aligned_eyes) / float(general.limit)
            checked = photo.placement, cut, poor, 2 * min(sharpness(crop), SOFT_SHARPNESS) - unusual
        faces[photo.id] = checked
    concerns = dict[FaceId, Concern]()
    checks = PhotoChecks(concerns, faces, *held_apart(gallery, before, part_of(tick, 1, 2)))
    alone_is_usual = 2 * sum(len(rows) == 1 for rows in rows_of.values()) > len(rows_of)
    times: dict[int, float] = {}
    for person in gallery.people:
        times |= standing_out(rows_of[person], gallery.index, checks)
    for row, photo in enumerate(photos):
        owner = photo.person
        if photo.photograph.is_file and not is_there(photo.path):
            concerns[photo.id] = Concern(
                "gone",
                f"“{photo.path.name}” is no longer in its folder. Its face is kept in the "
                "gallery; put the file back if you want to crop it again.",
            )
        elif photo.right or photo.excluded:
            continue
        elif photo.lost:
            concerns[photo.id] = Concern(
                "lost",
                f"“{photo.path.name}” was saved again, and this face is no longer found in it. "
                "The gallery keeps the old crop: remove the face, or put the old file back.",
            )
        elif row in times:
            concerns[photo.id] = Concern(
                "unlike",
                f"Held out, it is {times[row]:.1f} times as far from {owner}’s other photos as "
                f"usual, and nearer to {checks.apart[photo.id][1]}. Is this somebody else?",
            )
        elif photo.pictured and (poor := faces[photo.id][2]) is not None:
            concerns[photo.id] = poor
        elif owner is not None and len(rows_of[owner]) == 1 and not alone_is_usual:
            sentence = (
                f"This is the only photo of {owner}. Add a second one to see whether the two agree."
            )
            concerns[photo.id] = Concern("single", sentence)
    return checks


def held_apart(
    gallery: Gallery, before: PhotoChecks, tick: Tick
) -> tuple[Mapping[FaceId, tuple[float, str]], str]:
    """Return the values of `PhotoChecks.apart` and `PhotoChecks.state_key` for a gallery."""
    if gallery.training is None or not gallery.enrolled:
        return {}, ""
    if before.state_key == gallery.calibration_key:
        return before.apart, before.state_key
    photos = gallery.index.photos
    rows = gallery.calibration_rows
    if (measured_before := gallery.calibrated) is not None:
        held = measured_before.held_out
        own, nearest = held.own, held.member.person
    else:
        with one_blas_thread():
            known = gallery.principal_faces(part_of(tick, 0, 2))
            refits = CrossValidation(known.principal, known.people, gallery.matching_recipe)
            own, nearest = refits.own_distances(part_of(tick, 1, 2))
    enrolled = (photos[row].id for row in rows if photos[row].person is not None)
    names = gallery.measured_names
    measured = zip(enrolled, own.tolist(), nearest.tolist(), strict=True)
    apart = {face: (far, names[person]) for face, far, person in measured if np.isfinite(far)}
    return apart, gallery.calibration_key


_NAMED = ("sure", "likely")  # kinds of verdicts that name somebody …
_SUGGESTED = (*_NAMED, "ask", "perhaps")  # … and those that at least suggest somebody

ONE_GROUP = 0.525  # with Network, groups of faces within this mean distance are merged
MOST_GROUPED = 7000  # if there are more faces than this, only the first ones are grouped


@dataclass(frozen=True)
class FaceCluster:
    """A group of unnamed faces that probably show one person, the most typical first."""

    faces: tuple[FaceId, ...]
    perhaps: str | None = None  # the person they may show, if somebody is near …
    likely: tuple[FaceId, ...] = ()  # … and the faces to which recognition gives this name


def rows_to_group(gallery: Gallery) -> tuple[list[int], list[int]]:
    """Return the rows of the unnamed faces to group, and the rows beyond `MOST_GROUPED`.

    Hidden and excluded faces are in neither list.
    """
    photos = gallery.index.photos
    nameless = (row for row in gallery.included if photos[row].person is None)
    rows = [row for row in nameless if not photos[row].hidden]
    return rows[:MOST_GROUPED], rows[MOST_GROUPED:]


def cluster_faces(gallery: Gallery, tick: Tick = no_tick) -> tuple[FaceCluster, ...]:
    """Group the unnamed faces, and return the groups, largest first.

    Hidden faces are left out, and names that the user has rejected are not suggested again. Groups
    are found by average linkage of descriptors, up to a distance of 0.525. If the model files are
    not installed, texture is used instead, and a group has at least three faces. In a calibrated
    gallery, groups nearest to the same person are combined, and even one face may form a group.
    If there are more than `MOST_GROUPED` faces, only the first ones are grouped.
    """
    photos = gallery.index.photos
    rows, _ = rows_to_group(gallery)
    if not rows:
        return ()
    faces = gallery.faces.select(rows)
    by_network = network.is_installed()
    points = _points(faces, by_network, part_of(tick, 0, 3))
    cut = ONE_GROUP if by_network else 1.0
    _, files = np.unique(
        [photo.photograph.sha for photo in faces.index.photos], return_inverse=True
    )

    def distances(members: Numbers) -> Floats:
        apart = _distances(points[members], by_network)
        file = files[members]
        apart[file[:, None] == file] += 9 * cut  # two faces in one photograph are of two people
        np.fill_diagonal(apart, 0)
        return apart

    near = list[str | None]([None] * len(faces))
    likely = set[FaceId]()
    fewest = 2 if by_network else 3
    if gallery.calibrated is not None and gallery.enrolled:
        for at, verdict in enumerate(identify_all(gallery, faces.pixels[:])):
            face, decision = photos[rows[at]].id, verdict.decision
            person = decision.nearest[0] if decision.kind in _SUGGESTED else None
            if person in gallery.answers.get(face, NO_ANSWER).never:
                continue
            near[at] = person
            if decision.kind in _NAMED:
                likely.add(face)
    clusters = list[tuple[Numbers, str | None]]()
    by_person = defaultdict[str, list[Numbers]](list)
    labels = average_linkage(distances(np.arange(len(faces))), cut, part_of(tick, 2, 3))
    for members in (np.flatnonzero(labels == label) for label in np.unique(labels)):
        person, votes = Counter(near[at] for at in members).most_common(1)[0]
        if person is not None and 2 * votes > len(members):
            by_person[person].append(members)
        elif len(members) >= fewest:
            clusters.append((members, None))
    clusters += [(np.concatenate(some), person) for person, some in by_person.items()]
    groups = []
    for members, perhaps in sorted(clusters, key=lambda group: -len(group[0])):
        among = distances(members)
        order = np.argsort(among[among.sum(axis=1).argmin()], kind="stable")
        grouped = tuple(photos[rows[at]].id for at in members[order])
        named = [face for face in grouped if face in likely and perhaps is not None]
        groups.append(FaceCluster(grouped, perhaps, tuple(named)))
    tick(1, 1)
    return tuple(groups)


def average_linkage(apart: Floats, limit: float, tick: Tick = no_tick) -> Numbers:
    """Return the cluster label (n,) of each item, given the distances (n, n) between items.

    Clusters are merged as long as the mean distance between their items is at most ``limit``.
    ``apart`` is overwritten. The result is the same as with SciPy's ``linkage`` and ``fcluster``,
    which would hold the GIL for seconds given thousands of items.

    The method is the nearest-neighbour chain (Murtagh 1983, The Computer Journal 26): go from a
    cluster to its nearest neighbour, then to the nearest neighbour of that cluster, and so on,
    until two clusters are each other's nearest neighbours. Merge these two. A merged cluster is
    never nearer to a third cluster than the nearer of its parts was, so the order of merging does
    not matter, and a cluster with no other cluster within ``limit`` is final.
    """
    n = len(apart)
    np.fill_diagonal(apart, np.inf)
    labels = np.arange(n)
    sizes = np.ones(n)  # 0: merged into another cluster
    for start in range(n):
        tick(start, n)
        chain = [start] if sizes[start] else []
        while chain:
            last = chain[-1]
            nearest = int(apart[last].argmin())
            before = chain[-2] if len(chain) > 1 else nearest
            if apart[last, before] <= apart[last, nearest]:  # if both are equally near, go back
                nearest = before
            if apart[last, nearest] > limit:
                chain.pop()
            elif len(chain) == 1 or nearest != before:
                chain.append(nearest)
            else:
                one, other = sorted((last, before))
                both = sizes[one] + sizes[other]
                apart[one] *= sizes[one] / both
                apart[one] += apart[other] * (sizes[other] / both)
                apart[:, one] = apart[one]
                apart[other] = apart[:, other] = np.inf
                sizes[one], sizes[other] = both, 0
                labels[labels == other] = one
                chain = chain[:-2] or [one]
    return labels


def _points(faces: FaceSet, by_network: bool, tick: Tick) -> Floats:
    """Return the points (n, d) by which faces are grouped: Network descriptors or texture.

    For texture, they are principal coordinates divided by √(λ + λ̄/9) and scaled to length 1.
    """
    if by_network:
        features = NetworkFeatures()
        features.read_photographs(faces, part_of(tick, 0, 2))
        numbers = features.of_all(faces.pixels, faces.shape, part_of(tick, 1, 2)).array
        return numbers.astype(np.float32)
    n = len(faces)
    if n < 3:
        return np.eye(n, dtype=np.float32)  # too few to tell who is alike
    made = Principal.of(TextureFeatures().of_all(faces.pixels, faces.shape, tick).array)
    ridge = made.total_variance / (9 * (n - 1))
    points = made.coordinates / np.sqrt(made.singular_values**2 / (n - 1) + ridge)
    points /= np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-300)
    return points.astype(np.float32)


def _distances(points: Floats, by_network: bool) -> Floats:
    """Return the distances (n, n) between points: Euclidean for Network, 1 − cosine for texture."""
    apart = points @ points.T
    if not by_network:
        np.subtract(1, apart, out=apart)
        return apart
    squares = np.einsum("ij,ij->i", points, points)  # |a − b|² = |a|² + |b|² − 2 a·b, in place
    apart *= -2
    apart += squares[:, None]
    apart += squares
    np.maximum(apart, 0, out=apart)
    return np.sqrt(apart, out=apart)
