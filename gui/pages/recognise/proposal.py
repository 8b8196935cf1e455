"""The proposal of a better recipe: figures on the person's own photographs, and what it changes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from eigenfaces.evaluation.proposal import Measured, PhotoByPhoto, Proposal
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.wording import apart, percent
from gui.pages.recognise.details import FittedRow
from gui.pages.recognise.empty import spare_photos, try_held_out_photos
from gui.pages.recognise.proposing import Proposing
from gui.pages.recognise.shares import IntervalBar, PartsBar, Swatch
from gui.state.session import Session
from gui.style import theme
from gui.widgets.boxes import STRETCH, Gap, add_parts, in_column, in_row
from gui.widgets.cards import Banner, Card
from gui.widgets.controls import Button, DropArea, LinkButton
from gui.widgets.face_model import Face
from gui.widgets.flow import Beside
from gui.widgets.icon_label import IconLabel
from gui.widgets.words import Chip, ElidedLabel, label

_FACE = QSize(62, 75)
_MOST = 12  # examples
_SIDE, _LEAST = 490, 980  # px: of the card at the right, and from when it is there
_ICONS = ("recognise", "reset", "eigenfaces", "undo")  # of the lines of `Proposal.changes`
_HOW = ("How was this measured?", "Hide how this was measured")


class ProposalView(QWidget):
    """What is proposed, all recipes with their intervals, and photographs that tell them apart."""

    changed = Signal()
    """Something else is proposed, or it has been decided about."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self.proposing = session, Proposing(session)
        self._open: bool | None = None  # whether it is looked at; None: as it begins
        self.banner = Banner(tone="accent")
        self.head, self.recipes = ProposalHead(), RecipesCard()
        self.photos, self.changes = PhotosCard(), ChangesCard()
        self.area = DropArea("Drop photos or a folder here", name="Drop photos here, or open some")
        self.opening = Button("Open photos…", "image")
        self.try_out = Button("Try held-out photos", "play")
        self.camera = Button("Camera…", "camera")
        for button in (self.opening, self.try_out, self.camera):
            self.area.add_button(button)
        self.proposing.changed.connect(self.changed)
        self.banner.dismissed.connect(self.proposing.keep)
        self.head.keep.clicked.connect(self.proposing.keep)
        self.head.use.clicked.connect(self._use)
        self.head.later.clicked.connect(lambda: self.look(False))
        self.try_out.clicked.connect(lambda: try_held_out_photos(session))
        below = QWidget()
        Beside(_SIDE, _LEAST, below).add(self.photos, self.changes)
        in_column(self.head, self.recipes, below, (self.area, 1), inside=self, spacing=12)

    def refresh(self) -> bool:
        """Announce a better recipe; return whether it is looked at instead of probes.

        A gallery of ordinary photographs begins with that.
        """
        self.proposing.want()
        session, found = self._session, self.proposing.proposal
        if found is None or found.proposed is None:
            self._open = None
            self.banner.hide()
            return False
        cropped = session.gallery.preparation.already_cropped
        begins = not (cropped or session.probes or session.faceless)
        looked_at = begins if self._open is None else self._open
        self.banner.setVisible(not looked_at)
        self.banner.show_text(
            found.sentence(), "accent", ("Compare recipes…", lambda: self.look(True))
        )
        if looked_at:
            self.try_out.setEnabled(bool(spare_photos(session.gallery)))
            self._show(session.gallery, found, found.proposed)
        return looked_at

    def look(self, wanted: bool) -> None:
        """Look at what is proposed, or at the probes."""
        self._open = wanted
        self.changed.emit()

    def _use(self) -> None:
        found = self.proposing.proposal
        if found is not None and found.proposed is not None:
            self.proposing.use(found.proposed)

    def _show(self, gallery: Gallery, proposal: Proposal, better: Measured) -> None:
        self.head.show_proposal(proposal, better)
        self.recipes.show_proposal(proposal)
        pair = proposal.photo_by_photo(better, proposal.in_use, _MOST)
        self.photos.show_pair(gallery, pair)
        self.changes.show_proposal(proposal, better)


class ProposalHead(Card):
    """The sentence, and the two answers to it."""

    def __init__(self) -> None:
        super().__init__()
        self.sentence = label("", "title", wrap=True)
        self.measured = label("", "secondary", wrap=True)
        self.later, self.keep = LinkButton("Not now"), Button("Keep")
        self.use = Button("Use", "check", primary=True)
        words = in_column(self.sentence, self.measured, spacing=2)
        row = in_row(
            IconLabel(28, "evaluate"), (words, 1), self.later, self.keep, self.use, spacing=12
        )
        self.body.addLayout(row)
        self.set_tone("accent")

    def show_proposal(self, proposal: Proposal, better: Measured) -> None:
        """Show another proposal."""
        self.sentence.setText(proposal.sentence())
        self.measured.setText(proposal.measured_on())
        self.keep.setText(f"Keep {proposal.in_use.name}")
        self.use.setText(f"Use {better.name}")


class RecipesCard(Card):
    """A line for each recipe: its name, a bar with whiskers, the share and its interval."""

    def __init__(self) -> None:
        super().__init__(
            "Recipes on your photographs", "bar: named rightly · whisker: 95 % interval"
        )
        self._lines = QGridLayout()
        self._lines.setHorizontalSpacing(18)
        self._lines.setVerticalSpacing(10)
        self._lines.setColumnStretch(1, 1)
        self.body.addLayout(self._lines)
        self.bars: list[IntervalBar] = []
        self._names: tuple[str, ...] = ()

    def show_proposal(self, proposal: Proposal) -> None:
        """Show what was measured."""
        while (item := self._lines.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.bars = []
        for row, each in enumerate(proposal.measured):
            lit = each is proposal.proposed
            bar = IntervalBar(f"{each.name}: photos named rightly")
            bar.set_share(each.share, each.limits, lit=lit)
            self.bars.append(bar)
            figure = label(percent(each.share, 0), "title")
            low, high = (f"{100 * limit:.0f}" for limit in each.limits)
            of = f"{each.named:,} of {len(each.people):,}"
            limits = label(f"{low} to {high} %\n{of}", "caption")
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            for widget in (figure, limits):
                widget.setAlignment(right)
            in_use = each is proposal.in_use
            for column, part in enumerate((_named(each, lit, in_use), bar, figure, limits)):
                self._lines.addWidget(part, row, column)


def _named(each: Measured, proposed: bool, in_use: bool) -> QWidget:
    """Return the name of a recipe with its chip, and a line about it."""
    made = QWidget()
    head = in_row(label(each.name, "strong"), spacing=8)
    if proposed or in_use:
        head.addWidget(Chip("proposed", "accent") if proposed else Chip("in use now"))
    head.addStretch(1)
    in_column(head, label(each.about, "caption"), inside=made, spacing=1)
    return made


class PhotosCard(Card):
    """The same photographs by both recipes: how many each names, and some that only one does."""

    def __init__(self) -> None:
        super().__init__("Photo by photo", "the same photos, both recipes")
        self.bar = PartsBar("Photos by who names them")
        self._swatches = [Swatch() for _ in range(4)]
        self.parts = [label("") for _ in range(4)]
        self.numbers = [label("", "strong") for _ in range(4)]
        legend = QGridLayout()
        legend.setVerticalSpacing(2)
        for at, (swatch, text, number) in enumerate(
            zip(self._swatches, self.parts, self.numbers, strict=True)
        ):
            legend.addWidget(swatch, 0, 2 * at)
            legend.addWidget(text, 0, 2 * at + 1)
            legend.addWidget(number, 1, 2 * at + 1)
            legend.setColumnStretch(2 * at + 1, 1)
        self.some = ElidedLabel("", "strong", Qt.TextElideMode.ElideRight)
        self.row = FittedRow("Photos that only the proposed recipe names", _FACE, subcaption=True)
        add_parts(self.body, self.bar, legend, Gap(6), self.some, self.row, STRETCH)
        self._pair: PhotoByPhoto | None = None

    def show_pair(self, gallery: Gallery, pair: PhotoByPhoto) -> None:
        """Show two recipes on the same photographs."""
        self._pair = pair
        for text, name in zip(
            self.parts,
            ("both name", f"only {pair.first}", f"only {pair.second}", "neither"),
            strict=True,
        ):
            text.setText(name)
        self._colour()
        self.some.set_full_text(f"Only {pair.first} names these; below, what {pair.second} said")
        rows = [gallery.index.row_of(each.key) for each in pair.examples]
        faces = [
            Face(
                each.key,
                gallery.faces.image(row),
                each.person,
                f"was: {apart(each.person, each.taken_for)}",
            )
            for each, row in zip(pair.examples, rows, strict=True)
            if row is not None
        ]
        self.some.setVisible(bool(faces))
        self.row.setVisible(bool(faces))
        self.row.show_as_fit(faces, 1)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._pair is not None:
            self._colour()

    def _colour(self) -> None:
        pair, t = self._pair, theme.tokens()
        assert pair is not None
        counts = (pair.both, pair.only_first, pair.only_second, pair.neither)
        colours = (t.accent, t.ok, t.people[1], t.track)
        for number, swatch, count, colour in zip(
            self.numbers, self._swatches, counts, colours, strict=True
        ):
            number.setText(f"{count:,} photo{'s' if count != 1 else ''}")
            swatch.set_colour(colour)
        said = ", ".join(
            f"{text.text()}: {count}" for text, count in zip(self.parts, counts, strict=True)
        )
        self.bar.show_parts(list(zip(counts, colours, strict=True)), said)


class ChangesCard(Card):
    """What using the proposed recipe changes, and how all of it was measured."""

    def __init__(self) -> None:
        super().__init__("What this changes")
        self.lines = [label("", wrap=True) for _ in _ICONS]
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for at, (icon, line) in enumerate(zip(_ICONS, self.lines, strict=True)):
            grid.addWidget(IconLabel(16, icon), at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(line, at, 1)
        self.how = LinkButton(_HOW[0], "info")
        self.how.clicked.connect(self._show_how)
        self.told = label("", "caption", wrap=True)
        self.told.hide()
        add_parts(self.body, grid, STRETCH, self.told, (self.how, 0, Qt.AlignmentFlag.AlignLeft))

    def show_proposal(self, proposal: Proposal, better: Measured) -> None:
        """Show another proposal."""
        self.set_title(f"What “Use {better.name}” changes")
        changes = proposal.changes()
        for at, line in enumerate(self.lines):
            line.setText(changes[at] if at < len(changes) else "")
        self.told.setText(proposal.how())

    def _show_how(self) -> None:
        self.told.setVisible(self.told.isHidden())
        self.how.setText(_HOW[int(self.told.isVisible())])
