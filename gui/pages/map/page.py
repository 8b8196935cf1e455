"""The Map page: all faces along two or three axes, and what such a view hides."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QSizePolicy, QStackedWidget, QWidget

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.maps import (
    FaceMap,
    Faithfulness,
    MapKind,
    MapView,
    map_by_tsne,
    map_of_components,
    map_of_directions,
)
from eigenfaces.laboratory.synthesis import pictured_otherwise
from eigenfaces.laboratory.tsne import TsneSettings
from eigenfaces.recognition.gallery import Gallery
from gui.pages.map.bar import DIRECTIONS, TSNE, MapBar, StartPanel
from gui.pages.map.chart import MapChart, Thumbnails, no_thumbnails
from gui.pages.map.inspector import MapInspector, inspected
from gui.plots.plot import PLOT_FILES, save_plot
from gui.state.session import Session
from gui.style.images import grey_image
from gui.widgets.boxes import in_column, in_row
from gui.widgets.cards import Card, PageHeader
from gui.widgets.controls import Button, Segmented, open_below
from gui.widgets.page import Page
from gui.widgets.saving import save_now
from gui.widgets.words import Elide, ElidedLabel, label

_ABOUT = {
    "components": "Faces as points: near means alike",
    "fisherfaces": "Directions in which people differ, fitted with their names",
    "t-SNE": "Neighbours are kept; distances between groups, their size and the axes mean nothing",
}
_HINTS = {
    False: "wheel zooms · drag pans",
    True: "wheel zooms · drag turns",
}


View = tuple[FaceMap, tuple[int, ...]]
_TITLES = {"fisherfaces": "Fitting Fisherfaces", "t-SNE": "Mapping by t-SNE"}


class Maps(QObject):
    """Maps of the gallery as it is now; those that take long are made in jobs."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._of: tuple[object, ...] = ()
        self._made: dict[MapKind | TsneSettings, FaceMap] = {}
        self._measured: dict[View, Faithfulness | None] = {}
        self._measuring: View | None = None
        self.stopped: dict[MapKind, str] = {}

    def look(self) -> None:
        """Forget the maps of what the gallery was before."""
        gallery = self._session.gallery
        names = gallery.index.rows_by_person
        now = (gallery.training, gallery.recipe, names)
        if now != self._of:
            if self._of and (self._of[0] is not now[0] or self._of[2] != names):
                self._session.jobs.cancel("map")
                self._made.clear()
            self._of = now
            self._made.pop("components", None)
            self._measured.clear()
            self.stopped.clear()

    def get(self, kind: MapKind, settings: TsneSettings | None = None) -> FaceMap | None:
        """Return a map; None while there is none. `start` makes it."""
        if kind == "components" and kind not in self._made:
            self._made[kind] = map_of_components(self._session.gallery)
        return self._made.get(settings if settings is not None else kind)

    @property
    def is_busy(self) -> bool:
        """Whether a map is being made."""
        return self._session.jobs.is_busy("map")

    def start(self, kind: MapKind, settings: TsneSettings | None = None) -> None:
        """Make a map in a job."""
        gallery, of = self._session.gallery, self._of
        self.stopped.pop(kind, None)

        def work(tick: Tick) -> FaceMap:
            if settings is not None:
                return map_by_tsne(gallery, settings, tick)
            return map_of_directions(gallery, tick)

        def done(made: FaceMap) -> None:
            if of == self._of:
                self._made[settings if settings is not None else kind] = made
                self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            if of == self._of:  # else it is forgotten, and may be made anew
                self.stopped[kind] = str(error)
            self.changed.emit()

        cancelled = "Cancelled: there is no map of this kind yet."
        self._session.run("map", _TITLES[kind], work, done, failed, cancelled=cancelled)

    def faithfulness(self, of: FaceMap, axes: tuple[int, ...]) -> Faithfulness | None:
        """Return what a view keeps of neighbours; None while that is being measured."""
        view = of, axes
        if view in self._measured:
            return self._measured[view]

        def done(measured: Faithfulness | None) -> None:
            self._measured[view], self._measuring = measured, None
            self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            self._session.tell(error)
            done(None)

        if self._measuring != view:  # another view’s job is replaced
            self._measuring = view
            self._session.jobs.start(
                "measure map",
                "Measuring the map",
                lambda _: of.faithfulness(axes),
                done,
                failed,
            )
        return None


class MapPage(Page):
    """Every face as a point; one that is pointed at stands out, with all of its person."""

    key = "map"
    title = "Map"
    icon = "map"
    needs_training = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.maps = Maps(session)
        self.maps.setParent(self)
        self.maps.changed.connect(self._mark_stale)
        self.bar = MapBar()
        self.dimensions = Segmented(["2-D", "3-D"], name="Dimensions")
        self.marks = Segmented(["Faces", "Dots"], name="Marks")
        self.chart = MapChart()
        self.panel = StartPanel()
        self.legend = ElidedLabel("", "caption", Elide.ElideRight)
        self.hint = ElidedLabel("", "caption", Elide.ElideRight)
        self.note = label("", "caption", wrap=True)
        self.map_inspector = MapInspector()
        self.inspector = self.map_inspector
        self.fit = Button("Fit", name="Fit all faces (F)")
        self._export = Button("Export…", "export")
        self._shown_map: FaceMap | None = None
        self._thumbnails: tuple[object, Thumbnails] | None = None
        self._view: tuple[object, ...] = ()
        self._settings: TsneSettings | None = None
        self._inspect = QTimer(self, singleShot=True, interval=0)
        self._inspect.timeout.connect(self._show_chosen)
        session.gallery_changed.connect(self._let_go)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self._header = PageHeader(self.title)
        for part in (self.dimensions, self.marks, self.fit, self._export):
            self._header.add_action(part)
        card = Card()
        # Where there is little room, the hint is cut and not the legend.
        self.hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignRight)
        foot = in_row(self.legend, (self.hint, 1), spacing=12)
        self._drawn = QWidget()
        in_column((self.chart, 1), self.note, foot, inside=self._drawn, spacing=8)
        self._either = QStackedWidget()
        self._either.addWidget(self._drawn)
        self._either.addWidget(self.panel)
        card.body.addWidget(self._either)
        in_column(self._header, self.bar, (card, 1), inside=self.content, spacing=12)

    def _connect(self) -> None:
        chart, bar = self.chart, self.bar
        for signal in (bar.kind_changed, bar.axes_changed, self.dimensions.changed):
            signal.connect(self._refresh)
        for signal in (bar.colour_changed, self.marks.changed):
            signal.connect(self._restyle)
        self.fit.clicked.connect(chart.fit)
        bar.again.clicked.connect(self._set_up)
        self.panel.started.connect(self._start)
        chart.chosen.connect(self._choose)
        chart.opened.connect(self._show_in_people)
        self._export.clicked.connect(self.export)
        inspector = self.map_inspector
        inspector.face_chosen.connect(self.session.select)
        inspector.people_wanted.connect(self._show_in_people)
        inspector.synthesis_wanted.connect(lambda: self.session.show_page("synthesise"))
        for keys, act in (
            ("F", chart.fit),
            ("2", lambda: self.dimensions.set_current(0)),
            ("3", lambda: self.dimensions.set_current(1)),
            ("T", lambda: self.marks.set_current(1 - self.marks.current)),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(act)

    # What is shown

    def _refresh_shown(self) -> None:
        super()._refresh_shown()
        if not self.is_ready:
            self._view = ()
            self._inspect.stop()
            self.map_inspector.show_nothing()
            self.map_inspector.show_kept(None, None)

    def _refresh(self) -> None:
        self.maps.look()
        kind, dimensions = self.bar.kind, self.dimensions.current + 2
        self._header.set_subtitle(_ABOUT[kind])
        if kind == "t-SNE" and self._settings is not None:
            self._settings = replace(self._settings, dimensions=dimensions)
        wanted = self._settings if kind == "t-SNE" else None
        found = None if kind == "t-SNE" and wanted is None else self.maps.get(kind, wanted)
        self._shown_map = found
        self.bar.show_map(found, dimensions)
        for part in (self.fit, self._export):
            part.setEnabled(found is not None)
        if found is None:
            self._show_panel()
        else:
            self._show_map(found)

    def _show_panel(self) -> None:
        kind, gallery = self.bar.kind, self.session.gallery
        tsne = kind == "t-SNE"
        self.panel.show_gallery(len(gallery.faces), gallery.trained.coordinates.shape[1])
        if not tsne and not self.maps.is_busy and kind not in self.maps.stopped:
            self.maps.start(kind)
        self.panel.show_state(
            TSNE if tsne else DIRECTIONS,
            tsne=tsne,
            busy=self.maps.is_busy,
            stopped=self.maps.stopped.get(kind, ""),
        )
        self._view = ()
        self._either.setCurrentWidget(self.panel)
        self.map_inspector.show_nothing()
        self.map_inspector.show_kept(None, None)

    def _show_map(self, found: FaceMap) -> None:
        gallery, session, axes = self.session.gallery, self.session, self._axes(found)
        view = (found, axes, gallery.faces, session.probes)
        if view != self._view or self._thumbnails is None:
            same = self._view[:2] == view[:2]
            self._view = view
            shown = MapView.of(found, axes, gallery, session.probes)
            self.chart.show_map(shown, self._thumbnails_of_faces(), fit=not same)
            self.chart.choose(None, ())
            self._show_words(found, shown)
        self._restyle()
        self._either.setCurrentWidget(self._drawn)
        self._inspect.start()  # of very many faces, finding the nearest takes as long as all this
        self.map_inspector.show_kept(self.maps.faithfulness(found, axes), found)

    def _axes(self, of: FaceMap) -> tuple[int, ...]:
        if of.kind == "t-SNE":
            return tuple(range(of.coordinates.shape[1]))
        return self.bar.chosen_axes(self.dimensions.current + 2)

    def _thumbnails_of_faces(self) -> Thumbnails:
        faces = self.session.gallery.faces
        if self._thumbnails is None:
            made = Thumbnails(lambda row: grey_image(faces.image(row)))
            self._thumbnails = faces.pixels, made
        return self._thumbnails[1]

    def _let_go(self) -> None:
        """Read no more of other faces than the gallery's: their file may be closed."""
        if self._thumbnails and self._thumbnails[0] is not self.session.gallery.faces.pixels:
            self._thumbnails = None
            self.chart.thumbnails = no_thumbnails()

    def _show_words(self, found: FaceMap, shown: MapView) -> None:
        parts = ["◆ to recognise"] if len(shown.keys) > shown.faces else []
        parts.append(f"- - the nearest {found.named}")
        if len(np.unique(shown.groups[shown.groups >= 0])) > 7:
            parts.append("colours repeat: point at a face for its name")
        self.legend.set_full_text("   ".join(parts))
        self.hint.set_full_text(_HINTS[shown.places.shape[1] == 3])
        notes = []
        if found.kind == "components":
            notes.append(pictured_otherwise(self.session.gallery))
        if found.kind == "t-SNE" and self.session.probes:
            notes.append("Photos to recognise are not here: t-SNE has no place for a new face.")
        self.note.setText(" ".join(notes))
        self.note.setVisible(bool(self.note.text()))

    def _restyle(self) -> None:
        wanted = self.marks.current == 0, self.bar.colour.currentIndex() == 0
        if wanted != (self.chart.as_faces, self.chart.coloured):
            self.chart.as_faces, self.chart.coloured = wanted
            self.chart.paint_anew()

    def _show_chosen(self) -> None:
        if self._stale:
            return  # what is shown is read again first
        found, shown, key = self._shown_map, self.chart.shown, self.session.photo
        number = None if shown is None or key is None else shown.number_of(key)
        if found is None or shown is None or number is None:
            self.chart.choose(None, ())
            self.map_inspector.show_nothing()
            return
        face, rows = inspected(found, self._axes(found), self.session, shown, number)
        self.chart.choose(number, rows)
        self.chart.setAccessibleDescription(
            f"{face.title}. " + " ".join(f"{name}: {value}." for name, value in face.facts)
        )
        self.map_inspector.show_face(face, in_gallery=number < shown.faces)

    # Actions

    def _choose(self, number: int) -> None:
        if self.chart.shown is not None:
            self.session.select(self.chart.shown.keys[number])

    def _show_in_people(self) -> None:
        row = self.session.gallery.index.row_of(self.session.photo or "")
        if row is not None:
            self.session.show_page("people")

    def _set_up(self) -> None:
        self._settings = None
        self._refresh()

    def _start(self) -> None:
        kind = self.bar.kind
        if kind == "t-SNE":
            self._settings = self.panel.settings(self.dimensions.current + 2)
            if self.maps.get(kind, self._settings) is None:
                self.maps.start(kind, self._settings)
        else:
            self.maps.start(kind)
        self._refresh()

    def export(self) -> None:
        found, gallery = self._shown_map, self.session.gallery
        if found is None:
            self.session.say("There is nothing to export yet: this map is not made.")
            return
        menu = QMenu("Export", self)
        table = partial(write_table, found, self._axes(found), gallery)
        for words, suffix, write in (
            *(
                (f"This view {words}…", suffix, partial(save_plot, self.chart, suffix))
                for words, suffix in PLOT_FILES
            ),
            ("The places of all faces as a table…", "csv", table),
        ):
            menu.addAction(words).triggered.connect(
                partial(save_now, self.session, self, f"map of {found.kind}.{suffix}", write)
            )
        open_below(self._export, menu)


def write_table(of: FaceMap, axes: tuple[int, ...], gallery: Gallery, path: Path) -> None:
    """Write one line for each face: its photo, its person, and its place in the view."""
    path.write_text(of.table(axes, gallery.index), "utf-8", newline="")
