"""The face map of the photograph of a probe: map and detector side by side."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QMenu, QSizePolicy, QWidget

from eigenfaces.errors import Tick, part_of
from eigenfaces.laboratory.scene.scene import Scene, scene_of, scene_table, summary, window_space
from eigenfaces.laboratory.scene.scene_map import Window
from eigenfaces.laboratory.scene.window_space import Light, WindowSpace
from eigenfaces.recognition.gallery import Gallery
from gui.pages.recognise.scene.photo import ScenePhoto
from gui.pages.recognise.scene.window_card import WindowCard
from gui.state.jobs import MAP_SCENE
from gui.state.session import Session
from gui.widgets.boxes import add_parts, in_column, in_row
from gui.widgets.cards import Card
from gui.widgets.controls import Button, LinkButton, Segmented, Slider, open_below
from gui.widgets.flow import Beside, Flow
from gui.widgets.painted import ColourBar
from gui.widgets.popups import Choice
from gui.widgets.saving import save_now
from gui.widgets.words import ElidedLabel, captioned, label

File = tuple[Path, int]
"""A photograph, and its quarter turns clockwise."""

_LIGHTS: tuple[Light, ...] = ("edges", "grey")
_SIDE, _BESIDE = 316, 780  # px before the text scale
_OPACITY = 60  # per cent, at first
_TALL = 300  # px, the least height of the photograph
_KEPT = 4  # scenes
_LEGEND = "green: nearest to face space · dashed: detector · bare: no contrast, or the border"


class SceneView(QWidget):
    """The heat map over the photograph, what lies under the pointer, and what the detector says."""

    closed = Signal()
    """Back to the verdict."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._of: tuple[object, ...] = ()  # the faces that what is kept was made with
        self._scenes: dict[tuple[File, Light], Scene] = {}
        self._spaces: dict[Light, WindowSpace] = {}
        self._file: File | None = None
        self._asked: tuple[File, Light] | None = None
        self._state = ""  # of the map that was asked for last
        self.scene: Scene | None = None
        self.back = Button("Verdict", "back", name="Back to the verdict")
        self.export = LinkButton("Export…", "export")
        self.title = ElidedLabel("", "title", Qt.TextElideMode.ElideMiddle)
        self.words = label("", wrap=True)
        self.sizes = Choice()
        self.lights = Segmented(("Edges", "Grey (1991)"), name="Light")
        for part in (self.sizes, self.sizes.view()):
            part.setAccessibleName("Size of the faces")
        self.opacity = Slider("Opacity of the map, in per cent")
        self.boxes = QCheckBox("Detector")
        self.boxes.setAccessibleName("Faces that the detector finds")
        self.photo, self.window_card = ScenePhoto(), WindowCard()
        self._lay_out()
        self._connect()

    # What is shown

    def show_photo(self, path: Path, turned: int) -> None:
        """Show the map of a photograph after quarter turns clockwise; it is made if need be."""
        gallery = self._session.gallery
        if self._of != (gallery.faces.pixels, gallery.included):
            self._of = gallery.faces.pixels, gallery.included
            self._scenes.clear()
            self._spaces.clear()
            self._asked = None
        self._file = path, turned
        self.title.set_full_text(f"Face map of {path.name}")
        wanted = self._file, _LIGHTS[self.lights.current]
        scene = self._scenes.get(wanted)
        if scene is None or scene is not self.scene:
            self._show(scene)
        if scene is None:
            if self._asked != wanted:
                self._start(*wanted)
            self.words.setText(self._state)

    def try_again(self) -> None:
        """Make a map that was stopped, or could not be made, when it is next asked for."""
        self._asked = None

    def export_menu(self) -> QMenu:
        """Return the menu of what can be written: the picture, and the minima as a table."""
        menu = QMenu("Export", self)
        for words, name, write in (
            ("This map as a picture…", "face map.png", self._write_picture),
            ("The nearest places as a table…", "face map.csv", self._write_table),
        ):
            menu.addAction(words).triggered.connect(
                partial(save_now, self._session, self, name, write)
            )
        return menu

    def _start(self, file: File, light: Light) -> None:
        gallery, of, space = self._session.gallery, self._of, self._spaces.get(light)
        wanted = self._asked = file, light
        self._state = "The photograph is being searched, place by place…"

        def done(found: Scene) -> None:
            if of != self._of:
                return
            self._spaces[light] = found.map.space
            while len(self._scenes) >= _KEPT:
                del self._scenes[next(iter(self._scenes))]
            self._scenes[wanted] = found
            if self._file is not None:
                self.show_photo(*self._file)

        def stopped(why: str) -> None:
            if wanted == self._asked and self._file is not None:
                self._state = why
                self.show_photo(*self._file)

        self._session.jobs.start(
            MAP_SCENE,
            f"Mapping {file[0].name}",
            lambda tick: _scene(gallery, light, space, file, tick),
            done,
            failed=lambda error: stopped(str(error)),
            cancelled=lambda: stopped("Stopped: there is no map of this photograph."),
        )

    def _show(self, scene: Scene | None) -> None:
        self.scene = scene
        for part in (self.export, self.sizes, self.opacity, self.boxes, self.window_card):
            part.setEnabled(scene is not None)
        if scene is None:
            self.photo.show_scene(None, None, 0)
            self.window_card.clear()
            return
        self.words.setText(summary(scene))
        self._offer_sizes(scene)
        self.window_card.show_scene(scene)
        self._redraw()
        self._look_at(scene.nearest[0] if scene.nearest else None)

    def _offer_sizes(self, scene: Scene) -> None:
        words = [
            f"Faces {scene.map.width(size):.0f} px wide" for size in range(len(scene.map.sizes))
        ]
        if [self.sizes.itemText(at) for at in range(1, self.sizes.count())] != words:
            self.sizes.clear()
            self.sizes.addItems(["All sizes", *words])

    def _redraw(self) -> None:
        self.photo.show_scene(self.scene, self._size(), self.opacity.value() / 100)

    def _change_light(self) -> None:
        if self._file is not None:
            self.show_photo(*self._file)

    def _size(self) -> int | None:
        return self.sizes.currentIndex() - 1 if self.sizes.currentIndex() > 0 else None

    def _point(self, place: complex) -> None:
        if self.scene is not None:
            self._look_at(self.scene.map.at(place, self._size()))

    def _look_at(self, window: Window | None) -> None:
        if self.scene is not None:
            self.window_card.show_window(self.scene, window)
            self.photo.set_window(window)

    def _choose(self, rank: int) -> None:
        if self.scene is not None and rank < len(self.scene.marked):
            self._look_at(self.scene.marked[rank])

    # Files

    def _write_picture(self, path: Path) -> None:
        self.photo.grab().save(str(path), "PNG")

    def _write_table(self, path: Path) -> None:
        if self.scene is not None:
            path.write_text(scene_table(self.scene), "utf-8", newline="")

    # Layout

    def _connect(self) -> None:
        self.back.clicked.connect(self.closed)
        self.export.clicked.connect(lambda: open_below(self.export, self.export_menu()))
        self.sizes.activated.connect(self._redraw)
        self.lights.changed.connect(self._change_light)
        self.opacity.valueChanged.connect(lambda value: self.photo.set_opacity(value / 100))
        self.boxes.toggled.connect(self.photo.set_boxes)
        self.photo.pointed.connect(self._point)
        self.window_card.chosen.connect(self._choose)

    def _lay_out(self) -> None:
        self.opacity.setValue(_OPACITY)
        self.opacity.setMaximumWidth(140)
        self.boxes.setChecked(True)
        banner = Card()
        said = in_column(self.title, self.words, spacing=3)
        head = in_row(self.back, (said, 1), self.export, spacing=12)
        banner.body.addLayout(head)
        banner.set_padding(14, 8)
        drawn = Card()
        above, under = QWidget(), QWidget()
        Flow(above, 10).add(self.lights, self.sizes, self.boxes)
        bar = ColourBar("magma", "unlike a face", "like a face")
        opacity, legend = captioned("Opacity", self.opacity), label(_LEGEND, "caption")
        Flow(under, 10).add(bar, opacity, legend)
        self.photo.setMinimumHeight(_TALL)
        self.photo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        add_parts(drawn.body, above, (self.photo, 1), under)
        below = QWidget()
        Beside(_SIDE, _BESIDE, below).add(drawn, self.window_card)
        in_column(banner, (below, 1), inside=self, spacing=12)


def _scene(
    gallery: Gallery, light: Light, space: WindowSpace | None, file: File, tick: Tick
) -> Scene:
    space = space or window_space(gallery, light, part_of(tick, 0, 2))
    return scene_of(*file, space, part_of(tick, 1, 2))
