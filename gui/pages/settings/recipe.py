"""The card of the recipe: how faces are compared, every choice with its formula."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, QTimer

from eigenfaces.recognition.features import SCALING
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import COMPONENTS, DROPPED, SMOOTHING, WHITENING
from eigenfaces.space.distances import epsilon
from eigenfaces.text import Field
from gui.state.session import Session
from gui.widgets.cards import Banner, Card, SettingRow
from gui.widgets.comparison_bar import ComparisonBar, change_recipe
from gui.widgets.fields import AmountEditor, SegmentEditor, whole_box

_PAUSE = 300  # ms after the last step of a spin box, so that many steps are one change


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
        self.scaling, self.whitening = SegmentEditor(SCALING), SegmentEditor(WHITENING)
        self.components, self.smoothing = AmountEditor(COMPONENTS), AmountEditor(SMOOTHING)
        self.dropped = whole_box(DROPPED)
        self.comparison = ComparisonBar(session)
        self._add_rows()
        self._connect()

    def show_gallery(self, gallery: Gallery) -> None:
        """Show the recipe, and its numbers in this gallery."""
        if gallery is self._shown:
            return
        self._shown, matcher = gallery, gallery.recipe.matcher
        self.scaling.show_value(gallery.recipe.pixels.scaling)
        self.scaling.setEnabled(SCALING in gallery.recipe.fields)
        self.components.show_value(matcher.components)
        self._components_row.explanation.setText(_components_words(gallery))
        with QSignalBlocker(self.dropped):
            self.dropped.setValue(matcher.dropped)
        self.whitening.show_value(matcher.whitening)
        self._whitening_row.explanation.setText(WHITENING.choices[matcher.whitening])
        self.smoothing.show_value(matcher.smoothing)
        self._smoothing_row.setEnabled(matcher.whitening != "none")
        self._smoothing_row.explanation.setText(_smoothing_words(gallery))
        self.comparison.show_recipe(gallery.recipe)
        self._comparison_row.explanation.setText(self.comparison.explanation())

    # Changes

    def _change(self, field: Field, value: object) -> None:
        self._refuse(change_recipe(self._session, field, **{field.name: value}))

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

    def _change_amount(self, editor: AmountEditor) -> None:
        self._change(editor.field, editor.value())

    def _change_to_count(self) -> None:
        """Change between share and count, starting with the count of the share."""
        gallery = self._session.gallery
        if not self.components.is_share and gallery.training is not None:
            self.components.begin(gallery.k)
        self._change_amount(self.components)

    def _change_to_share(self) -> None:
        """Change between share and value, starting with the same ε as far as the boxes allow."""
        gallery = self._session.gallery
        if gallery.training is not None:
            variances = gallery.training.representation.variances[: gallery.k]
            smooth = epsilon(gallery.recipe.matcher.smoothing, variances)
            self.smoothing.begin(smooth, 100 * smooth / float(variances.mean()))
        self._change_amount(self.smoothing)

    def _connect(self) -> None:
        for editor in (self.scaling, self.whitening):
            editor.changed.connect(lambda of=editor: self._change(of.field, of.value()))
        self.components.kind_changed.connect(self._change_to_count)
        self.smoothing.kind_changed.connect(self._change_to_share)
        for amount in (self.components, self.smoothing):
            amount.changed.connect(lambda of=amount: self._later(lambda: self._change_amount(of)))
        self.dropped.valueChanged.connect(
            lambda: self._later(lambda: self._change(DROPPED, self.dropped.value()))
        )
        self.comparison.refused.connect(self._refuse)

    # Layout

    def _add_rows(self) -> None:
        self._components_row = SettingRow(COMPONENTS.label, "", self.components)
        self._whitening_row = SettingRow(WHITENING.label, "", self.whitening)
        self._smoothing_row = SettingRow(SMOOTHING.label, "", self.smoothing)
        self._comparison_row = SettingRow("Distance and rule", "", self.comparison)
        kinds = " ".join(f"{SCALING.title(name)}: {said}" for name, said in SCALING.choices.items())
        self.body.setSpacing(16)
        for row in (
            self.refusal,
            SettingRow(SCALING.label, f"{kinds} Another kind needs training anew.", self.scaling),
            self._components_row,
            SettingRow(DROPPED.label, DROPPED.why, self.dropped),
            self._whitening_row,
            self._smoothing_row,
            self._comparison_row,
        ):
            self.body.addWidget(row)
        self.body.addStretch(1)


def _components_words(gallery: Gallery) -> str:
    """Return the number of components in words."""
    text = COMPONENTS.why
    if gallery.training is None:
        return f"{text} Train to see how many that is."
    space, k = gallery.training.representation, gallery.k
    kept = 100 * float(space.kept[k - 1])
    return f"{text} Here k = {k} of {len(space)}; they keep {kept:.1f} % of the variance."


def _smoothing_words(gallery: Gallery) -> str:
    """Return what ε is measured against, and the value of a share."""
    text, smoothing = SMOOTHING.why, gallery.recipe.matcher.smoothing
    if gallery.training is None:
        return text
    variances = gallery.training.representation.variances[: gallery.k]
    text += f" Here λ falls from {variances[0]:.4g} to {variances[-1]:.4g}"
    text += f", on average {variances.mean():.4g}"
    share = isinstance(smoothing, str)
    return f"{text}; ε = {epsilon(smoothing, variances):.4g}." if share else f"{text}."
