"""What the inspector says of one face of a map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtGui import QImage

from eigenfaces.arrays import Floats
from eigenfaces.laboratory.maps.face_map import FaceMap, Located, deceiving, seen
from eigenfaces.laboratory.maps.map_view import MapView
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.wording import count, number
from gui.pages.map.inspector import Inspected
from gui.state.session import Session
from gui.style.images import grey_image
from gui.widgets.face_model import Face


def inspected(
    found: FaceMap, axes: Sequence[int], session: Session, shown: MapView, point: int
) -> tuple[Inspected, tuple[int, ...]]:
    """Return what is said of a face or a probe, and the rows nearest to it in truth."""
    gallery, row = session.gallery, point if point < shown.faces else None
    face = session.face(shown.key_of(point))
    assert face is not None
    image = face[1]
    located = None if found.locate is None else found.locate(image.reshape(1, -1))
    compared = found.truth.points[point] if located is None else located.compared[0]
    rows, far = found.nearest(compared, row)
    photos = gallery.index.photos
    near = [
        Face(
            photos[at].key,
            gallery.faces.image(at),
            photos[at].person or "Nobody",
            distance,
            accessible=f"{photos[at].person or 'Nobody named'}, at a distance of {distance}",
        )
        for at, distance in zip(rows.tolist(), map(number, far.tolist()), strict=True)
    ]
    height, width = image.shape
    return Inspected(
        title=shown.name_of(point),
        photo=grey_image(image),
        photo_words=("Probe" if row is None else "Photo", f"{width} × {height} px"),
        seen=_seen(found, axes, gallery, located),
        seen_words=count(len(axes), "component"),
        facts=_facts(found, axes, shown, point, located),
        named=f"{found.named} ({found.truth.distance.name})",
        nearest=near,
        caution="" if row is None else deceiving(found, axes, row, rows, gallery.index),
    ), tuple(rows.tolist())


def _seen(
    found: FaceMap, axes: Sequence[int], gallery: Gallery, located: Located | None
) -> QImage | None:
    """Return the face rebuilt from the axes of the view alone; None where nothing turns back."""
    if found.kind != "components" or located is None:
        return None
    space = gallery.trained.space
    coordinates: Floats = np.zeros(len(space), np.float32)
    coordinates[list(axes)] = located.coordinates[0, list(axes)]
    return grey_image(np.clip(space.reconstruct(coordinates), 0, 1).reshape(space.shape))


def _facts(
    found: FaceMap, axes: Sequence[int], shown: MapView, point: int, located: Located | None
) -> list[tuple[str, str]]:
    unit = " σ" if shown.measured else ""
    facts = []
    for axis, at in zip(axes, shown.places[point].tolist(), strict=True):
        name = found.axis(axis).partition(" (")[0]
        facts.append(
            (
                name.replace("component", "Component").replace("direction", "Direction"),
                f"{at:+.2f}{unit}".replace("-", "−"),
            )
        )
    if located is not None:
        whole = "its energy" if found.kind == "components" else "its length"
        share = 100 * float(seen(located, axes)[0])
        facts.append(("Seen in this view", f"{share:.0f} % of {whole}"))
    return facts
