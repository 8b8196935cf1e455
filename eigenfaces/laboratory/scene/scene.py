"""A photograph as the face map and the detector see it, side by side, and what that says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eigenfaces.csv_files import as_table
from eigenfaces.errors import Tick, no_tick, part_of
from eigenfaces.faces.detection import FoundFace
from eigenfaces.faces.face_reading import Picture
from eigenfaces.laboratory.scene.scene_map import (
    SceneMap,
    Window,
    agreement,
    reduced_scene,
    scene_map,
)
from eigenfaces.laboratory.scene.window_space import Light, WindowSpace
from eigenfaces.photographs.decoding import decode
from eigenfaces.recognition.face_likeness import KEPT
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import frame_of_gallery
from eigenfaces.samples import read_mended
from eigenfaces.wording import count, percent

_FEWEST = 5


@dataclass(frozen=True, eq=False)
class Scene:
    """The face map of a photograph, its minima, and the faces that the detector finds.

    Parameters
    ----------
    nearest
        The places where the face space sees a face, the nearest first: `SceneMap.nearest`.
    faces
        What the detector finds, without mere guesses.
    agreed
        For each of them the number of the place at it, from 0; None where there is none.
    """

    map: SceneMap
    nearest: tuple[Window, ...]
    faces: tuple[FoundFace, ...]
    agreed: tuple[int | None, ...]

    @property
    def marked(self) -> tuple[Window, ...]:
        """The nearest places that are shown: as many as there are faces, and at least five."""
        return self.nearest[: max(_FEWEST, len(self.faces))]

    def is_found(self, window: Window) -> bool:
        """Return whether the detector finds a face where a window is."""
        return any(at is not None for at in agreement([window], [f.eyes for f in self.faces]))


def window_space(gallery: Gallery, light: Light, tick: Tick = no_tick) -> WindowSpace:
    """Return the space of a gallery's faces that windows are compared with."""
    frame = frame_of_gallery(gallery, part_of(tick, 0, 2))
    eyes = gallery.preparation.aligned_eyes if frame is None else frame.eyes
    faces = gallery.faces.select(gallery.included)
    return WindowSpace.fit(faces, eyes, light=light, tick=part_of(tick, 1, 2))


def scene_of(path: Path, turned: int, space: WindowSpace, tick: Tick = no_tick) -> Scene:
    """Return a photograph, after quarter turns clockwise, as map and detector see it.

    Raises
    ------
    PhotoError
        It cannot be read.
    EigenfacesError
        It is smaller than a window.
    """
    content = read_mended(path)
    picture = Picture(content, turned)
    grey = reduced_scene(np.rot90(decode(content), -turned))
    found = scene_map(grey, space, tick, picture.size)
    faces = tuple(face for face in picture.faces() if not face.doubtful)
    nearest = found.nearest()
    return Scene(found, nearest, faces, agreement(nearest, [face.eyes for face in faces]))


def summary(scene: Scene) -> str:
    """Return how far map and detector agree, in words."""
    marked, faces = len(scene.marked), len(scene.faces)
    right = sum(at is not None and at < marked for at in scene.agreed)
    rest = len(scene.nearest) - len({at for at in scene.agreed if at is not None})
    if faces:
        says = f"The detector finds {count(faces, 'face')}; {right or 'none'} of them "
        says += f"{'is' if right <= 1 else 'are'} among the {marked} places nearest to face space."
    else:
        says = "The detector finds no face."
    others = count(rest, "other place" if faces else "place") if rest else "No other place"
    own = "is as near to it as" if rest <= 1 else "are as near to it as"
    return f"{says} {others} {own} {_KEPT} of the gallery’s own faces."


def why(scene: Scene, window: Window | None) -> str:
    """Return why the distance of a window is high or low, in a sentence."""
    if window is None:
        return "Too near the border: no window of this size fits around this place."
    limit = scene.map.space.limit
    if math.isnan(window.distance):
        return (
            f"Flat: its contrast of {255 * window.contrast:.1f} grey levels is no more than the "
            f"noise may have here ({255 * scene.map.flat:.1f}), so there is nothing to compare."
        )
    share = percent(window.distance, 0)
    if window.distance > limit:
        return (
            f"Unlike a face: its distance from face space is {share} of its contrast. Of {_KEPT} "
            f"of the gallery’s own faces it is {percent(limit, 0)} at most."
        )
    near = f"only {share} of its contrast lies between it and the nearest face of the space"
    if scene.is_found(window):
        return f"Like a face: {near}, and the detector finds a face here, too."
    return (
        f"Like a face to the face space: {near}. The detector finds none here: coarse patterns can "
        "be made of faces as well."
    )


def facts(scene: Scene, window: Window) -> list[tuple[str, str]]:
    """Return the figures of a window, each with its name."""
    flat = math.isnan(window.distance)
    return [
        ("Distance from face space", "no contrast" if flat else percent(window.distance, 1)),
        ("Limit of the gallery’s faces", percent(scene.map.space.limit, 1)),
        ("Contrast", f"{255 * window.contrast:.1f} grey levels"),
        ("Width in the photo", f"{window.width:.0f} px"),
    ]


def scene_table(scene: Scene) -> str:
    """Return the places where the face space sees a face as CSV, the nearest first.

    Middle and width of the window in pixels of the photograph, and whether the detector finds a
    face there.
    """
    found = {at for at in scene.agreed if at is not None}
    return as_table(
        ("rank", "distance", "x", "y", "width", "contrast", "detector"),
        (
            (
                rank + 1,
                f"{each.distance:.4f}",
                f"{each.middle.real:.1f}",
                f"{each.middle.imag:.1f}",
                f"{each.width:.1f}",
                f"{each.contrast:.4f}",
                "face" if rank in found else "",
            )
            for rank, each in enumerate(scene.nearest)
        ),
    )


_KEPT = percent(KEPT, 0)
