"""Names of people: which are one, which only look alike, and how they are read and printed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import EigenfacesError, Gallery, Preparation, find_photos, load_faces
from eigenfaces.cli import running
from eigenfaces.photographs.names import as_name, lookalikes_words, visible_name
from eigenfaces.text import name_key
from tests.picture_files import picture

CUT = Preparation(16, 16, already_cropped=True)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Weiß", "Weiss", False),
        ("WEIẞ", "Weiß", True),
        ("Weiß", "WEISS", False),
        ("İpek", "ipek", False),
        ("İpek", "i̇pek", False),
        ("Ιάσος", "ΙΆΣΟΣ", False),  # a final sigma is a letter of its own
        ("Σοφία", "σοφία", True),
        ("Zoe\u0308", "ZOË", True),
        ("ﬁnn", "finn", False),
        (" Ann ", "ann", True),
        ("Ann Lee", "Ann\u00a0Lee", False),
    ],
)
def test_which_names_are_one(tmp_path: Path, one: str, other: str, same: bool) -> None:
    """In a list, and where a person is renamed."""
    assert (name_key(one) == name_key(other)) == same
    lines = []
    for number, who in enumerate((one, other, one, other)):
        lines.append(f"{picture(tmp_path / f'{number}.png', number).name};{who}")
    (tmp_path / "people.csv").write_text("\n".join(lines), "utf-8")
    faces = load_faces(find_photos(tmp_path / "people.csv"), CUT)
    assert len(faces.index.people) == (1 if same else 2)
    if not same:
        gallery = Gallery.new(CUT).enrol(faces)
        first, second = gallery.people
        with pytest.raises(EigenfacesError, match="is already in the gallery"):
            gallery.rename(first, second)
        assert gallery.rename(first, "Somebody").rename("Somebody", first).people == gallery.people


@given(st.text(max_size=8))
def test_a_key_is_the_key_of_itself_and_of_the_name_as_it_is_kept(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)
    if (name := as_name(text)) is not None:
        assert as_name(name) == name
        assert "\n" not in name
        assert "\r" not in name


HIDDEN = ["\u00a0", "\u2009", "\u200b", "\u200d", "\u00ad", "\ufeff", "\u2060", "\u3164"]


@pytest.mark.parametrize("letter", HIDDEN)
def test_names_that_differ_by_nothing_that_is_seen_are_pointed_out(letter: str) -> None:
    """They stay two people: in some writings such a letter means something."""
    other = "Ann Lee".replace(" ", letter) if letter.isspace() else f"An{letter}n Lee"
    assert name_key(other) != name_key("Ann Lee")
    assert visible_name(other) == visible_name("ANN LEE")
    said = lookalikes_words(["Ann Lee", "Bob", other, "Weiß", "Weiss"])
    assert said.startswith("2 people are called “Ann Lee”. Their names differ only in spaces")
    assert lookalikes_words(["Ann Lee", "Bob", "Ann Leeds", "Weiß", "Weiss", "Ann Lee"]) == ""
    assert as_name(letter) is None


def test_a_line_end_in_a_name_is_a_space(tmp_path: Path) -> None:
    for number in range(3):
        picture(tmp_path / f"{number}.png", number)
    text = '0.png;"Ann\r\nLee"\r\n1.png;ANN LEE\r\n2.png;"\u200b"\r\n'
    (tmp_path / "people.csv").write_bytes(text.encode())
    found = find_photos(tmp_path / "people.csv")
    assert [(p.path.name, p.person) for p in found.photos] == [
        ("0.png", "Ann Lee"),
        ("1.png", "Ann Lee"),
    ]
    assert "no label" in found.skipped[0].reason
    assert as_name("Ann\u2028Lee") == "Ann Lee"


def test_a_soft_hyphen_is_printed() -> None:
    assert running.printable("Donau\u00addampf") == "Donau\u00addampf"
