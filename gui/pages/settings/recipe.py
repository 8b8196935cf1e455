"""The card of the recipe: how faces are compared, every choice with its formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox

from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import (
    MOST_COUNTED,
    MOST_SHARE,
    MOST_SMOOTHING,
    Recipe,
    Scaling,
    Whitening,
)
from eigenfaces.space.whitening import Smoothing, epsilon, percentage
from gui.pages.settings.rows import SettingRow, name_spin_box
from gui.state.session import Session
from gui.widgets.cards import Banner, Card
from gui.widgets.comparison_bar import ComparisonBar, change_recipe
from gui.widgets.controls import Segmented

_SCALINGS: tuple[Scaling, ...] = ("covariance", "correlation")
_WHITENINGS: tuple[Whitening, ...] = ("none", "pca", "zca")
_SHARE, _COUNT = range(2)
_VARIANCE, _OF_MEAN = range(2)
_PAUSE = 300  # ms after the last step of a spin box, so that many steps are one change

_WHITENING_WORDS = (
    "Coordinates are compared as they are: components with much variance count for more.",
    "cᵢ / √(λᵢ + ε): every component counts alike. With many components this makes matching "
    "worse, because those of little variance are mostly noise.",
    "Σ cᵢ / √(λᵢ + ε) · uᵢ: whitened, then turned back into pixels. For L2 and cosine the same "
    "distances as PCA whitening, for the others not.",
)


class RecipeCard(Card):
    """Chooses the recipe after its first step; changes apply at once and can be undone."""

    def __init__(self, session: Session) -> None:
        super().__init__("Recipe", "applies to gallery and probes alike")
        self._session = session
        self._shown: Gallery | None = None
        self._pending: Callable[[], None] | None = None
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE)
        self._soon.timeout.connect(self._run_pending)
        self.refusal = Banner()
        self.refusal.hide()
        self.scaling = Segmented(("Covariance", "Correlation"), name="Kind of principal components")
        self.kind = Segmented(("Share", "Count"), name="Components given as")
        self.share, self.count = QDoubleSpinBox(), QSpinBox()
        self.dropped = QSpinBox()
        self.whitening = Segmented(("None", "PCA", "ZCA"), name="Whitening")
        self.smoothing_kind = Segmented(("Variance", "Share"), name="Smoothing ε given as")
        self.smoothing, self.smoothing_share = QDoubleSpinBox(), QDoubleSpinBox()
        self.comparison = ComparisonBar(session)
        self._set_up_numbers()
        self._add_rows()
        self._connect()

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the recipe, and its numbers in this gallery."""
        if gallery is self._shown:
            return
        self._shown, recipe = gallery, gallery.recipe
        controls = (self.scaling, self.kind, self.share, self.count, self.dropped, self.whitening)
        smoothing = (self.smoothing_kind, self.smoothing, self.smoothing_share)
        blocked = [QSignalBlocker(widget) for widget in (*controls, *smoothing)]
        self.scaling.set_current(_SCALINGS.index(recipe.scaling))
        self._show_components(gallery)
        self.whitening.set_current(_WHITENINGS.index(recipe.whitening))
        self._whitening_row.explanation.setText(
            _WHITENING_WORDS[_WHITENINGS.index(recipe.whitening)]
        )
        self._show_smoothing(gallery)
        self.comparison.show_recipe(recipe)
        self._comparison_row.explanation.setText(self.comparison.explanation())
        del blocked

    def _show_components(self, gallery: Gallery) -> None:
        wanted = gallery.recipe.components
        share = isinstance(wanted, float)
        self.kind.set_current(_SHARE if share else _COUNT)
        self.share.setVisible(share)
        self.count.setVisible(not share)
        (self.share.setValue(100 * wanted) if share else self.count.setValue(int(wanted)))
        self._components_row.explanation.setText(_components_words(gallery))
        self.dropped.setValue(gallery.recipe.dropped)

    def _show_smoothing(self, gallery: Gallery) -> None:
        smoothing = gallery.recipe.smoothing
        share = isinstance(smoothing, str)
        self.smoothing_kind.set_current(_OF_MEAN if share else _VARIANCE)
        self.smoothing_share.setVisible(share)
        self.smoothing.setVisible(not share)
        if isinstance(smoothing, str):
            self.smoothing_share.setValue(percentage(smoothing))
        else:
            self.smoothing.setValue(smoothing)
        self._smoothing_row.setEnabled(gallery.recipe.whitening != "none")
        self._smoothing_row.explanation.setText(_smoothing_words(gallery))

    # Changes

    def _change(self, title: str, change: Callable[[Recipe], Recipe]) -> None:
        self._refuse(change_recipe(self._session, title, change))

    def _refuse(self, sentence: str) -> None:
        """Show why a choice is not possible, and show the recipe again."""
        self.refusal.setVisible(bool(sentence))
        if sentence:
            self.refusal.show_text(sentence, "warn")
        self._shown = None
        self.show_gallery(self._session.gallery)

    def _later(self, act: Callable[[], None]) -> None:
        self._pending = act
        self._soon.start()

    def _run_pending(self) -> None:
        act, self._pending = self._pending, None
        if act is not None:
            act()

    def _change_components(self) -> None:
        gallery = self._session.gallery
        if self.kind.current == _COUNT:
            now = gallery.recipe.components
            k = self.count.value()
            if isinstance(now, float):  # changing to a count: start with the count of that share
                k = gallery.k if gallery.training else k
            self._change("the components", lambda recipe: replace(recipe, components=k))
        else:
            share = round(self.share.value() / 100, 6)
            self._change("the components", lambda recipe: replace(recipe, components=share))

    def _change_dropped(self) -> None:
        dropped = self.dropped.value()
        self._change("the dropped components", lambda recipe: replace(recipe, dropped=dropped))

    def _change_smoothing(self) -> None:
        share = self.smoothing_kind.current == _OF_MEAN
        value: Smoothing = f"{self.smoothing_share.value()}%" if share else self.smoothing.value()
        self._change("the smoothing", lambda recipe: replace(recipe, smoothing=value))

    def _change_smoothing_kind(self) -> None:
        """Change between share and value, starting with the same ε as far as the boxes allow."""
        gallery = self._session.gallery
        if gallery.training is not None:
            variances = gallery.training.space.variances[: gallery.k]
            smooth = epsilon(gallery.recipe.smoothing, variances)
            with QSignalBlocker(self.smoothing), QSignalBlocker(self.smoothing_share):
                self.smoothing.setValue(smooth)
                self.smoothing_share.setValue(100 * smooth / float(variances.mean()))
        self._change_smoothing()

    def _connect(self) -> None:
        self.scaling.changed.connect(
            lambda: self._change(
                "the scaling", lambda r: replace(r, scaling=_SCALINGS[self.scaling.current])
            )
        )
        self.whitening.changed.connect(
            lambda: self._change(
                "the whitening", lambda r: replace(r, whitening=_WHITENINGS[self.whitening.current])
            )
        )
        self.kind.changed.connect(self._change_components)
        for box in (self.share, self.count):
            box.valueChanged.connect(lambda: self._later(self._change_components))
        self.dropped.valueChanged.connect(lambda: self._later(self._change_dropped))
        self.smoothing_kind.changed.connect(self._change_smoothing_kind)
        for box in (self.smoothing, self.smoothing_share):
            box.valueChanged.connect(lambda: self._later(self._change_smoothing))
        self.comparison.refused.connect(self._refuse)

    # Layout

    def _set_up_numbers(self) -> None:
        self.share.setRange(1, 100)
        self.share.setDecimals(1)
        self.share.setSuffix(" %")
        self.count.setRange(1, MOST_COUNTED)
        self.dropped.setRange(0, MOST_COUNTED)
        self.smoothing.setRange(0, MOST_SMOOTHING)
        self.smoothing.setDecimals(3)
        self.smoothing.setSingleStep(0.05)
        self.smoothing_share.setRange(0, MOST_SHARE)
        self.smoothing_share.setDecimals(2)
        self.smoothing_share.setSuffix(" %")
        name_spin_box(self.share, "Share of the variance to keep")
        name_spin_box(self.count, "Number of components")
        name_spin_box(self.dropped, "Leading components to drop")
        name_spin_box(self.smoothing, "Smoothing ε")
        name_spin_box(self.smoothing_share, "Smoothing ε, share of the mean variance kept")

    def _add_rows(self) -> None:
        self._components_row = SettingRow("Components", "", self.kind, self.share, self.count)
        self._whitening_row = SettingRow("Whitening", "", self.whitening)
        smoothing = (self.smoothing_kind, self.smoothing, self.smoothing_share)
        self._smoothing_row = SettingRow("Smoothing ε", "", *smoothing)
        self._comparison_row = SettingRow("Distance and rule", "", self.comparison)
        self.body.setSpacing(16)
        for row in (
            self.refusal,
            SettingRow(
                "Kind of principal components",
                "Covariance: x − m. Correlation: (x − m) / σ, so that pixels that hardly vary "
                "count as much as those that do. Needs training anew.",
                self.scaling,
            ),
            self._components_row,
            SettingRow(
                "Leading components to drop",
                "The first components often hold the light. Without them some distances gain and "
                "others lose: Evaluate measures which.",
                self.dropped,
            ),
            self._whitening_row,
            self._smoothing_row,
            self._comparison_row,
        ):
            self.body.addWidget(row)
        self.body.addStretch(1)


def _components_words(gallery: Gallery) -> str:
    """Return the number of components in words."""
    text = "The first k components are compared: a count, or the fewest that keep this share."
    if gallery.training is None:
        return f"{text} Train to see how many that is."
    space, k = gallery.training.space, gallery.k
    kept = 100 * float(space.variance_ratio[:k].sum())
    return f"{text} Here k = {k} of {len(space)}; they keep {kept:.1f} % of the variance."


def _smoothing_words(gallery: Gallery) -> str:
    """Return what ε is measured against, and the value of a share."""
    text = "ε keeps √(λ + ε) away from 0: a variance (grey² summed over pixels), or a share of the "
    text += "mean λ of the components kept."
    if gallery.training is None:
        return text
    variances, smoothing = gallery.training.space.variances[: gallery.k], gallery.recipe.smoothing
    text += f" Here λ falls from {variances[0]:.4g} to {variances[-1]:.4g}"
    text += f", on average {variances.mean():.4g}"
    share = isinstance(smoothing, str)
    return f"{text}; ε = {epsilon(smoothing, variances):.4g}." if share else f"{text}."
