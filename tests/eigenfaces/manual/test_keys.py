"""The table of keys: no key means two things, and letters count only in a picture or a list."""

import re
from itertools import combinations

import pytest

from eigenfaces.manual.keys import COMMANDS, UNUSED, Command, command, keys_page
from eigenfaces.manual.sections import sections


def test_no_key_means_two_things_at_one_place():
    assert [pair for pair in combinations(COMMANDS, 2) if pair[0].collides(pair[1])] == []
    names = [each.name for each in COMMANDS if each.name]
    assert len(names) == len({*names})


@pytest.mark.parametrize(
    ("other", "collides"),
    [
        (Command("b", "F", "", "Map"), True),
        (Command("b", "Enter, F", "", "Map", "map"), True),
        (Command("b", "F", ""), True),
        (Command("b", "F", "", "Lessons"), False),
        (Command("b", "F", "", "Map", "list"), False),
        (Command("b", "F", "", "Map", UNUSED), False),
        (Command("b", "Shift+F", "", "Map", "map"), False),
    ],
)
def test_what_a_collision_is(other, collides):
    one = Command("a", "F", "", "Map", "map")
    assert one.collides(other) == other.collides(one) == collides


def test_a_range_and_words_of_the_manual_are_keys():
    assert command("page").sequences == [f"Ctrl+{digit}" for digit in range(1, 9)]
    assert command("yes").sequences == ["Return", "Enter"]
    assert Command("b", "1 … 3, Page Up, −", "").sequences == ["1", "2", "3", "PgUp", "-"]


def test_keys_without_ctrl_count_in_a_part_of_a_page_only():
    """So nobody who types answers, and no letter is taken from a field."""
    for each in COMMANDS:
        plain = [key for key in each.sequences if not re.match(r"Ctrl\+|F\d", key)]
        assert not plain or each.part, each


def test_the_page_of_keys_tells_every_key_with_what_it_does():
    (told,) = (section.text for section in sections() if section.title == "Keyboard")
    assert keys_page() in told
    for each in COMMANDS:
        if each.keys:
            assert f"| {each.keys} | {each.does} |" in told
    assert told.index("**Everywhere**") < told.index("**People**") < told.index("**Lessons**")
