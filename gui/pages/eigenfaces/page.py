"""The Eigenfaces page: the mean face, the components, and how many to keep."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from PySide6.QtWidgets import QGridLayout, QMenu

from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import as_table
from gui.pages.eigenfaces.choice import ComponentChoice
from gui.pages.eigenfaces.grid import MEAN, ComponentGrid
from gui.pages.eigenfaces.inspector import ComponentInspector
from gui.pages.eigenfaces.pictures import component_image, component_limit
from gui.plots import PLOT_FILES, Bars, PlotView, save_plot
from gui.state.session import Session
from gui.style.images import rgb_array
from gui.widgets.boxes import in_column
from gui.widgets.cards import Card, PageHeader
from gui.widgets.controls import Button, Segmented, open_below
from gui.widgets.page import Page
from gui.widgets.saving import save_in_thread, save_now

_SPECTRUM = 60  # singular values drawn


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
        self.spectrum = PlotView("component", "singular value")
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
            self.spectrum.set_scales("linear", "log" if self._log.current else "linear")
            self.spectrum.show_marks([Bars({"": self._space.singular_values[:_SPECTRUM]})])


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
