"""The face that is chosen on the map: where it is, how much of it is seen, who is near in truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from eigenfaces.laboratory.maps import (
    FaceMap,
    Faithfulness,
    Located,
    MapView,
)
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.space.arrays import Floats
from eigenfaces.text import count, number
from gui.state.session import Session
from gui.style.images import grey_image
from gui.widgets.boxes import STRETCH, in_column, in_row
from gui.widgets.cards import page_scroll
from gui.widgets.controls import Button
from gui.widgets.face_list import Face
from gui.widgets.painted import FaceView
from gui.widgets.words import Facts, label

_LARGE, _SMALL = QSize(108, 132), QSize(66, 80)
_COLUMNS, _NEAR = 3, 5


@dataclass(frozen=True, eq=False)
class Inspected:
    """What is said of one face: its pictures, facts, the nearest in truth, and a caution."""

    title: str
    photo: QImage
    photo_words: tuple[str, str]
    seen: QImage | None
    seen_words: str
    facts: Sequence[tuple[str, str]]
    named: str
    nearest: Sequence[Face]
    caution: str


class MapInspector(QWidget):
    """Says of the chosen face what the view does not show."""

    face_chosen = Signal(str)
    people_wanted = Signal()
    synthesis_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.title = label("", "heading", wrap=True)
        self.photo = FaceView("Photo", _LARGE)
        self.seen = FaceView("As seen here", _LARGE)
        self.facts = Facts()
        self.near_title = label("", "strong", wrap=True)
        self.near = [FaceView(size=_SMALL, clickable=True, name="Near face") for _ in range(_NEAR)]
        self.caution = label("", "caption", wrap=True)
        self.nothing = label(
            "Point at a face to see whose it is; choose one to see more.", wrap=True
        )
        self.nothing.setProperty("role", "secondary")
        self.kept_title = label("What this view keeps", "strong")
        self.kept = Facts()
        self.kept_words = label("", "caption", wrap=True)
        self.people = Button("Show in People", "people")
        self.synthesise = Button("Synthesise from here", "synthesise")
        self.people.clicked.connect(self.people_wanted)
        self.synthesise.clicked.connect(self.synthesis_wanted)
        self._keys: list[str] = []
        for at, view in enumerate(self.near):
            view.clicked.connect(lambda at=at: self.face_chosen.emit(self._keys[at]))
        self._lay_out()
        self.show_nothing()

    def _lay_out(self) -> None:
        self._chosen = QWidget()
        pictures = in_row(self.photo, self.seen, STRETCH, spacing=8)
        grid = QGridLayout()
        grid.setSpacing(6)
        grid.setColumnStretch(_COLUMNS, 1)
        for at, view in enumerate(self.near):
            # A long name is cut, and the panel is not wider than its place.
            view.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            grid.addWidget(view, at // _COLUMNS, at % _COLUMNS)
        parts = (self.title, pictures, self.facts, self.near_title, grid, self.caution)
        in_column(*parts, inside=self._chosen, spacing=9)
        inside = QWidget()
        inside.setAccessibleName("Inspector")
        in_column(
            self.nothing,
            self._chosen,
            self.kept_title,
            self.kept,
            self.kept_words,
            STRETCH,
            self.people,
            self.synthesise,
            inside=inside,
            spacing=9,
            margins=(14, 14, 14, 14),
        )
        in_column(page_scroll(inside, "panel"), inside=self)

    def show_nothing(self) -> None:
        """Show that nothing is chosen."""
        self._chosen.hide()
        self.nothing.show()
        for button in (self.people, self.synthesise):
            button.hide()

    def show_face(self, face: Inspected, *, in_gallery: bool) -> None:
        """Show one face."""
        self.nothing.hide()
        self.title.setText(face.title)
        self.photo.set_image(face.photo)
        self.photo.set_caption(*face.photo_words)
        self.seen.setVisible(face.seen is not None)
        self.seen.set_image(face.seen)
        self.seen.set_caption("As seen here", face.seen_words)
        self.facts.set_rows(face.facts)
        self.near_title.setText(f"Nearest {face.named}")
        self._keys = [each.key for each in face.nearest]
        for view, near in zip(self.near, [*face.nearest, *[None] * _NEAR], strict=False):
            view.setVisible(near is not None)
            if near is not None:
                view.set_image(near.image() if callable(near.image) else grey_image(near.image))
                view.set_caption(near.caption, near.subcaption)
                view.setAccessibleName(near.words())
        self.caution.setText(face.caution)
        self.caution.setVisible(bool(face.caution))
        self._chosen.show()
        self.people.setVisible(in_gallery)
        self.synthesise.show()

    def show_kept(self, kept: Faithfulness | None, of: FaceMap | None) -> None:
        """Show how far the view can be trusted, once that is measured."""
        for part in (self.kept_title, self.kept, self.kept_words):
            part.setVisible(kept is not None)
        if kept is None or of is None:
            return
        self.kept.set_rows(
            [
                ("Trustworthiness", f"{kept.trustworthiness:.3f}"),
                ("Continuity", f"{kept.continuity:.3f}"),
            ]
        )
        drawn = f" among {kept.faces:,} faces drawn" if kept.faces < len(of) else ""
        self.kept_words.setText(
            f"1 is best. Of {kept.neighbours} neighbours{drawn}: trustworthiness falls where "
            f"neighbours here are far {of.named}, continuity where neighbours there are far here."
        )


def inspected(
    found: FaceMap, axes: Sequence[int], session: Session, shown: MapView, point: int
) -> tuple[Inspected, tuple[int, ...]]:
    """Return what is said of a face or a probe, and the rows nearest to it in truth."""
    gallery, row = session.gallery, point if point < shown.faces else None
    face = session.face(shown.keys[point])
    assert face is not None
    image = face[1]
    located = None if found.locate is None else found.locate(image.reshape(1, -1))
    compared = found.compared[point] if located is None else located.compared[0]
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
        title=shown.names[point],
        photo=grey_image(image),
        photo_words=("To recognise" if row is None else "Photo", f"{width} × {height} px"),
        seen=_seen(found, axes, gallery, located),
        seen_words=count(len(axes), "component"),
        facts=_facts(found, axes, shown, point, located),
        named=f"{found.named} ({found.comparison.distance.name})",
        nearest=near,
        caution="" if row is None else found.deceiving(axes, row, rows, gallery.index),
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
        share = 100 * float(located.seen(axes)[0])
        facts.append(("Seen in this view", f"{share:.0f} % of {whole}"))
    return facts
