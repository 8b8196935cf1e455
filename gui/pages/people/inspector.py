"""Panel for the face selected on the People page, with facts and actions."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from eigenfaces.faces.quality import Concern, placement_facts, sharpness, sharpness_words
from eigenfaces.manual.keys import with_key
from eigenfaces.recognition.gallery import Gallery
from ...style.images import grey_image, person_image
from ...widgets.box_layouts import STRETCH, in_column, in_row
from ...widgets.cards import PageScroll
from ...widgets.controls import Button, Fold, LinkButton
from ...widgets.face_view import FaceView
from ...widgets.labels import Chip, ElidedLabel, Facts, label


class PhotoInspector(QWidget):
    """Panel with the selected face, its reconstruction in face space, facts and actions."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Selected photo")
        self.title = ElidedLabel("", "heading", Qt.TextElideMode.ElideRight)
        self.original = FaceView("Original", QSize(112, 136))
        self.rebuilt = FaceView("In face space", QSize(112, 136))
        self.concern, self.excluded = Chip("", "warn"), Chip("Left out")
        self.remark = label("", "secondary", wrap=True)
        self.right = Button("The name is correct", "check")
        self.right.setToolTip("Do not ask about it again")
        self.facts, self.details = Facts(), Facts()
        self.fold = Fold("Details")
        self.fold.toggled.connect(self.details.setVisible)
        self.details.hide()
        self.reconstruct, self.folder = LinkButton("Reconstruct"), LinkButton("Open folder")
        self.reconstruct.setProperty("flush", True)
        self.photograph = Button("Whole photo…", "image")
        self.photograph.setToolTip(with_key("photograph"))
        self.move_button = Button("Move to person…", "move")
        self.exclude = Button("Exclude it from comparison")
        self.remove = Button("Remove from the gallery", "trash")
        facts, whole, empty = QWidget(), QWidget(), QWidget()
        facts.setAccessibleName("Photo details")
        in_column(
            self.title,
            in_row(self.original, self.rebuilt, STRETCH, spacing=8),
            in_row(self.concern, self.excluded, STRETCH, spacing=6),
            self.remark,
            in_row(self.right, STRETCH),
            self.facts,
            in_row(self.fold, STRETCH),
            self.details,
            in_row(self.reconstruct, self.folder, STRETCH, spacing=2),
            STRETCH,
            inside=facts,
            spacing=10,
            margins=(14, 14, 14, 8),
        )
        scroll, margins = PageScroll(facts, "panel"), (14, 8, 14, 14)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = in_column(
            self.photograph,
            self.move_button,
            self.exclude,
            self.remove,
            spacing=8,
            margins=margins,
        )
        in_column((scroll, 1), buttons, inside=whole, spacing=0)
        hint = label("Select a photo to see its details.", "secondary", wrap=True)
        in_column(hint, STRETCH, inside=empty, margins=(14, 18, 14, 14))
        self._stack = QStackedWidget()
        self._stack.addWidget(empty)
        self._stack.addWidget(whole)
        in_column(self._stack, inside=self)

    def show_nothing(self) -> None:
        """Show that nothing is selected."""
        self._stack.setCurrentIndex(0)

    def show_photo(
        self,
        gallery: Gallery,
        row: int,
        title: str,
        concern: Concern | None,
        amount: str,
        by_face_space: bool,
    ) -> None:
        """Show the first selected face; ``amount`` says how many are selected, if several.

        If ``by_face_space``, the face is shown in grey beside its reconstruction in face space.
        """
        excluded = gallery.index.photos[row].excluded
        self._stack.setCurrentIndex(1)
        self.title.set_full_text(title)
        amount = f" {amount}" if amount else ""
        self.move_button.setText(f"Move{amount} to person…")
        self.exclude.setText(
            f"Include{amount or ' it'} in comparison again"
            if excluded
            else f"Exclude{amount or ' it'} from comparison"
        )
        self.remove.setText(f"Remove{amount or ' from the gallery'}")
        self.concern.setVisible(concern is not None)
        self.excluded.setVisible(excluded)
        self.remark.setVisible(concern is not None or excluded)
        self.right.setVisible(concern is not None and concern.kind != "gone")
        self.concern.setText(concern.title if concern else "")
        unused = "Nothing is compared with it."
        self.remark.setText(concern.sentence if concern else unused)
        face = gallery.faces.image(row)
        photo = gallery.index.photos[row]
        training = gallery.training if by_face_space and photo.pictured else None
        self.original.set_image(grey_image(face) if training else person_image(photo, face))
        self.original.set_caption("")
        self.rebuilt.setVisible(training is not None)
        if training is not None:
            k, even = gallery.face_space_k, training.recipe.pixels.lighting != "none"
            # The known coordinates save the projection, which is half the work.
            rebuilt = training.space.first(k).reconstruct(training.coordinates[row, :k])
            self.rebuilt.set_image(grey_image(rebuilt.reshape(gallery.faces.shape)))
            self.rebuilt.set_caption("In face space", f"k = {k}{', evened out' if even else ''}")
            self.original.set_caption("Original", "as cropped")
        height, width = photo.size
        self.facts.set_rows([("File", photo.path.name), ("Folder", photo.path.parent)])
        self.details.set_rows(
            [
                ("Size", f"{width} × {height} px"),
                *placement_facts(photo.placement),
                ("Sharpness", sharpness_words(sharpness(gallery.faces.image(row)))),
            ]
        )
