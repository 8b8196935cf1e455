"""Tables of numbers that people bring: how they are read, what is left out, what is refused."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory import points
from eigenfaces.laboratory.points import Cloud, is_table, read_points

NUMBERS = [[1.5, 1000.0], [2.25, -3.0], [-4.0, 0.001]]


@pytest.fixture
def table(tmp_path: Path):
    """Read a table of this content."""

    def read(content: str | bytes, name: str = "some.csv") -> Cloud:
        raw = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(raw)
        return read_points(tmp_path / name)

    return read


def test_irises_are_read_with_headings_and_labels_and_their_listing_gives_the_same(
    tmp_path: Path,
) -> None:
    iris, path = load_iris(), tmp_path / "iris.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Id", *iris.feature_names, "Species"])
        for at, (row, kind) in enumerate(zip(iris.data, iris.target, strict=True), 1):
            writer.writerow([at, *row, iris.target_names[kind]])
    read = read_points(path)
    np.testing.assert_array_equal(read.values, iris.data)
    assert read.columns == tuple(iris.feature_names)
    assert read.labels == tuple(iris.target_names[iris.target])
    assert read.names is None
    assert read.title == "150 rows of iris.csv"
    assert read.notes == ("Left out: the first column, “Id”, which numbers the rows.",)
    names: dict = {"np": np}
    exec(read.code, names)
    np.testing.assert_array_equal(names["x"], read.values)
    assert tuple(names["labels"]) == read.labels
    exec(read.in_plane(read.columns[3], read.columns[1]).code, names)
    np.testing.assert_array_equal(names["x"], iris.data[:, [3, 1]])


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1.5,1000\n2.25,-3\n-4,0.001\n",
        "a;b\n1,5;1000\n2,25;-3\n-4;0,001\n",
        "a\tb\r\n1,5\t1.000\r\n2,25\t−3\r\n-4\t0,001\r\n",
        'a,b\n"1,5","1.000,0"\n"2,25",-3\n-4,"0,001"\n',
        'a,b\n1.5,"1,000.0"\n2.25,-3\n-4,1e-3\n',
        "a;b\n1,5;1 000\n2,25;-3\n-4;0,001\n",
        "a b\n1.5  1000\n2.25 -3\n -4 0.001\n",
        '"a","b"\n\n1.5,1000\n\n 2.25 , -3\n-4,.001\n',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_separators_decimals_quotes_and_encodings(table, text: str, encoding: str) -> None:
    read = table(text.encode(encoding))
    assert read.values.tolist() == NUMBERS
    assert read.columns == ("a", "b")
    assert read.notes == ()


@given(
    st.lists(st.tuples(*[st.integers(-(10**6), 10**6)] * 2), min_size=3, max_size=6),
    st.sampled_from([1, 2, 4]),  # with three decimals, “1,234” may be either
    st.sampled_from([(",", "."), (";", ","), (";", "."), ("\t", ",")]),
)
def test_what_was_written_is_read(tmp_path_factory, rows, digits: int, marks) -> None:
    separator, mark = marks
    path = tmp_path_factory.mktemp("tables") / "some.csv"
    written = [[f"{n / 10**digits:.{digits}f}".replace(".", mark) for n in row] for row in rows]
    path.write_text("\n".join(separator.join(row) for row in [["a", "b"], *written]))
    decimal = np.array([[float(cell.replace(mark, ".")) for cell in row] for row in written])
    np.testing.assert_array_equal(read_points(path).values, decimal)


def test_windows_letters_names_and_words(table) -> None:
    read = table(
        "Land;Größe;Küste;x\nBayern;1;nein;2\nHessen;3;nein;4\nHolstein;5;ja;6\n".encode("cp1252")
    )
    assert read.columns == ("Größe", "x")
    assert read.names == ("Bayern", "Hessen", "Holstein")
    assert read.labels == ("nein", "nein", "ja")
    assert dict(read.words) == {"Land": read.names, "Küste": read.labels}


def test_rows_without_a_number_are_left_out_and_it_is_said_which_column(table) -> None:
    read = table("a,b,kind\n1,2,x\nNA,3,x\n4,?,y\n5,6,y\n7,,x\n8,9,x\n")
    assert read.values.tolist() == [[1, 2], [5, 6], [8, 9]]
    assert read.labels == ("x", "y", "x")
    assert read.notes == ("Left out: 3 of 6 rows, as a number is missing, most often in “b”.",)


def test_columns_and_lines_that_are_left_out_are_named(table) -> None:
    read = table("made in 2024\na,b,rare\n1,2,\n3,4,\n5,6,7\n8,9,,,\n7,7,\n")
    assert read.columns == ("a", "b")
    assert read.notes == (
        "Left out: 2 lines without 3 cells, which most lines have.",
        "Left out: the column “rare”, which is mostly empty.",
    )


def test_without_headings_columns_are_counted_and_the_same_heading_twice_is_told_apart(
    table,
) -> None:
    assert table("1,2\n3,4\n5,7\n").columns == ("column 1", "column 2")
    assert table("a,a,\n1,2,3\n3,4,4\n5,7,9\n").columns == ("a", "a (2)", "column 3")
    by_r = table('"x","y"\n"1",2,3\n"2",4,4\n"3",7,9\n')
    assert (by_r.columns, len(by_r)) == (("x", "y"), 3)


def test_a_number_under_a_heading_of_labels_is_one(table) -> None:
    read = table("a,b,class\n1,2,0\n3,4,1\n5,7,1\n")
    assert read.columns == ("a", "b")
    assert read.labels == ("0", "1", "1")


def test_of_a_large_table_a_sample_of_rows_and_the_first_columns_are_read(
    table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(points, "MOST_ROWS", 20)
    monkeypatch.setattr(points, "MOST_COLUMNS", 3)
    numbers = np.arange(500).reshape(100, 5)
    read = table("\n".join(",".join(map(str, row)) for row in numbers.tolist()))
    assert read.values.shape == (20, 3)
    assert {tuple(row) for row in read.values.tolist()} <= {
        tuple(row[:3]) for row in numbers.tolist()
    }
    assert read.notes == (
        "A sample of 20 of 100 rows, drawn at random.",
        "The first 3 of 5 columns of numbers are read.",
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty: save the table again."),
        (b"\n \n,,\n", "is empty: save the table again."),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "it is not text. Save the table as CSV."),
        (b"PK\3\4\x14\0", "is a workbook or an archive, not text: save its sheet as CSV."),
        (
            b"name,town\nAda,London\nBo,Rome\nCy,Oslo\n",
            "has no numbers: a table needs at least two",
        ),
        (b"a,town\n1,London\n2,Rome\n3,Oslo\n", "has one column of numbers, “a”: a table needs"),
        (b"a,b\n1,2\n", "has 1 complete row: a table needs at least three"),
        (b"a,b\n1,2\n3,\n,4\n5,\n,6\n", "has 1 complete row"),
        (b'a,b\n1,"2\n3,4\n', "is not a table: unexpected end of data. Check its quotation marks."),
        (b"a,b\n" + b'"' + b"x" * 200_000 + b'",1\n', "field larger than field limit"),
        (b"a,b\n1,2\n1e300,3\n4,5\n6,inf\n", "has 2 complete rows"),
    ],
)
def test_what_is_no_table_is_refused_in_a_sentence(table, content: bytes, words: str) -> None:
    with pytest.raises(EigenfacesError, match=re.escape(words)) as refused:
        table(content)
    assert str(refused.value).startswith("“some.csv”")
    assert str(refused.value).endswith(".")


def test_files_that_cannot_be_read_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, words in ((tmp_path, "This is a folder."), (tmp_path / "no.csv", "not there")):
        with pytest.raises(EigenfacesError, match=f"{place}” cannot be read: .*{words}"):
            read_points(place)
    (tmp_path / "large.csv").write_text("a,b\n1,2\n")
    monkeypatch.setattr(points, "_MOST_TEXT", 7)
    with pytest.raises(EigenfacesError, match="too large"):
        read_points(tmp_path / "large.csv")


@given(st.binary(max_size=300))
def test_any_file_is_a_table_or_refused(tmp_path_factory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("tables") / "any.csv"
    path.write_bytes(content)
    values, refused = np.zeros((3, 2)), "."
    try:
        values = read_points(path).values
    except EigenfacesError as error:
        refused = str(error)
    assert np.isfinite(values).all()
    assert values.shape >= (3, 2)
    assert refused.endswith(".")


def test_a_table_is_known_by_its_name() -> None:
    assert is_table(Path("a.CSV"))
    assert not is_table(Path("a.npz"))
