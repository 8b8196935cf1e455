"""The Eigenfaces page: the mean face, the components, and how many to keep."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QHideEvent, QImage, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from eigenfaces.recognition.gallery import Gallery, Training
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Floats
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import as_table, count
from gui.plots.axes import Axis
from gui.plots.marks import Bars, curve_over_k
from gui.plots.plot import PLOT_FILES, PlotView, save_plot
from gui.state.session import Session
from gui.style import theme
from gui.style.images import grey_image, rgb_array, signed_image
from gui.widgets.boxes import STRETCH, Gap, add_parts, in_column, in_row
from gui.widgets.cards import Card, PageHeader, PageScroll
from gui.widgets.controls import Button, Segmented, open_below
from gui.widgets.face_list import CellStyle, Face, FaceDelegate, FaceGrid, FaceRow
from gui.widgets.page import Page
from gui.widgets.painted import ColourBar, FaceView
from gui.widgets.saving import save_in_thread, save_now
from gui.widgets.words import ElidedLabel, Facts, label

_SPECTRUM = 60  # singular values drawn
_TIMES_RMS = 3.0
PRESETS = (0.80, 0.90, 0.95, 0.99)
_PATIENCE = 600  # ms after the last step of the spin box before k is saved
MEAN = "mean"
_PICTURE, _LARGE_PICTURE = QSize(72, 88), QSize(128, 156)
_FEW = 16  # number of components that are shown large
_VEIL = 0.66
_ROOMY = 440  # px, before the text scale, from which the colour bar may use more words
_PICTURE_END = 4  # px between the picture and its text
STEPS = (-3, -1, 0, 1, 3)
_ENDS = 5  # faces shown at either end of a component
_LARGE, _SMALL = QSize(108, 132), QSize(38, 46)


def component_limit(space: FaceSpace) -> float:
    """Return the value drawn in full colour: three times the root mean square of a component.

    A component has unit length, so that is 3 / √d for every one of them: a common scale.
    """
    return _TIMES_RMS / math.sqrt(space.mean.size)


def component_image(space: FaceSpace, component: int, signed: bool) -> QImage:
    """Return one component as an image: red is brighter than the mean, blue darker; or in grey."""
    values = space.components[component].reshape(space.shape)
    limit = component_limit(space)
    return signed_image(values, limit) if signed else grey_image(0.5 + values / (2 * limit))


def to_grey(pixels: Floats, space: FaceSpace) -> Floats:
    """Return pixels of the face space as a grey picture (h, w), 0…1."""
    return np.clip(pixels, 0, 1).reshape(space.shape)


def along(space: FaceSpace, component: int, deviations: float) -> Floats:
    """Return the face (h, w) at so many standard deviations from the mean along one component."""
    scores = np.zeros(len(space), np.float32)
    scores[component] = deviations * math.sqrt(space.variances[component])
    return to_grey(space.reconstruct(scores), space)


def share_text(share: float) -> str:
    """Return a share of the variance as a short text.

    >>> share_text(0.174), share_text(0.0004), share_text(0.0)
    ('17.4 %', '<0.1 %', '0 %')
    """
    if share <= 0:
        return "0 %"
    return f"{100 * share:.1f} %" if share >= 0.0005 else "<0.1 %"


class ComponentChoice(Card):
    """Chooses k: by a line in the curve of cumulative variance, presets, or a spin box.

    ``moved``: k is being tried; ``settled``: k is chosen; ``share_chosen``: a preset was pressed.
    """

    moved = Signal()
    settled = Signal()
    share_chosen = Signal(float)

    def __init__(self) -> None:
        super().__init__("How many components?", "drag the line")
        self.k = 0
        self.chart = PlotView(Axis(), Axis())
        self.chart.setMinimumHeight(120)
        self.chart.moved.connect(lambda _, k: self._try(round(k)))
        self.chart.released.connect(lambda _: self.settled.emit())
        self._space: FaceSpace | None = None
        self._kept = np.zeros(0)
        self._rule = ElidedLabel("", "caption", Qt.TextElideMode.ElideRight)
        self.spin = QSpinBox()
        self.spin.setAccessibleName("Number of components k")
        self.spin.setKeyboardTracking(False)
        self.spin.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.spin.valueChanged.connect(self._stepped)
        self.spin.editingFinished.connect(self._settle_now)
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._patience.timeout.connect(self.settled)
        self.presets = {share: self._preset(share) for share in PRESETS}
        add_parts(self.body, (self.chart, 1), self._controls(), self._rule)

    def show_space(self, space: FaceSpace) -> None:
        """Draw the curve of another face space."""
        self._space = space
        self._kept = np.concatenate([[0.0], space.kept])
        self._kept = np.minimum(self._kept, 1.0)
        self.chart.show_marks(*curve_over_k("variance kept", self._kept))
        self.spin.blockSignals(True)
        self.spin.setRange(1, len(space))
        self.spin.blockSignals(False)
        for share, button in self.presets.items():
            fewest = space.fewest_for(share)
            button.setEnabled(fewest is not None)
            button.setToolTip(
                f"{count(fewest, 'component')} for at least {100 * share:.0f} % of the variance."
                if fewest is not None
                else "The components that were computed hold less of the variance than this."
            )

    def show_rule(self, recipe: Recipe, k: int) -> None:
        """Show the saved rule, and the k that follows from it."""
        self._patience.stop()
        wanted = recipe.shown_components
        for share, button in self.presets.items():
            button.setChecked(isinstance(wanted, float) and abs(wanted - share) < 1e-9)
        self._put(k)
        if isinstance(wanted, float):
            self._rule.set_full_text(
                f"{100 * wanted:.4g} % of the variance: {count(k, 'component')}."
            )
        elif wanted > k:
            self._rule.set_full_text(f"{wanted} components are wanted; this face space has {k}.")
        else:
            self._rule.set_full_text(self._fixed())

    def hideEvent(self, event: QHideEvent) -> None:
        self._settle_now()
        super().hideEvent(event)

    def _put(self, k: int) -> None:
        self.k = k
        self.spin.blockSignals(True)
        self.spin.setValue(k)
        self.spin.blockSignals(False)
        if self._kept.size:
            self.chart.move_rule(k, f"k = {k} · {self._share(k)}")

    def _try(self, k: int) -> None:
        """Show a k that is not saved yet."""
        self._put(max(1, k))
        for button in self.presets.values():
            button.setChecked(False)
        self._rule.set_full_text(self._fixed())
        self.moved.emit()

    def _stepped(self, k: int) -> None:
        self._try(k)
        self._patience.start()

    def _settle_now(self) -> None:
        if self._patience.isActive():
            self._patience.stop()
            self.settled.emit()

    def _fixed(self) -> str:
        verb = "keeps" if self.k == 1 else "keep"
        return f"Fixed: {count(self.k, 'component')} {verb} {self._share(self.k)}."

    def _share(self, k: int) -> str:
        return f"{100 * self._kept[k]:.1f} %"

    def _preset(self, share: float) -> Button:
        words = f"{100 * share:.0f} %"
        button = Button(words, name=f"Keep {words} of the variance", role="preset")
        button.setCheckable(True)
        button.clicked.connect(lambda: self.share_chosen.emit(share))
        return button

    def _controls(self) -> QHBoxLayout:
        group = QFrame()
        group.setProperty("role", "segments")
        group.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        in_row(*self.presets.values(), inside=group, spacing=0, margins=(1, 1, 1, 1))
        return in_row(group, (self.spin, 1), spacing=8)


class _KeptDelegate(FaceDelegate):
    """Fades components that are not kept, and draws a line after the last kept one."""

    kept = 0

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        look = theme.tokens()
        cell = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if index.row() > self.kept and not chosen:
            veil = QColor(look.surface)
            veil.setAlphaF(_VEIL)
            cell.setHeight(self.style.picture.height() + 2 * _PICTURE_END + 2)
            painter.fillRect(cell, veil)
        elif index.row() == self.kept < index.model().rowCount() - 1:
            painter.setBrush(QColor(look.accent))
            tall = QRectF(cell.right(), cell.top() + 6, 3, self.style.picture.height())
            painter.drawRoundedRect(tall, 1.5, 1.5)
        painter.restore()


class ComponentGrid(Card):
    """The mean and the components with their share of the variance, and a line at k."""

    chosen = Signal(str)  # the number of a component from 0, or MEAN

    def __init__(self) -> None:
        super().__init__("Components")
        self._space: FaceSpace | None = None
        self._signed = True
        self._delegate = _KeptDelegate(CellStyle(_PICTURE, subcaption=True))
        self.grid = FaceGrid("Mean face and components", cells=self._delegate)
        self.grid.setMinimumHeight(theme.pixels(150))
        self.grid.chosen.connect(self.chosen)
        # The grid knows only after layout how many fit into a row.
        self._laid_out = QTimer(self, singleShot=True, interval=0)
        self._laid_out.timeout.connect(self._report_range)
        self.grid.verticalScrollBar().valueChanged.connect(self._report_range)
        self.grid.viewport().installEventFilter(self)
        self._beyond = label("", "caption")
        self._bar = ColourBar("signed", "darker", "brighter")
        self._bar.setToolTip(
            "From −3/√d to +3/√d, d the number of pixels: three times the root mean square of a "
            "component, which has length 1. The scale is the same for all of them."
        )
        foot = in_row(self._beyond, STRETCH, self._bar, spacing=12)
        self.body.addWidget(self.grid, 1)
        self.body.addLayout(foot)

    def show_space(self, space: FaceSpace, signed: bool) -> None:
        """Show other components, or the same ones in colour or in grey."""
        if space is self._space and signed == self._signed:
            return
        scrolled = self._space is not space
        self._space, self._signed = space, signed
        picture = _LARGE_PICTURE if len(space) <= _FEW else _PICTURE
        self._delegate.style = CellStyle(picture, subcaption=True)
        self.grid.fit_cells()
        mean = Face(MEAN, np.ascontiguousarray(to_grey(space.mean, space)), "Mean face")
        components = [
            Face(
                str(number),
                partial(component_image, space, number, signed),
                str(number + 1),
                share_text(float(share)),
                accessible=f"Component {number + 1}, {share_text(float(share))} of the variance",
            )
            for number, share in enumerate(space.variance_ratio)
        ]
        self.grid.show_faces([mean, *components])
        if scrolled:
            self.grid.scrollToTop()
        self._report_range()
        self._draw_bar()

    def set_kept(self, k: int) -> None:
        """Fade all but the first k components."""
        total = len(self._space) if self._space is not None else 0
        self._beyond.setText(f"Faded: k > {k}" if k < total else "All are kept")
        if k != self._delegate.kept:
            self._delegate.kept = k
            self.grid.viewport().update()

    def select(self, key: str) -> None:
        """Select a component, or the mean, without emitting `chosen`."""
        if self.grid.selected_keys() != [key]:
            self.grid.select(key)

    def visible_range(self) -> tuple[int, int]:
        """Return the first and the last visible component, counted from 1."""
        cell, seen, columns = self.grid.gridSize(), self.grid.viewport(), self.grid.columns()
        top = self.grid.verticalScrollBar().value()
        first = round(top / max(1, cell.height())) * columns
        rows_seen = max(1, (seen.height() + cell.height() // 2) // max(1, cell.height()))
        total = self.grid.faces.rowCount() - 1
        return max(1, min(first, total)), min(first + rows_seen * columns - 1, total)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw_bar()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._laid_out.start()
        return super().eventFilter(watched, event)

    def _draw_bar(self) -> None:
        roomy = self.width() > theme.pixels(_ROOMY)
        brighter = "brighter than the mean" if roomy else "brighter"
        self._bar.set_scale("signed" if self._signed else "grey", "darker", brighter)

    def _report_range(self) -> None:
        if self._space is None:
            return
        first, last = self.visible_range()
        seen = f"Components {first}–{last}" if last > first else f"Component {first}"
        self.set_title(f"{seen} of {len(self._space)}")


class ComponentInspector(QWidget):
    """The selected component, and the faces at its two ends."""

    face_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[object, ...] = ()
        self._title = label("Component 1", "heading")
        self.facts = Facts()
        self._picture = FaceView("Eigenface", _LARGE)
        self._mean = FaceView("Mean", _LARGE)
        self.strip = [FaceView(_sigma(step), _SMALL) for step in STEPS]
        self.lowest = FaceRow("Faces with the lowest scores", _SMALL)
        self.highest = FaceRow("Faces with the highest scores", _SMALL)
        for row in (self.lowest, self.highest):
            row.chosen.connect(self.face_chosen)
        self._ends = QWidget()
        self._facts = QWidget()
        self.nothing = label("Train to see the components.", "secondary", wrap=True)
        inside = QWidget()
        inside.setAccessibleName("Inspector")
        in_column(self.nothing, self._facts, STRETCH, inside=inside, margins=(14, 14, 14, 14))
        in_column(
            self._title,
            _side_by_side([self._picture, self._mean], 8),
            self.facts,
            self._ends,
            inside=self._facts,
            spacing=10,
        )
        self._lay_out_ends()
        in_column(PageScroll(inside, "panel"), inside=self)
        self.show_nothing()

    def _lay_out_ends(self) -> None:
        in_column(
            label("The mean moved by −3σ … +3σ", "caption", wrap=True),
            _side_by_side(self.strip, 6),
            *(Gap(4), label("Lowest scores", "caption"), self.lowest),
            *(Gap(4), label("Highest scores", "caption"), self.highest),
            inside=self._ends,
            spacing=6,
            margins=(0, 4, 0, 0),
        )

    def show_nothing(self) -> None:
        """Show that nothing is trained."""
        self._shown = ()
        self._facts.hide()
        self.nothing.show()

    def show_component(self, gallery: Gallery, component: int, signed: bool) -> None:
        """Show one component, counted from 0."""
        training = gallery.trained
        if (wanted := (training, component, signed)) == self._shown:
            return
        self._show(wanted)
        space = training.space
        self._title.setText(f"Component {component + 1}")
        self._picture.setVisible(True)
        self._picture.set_image(component_image(space, component, signed))
        self._mean.set_image(grey_image(to_grey(space.mean, space)))
        deviation = float(np.sqrt(space.variances[component]))
        self.facts.set_rows(
            [
                ("Variance explained", f"{100 * space.variance_ratio[component]:.3g} %"),
                ("Singular value", f"{space.singular_values[component]:.4g}"),
                ("Std. deviation of scores, σ", f"{deviation:.4g}"),
            ]
        )
        for view, step in zip(self.strip, STEPS, strict=True):
            view.set_image(grey_image(along(space, component, step)))
        scores = training.coordinates[:, component] / max(deviation, 1e-12)
        order = np.argsort(scores, kind="stable")
        count = max(1, min(_ENDS, len(order) // 2))
        self.lowest.show_faces(_faces(gallery, order[:count], scores))
        self.highest.show_faces(_faces(gallery, order[::-1][:count], scores))
        self._ends.setVisible(True)

    def show_mean(self, training: Training) -> None:
        """Show the mean face, and figures of all components together."""
        if (wanted := (training,)) == self._shown:
            return
        self._show(wanted)
        space = training.space
        self._title.setText("Mean face")
        self._picture.setVisible(False)
        self._ends.setVisible(False)
        self._mean.set_image(grey_image(to_grey(space.mean, space)))
        self.facts.set_rows(
            [
                ("Photos averaged", f"{space.count:,}"),
                ("Components", f"{len(space):,}"),
                ("Total variance", f"{space.total_variance:.4g}"),
            ]
        )

    def _show(self, wanted: tuple[object, ...]) -> None:
        self._shown = wanted
        self.nothing.hide()
        self._facts.show()

    def mark(self, photo: str | None) -> None:
        """Mark the selected face, if it is among those shown."""
        for row in (self.lowest, self.highest):
            keys = [photo] if photo and row.faces.row_of(photo) >= 0 else []
            if row.selected_keys() != keys:
                row.select(*keys)


def _faces(gallery: Gallery, rows: np.ndarray, scores: np.ndarray) -> list[Face]:
    faces = []
    for row in rows:
        photo, image = gallery.index.photos[row], gallery.faces.image(row)
        person, score = photo.person or "Nobody named", _sigma(float(scores[row]))
        faces.append(Face(photo.key, image, score, person, accessible=f"{person}, score {score}"))
    return faces


def _sigma(deviations: float) -> str:
    if deviations == 0:
        return "0"
    number = f"{abs(deviations):.0f}" if deviations == int(deviations) else f"{abs(deviations):.1f}"
    return f"{'+' if deviations > 0 else '−'}{number}σ"


def _side_by_side(widgets: list[FaceView], spacing: int) -> QHBoxLayout:
    return in_row(*widgets, STRETCH, spacing=spacing, margins=(3, 0, 0, 0))


class EigenfacesPage(Page):
    """Shows all components of the face space; here the number of them to compare is chosen."""

    key = "eigenfaces"
    title = "Eigenfaces"
    icon = "eigenfaces"
    needs_training = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._space: FaceSpace | None = None
        self._mean_chosen = False
        self._component = 0
        self._signed = Segmented(["Signed colour", "Grey"], name="Colours of the components")
        self._signed.changed.connect(self._refresh)
        self._export = Button("Export…", "export")
        self._export.clicked.connect(self.export)
        self.components = ComponentGrid()
        self.components.chosen.connect(self._choose)
        self.choice = ComponentChoice()
        self.choice.moved.connect(lambda: self.components.set_kept(self.choice.k))
        self.choice.settled.connect(self._settle)
        self.choice.share_chosen.connect(self._keep_share)
        self.spectrum = PlotView(Axis("component"), Axis("singular value"))
        self.spectrum.setMinimumHeight(110)
        self._log = Segmented(["Linear", "Log"], name="Axis of the spectrum")
        self._log.changed.connect(self._draw_spectrum)
        self._spectrum_card = Card("Singular values")
        self._spectrum_card.add_to_heading(self._log)
        self._spectrum_card.body.addWidget(self.spectrum)
        self.inspector: ComponentInspector = ComponentInspector()
        self.inspector.face_chosen.connect(session.select)
        self._lay_out()

    def _lay_out(self) -> None:
        header = PageHeader(
            self.title, "The mean face and the directions in which these faces differ most"
        )
        header.add_action(self._signed)
        header.add_action(self._export)
        column = in_column(header, inside=self.content, spacing=12)
        cards = QGridLayout()
        cards.setSpacing(12)
        cards.setColumnStretch(0, 2)
        cards.setColumnStretch(1, 1)
        cards.setRowStretch(0, 11)
        cards.setRowStretch(1, 9)
        cards.addWidget(self.components, 0, 0, 2, 1)
        cards.addWidget(self.choice, 0, 1)
        cards.addWidget(self._spectrum_card, 1, 1)
        column.addLayout(cards, 1)

    def export(self) -> None:
        training, number = self.session.gallery.training, self._component + 1
        if training is None:
            self.session.say("There is nothing to export before training.")
            return
        space, signed = training.space, self._signed.current == 0
        picture = f"component {number:03} (limit {component_limit(space):.3g}).png"
        component = partial(write_component, space, self._component, signed)
        plots = [
            (
                f"Plot of the {name} {words}…",
                f"{name}.{suffix}",
                save_now,
                partial(save_plot, plot, suffix),
            )
            for name, plot in (
                ("variance kept", self.choice.chart),
                ("singular values", self.spectrum),
            )
            for words, suffix in PLOT_FILES
        ]
        values = partial(write_values, space)
        menu = QMenu("Export", self)
        for words, file, save, write in (
            (f"Component {number} as a picture…", picture, save_in_thread, component),
            ("Singular values as a table…", "singular values.csv", save_in_thread, values),
            *plots,
        ):
            menu.addAction(words).triggered.connect(partial(save, self.session, self, file, write))
        open_below(self._export, menu)

    def _refresh_shown(self) -> None:
        super()._refresh_shown()
        if not self.is_ready:
            self.inspector.show_nothing()

    def _refresh(self) -> None:
        gallery = self.session.gallery
        if gallery.training is None:
            return
        training, signed = gallery.training, self._signed.current == 0
        self.components.show_space(training.space, signed)
        if training.space is not self._space:
            self._space = training.space
            self.choice.show_space(training.space)
            self._draw_spectrum()
        self.choice.show_rule(gallery.recipe, gallery.shown_k)
        self.components.set_kept(gallery.shown_k)
        self._component = min(self._component, len(training.space) - 1)
        if self._mean_chosen:
            self.inspector.show_mean(training)
        else:
            self.inspector.show_component(gallery, self._component, signed)
        self.components.select(MEAN if self._mean_chosen else str(self._component))
        self.inspector.mark(self.session.photo)

    def _choose(self, key: str) -> None:
        self._mean_chosen = key == MEAN
        if not self._mean_chosen:
            self._component = int(key)
        self._refresh()

    def _settle(self) -> None:
        k = self.choice.k
        self._keep(f"k = {k}", k)

    def _keep_share(self, share: float) -> None:
        self._keep(f"{100 * share:.0f} % of the variance", share)

    def _keep(self, title: str, components: int | float) -> None:
        """Save how many components are compared; if that fails, show the saved number."""
        if self.session.gallery.training is None:
            return  # the project was closed while k was still being tried
        recipe = self.session.gallery.recipe
        if recipe.features.LEARNT_OUTSIDE:
            self.session.say(f"{recipe.name} compares all of its numbers: k is for looking only.")
            return
        now = recipe.matcher.components
        unchanged = components == now and type(components) is type(now)
        if unchanged or not self.session.apply(
            title, lambda g: g.with_recipe(g.recipe.changed(components=components))
        ):
            self._refresh()

    def _draw_spectrum(self) -> None:
        if self._space is not None:
            bars = Bars({"": self._space.singular_values[:_SPECTRUM]})
            y = Axis("singular value", log=self._log.current == 1)
            self.spectrum.show_marks([bars], y=y)


def write_component(space: FaceSpace, component: int, signed: bool, path: Path) -> None:
    """Write one component as PNG; its limit is in the file's description."""
    limit = component_limit(space)
    high, low = ("red", "blue") if signed else ("white", "black")
    words = PngInfo()
    words.add_text(
        "Description",
        f"Component {component + 1}: {high} is +{limit:.4g} and above, {low} is -{limit:.4g} "
        "and below",
    )
    picture = rgb_array(component_image(space, component, signed))
    Image.fromarray(picture).save(path, "PNG", pnginfo=words)


def write_values(space: FaceSpace, path: Path) -> None:
    """Write one line for each component: singular value, variance, share, cumulative share."""
    together = space.kept
    columns = (space.singular_values, space.variances, space.variance_ratio, together)
    heading = ("component", "singular_value", "variance", "variance_ratio", "cumulative_ratio")
    rows = ([number, *values] for number, values in enumerate(zip(*columns, strict=True), 1))
    path.write_text(as_table(heading, rows), "utf-8", newline="")
