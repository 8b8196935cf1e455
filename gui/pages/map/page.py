"""The Map page: all faces as points along two or three axes, and what such a view hides."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.maps import (
    FaceMap,
    MapKind,
    MapLabel,
    MapView,
    labels_of,
    map_by_tsne,
    map_of_components,
    share_words,
)
from eigenfaces.laboratory.synthesis import pixel_space_note
from eigenfaces.manual.keys import command, with_key
from eigenfaces.text import count, four_digits
from ...plots.canvas import add_plot_files
from ...state.jobs import JobKind
from ...state.session import Session
from ...style import theme
from ...style.images import grey_image
from ...widgets.box_layouts import STRETCH, add_parts, centre, in_column, in_row
from ...widgets.cards import Card, PageHeader, PageScroll
from ...widgets.commands import bind
from ...widgets.controls import Button, SearchField, Segmented, open_at, open_below
from ...widgets.face_list import FaceGrid, FaceItem
from ...widgets.face_menu import add_face_actions, install_face_menu
from ...widgets.face_view import FaceView
from ...widgets.fields import Choice, DropDown
from ...widgets.flow import FlowLayout
from ...widgets.hall import Hall
from ...widgets.labels import Elide, ElidedLabel, Facts, captioned, label
from ...widgets.page import Page
from .chart import MapChart, person_colour

MAP_KINDS: tuple[MapKind, ...] = ("components", "t-SNE")
_ABOUT = {
    "components": "Each face is a point: faces close together look alike",
    "t-SNE": "Neighbours stay together; distances and axes have no meaning",
}
_TSNE = (
    "t-SNE pulls every face towards its neighbours and pushes all others away. It cannot "
    "place a new face on its map. The map of components can."
)
_MOVES = (
    "t-SNE is running: step by step it moves each face towards its neighbours. You can cancel it "
    "in the bar below."
)
_KEYS = "Use the arrow keys to move from face to face, and Enter to show one on People."
_COLOURS: dict[MapLabel, str] = {"person": "Person", "folder": "Folder", "use": "In training"}
_WAYS = "Across", "Up", "Depth"
_FLAT = "none"  # no third axis
_LARGE, _SMALL = QSize(108, 132), QSize(56, 68)
_HALL = QSize(900, 500)  # px, the size of a map before it is enlarged


class MapInspector(QWidget):
    """Panel for the selected face, with facts that the map does not show."""

    face_chosen = Signal(object)
    page_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.title = label("", "heading", wrap=True)
        self.photo = FaceView("Photo", _LARGE)
        self.seen = FaceView("As seen here", _LARGE)
        self.facts, self.trust = Facts(), Facts()
        self.near_title = label("", "strong", wrap=True)
        self.near = FaceGrid("Nearest faces", _SMALL, subcaption=True)
        self.near.setFixedHeight(2 * self.near.gridSize().height() + 2)
        self.near.chosen.connect(self.face_chosen)
        self.caution = label("", "caption", wrap=True)
        nothing = "Point at a face to see whose it is; select it to see more."
        self.nothing = label(nothing, "secondary", wrap=True)
        self.trust_title = label("How far to trust this view", "strong")
        self.trust_note = label("", "caption", wrap=True)
        self.people = Button("Show in People", "people")
        self.synthesise = Button("Synthesise from here", "synthesise")
        self.people.clicked.connect(lambda: self.page_wanted.emit("people"))
        self.synthesise.clicked.connect(lambda: self.page_wanted.emit("synthesise"))
        self._chosen, inside = QWidget(), QWidget()
        pictures = in_row(self.photo, self.seen, STRETCH, spacing=8)
        parts = (self.title, pictures, self.facts, self.near_title, self.near, self.caution)
        in_column(*parts, inside=self._chosen, spacing=9)
        inside.setAccessibleName("Details")
        trust = (self.trust_title, self.trust, self.trust_note)
        column = in_column(inside=inside, spacing=9, margins=(14, 14, 14, 14))
        add_parts(column, self.nothing, self._chosen, *trust, STRETCH, self.people, self.synthesise)
        in_column(PageScroll(inside, "panel"), inside=self)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Show that there is no map and no selected face."""
        self.show_trust(None)
        self.show_nobody()

    def show_nobody(self) -> None:
        """Show that no face is selected."""
        self.nothing.show()
        for part in (self._chosen, self.people, self.synthesise):
            part.hide()

    def show_face(
        self, face_map: FaceMap, axes: Sequence[int], session: Session, view: MapView, point: int
    ) -> tuple[int, ...]:
        """Show a face or a probe; return the rows of the faces actually nearest to it."""
        gallery, row = session.gallery, point if point < view.face_count else None
        face = session.face(view.ids[point])
        assert face is not None
        image = face[1]
        located = None if face_map.project is None else face_map.project(image.reshape(1, -1))
        compared = face_map.points[point] if located is None else located.points[0]
        rows, distances = face_map.nearest(compared, row)
        self.title.setText(view.names[point])
        self.photo.set_image(grey_image(image))
        size = f"{image.shape[1]} × {image.shape[0]} px"
        self.photo.set_caption("To recognise" if row is None else "Photo", size)
        self.seen.setVisible(face_map.kind == "components")
        if face_map.kind == "components" and located is not None:
            rebuilt = located.rebuilt(axes, gallery.trained.space)
            self.seen.set_image(grey_image(rebuilt))
            self.seen.set_caption("As seen here", count(len(axes), "component"))
        self.facts.set_rows(face_map.facts(axes, view.places[point], located))
        self.near_title.setText(f"Nearest {face_map.space_words} ({face_map.distance.name})")
        faces = list[FaceItem]()
        for near, distance in zip(rows.tolist(), distances.tolist(), strict=True):
            photo, away = gallery.index.photos[near], four_digits(distance)
            person, picture = photo.person or "Unnamed", gallery.faces.image(near)
            spoken = f"{person}, at a distance of {away}"
            faces.append(FaceItem(photo.id, picture, person, away, accessible=spoken))
        self.near.show_faces(faces)
        self.near.select()
        caution = "" if row is None else face_map.neighbour_report(axes, row, rows, gallery.index)
        self.caution.setText(caution)
        self.caution.setVisible(bool(caution))
        self.nothing.hide()
        self._chosen.show()
        self.people.setVisible(row is not None)
        self.synthesise.show()
        return tuple(rows.tolist())

    def show_trust(self, measured: tuple[float, str] | None) -> None:
        """Show the trustworthiness of the view, with an explanation; None hides it."""
        for part in (self.trust_title, self.trust, self.trust_note):
            part.setVisible(measured is not None)
        if measured is not None:
            self.trust.set_rows([("Trustworthiness", f"{measured[0]:.3f}")])
            self.trust_note.setText(measured[1])


class MapPage(Page):
    """Page with a point for every face. Hovering over a face highlights all faces of its person."""

    key = "map"
    title = "Map"
    icon = "map"
    needs_training = needs_pictures = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.kinds = Segmented(["Components", "t-SNE"], name="Map")
        self.axes = [DropDown(f"{way}: map axis", letters=4) for way in _WAYS]
        self.marks = Segmented(["Faces", "Dots"], name="Marks")
        self.colours = DropDown("Colour faces by", letters=8)
        self.finder = self.search = SearchField("Find on the map", command("find").keys)
        self.found = label("", "caption")
        self.chart, self.map_inspector = MapChart(), MapInspector()
        self.legend = ElidedLabel("", "caption", Elide.ElideRight)
        self.note = label("", "caption", wrap=True)
        self.colour_key = label("", "caption", wrap=True)
        self.colour_key.setTextFormat(Qt.TextFormat.RichText)
        self.inspector = self.map_inspector
        self.fit = Button("Fit", name=with_key("fit", "Fit all faces"))
        self._export = Button("Export…", "export")
        # Each map with the gallery version it was made from, and why there is no t-SNE map.
        self._made: dict[MapKind, tuple[object, FaceMap]] = {}
        self._stopped: tuple[object, str] = None, ""
        self._map: FaceMap | None = None
        # The map at the current step of t-SNE, with the gallery version. The job sets it.
        self._moving: tuple[object, FaceMap] | None = None
        self._view: tuple[object, ...] = ()
        self._coloured: object = None  # the faces whose labels the drop-down offers
        self._inspect = QTimer(self, singleShot=True, interval=0)
        self._inspect.timeout.connect(self._inspect_selected)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self._header = PageHeader(self.title, "", self.marks, self.fit, self._export, self.details)
        bar = QWidget()
        self._axis_parts = [captioned(way, box) for way, box in zip(_WAYS, self.axes, strict=True)]
        self._colour_part = captioned("Colour", self.colours)
        parts = (self.kinds, *self._axis_parts, self._colour_part, self.search, self.found)
        FlowLayout(bar, 8).add(*parts)
        self._chart_side, self._either, card = QWidget(), QStackedWidget(), Card()
        below = (self.colour_key, self.note, self.legend)
        in_column((self.chart, 1), *below, inside=self._chart_side, spacing=8)
        waiting, inner = QWidget(), QWidget()
        inner.setMaximumWidth(theme.pixels(560))
        self._state = label("", "secondary", wrap=True)
        self.start = Button("Start", "play", primary=True)
        parts = (label("t-SNE", "heading"), label(_TSNE, "secondary", wrap=True), self._state)
        in_column(*parts, in_row(self.start, STRETCH), inside=inner, spacing=14)
        centre(inner, waiting)
        self._either.addWidget(self._chart_side)
        self._either.addWidget(waiting)
        card.body.addWidget(self._either)
        in_column(self._header, bar, (card, 1), inside=self.content, spacing=12)

    def _connect(self) -> None:
        chart, inspector = self.chart, self.map_inspector
        boxes = (*self.axes, self.colours)
        for signal in (self.kinds.changed, *(box.activated for box in boxes)):
            signal.connect(self._refresh)
        self.marks.changed.connect(self._restyle)
        self.fit.clicked.connect(chart.fit)
        self.start.clicked.connect(self._start)
        self.search.textChanged.connect(self._find)
        self.search.returnPressed.connect(self._select_next_found)
        self.session.jobs.progressed.connect(self._show_moving)
        chart.chosen.connect(self._select)
        chart.opened.connect(lambda: self._go_to("people"))
        self._export.clicked.connect(self.export)
        inspector.face_chosen.connect(self.session.select)
        inspector.page_wanted.connect(self._go_to)
        chart.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        chart.customContextMenuRequested.connect(self._open_menu)
        install_face_menu(inspector.near, self.session, inspector.near.face_at)
        bind("fit", chart, chart.fit, chart)
        self.content.set_home(chart)

    # Display

    def _clear(self) -> None:
        self._map, self._moving, self._view = None, None, ()
        self._made.clear()
        self.map_inspector.show_nothing()
        self._inspect.stop()
        self.chart.picture = self.chart.view = None

    def _refresh(self) -> None:
        kind, gallery = MAP_KINDS[self.kinds.current], self.session.gallery
        self._header.set_subtitle(_ABOUT[kind])
        self._list_colours()
        version = self._cache_key(kind)
        if kind == "components" and self._made.get(kind, (None,))[0] != version:
            self._made[kind] = version, map_of_components(gallery)
            self._list_axes(gallery.trained.space.variance_ratio.tolist())
        made_of, face_map = self._made.get(kind, (None, None))
        self._map = face_map if made_of == version else None
        for part in self._axis_parts:
            part.setVisible(kind == "components")
        for button in (self.fit, self._export):
            button.setEnabled(self._map is not None)
        if self._map is not None:
            self._show_map(self._map)
            return
        stopped = self._stopped[1] if self._stopped[0] == version else ""
        if not stopped and not self.session.jobs.is_busy(JobKind.MAP):
            self._start()
        busy = self.session.jobs.is_busy(JobKind.MAP)
        progress = "In progress. You can follow it, or cancel it, in the bar below."
        self._state.setText(progress if busy else stopped)
        self.start.setEnabled(not busy)
        self.map_inspector.show_nothing()
        if not self._show_moving():
            self._either.setCurrentIndex(1)
            self._view = ()

    def _cache_key(self, kind: MapKind) -> object:
        """Return what a map depends on: the training and, except for t-SNE, the recipe."""
        gallery = self.session.gallery
        return gallery.training, gallery.recipe if kind == "components" else None

    def _start(self) -> None:
        """Start computing the t-SNE map in a background job."""
        gallery, version = self.session.gallery, self._cache_key("t-SNE")

        def moved(face_map: FaceMap) -> None:
            self._moving = version, face_map

        def done(face_map: FaceMap) -> None:
            self._made["t-SNE"] = version, face_map
            self._moving = None
            self._mark_stale()

        def failed(error: EigenfacesError) -> None:
            self._stopped = version, str(error)
            self._moving = None
            self._mark_stale()

        self._stopped = None, ""
        self.session.run(
            JobKind.MAP,
            "Making the t-SNE map",
            lambda tick: map_by_tsne(gallery, tick, moved),
            done,
            failed,
            cancelled="Cancelled. There is no t-SNE map yet.",
        )
        self._mark_stale()

    def _list_colours(self) -> None:
        index = self.session.gallery.index
        if index is self._coloured:
            return
        self._coloured, labels = index, labels_of(index.photos)
        self.colours.set_items(Choice(_COLOURS[label], label) for label in labels)
        self._colour_part.setVisible(len(labels) > 1)

    def _list_axes(self, shares: list[float]) -> None:
        words = [f"{at} · {share_words(share)}" for at, share in enumerate(shares, 1)]
        *flat, depth = self.axes
        same = len(shares) == flat[0].count()
        for at, box in enumerate(flat):
            current = box.currentIndex() if same else min(at, len(words) - 1)
            box.set_items(words)
            box.setCurrentIndex(current)
        depth.set_items([_FLAT, *words])

    def _show_map(self, face_map: FaceMap) -> None:
        session, faces, axes = self.session, self.session.gallery.faces, self._axes(face_map)
        by = self.colours.value()
        before, self._view = self._view, (face_map, axes, faces, session.probes, by)
        if self._view != before:
            view = MapView.of(face_map, axes, session.gallery, session.probes, by)
            self.chart.show_map(view, faces.image, fit=before[:2] != (face_map, axes))
            self._show_words(face_map, view)
            self._find()
            self.map_inspector.show_trust(face_map.trustworthiness(axes))
        self._either.setCurrentIndex(0)
        self._inspect.start()  # with very many faces, this takes as long as drawing them

    def _show_moving(self) -> bool:
        """Show the intermediate map while t-SNE is running; return False if there is no map."""
        session, moving = self.session, self._moving
        wanted = MAP_KINDS[self.kinds.current] == "t-SNE" and not self._stale and self.isVisible()
        if not wanted or moving is None or moving[0] != self._cache_key("t-SNE"):
            return False
        face_map, index = moving[1], session.gallery.index
        by = self.colours.value()
        before, self._view = self._view, (moving[0], index, by, face_map)
        if before == self._view:
            return True
        if before[:3] != self._view[:3]:
            view = MapView.of(face_map, (0, 1), session.gallery, (), by)
            self.chart.show_map(view, session.gallery.faces.image, fit=True)
            self.legend.set_full_text("")
            self._show_key(view)
            self.note.setText(_MOVES)
            self.note.show()
            self._find()
            self._either.setCurrentIndex(0)
        self.chart.move_faces(face_map.view_coordinates((0, 1)))
        return True

    def _axes(self, face_map: FaceMap) -> tuple[int, ...]:
        """Return the indices of the two or three axes."""
        if face_map.kind == "t-SNE":
            return 0, 1
        across, up, depth = (max(box.currentIndex(), 0) for box in self.axes)
        return (across, up, depth - 1) if depth else (across, up)

    def _show_words(self, face_map: FaceMap, view: MapView) -> None:
        parts = ["◆ to recognise"] if len(view.ids) > view.face_count else []
        parts.append(f"- - nearest {face_map.space_words}")
        if len(np.unique(view.groups[view.groups >= 0])) > len(theme.PERSON_COLOURS):
            parts.append("colours repeat: point at a face for its name")
        if self.chart.turns:
            parts.insert(0, "drag to turn it")
        self.legend.set_full_text("   ".join(parts))
        self._show_key(view)
        note = ""
        if face_map.kind == "components":
            note = pixel_space_note(self.session.gallery)
        elif self.session.probes:
            note = "Photos to recognise are not shown: t-SNE cannot place a new face."
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def _show_key(self, view: MapView) -> None:
        """Show the colour of each label, unless the labels are people or share colours."""
        known = view.labels if len(view.labels) <= len(theme.PERSON_COLOURS) else ()
        words = [f"{_dot(person_colour(at))} {escape(name)}" for at, name in enumerate(known)]
        if known and (view.groups < 0).any():
            words.append(f"{_dot(person_colour(-1))} none")
        self.colour_key.setText("&nbsp;&nbsp; ".join(words))
        self.colour_key.setVisible(bool(words))

    def open_hall(self) -> Hall | None:
        if self._map is None or self.chart.view is None or self.chart.picture is None:
            return None
        chart = MapChart()
        chart.as_faces = self.chart.as_faces
        chart.show_map(self.chart.view, self.chart.picture, fit=True)
        hall = Hall(chart)
        hall.figure.set_room(_HALL)
        hall.show_title("t-SNE map" if self._map.kind == "t-SNE" else "Component map")
        hall.show_words(f"{_ABOUT[self._map.kind]}.")
        return hall

    def _restyle(self) -> None:
        self.chart.as_faces = self.marks.current == 0
        self.chart.invalidate()

    def _inspect_selected(self) -> None:
        face_map, view, key = self._map, self.chart.view, self.session.photo
        if self._stale or face_map is None or view is None:
            return  # the page refreshes first
        point = None if key is None else view.point_of(key)
        if point is None:
            self.chart.select(None, ())
            self.chart.setAccessibleDescription(f"{count(view.face_count, 'face')}. {_KEYS}")
            self.map_inspector.show_nobody()
            return
        inspector, axes = self.map_inspector, self._axes(face_map)
        rows = inspector.show_face(face_map, axes, self.session, view, point)
        self.chart.select(point, rows)
        facts = inspector.facts.values().items()
        words = [f"{view.names[point]}.", *(f"{name}: {value}." for name, value in facts)]
        self.chart.setAccessibleDescription(" ".join(words))

    # Search

    def _find(self) -> None:
        """Highlight the faces that match the search, and show how many there are."""
        view, words = self.chart.view, self.search.text().strip()
        found = np.zeros(0, np.intp) if view is None else view.found(words)
        self.chart.mark(found)
        number = f"{len(found):,}" if len(found) else "No face"
        self.found.setText(f"{number} found" if words and view is not None else "")
        self.found.setVisible(bool(self.found.text()))

    def _select_next_found(self) -> None:
        """Select the first face found or, on each further call, the next one."""
        found = self.chart.found.tolist()
        if found:
            later = [point for point in found if point > (self.chart.selected or 0)]
            self._select(later[0] if later and self.chart.selected in found else found[0])

    # Actions

    def _select(self, point: int) -> None:
        if self.chart.view is not None:
            self.session.select(self.chart.view.ids[point])

    def _go_to(self, page: str) -> None:
        photo, places = self.session.photo, self.session.gallery.index.row_by_id
        if page != "people" or photo in places:
            self.session.show_page(page)

    def export(self) -> None:
        if (face_map := self._map) is None:
            self.session.show_message("There is nothing to export yet: the map is not ready.")
            return
        menu = QMenu("Export", self)
        add_plot_files(menu, self.chart, self.session, f"map of {face_map.kind}", "This view")
        open_below(self._export, menu)

    def _open_menu(self, place: QPoint) -> None:
        """Select the face under the pointer, and open a context menu for it and for the map."""
        menu, view, point = QMenu(self), self.chart.view, self.chart.pointed
        if view is not None and point is not None:  # with the pointer or the arrow keys
            self._select(point)
            add_face_actions(menu, self.session, view.ids[point])
        menu.addAction("Fit all faces").triggered.connect(self.chart.fit)
        open_at(menu, self.chart.mapToGlobal(place))


def _dot(colour: str) -> str:
    return f'<span style="color: {colour}">●</span>'
