"""The maps of the gallery that are there, and the jobs that make the others."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from eigenfaces.errors import Tick
from eigenfaces.laboratory.maps import (
    FaceMap,
    Faithfulness,
    MapKind,
    map_by_tsne,
    map_of_components,
    map_of_directions,
)
from eigenfaces.laboratory.tsne import TsneSettings
from gui.state.jobs import MAP, MEASURE_MAP
from gui.state.session import Session

View = tuple[FaceMap, tuple[int, ...]]
_TITLES = {"fisherfaces": "Fitting Fisherfaces", "t-SNE": "Mapping by t-SNE"}


class Maps(QObject):
    """Maps of the gallery as it is now; those that take long are made in jobs."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._of: tuple[object, ...] = ()
        self._made: dict[MapKind | TsneSettings, FaceMap] = {}
        self._measured: dict[View, Faithfulness | None] = {}
        self._measuring: View | None = None
        self.stopped: dict[MapKind, str] = {}

    def look(self) -> None:
        """Forget the maps of what the gallery was before."""
        gallery = self._session.gallery
        names = gallery.index.rows_by_person
        now = (gallery.training, gallery.recipe, names)
        if now != self._of:
            if self._of and (self._of[0] is not now[0] or self._of[2] != names):
                self._session.jobs.cancel(MAP)
                self._made.clear()
            self._of = now
            self._made.pop("components", None)
            self._measured.clear()
            self.stopped.clear()

    def get(self, kind: MapKind, settings: TsneSettings | None = None) -> FaceMap | None:
        """Return a map; None while there is none. `start` makes it."""
        if kind == "components" and kind not in self._made:
            self._made[kind] = map_of_components(self._session.gallery)
        return self._made.get(settings if settings is not None else kind)

    @property
    def is_busy(self) -> bool:
        """Whether a map is being made."""
        return self._session.jobs.is_busy(MAP)

    def start(self, kind: MapKind, settings: TsneSettings | None = None) -> None:
        """Make a map in a job."""
        gallery, of = self._session.gallery, self._of
        self.stopped.pop(kind, None)

        def work(tick: Tick) -> FaceMap:
            if settings is not None:
                return map_by_tsne(gallery, settings, tick)
            return map_of_directions(gallery, tick)

        def done(made: FaceMap) -> None:
            if of == self._of:
                self._made[settings if settings is not None else kind] = made
                self.changed.emit()

        def stopped(why: str) -> None:
            if of == self._of:  # else it is forgotten, and may be made anew
                self.stopped[kind] = why
            self.changed.emit()

        self._session.jobs.start(
            MAP,
            _TITLES[kind],
            work,
            done,
            failed=lambda error: stopped(str(error)),
            cancelled=lambda: stopped("Cancelled: there is no map of this kind yet."),
        )
        self._session.explain_wait(MAP)

    def faithfulness(self, of: FaceMap, axes: tuple[int, ...]) -> Faithfulness | None:
        """Return what a view keeps of neighbours; None while that is being measured."""
        view = of, axes
        if view in self._measured:
            return self._measured[view]

        def done(measured: Faithfulness | None) -> None:
            self._measured[view], self._measuring = measured, None
            self.changed.emit()

        if self._measuring != view:  # another view’s job is replaced
            self._measuring = view
            self._session.jobs.start(
                MEASURE_MAP,
                "Measuring the map",
                lambda _: of.faithfulness(axes),
                done,
                cancelled=lambda: done(None),
            )
        return None
