"""The face that is chosen: who it is, how sure that is, and what can be answered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from eigenfaces.recognition.gallery import Answered
from eigenfaces.text import count
from gui.pages.recognise.findings import Finding
from gui.pages.recognise.photos import Item
from gui.style import theme
from gui.style.images import grey_image
from gui.widgets.boxes import STRETCH, add_parts, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button, LinkButton, literal
from gui.widgets.face_list import Face, FaceGrid
from gui.widgets.fields import PersonField
from gui.widgets.flow import Flow
from gui.widgets.painted import FaceView
from gui.widgets.words import Chip, label

_WIDE, _TALL, _THREE = 304, 182, 126  # px before the text scale: the card; two pictures, or three
_NEAREST = QSize(66, 80)
_SHOWN = 9  # nearest faces


class Offer(NamedTuple):
    """One answer: what it says, the words and the key for it, and the people it is about."""

    said: str
    text: str
    key: str = ""
    people: tuple[str, ...] = ()


IT_IS = Offer("it is…", "It is…", "I")
NOBODY = Offer("nobody", "Nobody I know", "U")
NO_FACE = Offer("no face", "Not a face", "X")
BACK = Offer("back", "Take it back")


def offers(item: Item) -> tuple[list[Offer], list[Offer]]:
    """Return what can be answered: the buttons, the first one for Enter, and what is under More."""
    if item.answered.said:
        more = [each for each in (NOBODY, NO_FACE) if each.said != item.answered.said]
        return [BACK, IT_IS], more
    if not item.is_open or item.found is None:
        return [], []
    decision = item.found.verdict.decision
    first, second = decision.nearest[0], decision.runner_up[0] if decision.runner_up else None
    neither = Offer("not", "Not this person", "N", (first,))
    yes = Offer("it is", f"It is {first}", "Enter", (first,))
    match decision.kind:
        case "sure" | "likely":
            return [Offer("right", "Right", "Enter", (first,)), IT_IS], [neither, NOBODY, NO_FACE]
        case "ask" if second is not None:
            neither = Offer("not", "Neither of them", "N", (first, second))
            other = Offer("it is", f"It is {second}", "O", (second,))
            return [yes, other, IT_IS], [neither, NOBODY, NO_FACE]
        case "unknown":  # Enter, pressed once too often, makes no stranger somebody
            return [yes._replace(key="Y"), IT_IS], [neither, NOBODY, NO_FACE]
        case "no face":
            return [NO_FACE._replace(key="Enter"), IT_IS], [NO_FACE, NOBODY]
    return [yes, IT_IS], [neither, NOBODY, NO_FACE]


def offers_to(items: Sequence[Item]) -> tuple[list[Offer], list[Offer]]:
    """Return what can be answered about several faces at once."""
    right = [Offer("right", "All are right", "Enter")] if all(e.proposed for e in items) else []
    return [*right, IT_IS], [NOBODY, NO_FACE]


class Said(NamedTuple):
    """The words about a face: who it is, how sure, and why in a sentence."""

    title: str
    chip: str
    sentence: str


def words_of(finding: Finding, answered: Answered) -> Said:
    """Return the words of a verdict; of the answer to it, if there is one."""
    if answered.said:
        named = {"nobody": "Nobody I know", "no face": "Not a face"}.get(answered.said)
        kept = "This photo counts as theirs." if answered.person else "Nobody is named."
        return Said(answered.person or named or "", "you said so", kept)
    if finding.itself:
        where = "Name or move it on People."
        return Said(finding.answer.filed_as or "", "in the gallery", where)
    decision = finding.verdict.decision
    never = f"You said: not {' or '.join(sorted(answered.never))}. " if answered.never else ""
    return Said(decision.headline, decision.word, never + decision.short)


class ChosenFace(Card):
    """A face beside those it is like, who it is, and the answers to that."""

    answered = Signal(str, tuple)
    """What was answered, and the people it is about."""
    command = Signal(str)
    """Something else of its menu: “mend”, “reconstruct” or “remove”."""
    closed = Signal()
    """The field for a name was left."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures = [FaceView("", grows=True, name=n) for n in ("This face", "First", "Second")]
        for view in self.pictures:
            view.set_size(QSize(84, 84))  # at least; how much they get, the room decides
        self.title = label("", "title", wrap=True)
        self.chip = Chip("")
        self.sentence = label("", "secondary", wrap=True)
        self.buttons = [Button(""), Button(""), Button("")]
        self.more = Button("More")
        self.name = PersonField("Who is on this photo")
        self.name.hide()
        self.heading = label("Nearest faces", "heading")
        self.nearest = FaceGrid("Nearest faces", _NEAREST)
        self.nearest.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.nearest.setMinimumHeight(theme.pixels(104))
        self.why = LinkButton("Why?", "info")
        self.why.setToolTip("Distances, limits, and what they follow from (W)")
        self.show_face = Button("Show the face…", primary=True)
        self._offers: tuple[list[Offer], list[Offer]] = ([], [])
        self._row = QWidget()
        Flow(self._row, 8).add(*self.buttons, self.more)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(lambda: self.fill(self._menu))
        self.more.setMenu(self._menu)
        for at, button in enumerate(self.buttons):
            button.clicked.connect(lambda _=False, at=at: self._take(self._offers[0][at]))
        self.name.named.connect(lambda name: self._say("it is", (name,)))
        self.name.given_up.connect(self.close_name)
        self.show_face.clicked.connect(lambda: self.command.emit("mend"))
        self._pair = QWidget()
        in_row(*((view, 1) for view in self.pictures), inside=self._pair, spacing=8)
        chip = in_row(self.chip, STRETCH)
        parts = (self.title, chip, self.sentence, self.show_face, self._row, self.name)
        add_parts(
            self.body, (self._pair, 1500), *parts, self.heading, (self.nearest, 1000), STRETCH
        )
        self.body.addWidget(self.why, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFixedWidth(theme.pixels(_WIDE))

    # What is shown

    def show_item(self, item: Item) -> None:
        """Show one face."""
        self._offers = offers(item)
        found = item.found
        if found is None:
            waits = "Not compared yet" if item.fits else "Cut to another size"
            self._show_words(Said(waits, "", "" if item.fits else "Open this photo again."))
            self._show_pictures([(grey_image(item.probe.image), "This face")])
            self._show_faces("", [])
            return
        self._show_words(words_of(found, item.answered), item.named.look.tone)
        self.why.show()
        self._show_pictures(self._pictures(found))
        faces, photos = found.gallery.faces, found.gallery.index.photos
        self._show_faces(
            "Nearest faces",
            [
                Face(photos[row].key, faces.image(row), photos[row].person or "")
                for row in found.verdict.rows[:_SHOWN].tolist()
            ],
        )
        ranking = [match.person for match in found.verdict.ranking]
        self.name.offer([*ranking, *(set(found.gallery.people) - set(ranking))])

    def show_items(self, items: Sequence[Item], people: Sequence[str]) -> None:
        """Show several faces, that are answered at once."""
        self._offers = offers_to(items)
        self._show_words(Said(count(len(items), "face"), "", "One answer for all of them."))
        self._show_pictures([])
        faces = [Face(each.key, each.probe.image, each.named.name) for each in items]
        self._show_faces("Chosen faces", faces)
        self.name.offer(people)

    def show_none(self) -> None:
        """Show that no face was found."""
        self._offers = [], []
        self._show_words(Said("No face found", "", "Show where it is, and it is compared."))
        self._show_pictures([])
        self._show_faces("", [])
        self.show_face.show()

    def _show_words(self, said: Said, tone: theme.Tone = "neutral") -> None:
        self.title.setText(said.title)
        self.chip.setText(said.chip)
        self.chip.setVisible(bool(said.chip))
        self.chip.set_tone(tone)
        self.sentence.setText(said.sentence)
        self.show_face.hide()
        self.why.hide()
        self.close_name()
        buttons, more = self._offers
        for at, button in enumerate(self.buttons):
            button.setVisible(at < len(buttons))
            if at < len(buttons):
                self._label(button, buttons[at])
        self.more.setVisible(bool(more))

    def _label(self, button: Button, offer: Offer) -> None:
        room = theme.pixels(_WIDE) - 2 * theme.CARD_PADDING - 34
        cut = Qt.TextElideMode.ElideRight
        button.setText(button.fontMetrics().elidedText(offer.text, cut, room))
        button.setAccessibleName(offer.text)
        button.set_primary(offer.key == "Enter")
        button.setToolTip(f"{offer.text} ({offer.key})" if offer.key else offer.text)

    def _show_pictures(self, shown: Sequence[tuple[QImage, str]]) -> None:
        tall = _THREE if len(shown) > 2 else _TALL
        self._pair.setVisible(bool(shown))
        self._pair.setMaximumHeight(theme.pixels(tall))
        for at, view in enumerate(self.pictures):
            view.setVisible(at < len(shown))
            if at < len(shown):
                image, caption = shown[at]
                view.set_image(image)
                view.set_caption(caption)
                view.setToolTip(caption)

    def _pictures(self, found: Finding) -> list[tuple[QImage, str]]:
        """Return the face, and of whom it may be the face that is nearest; of no face, none."""
        verdict, faces = found.verdict, found.gallery.faces
        shown = [(grey_image(found.probe.image), "This face")]
        two = verdict.decision.kind == "ask" and verdict.runner_up is not None
        nearest = verdict.first[: 1 + two] if verdict.decision.kind != "no face" else ()
        return shown + [(grey_image(faces.image(each.row)), each.person) for each in nearest]

    def _show_faces(self, title: str, faces: Sequence[Face]) -> None:
        self.heading.setText(title)
        self.heading.setVisible(bool(faces))
        self.nearest.setVisible(bool(faces))
        self.nearest.show_faces(faces)

    # What is answered

    def fill(self, menu: QMenu, *, all_of_it: bool = False) -> None:
        """Fill a menu with what is not on a button, or with all of it."""
        menu.clear()
        buttons, more = self._offers
        for offer in [*(buttons if all_of_it else []), *more]:
            key = f"\t{offer.key}" if offer.key else ""
            menu.addAction(literal(offer.text) + key, partial(self._take, offer))
        menu.addSeparator()
        commands = {
            "mend": "Correct the box…\tCtrl+P",
            "reconstruct": "Reconstruct this face",
            "remove": "Take off the list\tDel",
        }
        for said, text in commands.items():
            menu.addAction(text, partial(self.command.emit, said))

    def pop_up(self, at: QPoint) -> None:
        """Open a menu with all that can be done."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill(menu, all_of_it=True)
        menu.popup(at)

    def press(self, key: str) -> bool:
        """Give the answer with this key; return whether there is one."""
        found = [each for part in self._offers for each in part if each.key == key]
        if not found or self.name.isVisible() or not self.isVisible():
            return False
        self._take(found[0])
        return True

    def close_name(self) -> bool:
        """Show the buttons again; return whether a name was asked for."""
        was, left = not self.name.isHidden(), self.name.hasFocus()
        self.name.hide()
        self._row.setVisible(bool(self._offers[0]))
        if left:
            self.closed.emit()
        return was

    def _take(self, offer: Offer) -> None:
        if offer is IT_IS:
            self._row.hide()
            self.name.show()
            self.name.ask()
        else:
            self._say(offer.said, offer.people)

    def _say(self, said: str, people: tuple[str, ...]) -> None:
        self.close_name()
        self.answered.emit(said, people)
