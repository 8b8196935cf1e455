"""The protocol bar: how faces are split, and which recipe compares them in this run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QSpinBox, QWidget

from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import (
    ENROLLED,
    PARTS,
    REPETITIONS,
    FirstPhotos,
    KFold,
    LeaveOneOut,
    Lists,
    Names,
    NShot,
    OpenSet,
    Protocol,
    read_list,
)
from eigenfaces.evaluation.records import Setting
from eigenfaces.faces.lighting import LIGHTING
from eigenfaces.recognition.calibration import USUAL_SHARE
from eigenfaces.recognition.recipe import COMPONENTS, DISTANCE, DROPPED, RECIPES, Recipe
from gui.state.session import Session
from gui.widgets.cards import Card
from gui.widgets.controls import Button, LinkButton
from gui.widgets.fields import AmountEditor, DropDown, DropDownEditor, name_spin_box, whole_box
from gui.widgets.flow import Flow

LEAVE_ONE_OUT, K_FOLD, N_SHOT, FIRST, OPEN_SET, LISTS = range(6)
_PROTOCOLS = (
    ("Leave one photo out", "Every photo once as the probe, all others enrolled."),
    ("k-fold", "Photos are dealt into parts; each is searched for in the others."),
    ("n photos at random", "So many photos of each person enrolled at random, the others probed."),
    ("First n photos", "The first photos of each person enrolled, the others probed. No chance."),
    ("Open set", "Some people enrolled, the others strangers, drawn at random."),
    ("From lists…", "Text files name the photos of the gallery, the probes, and what to fit to."),
)


class ProtocolBar(Card):
    """Protocol and recipe of the next run; what is rarely used is under “More”."""

    changed = Signal()
    refused = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._recipe = Recipe()  # keeps what the controls do not show
        self._base: Recipe | None = None
        self._lists: dict[str, tuple[str, Names]] = {}
        self.protocol = _combo("Protocol", [words for words, _ in _PROTOCOLS])
        for at, (_, meaning) in enumerate(_PROTOCOLS):
            self.protocol.setItemData(at, meaning, Qt.ItemDataRole.ToolTipRole)
        self.protocol.setCurrentIndex(K_FOLD)
        self.parts = whole_box(PARTS, KFold.parts, with_unit=True)
        self.enrolled = whole_box(ENROLLED, NShot.enrolled, with_unit=True)
        self.strangers = _spin("Share of strangers", (1, 99), round(100 * OpenSet.strangers))
        self.strangers.setSuffix(" % strangers")
        self.share = _spin("Share of strangers named at most", (1, 50), round(100 * USUAL_SHARE))
        self.share.setPrefix("at most ")
        self.share.setSuffix(" % named")
        self.share.setToolTip(
            "Of strangers, so many may be named at most. The limit for that comes from the gallery "
            "of each fold alone; what it reached is stated beside."
        )
        self.repetitions = whole_box(REPETITIONS, NShot.repetitions, with_unit=True)
        self.seed = _spin("Seed of the random draws", (0, 999_999), 0)
        self.seed.setPrefix("seed ")
        self.files = {part: _file_button(part) for part in ("gallery", "probes", "train")}
        self.recipe = _combo("Recipe", list(RECIPES))
        self.distance, self.lighting = DropDownEditor(DISTANCE), DropDownEditor(LIGHTING)
        self.lighting.setItemText(0, "No lighting")
        self.components = AmountEditor(COMPONENTS)
        self.components.number.setValue(100)
        self.dropped = whole_box(DROPPED, with_unit=True)
        self.curves = QCheckBox("Curves for every k")
        self.curves.setAccessibleName("Curves for every k")
        self.curves.setToolTip("Accuracy for every number of components and five distances.")
        self.curves.setChecked(True)
        self.more = LinkButton("More…")
        self.back = LinkButton("As the gallery’s recipe")
        self._lay_out()
        self._connect()

    # The choice

    def setting(self) -> Setting:
        """Return the setting chosen; raise `EigenfacesError` where it is not possible."""
        return Setting(
            self._read_recipe(),
            self._protocol(),
            self.seed.value(),
            self.curves_wanted,
            share=self.share.value() / 100,
        )

    @property
    def curves_wanted(self) -> bool:
        """Whether accuracy is to be measured for every number of components."""
        return self.curves.isChecked()

    def show_gallery(self, recipe: Recipe) -> None:
        """Start with the gallery's recipe; keep what was chosen since."""
        if recipe != self._base:
            self._base = recipe
            self._show_recipe(recipe)
        self._fit()

    def choose(self, protocol: int) -> None:
        """Choose a protocol, as a person does in the list."""
        self.protocol.setCurrentIndex(protocol)
        self._report_change()

    def _protocol(self) -> Protocol:
        seed, enrolled = self.seed.value(), self.enrolled.value()
        match self.protocol.currentIndex():
            case 1:
                return KFold(self.parts.value(), seed)
            case 2:
                return NShot(enrolled, self.repetitions.value(), seed)
            case 3:
                return FirstPhotos(enrolled)
            case 4:
                strangers = self.strangers.value() / 100
                return OpenSet(enrolled, strangers, self.repetitions.value(), seed)
            case 5:
                return self._from_lists()
        return LeaveOneOut()

    def _from_lists(self) -> Lists:
        for part in ("gallery", "probes"):
            if part not in self._lists:
                raise EigenfacesError(
                    f"Choose the text file that names the photos of the {part} first, one a line."
                )
        names = {part: held[1] for part, held in self._lists.items()}
        return Lists(names["gallery"], names["probes"], names.get("train", ()))

    def _read_recipe(self) -> Recipe:
        recipe = self._recipe.changed(
            distance=self.distance.value(),
            components=self.components.value(),
            dropped=self.dropped.value(),
        )
        lit = LIGHTING in recipe.fields
        return recipe.changed(lighting=self.lighting.value()) if lit else recipe

    def _show_recipe(self, recipe: Recipe) -> None:
        self._recipe, matcher = recipe, recipe.matcher
        if self.recipe.findText(recipe.name) < 0:  # one of an own name
            self.recipe.addItem(recipe.name)
        self.recipe.setCurrentText(recipe.name)
        self.distance.show_value(matcher.distance)
        self.components.show_value(matcher.components)
        with QSignalBlocker(self.dropped):
            self.dropped.setValue(matcher.dropped)
        self.lighting.show_value(recipe.pixels.lighting)
        self.lighting.setEnabled(LIGHTING in recipe.fields)

    # Changes

    def _report_change(self) -> None:
        self._fit()
        self.changed.emit()

    def _choose_recipe(self) -> None:
        name = self.recipe.currentText()
        own = self._base if self._base is not None and self._base.name == name else None
        self._show_recipe(own or Recipe.of(name))
        self._report_change()

    def _go_back(self) -> None:
        if self._base is not None:
            self._show_recipe(self._base)
            self._report_change()

    def _open(self, part: str) -> None:
        """Ask for a text file of names."""
        start = str(self._session.settings.last_folder)
        chosen, _ = QFileDialog.getOpenFileName(
            self, f"Names of the {part}", start, "Lists (*.txt *.csv);;All files (*)"
        )
        if chosen:
            self.read(part, Path(chosen))

    def read(self, part: str, path: Path) -> None:
        """Read the names of a part from a text file."""
        try:
            self._lists[part] = path.name, read_list(path)
        except EigenfacesError as error:
            self.refused.emit(str(error))
            return
        self._session.settings.last_folder = path.parent
        self._report_change()

    def _fit(self) -> None:
        """Show the fields that the protocol needs."""
        at = self.protocol.currentIndex()
        self.protocol.setToolTip(_PROTOCOLS[at][1])
        self.parts.setVisible(at == K_FOLD)
        self.enrolled.setVisible(at in (N_SHOT, FIRST, OPEN_SET))
        self.strangers.setVisible(at == OPEN_SET)
        self.share.setVisible(at in (OPEN_SET, LISTS))
        self.repetitions.setVisible(at in (N_SHOT, OPEN_SET))
        for part, button in self.files.items():
            button.setVisible(at == LISTS)
            name = self._lists.get(part, ("",))[0]
            button.setText(name or _FILE_WORDS[part])
        self.components.fit()
        self.back.setVisible(self._base is not None and self._differs())
        self.more.setText("Less" if self._extra.isVisibleTo(self) else self._more_words())
        self.distance.setToolTip(DISTANCE.choices[self.distance.value()])

    def _differs(self) -> bool:
        try:
            return self._read_recipe() != self._base
        except EigenfacesError:
            return True

    def _more_words(self) -> str:
        """Show in the label of “More” what differs there from the default."""
        said = []
        if self.seed.value():
            said.append(f"seed {self.seed.value()}")
        if self.lighting.currentIndex():
            said.append(self.lighting.currentText())
        if self.dropped.value():
            said.append(f"{self.dropped.value()} dropped")
        if not self.curves.isChecked():
            said.append("no curves")
        return f"More ({', '.join(said)})…" if said else "More…"

    def _toggle_more(self) -> None:
        self._extra.setVisible(not self._extra.isVisibleTo(self))
        self._fit()

    def _connect(self) -> None:
        self.protocol.activated.connect(lambda: self._report_change())
        self.recipe.activated.connect(lambda: self._choose_recipe())
        for combo in (self.distance, self.lighting):
            combo.activated.connect(lambda: self._report_change())
        boxes = (self.parts, self.enrolled, self.strangers, self.share, self.repetitions)
        for box in (*boxes, self.seed, self.dropped):
            box.valueChanged.connect(lambda: self._report_change())
        for signal in (self.components.kind_changed, self.components.changed):
            signal.connect(self._report_change)
        self.curves.toggled.connect(lambda: self._report_change())
        self.more.clicked.connect(self._toggle_more)
        self.back.clicked.connect(self._go_back)
        for part, button in self.files.items():
            button.clicked.connect(_opener(self._open, part))

    # Layout

    def _lay_out(self) -> None:
        line = QWidget()
        flow = Flow(line)
        numbers = (self.parts, self.enrolled, self.strangers, self.share, self.repetitions)
        flow.add(self.protocol, *numbers, *self.files.values())
        flow.add(self.recipe, self.distance, self.components, self.more)
        self._extra = QWidget()
        Flow(self._extra).add(self.lighting, self.dropped, self.seed, self.curves, self.back)
        self._extra.hide()
        self.set_padding(12, 9)
        self.body.addWidget(line)
        self.body.addWidget(self._extra)


_FILE_WORDS = {"gallery": "Gallery list…", "probes": "Probe list…", "train": "Train list…"}


def _opener(act: Callable[[str], None], part: str) -> Callable[[], None]:
    return lambda: act(part)


def _combo(name: str, words: list[str]) -> QComboBox:
    box = DropDown()
    box.addItems(words)
    box.setAccessibleName(name)
    box.view().setAccessibleName(name)
    return box


def _spin(name: str, limits: tuple[int, int], value: int) -> QSpinBox:
    box = QSpinBox()
    box.setRange(*limits)
    box.setValue(value)
    name_spin_box(box, name)
    return box


def _file_button(part: str) -> Button:
    button = Button(_FILE_WORDS[part], "open")
    button.setToolTip(
        "Nothing here: the gallery is fitted to." if part == "train" else "One photo a line."
    )
    return button
