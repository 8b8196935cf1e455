"""Recognition in the background, the list of photographs, and the large photograph."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QItemSelection, QObject, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from eigenfaces.errors import EigenfacesError, PhotoError, Tick
from eigenfaces.faces.identity import FaceId
from eigenfaces.photographs.decode import colours, read_bytes
from eigenfaces.recognition.answers import (
    SURE_GROUP,
    TO_DO,
    ProbeFace,
    ProbePhoto,
    verdicts_still_hold,
)
from eigenfaces.recognition.gallery import NO_ANSWER, Gallery
from eigenfaces.recognition.probes import Line, Probe
from eigenfaces.recognition.recognised import Recognition, recognise_probes, with_repeated_people
from eigenfaces.text import count
from ...state.jobs import JobKind, Jobs, Rule
from ...state.session import Session
from ...style import theme
from ...style.images import person_image, rgb_image
from ...widgets.box_layouts import add_parts
from ...widgets.cards import Card
from ...widgets.controls import Button, DropArea, LinkButton
from ...widgets.face_list import FaceItem, HeadingItem, ThumbnailList
from ...widgets.named_photo import (
    VERDICT_STYLES,
    NamedFace,
    NamedFacesView,
    VerdictStyle,
    named_face,
)

_HEADINGS = (
    *(VERDICT_STYLES["ask"], VERDICT_STYLES["likely"], VERDICT_STYLES["sure"]),
    *(VerdictStyle("neutral", "check"), VerdictStyle("neutral", "image")),
)
_NOTHING = np.full((112, 92), 0.8, np.float32)
_LEAST, _WIDE = 180, 220  # px, before the text scale: the narrowest and the widest list
_LARGEST = 2400  # px of the longer side, enough to zoom in; more on a larger screen
_AT_ONCE = 8  # faces compared together
_SHOWN_AFTER = 0.5  # seconds after which the first results are shown


class BackgroundRecogniser(QObject):
    """Recogniser that compares all listed faces in a background job, visible ones first.

    Old verdicts remain while the gallery is recalibrated after an answer. The verdict on a visible
    face remains until the user looks at something else.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._gallery: Gallery | None = None
        self._compares = False
        self.by_face: dict[FaceId, Recognition] = {}
        self.missing: list[Probe] = []  # comparable faces that have no verdict yet
        self.stopped = False

    def update(self, looked_at: Collection[Line], *, exact: bool) -> None:
        """Compare new and outdated faces, even visible ones if ``exact``; drop removed faces."""
        gallery, before = self._session.gallery, self._gallery
        ready = gallery.training is not None and bool(gallery.enrolled)
        probes = [probe for probe in self._session.probes if probe.fits(gallery)] if ready else []
        known = [(probe, self.by_face.get(probe.photo.id)) for probe in probes]
        self.by_face = {p.photo.id: old for p, old in known if old and old.probe is p}
        self.missing = [probe for probe in probes if probe.photo.id not in self.by_face]
        measures = gallery.calibrated is None and self._session.jobs.is_busy(
            *JobKind.all_with(Rule.LONG)
        )
        if measures and before is not None and verdicts_still_hold(before, gallery):
            gallery = before
        elif gallery is not before:
            self._gallery, self.stopped = gallery, False

        def is_due(face: FaceId) -> bool:
            old = self.by_face.get(face)
            if old is None or old.gallery is gallery:
                return old is None
            stays = verdicts_still_hold(old.gallery, gallery) and not old.is_self_match
            # If a person has just been ruled out for a face, show the next person.
            ruled_out = gallery.answers.get(face, NO_ANSWER).never
            stays = stays and ruled_out == old.gallery.answers.get(face, NO_ANSWER).never
            return exact or not (stays and face in looked_at)

        due = [probe for probe in probes if is_due(probe.photo.id)]
        due.sort(key=lambda probe: probe.photo.id not in looked_at)
        if due and not self.stopped and not self._compares:
            self._compare(gallery, due, frozenset(looked_at))

    def resume(self) -> None:
        """Resume comparing the remaining faces after an interruption."""
        self.stopped = False
        self.changed.emit()

    def _compare(self, gallery: Gallery, probes: list[Probe], looked_at: Collection[Line]) -> None:
        self._compares = True

        def work(tick: Tick) -> list[Recognition]:
            recognitions, ends = list[Recognition](), time.monotonic() + _SHOWN_AFTER
            while len(recognitions) < len(probes) and (not recognitions or time.monotonic() < ends):
                tick(len(recognitions), len(probes))
                recognitions += recognise_probes(gallery, probes[len(recognitions) :][:_AT_ONCE])
            for one in recognitions:
                if one.probe.photo.id in looked_at:  # for others, when the user looks at them
                    _ = one.among_others
            return recognitions

        def done(recognitions: list[Recognition]) -> None:
            self._compares = False
            if gallery is self._gallery:
                self.by_face |= {r.probe.photo.id: r for r in recognitions}
                of_all = with_repeated_people([*self.by_face.values()])
                self.by_face = {one.probe.photo.id: one for one in of_all}
            self.changed.emit()

        def failed(error: EigenfacesError) -> None:
            self._compares, self.stopped = False, True
            self._session.show_error(error)
            self.changed.emit()

        title = f"Recognising {count(len(probes), 'face')}"
        stopped = "Stopped. The other photos were not compared."
        self._session.run(JobKind.RECOGNISE, title, work, done, failed, cancelled=stopped)


def named(face: ProbeFace) -> NamedFace:
    """Return the label for the box around a face."""
    eyes = face.probe.photo.placement.eyes
    if face.is_open and face.recognition is not None:
        return named_face(eyes, face.recognition.verdict.decision)
    tooltip = "" if face.recognition is None else f"{face.name} in the gallery."
    tooltip = f"{face.name}, as you said." if face.answered.said else tooltip
    return NamedFace(eyes, face.name, VERDICT_STYLES[face.style], tooltip)


class PhotoList(ThumbnailList):
    """List of photographs with multiple selection. Letter keys give answers and do not search."""

    several_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("Photos to recognise", headings=True)
        self.setSelectionMode(self.SelectionMode.ExtendedSelection)
        self.setMinimumHeight(theme.pixels(90))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        keys = [] if self._quiet else self.selected_keys()
        if len(keys) > 1:
            self.several_chosen.emit(keys)

    def keyboardSearch(self, text: str) -> None:
        pass

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if len(selected := self.selectionModel().selectedIndexes()) == 1:
            self.scrollTo(selected[0])


class PhotosCard(Card):
    """Card with grouped photographs, a button that confirms sure verdicts, and a drop area."""

    def __init__(self, recogniser: BackgroundRecogniser) -> None:
        super().__init__()
        self._recogniser = recogniser
        # The tooltip gives the number of faces, because the headings of the list count photographs.
        self.confirm = Button("Confirm all sure", primary=True)
        self.list = PhotoList()
        self.resume = LinkButton("")
        self.resume.clicked.connect(recogniser.resume)
        self.area = DropArea("Drop photos here")
        add_parts(self.body, self.confirm, (self.list, 1), self.resume, self.area)
        self.setMinimumWidth(theme.pixels(_LEAST))
        self.setMaximumWidth(theme.pixels(_WIDE))
        self.set_padding(10, 10)

    def show_photos(self, photos: Sequence[ProbePhoto], selected: Collection[Line]) -> None:
        """List photographs, and select those in ``selected``."""
        lines: list[FaceItem] = []
        for group, look in zip(TO_DO, _HEADINGS, strict=True):
            here = [_photo_item(photo) for photo in photos if photo.to_do == group]
            if here:
                lines += [HeadingItem.of(group, len(here), look.icon, look.tone), *here]
        moved = self.list.faces.keys != [line.key for line in lines]
        self.list.show_faces(lines)
        if selected and (moved or {*self.list.selected_keys()} != {*selected}):
            self.list.select(*selected)
            row = min(map(self.list.faces.row_of, selected))
            if row > 0 and isinstance(lines[row - 1], HeadingItem):
                self.list.scrollTo(self.list.faces.index(row - 1))
        sure = sum(face.to_do == SURE_GROUP for photo in photos for face in photo.faces)
        self.confirm.setEnabled(sure > 0)  # not hidden, so that nothing moves
        self.confirm.setToolTip(f"Keep {count(sure, 'face')} as named; Ctrl+Z undoes it")
        waits = len(self._recogniser.missing)
        self.resume.setText(f"Compare the other {waits:,}")
        self.resume.setVisible(self._recogniser.stopped and waits > 0)

    def order(self) -> list[Line]:
        """Return the keys of all photographs, from top to bottom."""
        return [face.key for face in self.list.faces.faces() if not isinstance(face, HeadingItem)]


def _photo_item(photo: ProbePhoto) -> FaceItem:
    """Return the list item for a photograph, with a face, the file name and the people in it."""
    if not photo.faces:
        return FaceItem(photo.line, _NOTHING, photo.title, "Show the face…", file=photo.title)
    probe = (photo.open_faces or photo.faces)[0].probe
    picture = partial(person_image, probe.photo, probe.image)
    return FaceItem(photo.line, picture, photo.title, photo.names, file=photo.title)


class ProbePhotoView(NamedFacesView):
    """View that reads and shows a photograph, or only its face if the file is missing."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        # With separate jobs, a photograph need not wait until all faces have been compared.
        self._reading = Jobs(self)
        self.destroyed.connect(self._reading.close)
        self._tell = session.show_error
        self._file: tuple[Path, int] | None = None
        self._gone = False
        self._photo = ProbePhoto(Path())
        self.reply = ""
        """The effect of the last answer, shown below the photograph."""
        self.faces: tuple[FaceId, ...] = ()
        """The faces that are labelled in the photograph."""
        self.setMinimumSize(200, 200)

    def show_probe_photo(self, photo: ProbePhoto, selected: Collection[Line]) -> None:
        """Show a photograph, and mark the faces in ``selected``."""
        self._photo, probe = photo, photo.faces[0].probe if photo.faces else None
        file = photo.path, probe.photo.photograph.turned if probe else 0
        if file != self._file:
            self._file, self._gone = file, False
            self.show_photo(None, probe.photo.size if probe else (3, 4))
            self._read(*file)
        self._show_faces(selected)

    def _show_faces(self, selected: Collection[Line]) -> None:
        caption = f"“{self._photo.path.name}” is no longer there, so only the face is shown."
        self.set_caption(self.reply or (caption if self._gone else ""))
        faces = self._photo.faces
        names = [named(face) for face in faces]
        if self._gone and faces:
            face = next((face for face in faces if face.id in selected), faces[0])
            faces, names = (face,), [replace(named(face), eyes=None)]
            picture = person_image(face.probe.photo, face.probe.image)
            self.show_photo(picture, (picture.height(), picture.width()))
        self.faces = tuple(face.id for face in faces)
        self.show_named(names, [at for at, face in enumerate(self.faces) if face in selected])

    def _read(self, path: Path, turned: int) -> None:
        largest = max(_LARGEST, self.pixels_of_screen())

        def work(_tick: object) -> NDArray[np.uint8] | None:
            try:
                return colours(read_bytes(path), largest, turned)
            except PhotoError:  # the file is missing, but its face was read before
                return None

        def done(picture: NDArray[np.uint8] | None) -> None:
            if self._file != (path, turned):
                return
            if picture is None:
                self._gone = True
                self._show_faces([self.faces[index] for index in self.selected])
                return
            faces = self._photo.faces
            height, width = faces[0].probe.photo.size if faces else picture.shape[:2]
            self.show_photo(rgb_image(picture), (height, width))

        self._reading.start(JobKind.SHOW_PHOTO, f"Opening {path.name}", work, done, self._tell)
