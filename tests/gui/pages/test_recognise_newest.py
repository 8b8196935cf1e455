"""Of what the bench wants in the background, only the newest waits."""

from gui.pages.recognise.bench.running import Newest
from gui.state.jobs import DISTURB
from tests.gui.state.gate import Gate


def test_only_the_newest_wish_waits(qtbot, session):
    newest: Newest[int] = Newest(session, DISTURB, "Disturbing")
    gate, got = Gate(), []

    def first(tick):
        gate.work(tick)
        return 0

    newest.want(first, got.append)
    gate.entered.wait(5)
    for wish in (1, 2, 3):
        newest.want(lambda _, wish=wish: wish, got.append)
    gate.open.set()
    qtbot.waitUntil(lambda: not newest.busy)
    assert got == [0, 3]


def test_a_forgotten_wish_is_never_passed_on(qtbot, session):
    newest: Newest[str] = Newest(session, DISTURB, "Disturbing")
    gate, got = Gate(), []
    newest.want(gate.work, got.append)
    gate.entered.wait(5)
    newest.want(gate.work, got.append)
    newest.forget()
    qtbot.waitUntil(lambda: not newest.busy)
    assert got == []
