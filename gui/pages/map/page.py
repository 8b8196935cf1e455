"""The Map page: all faces along two or three axes, and what such a view hides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QGridLayout,
    QMenu,
    QSizePolicy,
    QSpinBox,
    QStackedWidget,
    QWidget,
)

from eigenfaces.errors import EigenfacesError, Tick
from eigenfaces.laboratory.maps import (
    FaceMap,
    Faithfulness,
    MapKind,
    MapView,
    map_by_tsne,
    map_of_components,
    map_of_directions,
    share_words,
)
from eigenfaces.laboratory.synthesis import pictured_otherwise
from eigenfaces.laboratory.tsne import COMPONENTS, TsneSettings, most_perplexity
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import count, number
from gui.pages.map.chart import MapChart
from gui.plots.plot import add_plot_files
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import STRETCH, add_parts, centre, in_column, in_row
from gui.widgets.cards import Card, PageHeader, PageScroll
from gui.widgets.controls import Button, Segmented, open_below
from gui.widgets.fields import DropDown
from gui.widgets.flow import Flow
from gui.widgets.page import Page
from gui.widgets.painted import FaceView
from gui.widgets.saving import add_exports
from gui.widgets.words import Elide, ElidedLabel, Facts, captioned, label

KINDS: tuple[MapKind, ...] = ("components", "fisherfaces", "t-SNE")
_ABOUT = {
    "components": "Each face is a point: close faces look alike",
    "fisherfaces": "The directions in which people differ, fitted with their names",
    "t-SNE": "Neighbours are kept; distances between groups, their size and the axes mean nothing",
}
_JOBS = {"fisherfaces": "Fitting Fisherfaces", "t-SNE": "Mapping by t-SNE"}
_STARTS = {
    "fisherfaces": (
        "Fisherfaces",
        "The directions in which people differ, rather than their photos: those of the recipe "
        "Fisherfaces. They are fitted with the names, so groups on this map are what they were "
        "fitted to find, not a discovery.",
    ),
    "t-SNE": (
        "t-SNE of the first components",
        "Pulls every face towards its neighbours and pushes all others away. It keeps who is near "
        "whom and loses the rest: distances between groups, their size and the axes mean nothing. "
        "A new face has no place on this map; on that of the components it has.\n\n"
        "It runs in the background and can be cancelled, but not paused: scikit-learn’s t-SNE does "
        "not give out its state. The same seed gives the same map.",
    ),
}
_LARGE, _SMALL = QSize(108, 132), QSize(66, 80)
_COLUMNS, _NEAR = 3, 5
View = tuple[FaceMap, tuple[int, ...]]


class Maps:
    """Maps of the gallery as it is now; ``changed`` is called once a job has made another."""

    def __init__(self, session: Session, changed: Callable[[], None]) -> None:
        self._session, self.changed = session, changed
        # Each with what the gallery was when it was made.
        self._maps: dict[MapKind | TsneSettings, tuple[object, FaceMap]] = {}
        self._stopped: dict[MapKind, tuple[object, str]] = {}
        self._faithfulness: dict[View, Faithfulness | None] = {}
        self._measuring: View | None = None

    def _gallery_of(self, kind: MapKind) -> object:
        """Return what a map is made of: only that of the components depends on the recipe."""
        gallery = self._session.gallery
        recipe = gallery.recipe if kind == "components" else None
        return gallery.training, gallery.index.rows_by_person, recipe

    def get(self, kind: MapKind, settings: TsneSettings | None = None) -> FaceMap | None:
        """Return a map; None while there is none. `start` makes it."""
        now, key = self._gallery_of(kind), settings or kind
        if kind == "components" and self._maps.get(kind, (None,))[0] != now:
            self._maps[kind] = now, map_of_components(self._session.gallery)
        version, found = self._maps.get(key, (None, None))
        return found if version == now else None

    def why_stopped(self, kind: MapKind) -> str:
        """Return why there is no map of a kind, if making it was tried."""
        version, reason = self._stopped.get(kind, (None, ""))
        return reason if version == self._gallery_of(kind) else ""

    def start(self, kind: MapKind, settings: TsneSettings | None = None) -> None:
        """Make a map in a job."""
        gallery, version = self._session.gallery, self._gallery_of(kind)
        self._stopped.pop(kind, None)

        def work(tick: Tick) -> FaceMap:
            if settings is not None:
                return map_by_tsne(gallery, settings, tick)
            return map_of_directions(gallery, tick)

        def done(result: FaceMap) -> None:
            self._maps[settings or kind] = version, result
            self.changed()

        def failed(error: EigenfacesError) -> None:
            self._stopped[kind] = version, str(error)
            self.changed()

        cancelled = "Cancelled: there is no map of this kind yet."
        self._session.run("map", _JOBS[kind], work, done, failed, cancelled=cancelled)

    def faithfulness(self, of: FaceMap, axes: tuple[int, ...]) -> Faithfulness | None:
        """Return what a view keeps of neighbours; None while that is being measured."""
        view = of, axes
        if view in self._faithfulness:
            return self._faithfulness[view]

        def done(measured: Faithfulness | None) -> None:
            self._faithfulness = dict([*self._faithfulness.items()][-10:]) | {view: measured}
            self._measuring = None
            self.changed()

        def failed(error: EigenfacesError) -> None:
            self._session.show_error(error)
            done(None)

        if self._measuring != view:  # another view’s job is replaced
            self._measuring = view
            work = lambda _: of.faithfulness(axes)  # noqa: E731
            self._session.jobs.start("measure map", "Measuring the map", work, done, failed)
        return None


class StartPanel(QWidget):
    """Says what a map is, and starts it."""

    started = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.title = label("", "heading", wrap=True)
        self.words, self.state = (label("", "secondary", wrap=True) for _ in range(2))
        self.start = Button("Start", "play", primary=True)
        self.start.clicked.connect(self.started)
        self.form = QWidget()
        form = QFormLayout(self.form)
        form.setContentsMargins(0, 0, 0, 0)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.components, self.perplexity, self.seed = (QSpinBox() for _ in range(3))
        for field, words, tip in (
            (self.components, "Components", "How many components of the face space it uses."),
            (self.perplexity, "Perplexity", "About how many neighbours each face is drawn to."),
            (self.seed, "Seed", "The seed of its random numbers."),
        ):
            field.setAccessibleName(f"{words} of t-SNE")
            field.setToolTip(tip)
            field.setFixedWidth(theme.pixels(96))
            form.addRow(label(words, "caption"), field)
        self.seed.setMaximum(9999)
        self._faces = 0
        inner = QWidget()
        inner.setMaximumWidth(theme.pixels(560))
        line = in_row(self.start, STRETCH)
        in_column(self.title, self.words, self.form, self.state, line, inside=inner, spacing=14)
        centre(inner, self)

    def settings(self, dimensions: int) -> TsneSettings:
        """Return what is set for t-SNE."""
        components, perplexity = self.components.value(), self.perplexity.value()
        return TsneSettings(components, perplexity, self.seed.value(), dimensions)

    def show_kind(self, kind: MapKind, gallery: Gallery, busy: bool, stopped: str) -> None:
        """Say what a map is, and whether it is being made or was stopped."""
        faces, k = len(gallery.faces), gallery.trained.coordinates.shape[1]
        if faces != self._faces:  # set what is usual for so many
            self._faces, usual = faces, TsneSettings.usual(faces, k)
            self.components.setRange(min(COMPONENTS[0], k), min(COMPONENTS[1], k))
            self.perplexity.setRange(min(5, usual.perplexity), most_perplexity(faces))
            self.components.setValue(usual.components)
            self.perplexity.setValue(usual.perplexity)
        title, words = _STARTS[kind]
        self.title.setText(title)
        self.words.setText(words)
        self.form.setVisible(kind == "t-SNE")
        self.form.setEnabled(not busy)
        self.start.setEnabled(not busy)
        made = "In progress: the bar below shows how far it is and can cancel it."
        self.state.setText(made if busy else stopped)
        self.state.setVisible(busy or bool(stopped))


class MapInspector(QWidget):
    """Says of the chosen face what the view does not show."""

    face_chosen = Signal(str)
    page_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.title = label("", "heading", wrap=True)
        self.photo = FaceView("Photo", _LARGE)
        self.seen = FaceView("As seen here", _LARGE)
        self.facts, self.kept = Facts(), Facts()
        self.near_title = label("", "strong", wrap=True)
        self.near = [FaceView(size=_SMALL, clickable=True, name="Near face") for _ in range(_NEAR)]
        self.caution = label("", "caption", wrap=True)
        nothing = "Point at a face to see whose it is; choose one to see more."
        self.nothing = label(nothing, "secondary", wrap=True)
        self.kept_title = label("How far to trust this view", "strong")
        self.kept_words = label("", "caption", wrap=True)
        self.people = Button("Show in People", "people")
        self.synthesise = Button("Synthesise from here", "synthesise")
        self.people.clicked.connect(lambda: self.page_wanted.emit("people"))
        self.synthesise.clicked.connect(lambda: self.page_wanted.emit("synthesise"))
        self._keys: list[str] = []
        grid = QGridLayout()
        grid.setSpacing(6)
        grid.setColumnStretch(_COLUMNS, 1)
        for at, view in enumerate(self.near):
            view.clicked.connect(lambda at=at: self.face_chosen.emit(self._keys[at]))
            # A long name is cut, and the panel is not wider than its place.
            view.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            grid.addWidget(view, at // _COLUMNS, at % _COLUMNS)
        self._chosen, inside = QWidget(), QWidget()
        pictures = in_row(self.photo, self.seen, STRETCH, spacing=8)
        parts = (self.title, pictures, self.facts, self.near_title, grid, self.caution)
        in_column(*parts, inside=self._chosen, spacing=9)
        inside.setAccessibleName("Inspector")
        kept = (self.kept_title, self.kept, self.kept_words)
        column = in_column(inside=inside, spacing=9, margins=(14, 14, 14, 14))
        add_parts(column, self.nothing, self._chosen, *kept, STRETCH, self.people, self.synthesise)
        in_column(PageScroll(inside, "panel"), inside=self)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Show that nothing is chosen."""
        self.nothing.show()
        self.show_faithfulness(None, None)
        for part in (self._chosen, self.people, self.synthesise):
            part.hide()

    def show_face(
        self, of: FaceMap, axes: Sequence[int], session: Session, view: MapView, point: int
    ) -> tuple[int, ...]:
        """Show a face or a probe; return the rows nearest to it in truth."""
        gallery, row = session.gallery, point if point < view.faces else None
        face = session.face(view.keys[point])
        assert face is not None
        image = face[1]
        located = None if of.locate is None else of.locate(image.reshape(1, -1))
        compared = of.compared[point] if located is None else located.compared[0]
        rows, distances = of.nearest(compared, row)
        self.title.setText(view.names[point])
        self.photo.set_image(grey_image(image))
        size = f"{image.shape[1]} × {image.shape[0]} px"
        self.photo.set_caption("To recognise" if row is None else "Photo", size)
        self.seen.setVisible(of.kind == "components")
        if of.kind == "components" and located is not None:
            rebuilt = located.rebuilt(axes, gallery.trained.space)
            self.seen.set_image(grey_image(rebuilt))
            self.seen.set_caption("As seen here", count(len(axes), "component"))
        self.facts.set_rows(of.facts(axes, view.places[point], located))
        self.near_title.setText(f"Nearest {of.named} ({of.comparison.distance.name})")
        self._keys = [gallery.index.photos[at].key for at in rows.tolist()]
        for face_view in self.near[len(rows) :]:
            face_view.hide()
        neighbours = zip(self.near, rows.tolist(), distances.tolist(), strict=False)
        for face_view, at, distance in neighbours:
            person = gallery.index.photos[at].person
            face_view.show()
            face_view.set_image(grey_image(gallery.faces.image(at)))
            face_view.set_caption(person or "Nobody", number(distance))
            spoken = f"{person or 'Nobody named'}, at a distance of {number(distance)}"
            face_view.setAccessibleName(spoken)
        caution = "" if row is None else of.deceiving(axes, row, rows, gallery.index)
        self.caution.setText(caution)
        self.caution.setVisible(bool(caution))
        self.nothing.hide()
        self._chosen.show()
        self.people.setVisible(row is not None)
        self.synthesise.show()
        return tuple(rows.tolist())

    def show_faithfulness(self, measured: Faithfulness | None, of: FaceMap | None) -> None:
        """Show how far the view can be trusted, once that is measured."""
        for part in (self.kept_title, self.kept, self.kept_words):
            part.setVisible(measured is not None)
        if measured is None or of is None:
            return
        values = ("Trustworthiness", measured.trustworthiness), ("Continuity", measured.continuity)
        self.kept.set_rows([(name, f"{value:.3f}") for name, value in values])
        self.kept_words.setText(measured.meaning(of))


class MapPage(Page):
    """Every face as a point; one that is pointed at stands out, with all of its person."""

    key = "map"
    title = "Map"
    icon = "map"
    needs_training = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.maps = Maps(session, self._mark_stale)
        self.kinds = Segmented(["Components", "Fisherfaces", "t-SNE"], name="Map")
        self.axes = [DropDown() for _ in range(3)]
        self.colour = DropDown()
        self.colour.addItems(["By person", "One colour"])
        self.colour.setAccessibleName("Colours")
        self.again = Button("Settings…", name="Settings of t-SNE")
        self.dimensions = Segmented(["2-D", "3-D"], name="Dimensions")
        self.marks = Segmented(["Faces", "Dots"], name="Marks")
        self.chart, self.panel, self.map_inspector = MapChart(), StartPanel(), MapInspector()
        self.legend, self.hint = (ElidedLabel("", "caption", Elide.ElideRight) for _ in range(2))
        self.note = label("", "caption", wrap=True)
        self.inspector = self.map_inspector
        self.fit = Button("Fit", name="Fit all faces (F)")
        self._export = Button("Export…", "export")
        self._map: FaceMap | None = None
        self._shares: Doubles = np.zeros(0)  # whose axes can be chosen
        self._view: tuple[object, ...] = ()
        self._settings: TsneSettings | None = None
        self._inspect = QTimer(self, singleShot=True, interval=0)
        self._inspect.timeout.connect(self._inspect_selected)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        parts = (self.dimensions, self.marks, self.fit, self._export)
        self._header = PageHeader(self.title, "", *parts)
        bar, policy = QWidget(), QComboBox.SizeAdjustPolicy
        self._axis_parts = []
        for words, box in zip(("Across", "Up", "Depth"), self.axes, strict=True):
            box.setAccessibleName(f"{words}: axis of the map")
            box.setSizeAdjustPolicy(policy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(4)
            self._axis_parts.append(captioned(words, box))
        Flow(bar, 8).add(self.kinds, *self._axis_parts, self.colour, self.again)
        # Where there is little room, the hint is cut and not the legend.
        self.hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignRight)
        foot = in_row(self.legend, (self.hint, 1), spacing=12)
        self._chart_side, self._either, card = QWidget(), QStackedWidget(), Card()
        in_column((self.chart, 1), self.note, foot, inside=self._chart_side, spacing=8)
        self._either.addWidget(self._chart_side)
        self._either.addWidget(self.panel)
        card.body.addWidget(self._either)
        in_column(self._header, bar, (card, 1), inside=self.content, spacing=12)

    def _connect(self) -> None:
        chart, inspector = self.chart, self.map_inspector
        axes = [box.activated for box in self.axes]
        for signal in (self.kinds.changed, self.dimensions.changed, *axes):
            signal.connect(self._refresh)
        for signal in (self.colour.activated, self.marks.changed):
            signal.connect(self._restyle)
        self.fit.clicked.connect(chart.fit)
        self.again.clicked.connect(self._set_up)
        self.panel.started.connect(self._start)
        chart.chosen.connect(self._select)
        chart.opened.connect(lambda: self._go_to("people"))
        self._export.clicked.connect(self.export)
        inspector.face_chosen.connect(self.session.select)
        inspector.page_wanted.connect(self._go_to)
        chart.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        chart.customContextMenuRequested.connect(self._open_menu)
        for keys, act in (
            ("F", chart.fit),
            ("2", lambda: self.dimensions.set_current(0)),
            ("3", lambda: self.dimensions.set_current(1)),
            ("T", lambda: self.marks.set_current(1 - self.marks.current)),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(act)

    # What is shown

    def _clear(self) -> None:
        self._map, self._view = None, ()
        self.map_inspector.show_nothing()
        self._inspect.stop()
        self.chart.picture = self.chart.view = None

    def _refresh(self) -> None:
        kind, dimensions = KINDS[self.kinds.current], self.dimensions.current + 2
        self._header.set_subtitle(_ABOUT[kind])
        if self._settings is not None:
            self._settings = replace(self._settings, dimensions=dimensions)
        settings = self._settings if kind == "t-SNE" else None
        self._map = self.maps.get(kind, settings)
        self._list_axes(dimensions)
        for part in (self.fit, self._export):
            part.setEnabled(self._map is not None)
        if self._map is not None:
            self._show_map(self._map)
            return
        stopped, jobs = self.maps.why_stopped(kind), self.session.jobs
        if kind != "t-SNE" and not jobs.is_busy("map") and not stopped:
            self.maps.start(kind)
        self.panel.show_kind(kind, self.session.gallery, jobs.is_busy("map"), stopped)
        self._either.setCurrentWidget(self.panel)
        self._view = ()
        self.map_inspector.show_nothing()

    def _list_axes(self, dimensions: int) -> None:
        shares = None if self._map is None else self._map.shares
        for at, part in enumerate(self._axis_parts):
            part.setVisible(shares is not None and at < dimensions)
        self.again.setVisible(self._map is not None and self._map.kind == "t-SNE")
        if shares is None or shares is self._shares:
            return
        words = [f"{at + 1} · {share_words(float(share))}" for at, share in enumerate(shares)]
        same, self._shares = len(shares) == len(self._shares), shares
        for at, box in enumerate(self.axes):
            current = box.currentIndex() if same else min(at, len(words) - 1)
            box.clear()
            box.addItems(words)
            box.setCurrentIndex(current)

    def _show_map(self, of: FaceMap) -> None:
        session, faces, axes = self.session, self.session.gallery.faces, self._axes(of)
        before, self._view = self._view, (of, axes, faces, session.probes)
        if self._view != before:
            view = MapView.of(of, axes, session.gallery, session.probes)
            picture = lambda row: grey_image(faces.image(row))  # noqa: E731
            fit, fresh = before[:2] != (of, axes), before[2:3] != (faces,)
            self.chart.show_map(view, picture, fit=fit, fresh=fresh)
            self.chart.select(None, ())
            self._show_words(of, view)
        self._restyle()
        self._either.setCurrentWidget(self._chart_side)
        self._inspect.start()  # of very many faces, finding the nearest takes as long as all this

    def _axes(self, of: FaceMap) -> tuple[int, ...]:
        if of.kind == "t-SNE":
            return tuple(range(of.coordinates.shape[1]))
        return tuple(max(box.currentIndex(), 0) for box in self.axes[: self.dimensions.current + 2])

    def _show_words(self, of: FaceMap, view: MapView) -> None:
        parts = ["◆ to recognise"] if len(view.keys) > view.faces else []
        parts.append(f"- - the nearest {of.named}")
        if len(np.unique(view.groups[view.groups >= 0])) > len(theme.PEOPLE):
            parts.append("colours repeat: point at a face for its name")
        self.legend.set_full_text("   ".join(parts))
        self.hint.set_full_text(f"wheel zooms · drag {'turns' if self.chart.deep else 'pans'}")
        note = ""
        if of.kind == "components":
            note = pictured_otherwise(self.session.gallery)
        elif of.kind == "t-SNE" and self.session.probes:
            note = "Photos to recognise are not here: t-SNE has no place for a new face."
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def _restyle(self) -> None:
        style = self.marks.current == 0, self.colour.currentIndex() == 0
        if style != (self.chart.as_faces, self.chart.coloured):
            self.chart.as_faces, self.chart.coloured = style
            self.chart.paint_anew()

    def _inspect_selected(self) -> None:
        of, view, key = self._map, self.chart.view, self.session.photo
        if self._stale or of is None or view is None:
            return  # everything is read again first
        axes, point = self._axes(of), None if key is None else view.number_of(key)
        if point is None:
            self.chart.select(None, ())
            self.map_inspector.show_nothing()
        else:
            rows = self.map_inspector.show_face(of, axes, self.session, view, point)
            self.chart.select(point, rows)
            facts = self.map_inspector.facts.values().items()
            words = [f"{view.names[point]}.", *(f"{name}: {value}." for name, value in facts)]
            self.chart.setAccessibleDescription(" ".join(words))
        # Only now: the job would slow down what is painted first.
        self.map_inspector.show_faithfulness(self.maps.faithfulness(of, axes), of)

    # Actions

    def _select(self, point: int) -> None:
        if self.chart.view is not None:
            self.session.select(self.chart.view.keys[point])

    def _go_to(self, page: str) -> None:
        row = self.session.gallery.index.row_of(self.session.photo or "")
        if page != "people" or row is not None:
            self.session.show_page(page)

    def _set_up(self) -> None:
        self._settings = None
        self._refresh()

    def _start(self) -> None:
        kind, settings = KINDS[self.kinds.current], None
        if kind == "t-SNE":
            settings = self._settings = self.panel.settings(self.dimensions.current + 2)
        if self.maps.get(kind, settings) is None:
            self.maps.start(kind, settings)
        self._refresh()

    def _open_menu(self, place: QPoint) -> None:
        """Offer what can be done with the face at a place, and with the view."""
        menu, point = QMenu(self), self.chart.at(place.toPointF())
        if point is not None and self.chart.view is not None:
            self._select(point)
            pages = [("Show in Reconstruct", "reconstruct"), ("Synthesise from here", "synthesise")]
            if point < self.chart.view.faces:
                pages.insert(0, ("Show in People", "people"))
            for words, page in pages:
                menu.addAction(words).triggered.connect(partial(self._go_to, page))
            menu.addSeparator()
        menu.addAction("Fit all faces").triggered.connect(self.chart.fit)
        menu.addSeparator()
        self._add_files(menu)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.chart.mapToGlobal(place))

    def export(self) -> None:
        if self._map is None:
            self.session.show_message("There is nothing to export yet: this map has not been made.")
            return
        menu = QMenu("Export", self)
        self._add_files(menu)
        open_below(self._export, menu)

    def _add_files(self, menu: QMenu) -> None:
        if (of := self._map) is not None:
            name, axes, index = f"map of {of.kind}", self._axes(of), self.session.gallery.index
            add_plot_files(menu, self.chart, self.session, name, "This view")
            write = partial(of.write_table, axes, index)
            table = "Positions of all faces as a table…", f"{name}.csv", write
            add_exports(menu, self.session, self, [table], now=True)
