"""Finding photographs: folders, name patterns, lists, files of eyes; nothing silent."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from eigenfaces import EigenfacesError, Preparation, find_photos, load_faces
from eigenfaces.evaluation.protocols import read_list, read_pairs
from eigenfaces.photographs.find import named_by_pattern, photos_of
from eigenfaces.photographs.names import person_from_name, suggest_pattern
from eigenfaces.photographs.placement import Eyes, Placement, read_eyes
from tests.picture_files import picture

CUT = Preparation(16, 16, already_cropped=True)


def write(path: Path, *lines: str, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("\n".join(lines).encode(encoding))
    return path


def people_in(source: Path, pattern: str | None = None) -> list[tuple[str, str | None]]:
    return [(photo.path.name, photo.person) for photo in find_photos(source, pattern).photos]


class TestFolders:
    def test_a_sub_folder_a_person_in_natural_order(self, tmp_path: Path) -> None:
        """Folder s2 before s10, however the disk orders them."""
        names = ("1.png", "9.png", "10.png")
        for person in ("s10", "s2", "S1"):
            for name in names[::-1]:
                picture(tmp_path / person / name)
        picture(tmp_path / "s2" / "deeper" / "x.png")
        order = [*((n, "S1") for n in names), *((n, "s2") for n in (*names, "x.png"))]
        assert people_in(tmp_path) == [*order, *((n, "s10") for n in names)]
        equal = ["a1.png", "A01.png", "a01.png", "A1.png", "a001.png"]
        for name in equal:
            picture(tmp_path / "equal" / name)
        assert [name for name, _ in people_in(tmp_path / "equal")] == sorted(equal)

    def test_what_systems_leave_is_passed_over_and_unusual_names_are_not(
        self, tmp_path: Path
    ) -> None:
        picture(tmp_path / "Ada" / "subject01.happy")
        picture(tmp_path / "Ada" / "SHOUTING.PNG", 1)
        for name in (".a.png", ".DS_Store", "Thumbs.db", "notes.txt", "empty"):
            (tmp_path / "Ada" / name).write_text("x" if name != "empty" else "")
        for name in (".hidden", "__MACOSX", "@eaDir", "#recycle", "$RECYCLE.BIN", "lost+found"):
            picture(tmp_path / name / "b.png")
            picture(tmp_path / "Ada" / name / "1.png" / "thumb.jpg")
        assert people_in(tmp_path) == [("SHOUTING.PNG", "Ada"), ("subject01.happy", "Ada")]

    def test_names_of_any_kind(self, tmp_path: Path) -> None:
        picture(tmp_path / "Zoë Müller" / "Bild 1 – schön.png")
        picture(tmp_path / "Zoe\u0308 Mu\u0308ller" / "decomposed.png", 1)
        picture(tmp_path / "李 明" / "照片.png", 2)
        picture(tmp_path / " " / "a.png", 3)
        assert {person for _, person in people_in(tmp_path)} == {"Zoë Müller", "李 明", None}
        assert len(load_faces(find_photos(tmp_path), CUT)) == 4

    @pytest.mark.skipif(os.name == "nt", reason="names are text there")
    def test_names_that_are_no_text(self, tmp_path: Path) -> None:
        for i, name in enumerate((b"caf\xe9", b"caf\xe8")):
            picture(Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name + b"/\xff.png")), i)
        faces = load_faces(find_photos(tmp_path), CUT)
        assert faces.index.people == ("caf\\xe8", "caf\\xe9")  # two people, and no lone surrogates
        assert faces.skipped == ()

    def test_loops_of_links_end_and_are_listed(self, tmp_path: Path) -> None:
        picture(tmp_path / "Ada" / "a.png")
        (tmp_path / "Ada" / "up").symlink_to(tmp_path)
        (tmp_path / "Zoe").symlink_to(tmp_path / "Ada")
        (tmp_path / "me").symlink_to(tmp_path / "me")
        found = find_photos(tmp_path)
        assert [photo.path.name for photo in found.photos] == ["a.png"]
        assert [(s.path.name, s.person) for s in found.skipped] == [("up", "Ada"), ("Zoe", "Zoe")]
        assert "already been read" in found.skipped[0].reason

    def test_a_folder_one_may_not_read_is_listed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        picture(tmp_path / "Ada" / "a.png")
        closed, listdir = tmp_path / "Bob", os.listdir
        closed.mkdir()

        def refuse(path: Path) -> object:
            if Path(path) == closed:
                raise PermissionError(13, "Permission denied")
            return listdir(path)

        monkeypatch.setattr(os, "listdir", refuse)
        found = find_photos(tmp_path)
        assert [photo.path.name for photo in found.photos] == ["a.png"]
        (skipped,) = found.skipped
        assert skipped.reason == "This folder cannot be read: Permission denied."
        with pytest.raises(EigenfacesError, match="cannot be read: Permission denied"):
            find_photos(closed)

    def test_several_folders_patterns_and_nothing_there(self, tmp_path: Path) -> None:
        for name in ("Ada/1.png", "Ada/2.png", "Bob/3.png", "@eaDir/4.png"):
            picture(tmp_path / name)
        assert people_in(tmp_path / "*") == [("1.png", "Ada"), ("2.png", "Ada"), ("3.png", "Bob")]
        assert people_in(tmp_path / "Ada" / "?.png") == [("1.png", None), ("2.png", None)]
        (tmp_path / "empty").mkdir()
        with pytest.raises(EigenfacesError, match="no photos"):
            find_photos(tmp_path / "empty")
        (skipped,) = photos_of([tmp_path / "empty", tmp_path / "Ada"]).skipped
        assert "no photos" in skipped.reason
        for place in (tmp_path / "nowhere", tmp_path / "no*", Path("/dev/null")):
            with pytest.raises(EigenfacesError, match="does not exist"):
                find_photos(place)


class TestPatterns:
    @pytest.mark.parametrize(
        ("name", "pattern", "person"),
        [
            ("subject01.happy.gif", "{person}.*", "subject01"),
            ("Ada_Byron_0001.jpg", "{person}_{number}.*", "Ada_Byron"),
            ("a_b_c.png", "*_{person}.*", "c"),  # the first star takes as much as it can
            ("(a.b).png", "({person}).png", "a.b"),  # what is no part in braces is itself
            ("Zoe\u0308.png", "{person}.png", "Zoë"),
            (" .png", "{person}.*", None),
            ("ada.png", "{person}{number}.*", None),
        ],
    )
    def test_what_they_name(self, name: str, pattern: str, person: str | None) -> None:
        assert person_from_name(name, pattern) == person

    def test_what_does_not_fit_is_listed_or_refused(self, tmp_path: Path) -> None:
        picture(tmp_path / "ada.1.png")
        picture(tmp_path / "stray.png")
        found = find_photos(tmp_path, "{person}.*.png")
        assert [photo.person for photo in found.photos] == ["ada"]
        (stray,) = found.skipped
        assert (stray.path.name, stray.kind) == ("stray.png", "unnamed")
        assert "does not match the pattern" in stray.reason
        assert named_by_pattern(find_photos(tmp_path), "{person}.*.png") == found
        picture(tmp_path / "Bob" / "stray.png")  # a folder names him
        named = [("ada.1.png", "ada"), ("stray.png", "Bob")]
        assert people_in(tmp_path, "{person}.*.png") == named
        for pattern in ("", "*", "{name}.*", "{person}{person}", "*-*-{person}*.*"):
            with pytest.raises(EigenfacesError, match="must contain"):
                find_photos(tmp_path, pattern)

    @pytest.mark.parametrize(
        ("names", "pattern"),
        [
            (["ada_1.png", "ada_2.png", "bob_1.png"], "{person}_*"),
            (["Jose\u0301-1.png", "José-2.png", "Li-1.png"], "{person}-*"),
            (
                [f"{at}_P{at % 12:02}_{at % 5}.jpg" for at in range(1148, 1287)],
                "{number}_{person}_{number}.*",
            ),
            ([], None),
            (["a.png", "b.png"], None),
            # A camera is nobody, nor is a day.
            (["IMG_1.jpg", "IMG_2.jpg"], None),
            (["DSC-1.jpg"] * 2, None),
            (["IMG_20240101_1.jpg", "IMG_20240101_2.jpg", "IMG_20240102_1.jpg"], None),
            (["20240101_1.jpg", "20240101_2.jpg", "20240102_1.jpg"], None),
            # Nearly every photograph would be a person of its own.
            ([f"{at}_{at % 12}_{at}a.jpg" for at in range(100, 150)], None),
            ([f"{at}_{at % 12}_{at % 12}.jpg" for at in range(100, 150)], None),
            ([f"x{at}.jpg" for at in range(100, 150)], None),
        ],
    )
    def test_suggestions(self, names: list[str], pattern: str | None) -> None:
        assert suggest_pattern(names) == pattern

    @pytest.mark.parametrize("number", ["_000{}", " {}", "-{}", "{}", " ({})", ""])
    def test_two_people_are_not_suggested_to_be_one(self, number: str) -> None:
        people = {"John Doe", "John Smith", "Mary Poppins", "Mary Shelley"}
        names = [f"{who}{number.format(n)}.png" for who in people for n in range(3)]
        pattern = suggest_pattern([*dict.fromkeys(names)])
        assert pattern is not None
        assert {person_from_name(name, pattern) for name in names} == people
        assert suggest_pattern([f"{who}.png" for who in people] + ["John Doe 2.png"]) is None


class TestLists:
    @pytest.mark.parametrize("separator", [";", ",", "\t"])
    def test_lines(self, tmp_path: Path, separator: str) -> None:
        lines = [
            ("path", "label"),
            ("# a comment", ""),
            ("a.png", "Ada"),
            ('"b; c, d.png"', '"Zoë ""Z"" Ü"'),
            ("", ""),
            ("sub folder/e.png", " Bob "),
        ]
        text = "\r\n".join(separator.join(line) for line in lines)
        names = [("a.png", "Ada"), ("b; c, d.png", 'Zoë "Z" Ü'), ("e.png", "Bob")]
        assert people_in(write(tmp_path / "people.csv", text, encoding="utf-8-sig")) == names

    def test_columns_that_are_called_otherwise_and_paths_of_windows(self, tmp_path: Path) -> None:
        picture(tmp_path / "Ada" / "1.png")
        away = tmp_path / "x" / "gone.png"  # relative paths start at the list
        lines = ("Person\tnote\tFile name", "Jose\u0301\t\tAda\\1.png", f"JOSÉ\ta; b, c\t{away}")
        photos = find_photos(write(tmp_path / "people.csv", *lines)).photos
        assert {photo.person for photo in photos} == {"José"}
        assert [photo.path for photo in photos] == [tmp_path / "Ada/1.png", away]

    def test_missing_files_and_labels_are_listed(self, tmp_path: Path) -> None:
        picture(tmp_path / "#1.png")  # what begins as a comment may be a photograph
        text = "# mine\n#2.png;Bob\n#1.png;Ada #2\ngone.png;Ada\n;Ada\nb.png;\nc.png\n"
        found = find_photos(write(tmp_path / "people.csv", text))
        assert found.photos[0].person == "Ada #2"
        assert [skipped.path.name for skipped in found.skipped] == ["b.png", "c.png"]
        assert "no label" in found.skipped[0].reason
        faces = load_faces(found, CUT)
        assert (len(faces), len(faces.skipped)) == (1, 4)
        assert any("not there" in skipped.reason for skipped in faces.skipped)
        short = find_photos(write(tmp_path / "people.csv", "no;of;file;person\n1;2;a.png;Ada\n3\n"))
        assert (len(short.photos), len(short.skipped)) == (1, 1)

    @pytest.mark.parametrize("read", [find_photos, read_eyes, read_list, read_pairs])
    def test_all_tables_are_refused_in_the_same_words(
        self, read: Callable[[Path], object], tmp_path: Path
    ) -> None:
        never_ends = '"a.png;Ada\nb.png;Bob\n'  # which must not swallow the lines after it
        for text, encoding, why in (
            ("é.png;Zoë", "latin-1", r"it is not text in UTF-8\."),
            (never_ends, "utf-8", r"unexpected end of data\. Check its quotation marks\."),
        ):
            table = write(tmp_path / "table.csv", text, encoding=encoding)
            refused = f"table.csv” is not a list or a table: {why}$"
            with pytest.raises(EigenfacesError, match=refused):
                read(table)


HEADING = "file,left_x,left_y,right_x,right_y"


class TestEyes:
    def test_paths_start_at_the_file(self, tmp_path: Path) -> None:
        away = tmp_path / "away" / "ü, b.png"
        lines = ("Ada/a.png,10,20.5,30,21", f'"{away}",-1,2,3,4e1', "../up.png,1,1,9,1")
        assert read_eyes(write(tmp_path / "in" / "eyes.csv", HEADING, *lines)) == {
            tmp_path / "in" / "Ada" / "a.png": Eyes((10, 20.5), (30, 21)),
            away: Eyes((-1, 2), (3, 40)),
            tmp_path / "up.png": Eyes((1, 1), (9, 1)),
        }

    def test_what_states_no_eyes_is_refused_with_its_line(self, tmp_path: Path) -> None:
        """Without two eyes, in the other order, or with others than a line before."""
        twice = (
            "a.png,1,2,7,2",
            "# twice",
            "a.png,1.0,2,7,2",
        )  # the same once more contradicts nothing
        none = ("b.png,7,2,7,2", "b.png,nan,2,7,2", "b.png,1,2,3", "b.png", "b.png,1,2,3,four")
        for line in (*none, "b.png,7,2,1,2"):
            with pytest.raises(EigenfacesError, match=r"^Line 5 of .*two eyes.*right_y\.$"):
                read_eyes(write(tmp_path / "eyes.csv", HEADING, *twice, line))
        with pytest.raises(EigenfacesError, match=r"^Line 5 of .*different eye .*“a\.png” than"):
            read_eyes(write(tmp_path / "eyes.csv", HEADING, *twice, "in/../a.png,1,2,7,3"))
        for path, why in (
            (tmp_path / "nowhere.csv", "cannot be read: The file is not there"),
            (write(tmp_path / "empty.csv", ""), "left_x, left_y, right_x, right_y"),
            (
                write(tmp_path / "eyes.csv", "file,left_x,left_y,right_x", "a.png,1,2,3"),
                "left_y, right_x",
            ),
        ):
            with pytest.raises(EigenfacesError, match=rf"{why}.*\.$"):
                read_eyes(path)

    def test_those_beside_the_photographs_are_used(self, tmp_path: Path) -> None:
        picture(tmp_path / "Ada" / "a.png")
        picture(tmp_path / "Ada" / "b.png", 1)
        write(tmp_path / "eyes.csv", HEADING, "./Ada/../Ada/b.png,1,2,7,2", "gone.png,1,1,2,2")
        people = write(tmp_path / "list.csv", "Ada/a.png;Ada", "Ada/b.png;Ada")
        note = "Eye positions are also given for 1 photo not found here."
        assert photos_of([tmp_path]).note == note
        for source in (tmp_path, people):
            assert find_photos(source).note == note
            first, second = find_photos(source).photos
            assert first.placement is None
            assert second.placement == Placement(Eyes((1, 2), (7, 2)), "from a file")
        (tmp_path / "eyes.csv").write_bytes(b"\xff")
        with pytest.raises(EigenfacesError, match=r"eyes\.csv” is not a list or a table: "):
            find_photos(tmp_path)
        (tmp_path / "link").symlink_to(tmp_path)
        other = write(tmp_path / "other.csv", HEADING, "link/Ada/a.png,3,3,9,3")
        first, second = find_photos(tmp_path, eyes=other).photos
        assert first.placement == Placement(Eyes((3, 3), (9, 3)), "from a file")
        assert second.placement is None
        assert find_photos(tmp_path, eyes=other).note == ""

    def test_a_file_that_is_given_and_names_none_of_them_is_refused(self, tmp_path: Path) -> None:
        picture(tmp_path / "Ada" / "a.png")
        # Else the faces would be searched for, and nobody would notice.
        file = write(tmp_path / "other" / "eyes.csv", HEADING, "Ada/a.png,1,2,7,2")
        with pytest.raises(EigenfacesError, match=r"any of these photos.*its folder"):
            find_photos(tmp_path, eyes=file)
