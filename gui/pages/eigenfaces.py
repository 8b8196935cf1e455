"""The Eigenfaces page: the mean face, the components, and how many of them to keep."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from eigenfaces.faces.identity import FaceId
from eigenfaces.files import write_table
from eigenfaces.laboratory.synthesis import SyntheticFace
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.space.arrays import Doubles
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import percent
from ..plots.axes import Axis
from ..plots.canvas import install_context_menu
from ..plots.marks import Bars, curve_over_k
from ..plots.plot import PlotView
from ..state.session import Session
from ..style import theme
from ..style.images import grey_image, rgb_array, signed_image
from ..widgets.bars import ColourBar
from ..widgets.box_layouts import STRETCH, Gap, add_parts, in_column, in_row
from ..widgets.cards import Card, PageHeader, PageScroll
from ..widgets.controls import Button, Segmented, open_at, open_below
from ..widgets.face_list import FaceDelegate, FaceGrid, FaceItem, FaceListView, FaceRow
from ..widgets.face_menu import add_face_actions
from ..widgets.face_view import FacesInRow, FaceView
from ..widgets.hall import Hall, HallSlider
from ..widgets.labels import ElidedLabel, Facts, label
from ..widgets.page import NOTHING_YET, Page
from ..widgets.saving import add_exports

PRESETS = (0.80, 0.90, 0.95, 0.99)
MEAN_KEY = "mean"
DEVIATION_STEPS = (-3, -1, 0, 1, 3)
_SPECTRUM = 60  # singular values drawn
_PICTURE = QSize(72, 88)
_VEIL = 0.66
_ENDS = 5  # faces shown at each end of a component
_LARGE, _SMALL = QSize(108, 132), QSize(38, 46)
_SCALE = (
    "From −3/√d to +3/√d, where d is the number of pixels: three times the root mean square of a "
    "component, which has length 1. All components share this scale."
)


def component_image(space: FaceSpace, component: int, signed: bool) -> QImage:
    """Return an image of a component: grey or, if ``signed``, red (brighter) and blue (darker).

    The colours span ±3 / √d, where d is the number of pixels: three times the root mean square
    of a component, which has unit length. All components are therefore on the same scale.
    """
    values = space.components[component].reshape(space.shape)
    limit = 3 / math.sqrt(space.mean.size)
    return signed_image(values, limit) if signed else grey_image(0.5 + values / (2 * limit))


class ComponentChoice(Card):
    """Card for choosing k, by dragging a line on the cumulative variance curve or with a preset.

    ``previewed``: k (int) while the line is dragged; ``chosen``: k or a preset share (float).
    """

    previewed = Signal(int)
    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("How many?", "drag the line")
        self.k, self._variance_kept = 0, np.zeros(1)
        self.chart = PlotView(Axis(), Axis())
        self.chart.setMinimumHeight(120)
        self.chart.line_moved.connect(self._preview_k)
        self.chart.released.connect(lambda: self.chosen.emit(self.k))
        self._rule = ElidedLabel("", "caption", Qt.TextElideMode.ElideRight)
        self.presets: dict[float, Button] = {}
        for share in PRESETS:
            words = f"{100 * share:.0f} %"
            button = Button(words, name=f"Keep {words} of the variance", role="preset")
            button.setCheckable(True)
            button.clicked.connect(lambda *_, share=share: self.chosen.emit(share))
            self.presets[share] = button
        group = QFrame()
        group.setProperty("role", "segments")
        group.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        in_row(*self.presets.values(), inside=group, spacing=0, margins=(1, 1, 1, 1))
        add_parts(self.body, (self.chart, 1), in_row(group, STRETCH), self._rule)

    def show_space(self, space: FaceSpace) -> None:
        """Draw the cumulative variance curve of a face space."""
        self._variance_kept = np.minimum(np.concatenate([[0.0], space.variance_kept]), 1.0)
        self.chart.show_marks(*curve_over_k("variance kept", self._variance_kept))
        for share, button in self.presets.items():
            button.setEnabled(space.fewest_for(share) is not None)

    def show_rule(self, recipe: Recipe, k: int) -> None:
        """Show the saved rule for k and the resulting value."""
        wish, words = recipe.shown_components, ""
        if isinstance(wish, float):
            words = f"{100 * wish:.4g} % of the variance: k = {k}"
        elif wish > k:
            words = f"You asked for {wish}; there are only {k}."
        self._show(k, words)
        for share, button in self.presets.items():
            button.setChecked(isinstance(wish, float) and abs(wish - share) < 1e-9)

    def _show(self, k: int, words: str = "") -> None:
        self.k, share = k, f"{100 * self._variance_kept[k]:.1f} %"
        self.chart.move_line(k, f"k = {k} · {share}")
        self._rule.set_full_text(words or f"Fixed: k = {k} keeps {share}")

    def _preview_k(self, k: int) -> None:
        """Show a value of k that has not been saved yet."""
        self._show(max(1, k))
        for button in self.presets.values():
            button.setChecked(False)
        self.previewed.emit(self.k)


class _KeptDelegate(FaceDelegate):
    """Delegate that fades the components that are not kept."""

    k = 0

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        if index.row() > self.k and not option.state & QStyle.StateFlag.State_Selected:
            veil, cell = QColor(theme.tokens().surface), QRectF(option.rect)
            veil.setAlphaF(_VEIL)
            cell.setHeight(self.picture.height() + 10)
            painter.fillRect(cell, veil)


class ComponentGrid(Card):
    """Card with the mean face and the components; all but the first k are faded."""

    chosen = Signal(object)  # the number of a component from 0, or MEAN_KEY

    def __init__(self) -> None:
        super().__init__("Components")
        self._content: tuple[FaceSpace, bool] | None = None
        self.cells = _KeptDelegate(_PICTURE, subcaption=True)
        self.grid = FaceGrid("Mean face and components", cells=self.cells)
        self.grid.setMinimumHeight(theme.pixels(150))
        self.grid.chosen.connect(self.chosen)
        self._beyond = label("", "caption")
        self._bar = ColourBar()
        self._bar.setToolTip(_SCALE)
        foot = in_row(self._beyond, STRETCH, self._bar, spacing=12)
        add_parts(self.body, (self.grid, 1), foot)

    def show_space(self, space: FaceSpace, signed: bool) -> None:
        """Show the components of a face space, in colour if ``signed`` and otherwise in grey."""
        if (space, signed) == self._content:
            return
        another = self._content is None or self._content[0] is not space
        self._content = space, signed
        ratios = space.variance_ratio.tolist()
        shares = [percent(ratio) if ratio >= 0.0005 else "<0.1 %" for ratio in ratios]
        mean = FaceItem(MEAN_KEY, np.clip(space.mean, 0, 1).reshape(space.shape), "Mean face")
        components = [
            FaceItem(
                str(number),
                partial(component_image, space, number, signed),
                str(number + 1),
                share,
                accessible=f"Component {number + 1}, {share} of the variance",
            )
            for number, share in enumerate(shares)
        ]
        self.grid.show_faces([mean, *components])
        if another:
            self.grid.scrollToTop()
        self._bar.set_scale("signed" if signed else "grey", "darker", "brighter than the mean")
        self.set_note(f"{len(space):,}")

    def show_k(self, k: int) -> None:
        """Fade all but the first k components."""
        faded = self.grid.faces.rowCount() - 1 > k
        self._beyond.setText(f"Faded: k > {k}" if faded else "All are kept")
        if k != self.cells.k:
            self.cells.k = k
            self.grid.viewport().update()


class ComponentInspector(QWidget):
    """Panel with the mean face, or with a component and the faces with the most extreme scores."""

    face_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._content: tuple[object, ...] = ()
        self._title = label("", "heading")
        self.facts = Facts()
        self._picture, self._mean = FaceView("Eigenface", _LARGE), FaceView("Mean", _LARGE)
        self.strip = [FaceView(_sigma_text(step), _SMALL) for step in DEVIATION_STEPS]
        self.lowest = FaceRow("Faces with the lowest scores", _SMALL.height())
        self.highest = FaceRow("Faces with the highest scores", _SMALL.height())
        for row in (self.lowest, self.highest):
            row.chosen.connect(self.face_chosen)
        self.nothing = label("Train to see the components.", "secondary", wrap=True)
        self._ends, self._facts, inside = QWidget(), QWidget(), QWidget()
        in_column(
            label("The mean moved by −3σ … +3σ", "caption", wrap=True),
            in_row(*self.strip, STRETCH, spacing=5, margins=(3, 0, 0, 0)),
            *(Gap(4), label("Lowest scores", "caption"), self.lowest),
            *(Gap(4), label("Highest scores", "caption"), self.highest),
            inside=self._ends,
            spacing=6,
            margins=(0, 4, 0, 0),
        )
        pair = in_row(self._picture, self._mean, STRETCH, spacing=8, margins=(3, 0, 0, 0))
        in_column(self._title, pair, self.facts, self._ends, inside=self._facts, spacing=10)
        inside.setAccessibleName("Details")
        in_column(self.nothing, self._facts, STRETCH, inside=inside, margins=(14, 14, 14, 14))
        in_column(PageScroll(inside, "panel"), inside=self)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Show that there are no components until the gallery is trained."""
        self._content = ()
        self._facts.hide()
        self.nothing.show()

    def show_component(self, gallery: Gallery, component: int | None, signed: bool) -> None:
        """Show a component, counted from 0, or the mean face (None)."""
        training = gallery.trained
        content, space = (training, component, signed), training.space
        if content == self._content:
            return
        self._content = content
        self.nothing.hide()
        self._facts.show()
        for part in (self._picture, self._ends):
            part.setVisible(component is not None)
        self._mean.set_image(grey_image(space.mean.reshape(space.shape)))
        if component is None:
            self._title.setText("Mean face")
            values = f"{space.count:,}", f"{len(space):,}", f"{space.total_variance:.4g}"
            names = "Photos averaged", "Components", "Total variance"
            self.facts.set_rows(zip(names, values, strict=True))
            return
        deviation = float(np.sqrt(space.variances[component]))
        facts = {
            "Variance explained": f"{100 * space.variance_ratio[component]:.3g} %",
            "Singular value": f"{space.singular_values[component]:.4g}",
            "Std. deviation of scores, σ": f"{deviation:.4g}",
        }
        self._title.setText(f"Component {component + 1}")
        self.facts.set_rows(facts.items())
        self._picture.set_image(component_image(space, component, signed))
        mean = SyntheticFace.mean(space)
        for view, step in zip(self.strip, DEVIATION_STEPS, strict=True):
            view.set_image(grey_image(mean.moved(component, step).pixels))
        scores: Doubles = training.coordinates[:, component].astype(float) / max(deviation, 1e-12)
        order = np.argsort(scores, kind="stable")
        few = max(1, min(_ENDS, len(order) // 2))
        for row, end in ((self.lowest, order[:few]), (self.highest, order[::-1][:few])):
            faces = list[FaceItem]()
            for at in end.tolist():
                photo, score = gallery.index.photos[at], _sigma_text(float(scores[at]))
                person, image = photo.person or "Unnamed", gallery.faces.image(at)
                words = f"{person}, score {score}"
                faces.append(FaceItem(photo.id, image, score, person, accessible=words))
            row.show_faces(faces)

    def mark(self, photo: FaceId | None) -> None:
        """Mark the selected face if it is among those with the lowest or highest scores."""
        for row in (self.lowest, self.highest):
            keys = [photo] if photo and row.faces.row_of(photo) >= 0 else []
            if row.selected_keys() != keys:
                row.select(*keys)


def _sigma_text(deviations: float) -> str:
    if deviations == 0:
        return "0"
    number = f"{abs(deviations):.0f}" if deviations == int(deviations) else f"{abs(deviations):.1f}"
    return f"{'+' if deviations > 0 else '−'}{number}σ"


class EigenfacesHall(Hall):
    """Full-screen view of a component, with the mean face moved along it in both directions.

    ``chosen``: the user chose this component with the slider. Components are counted from 0.
    """

    chosen = Signal(int)

    def __init__(self, number: int, *, signed: bool) -> None:
        self.faces, self._signed, figure = FacesInRow(*_large_views()), signed, QWidget()
        scale = ColourBar("signed" if signed else "grey", "darker", "brighter than the mean")
        parts = ((self.faces, 1), (scale, 0, Qt.AlignmentFlag.AlignHCenter))
        in_column(*parts, inside=figure, spacing=4)
        super().__init__(figure)
        self.show_title("Eigenfaces")
        slider = HallSlider("Component", number, str, first=1)
        slider.moved.connect(lambda place: self.chosen.emit(place - 1))
        self.set_slider(slider)
        self._slider = slider

    def show_component(self, space: FaceSpace, component: int) -> None:
        """Show a component, counted from 0."""
        mean, share = SyntheticFace.mean(space), percent(space.variance_ratio[component])
        lower, eigenface, upper = self.faces.views
        for view, step in ((lower, DEVIATION_STEPS[0]), (upper, DEVIATION_STEPS[-1])):
            view.set_image(grey_image(mean.moved(component, step).pixels))
            view.set_caption(f"The mean moved by {_sigma_text(step)}")
        eigenface.set_image(component_image(space, component, self._signed))
        eigenface.set_caption(f"Component {component + 1}")
        self.faces.arrange()
        self._slider.show_place(component + 1)
        kept = percent(space.variance_kept[component])
        words = f"It explains {share} of the variance, and {kept} with the components before it."
        self.show_words(words)


def _large_views() -> list[FaceView]:
    return [FaceView("", grows=True) for _ in range(3)]


class EigenfacesPage(Page):
    """Page for viewing all components of the face space and choosing how many to compare."""

    key = "eigenfaces"
    title = "Eigenfaces"
    icon = "eigenfaces"
    needs_training = needs_pictures = True

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._space: FaceSpace | None = None
        self._component: int | None = 0  # None: the mean
        self._hall: EigenfacesHall | None = None
        self._colours = Segmented(["Signed colour", "Grey"], name="Component colours")
        self._colours.changed.connect(self._refresh)
        self._export = Button("Export…", "export")
        self._export.clicked.connect(self.export)
        self.components, self.choice = ComponentGrid(), ComponentChoice()
        self.components.chosen.connect(self._select)
        self.choice.previewed.connect(self.components.show_k)
        self.choice.chosen.connect(self._set_components)
        self.spectrum = PlotView(Axis("component"), Axis("singular value"))
        self.spectrum.setMinimumHeight(110)
        self.inspector: ComponentInspector = ComponentInspector()
        self.inspector.face_chosen.connect(session.select)
        install_context_menu(self.choice.chart, session, "variance kept")
        install_context_menu(self.spectrum, session, "singular values")
        for faces in (self.components.grid, self.inspector.lowest, self.inspector.highest):
            faces.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            faces.customContextMenuRequested.connect(partial(self._open_menu, faces))
        about = "The mean face and the directions in which these faces differ most"
        header = PageHeader(self.title, about, self._colours, self._export, self.details)
        spectrum, cards = Card("Singular values"), QGridLayout()
        spectrum.body.addWidget(self.spectrum)
        cards.setSpacing(12)
        for at, (wide, high) in enumerate(((2, 11), (1, 9))):
            cards.setColumnStretch(at, wide)
            cards.setRowStretch(at, high)
        cards.addWidget(self.components, 0, 0, 2, 1)
        cards.addWidget(self.choice, 0, 1)
        cards.addWidget(spectrum, 1, 1)
        in_column(header, (cards, 1), inside=self.content, spacing=12)

    # Display

    @property
    def signed(self) -> bool:
        """Whether components are shown in colour."""
        return self._colours.current == 0

    def _clear(self) -> None:
        self._space = None
        self.inspector.show_nothing()

    def _refresh(self) -> None:
        gallery = self.session.gallery
        space = gallery.trained.space
        self.components.show_space(space, self.signed)
        if space is not self._space:
            self._space = space
            self.choice.show_space(space)
            self.spectrum.show_marks([Bars({"": space.singular_values[:_SPECTRUM]})])
        self.choice.show_rule(gallery.recipe, gallery.face_space_k)
        self.components.show_k(gallery.face_space_k)
        if self._component is not None:
            self._component = min(self._component, len(space) - 1)
        self.inspector.show_component(gallery, self._component, self.signed)
        key = MEAN_KEY if self._component is None else str(self._component)
        if self.components.grid.selected_keys() != [key]:
            self.components.grid.select(key)
        self.inspector.mark(self.session.photo)
        if self._hall is not None:
            self._hall.show_component(space, self._component or 0)

    def open_hall(self) -> EigenfacesHall | None:
        if self._space is None:
            return None
        hall = self._hall = EigenfacesHall(len(self._space), signed=self.signed)
        hall.chosen.connect(lambda component: self._select(str(component)))
        hall.show_component(self._space, self._component or 0)
        return hall

    def close_hall(self) -> None:
        self._hall = None

    # Actions

    def _select(self, key: str) -> None:
        self._component = None if key == MEAN_KEY else int(key)
        self._refresh()

    def _set_components(self, components: int | float) -> None:
        """Save the number of components or share of variance; on failure, show the saved value."""
        if self.session.gallery.training is None:
            return  # the project was closed while another k was previewed
        recipe = self.session.gallery.recipe
        if recipe.features.PRETRAINED:
            self.session.show_message(
                f"{recipe.name} always compares all its numbers: k changes only what you see here."
            )
            return
        now, share = recipe.matcher.components, isinstance(components, float)
        title = f"{100 * components:.0f} % of the variance" if share else f"k = {components}"
        unchanged = components == now and type(components) is type(now)
        if unchanged or not self.session.apply(
            title, lambda g: g.with_recipe(g.recipe.changed(components=components))
        ):
            self._refresh()

    def export(self) -> None:
        if (space := self._space) is None:
            self.session.show_message(NOTHING_YET)
            return
        menu = QMenu("Export", self)
        self._add_picture(menu)
        table = "Singular values as a table…", "singular values.csv", partial(write_values, space)
        add_exports(menu, self.session, self, [table])
        open_below(self._export, menu)

    def _add_picture(self, menu: QMenu) -> QImage:
        """Add a menu entry that saves the selected component or mean face; return the picture."""
        space, number = self.session.gallery.trained.space, self._component
        words, name = "Mean face", "mean face.png"
        image = grey_image(space.mean.reshape(space.shape))
        if number is not None:
            words, name = f"Component {number + 1}", f"component {number + 1:03}.png"
            image = component_image(space, number, self.signed)
        picture = f"{words} as a picture…", name, partial(write_picture, image)
        add_exports(menu, self.session, self, [picture])
        return image

    def _open_menu(self, faces: FaceListView, place: QPoint) -> None:
        """Select the component or face under the pointer, and open its context menu."""
        if not (index := faces.indexAt(place)).isValid():
            return
        menu = QMenu(self)
        faces.chosen.emit(faces.faces.keys[index.row()])
        if faces is self.components.grid:
            copy = partial(QGuiApplication.clipboard().setImage, self._add_picture(menu))
            menu.addAction("Copy picture").triggered.connect(copy)
        else:
            add_face_actions(menu, self.session, faces.faces.keys[index.row()])
        open_at(menu, faces.viewport().mapToGlobal(place))


def write_picture(picture: QImage, path: Path) -> None:
    """Write a picture to a PNG file."""
    Image.fromarray(rgb_array(picture)).save(path, "PNG")


def write_values(space: FaceSpace, path: Path) -> None:
    """Write a table of components with singular value, variance, share and cumulative share."""
    columns = (space.singular_values, space.variances, space.variance_ratio, space.variance_kept)
    heading = ("component", "singular_value", "variance", "variance_ratio", "cumulative_ratio")
    rows = ([number, *values] for number, values in enumerate(zip(*columns, strict=True), 1))
    write_table(path, heading, rows)
