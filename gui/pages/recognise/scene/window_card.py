"""One window of a scene: what is seen of it, the nearest face, and why it is near or far."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal

from eigenfaces.laboratory.scene.scene import Scene, facts, why
from eigenfaces.laboratory.scene.scene_map import Window
from eigenfaces.wording import percent
from gui.style.images import grey_image, signed_image
from gui.widgets.boxes import in_row
from gui.widgets.cards import Card
from gui.widgets.painted import ColourBar, FaceView
from gui.widgets.text_table import TextTable
from gui.widgets.words import Facts, label

_FACE = QSize(84, 102)
_HEADINGS = ("Place", "Distance", "Width, px", "Detector")
_LEAST = 96  # px of the table


class WindowCard(Card):
    """The window under the pointer, rebuilt; below, the places nearest to the face space."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__("Under the pointer")
        names = ("Seen", "Rebuilt", "Residual")
        self.views = [FaceView(name, _FACE) for name in names]
        pictures = in_row(
            *((view, 1, Qt.AlignmentFlag.AlignHCenter) for view in self.views), spacing=4
        )
        self.bar = ColourBar("signed", "darker", "brighter than rebuilt")
        self.facts = Facts()
        self.words = label("", "caption", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.heading = label("Nearest to face space", "heading")
        self.table = TextTable("Places nearest to face space", _HEADINGS, 3, frozenset({0, 1, 2}))
        self.table.setMinimumHeight(_LEAST)
        for column, width in enumerate((52, 70, 76)):
            self.table.set_width(column, width)
        self.table.selectionModel().selectionChanged.connect(self._choose)
        self.body.addLayout(pictures)
        self.body.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignHCenter)
        self.body.addWidget(self.facts)
        self.body.addWidget(self.words)
        self.body.addWidget(self.heading)
        self.body.addWidget(self.table, 1)

    def clear(self) -> None:
        """Show nothing: there is no scene."""
        self.table.show_rows([])
        self._show_no_window("")

    def show_scene(self, scene: Scene) -> None:
        """List the nearest places of another scene."""
        self.table.show_rows(
            [
                (
                    f"{rank}",
                    percent(each.distance, 1),
                    f"{each.width:.0f}",
                    "a face" if scene.is_found(each) else "–",
                )
                for rank, each in enumerate(scene.marked, start=1)
            ]
        )

    def show_window(self, scene: Scene, window: Window | None) -> None:
        """Show another window; None: there is none around the place."""
        if window is None:
            self._show_no_window(why(scene, None))
            return
        self.words.setText(why(scene, window))
        self.facts.show()
        self.facts.set_rows(facts(scene, window))
        seen, rebuilt = scene.map.seen(window)
        most = max(float(np.quantile(np.abs(seen), 0.99)), 1e-9)
        for view, picture in zip(self.views, (seen, rebuilt), strict=False):
            view.set_image(grey_image(0.5 + picture / (2 * most)))
        self.views[2].set_image(signed_image(seen - rebuilt, most))

    def _show_no_window(self, words: str) -> None:
        self.words.setText(words)
        self.facts.hide()
        for view in self.views:
            view.set_image(None)

    def _choose(self) -> None:
        rows = self.table.selected_rows()
        if rows:
            self.chosen.emit(rows[0])
