"""The pages of a large project file that opening does not look at are checked in the background."""

from __future__ import annotations

from eigenfaces.errors import EigenfacesError
from eigenfaces.project.project import Project
from gui.state.background import Background
from gui.state.jobs import VERIFY
from gui.state.session import Session


class PageChecking(Background[None]):
    """Looks at every page once a large project is open, and says where they are damaged."""

    KIND = VERIFY

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._look()

    def _about(self) -> Project | None:
        project = self._session.project
        return project if project is not None and project.has_unseen_pages else None

    def _begin(self) -> None:
        project = self._about()
        assert project is not None

        def failed(error: EigenfacesError) -> None:
            self._end(project)
            if self._session.project is project:
                self._session.say(str(error), "error")

        self._session.jobs.start(
            VERIFY,
            f"Looking at every page of {project.path.name}",
            project.check_pages,
            lambda _: self._end(project),
            failed=failed,
            cancelled=lambda: self._end(project),
        )
