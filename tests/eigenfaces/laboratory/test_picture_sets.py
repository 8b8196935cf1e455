"""The classic sets as they are downloaded, whole and damaged; the files are made here."""

import gzip
import hashlib
import pickle
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory import picture_files, picture_sets
from eigenfaces.laboratory.picture_files import read_pictures

RNG = np.random.default_rng(0)
GREY = RNG.integers(0, 256, (12, 5, 4), np.uint8)
DIGITS = np.arange(12, dtype=np.uint8) % 10
COLOUR = RNG.integers(0, 256, (12, 32, 32, 3), np.uint8)


def idx(array: np.ndarray, kind: int = 8) -> bytes:
    """Return an array as an IDX file has it."""
    return struct.pack(f">4B{array.ndim}I", 0, 0, kind, array.ndim, *array.shape) + array.tobytes()


def cifar(*labels: np.ndarray) -> bytes:
    planes = COLOUR.transpose(0, 3, 1, 2).reshape(12, -1)
    return np.column_stack([*(column.astype(np.uint8) for column in labels), planes]).tobytes()


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def npy(folder: Path, array: np.ndarray) -> Path:
    np.save(folder / "some.npy", array)
    return folder / "some.npy"


@pytest.mark.parametrize("name", ["train-images-idx3-ubyte", "t10k-images.idx3-ubyte"])
@pytest.mark.parametrize("pictures", [bytes, gzip.compress])
@pytest.mark.parametrize("labels", [bytes, gzip.compress])
def test_idx_with_the_labels_beside_it(
    tmp_path: Path, name: str, pictures: Callable[..., bytes], labels: Callable[..., bytes]
) -> None:
    beside = name.replace("images", "labels").replace("idx3", "idx1")
    suffixes = {bytes: "", gzip.compress: ".gz"}
    written(tmp_path / (beside + suffixes[labels]), labels(idx(DIGITS)))
    read = read_pictures(written(tmp_path / (name + suffixes[pictures]), pictures(idx(GREY))))
    np.testing.assert_allclose(read.pictures, GREY / 255, atol=1e-7)
    assert read.labels == tuple(map(str, DIGITS))
    assert (read.shape, read.notes) == ((5, 4), ())


def test_idx_without_labels_says_where_they_would_be(tmp_path: Path) -> None:
    read = read_pictures(written(tmp_path / "train-images-idx3-ubyte.gz", idx(GREY)))
    assert read.labels is None  # and it is read though it is not packed, as its name has it
    said = "There are no labels: “train-labels-idx1-ubyte” is not beside the file."
    assert read.notes == (said,)


def test_labels_of_fashion_mnist_are_names_and_those_of_others_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is known by the content of its labels: its files are called as those of MNIST."""
    labels = written(tmp_path / "t10k-labels-idx1-ubyte.gz", gzip.compress(idx(DIGITS), mtime=0))
    path = written(tmp_path / "t10k-images-idx3-ubyte.gz", gzip.compress(idx(GREY)))
    assert read_pictures(path).labels == tuple(map(str, DIGITS))
    known = {hashlib.md5(labels.read_bytes()).hexdigest()}
    monkeypatch.setattr(picture_sets, "_CLASS_FILES", known)
    named = read_pictures(path).labels
    assert named is not None
    assert (named[0], named[9], named[10]) == ("T-shirt/top", "Ankle boot", "T-shirt/top")


def test_idx_of_large_numbers_has_the_large_byte_first(tmp_path: Path) -> None:
    read = read_pictures(written(tmp_path / "some.idx", idx((GREY * 4.0).astype(">f4"), 13)))
    np.testing.assert_allclose(read.pictures, GREY * 4.0 / (GREY.max() * 4.0), atol=1e-6)


@pytest.mark.parametrize(("suffix", "pack"), [("", bytes), (".gz", gzip.compress)])
def test_cifar_has_names_of_its_labels_beside_it(
    tmp_path: Path, suffix: str, pack: Callable[..., bytes]
) -> None:
    path = written(tmp_path / f"data_batch_1.bin{suffix}", pack(cifar(DIGITS)))
    read = read_pictures(path)
    np.testing.assert_allclose(read.pictures, COLOUR / 255, atol=1e-7)
    assert read.labels == tuple(map(str, DIGITS))
    assert read.notes == ("Labels are numbers: no names were found in “batches.meta.txt”.",)
    names = ["airplane", "automobile", "bird", "cat", "deer", *"fghij"]
    (tmp_path / "batches.meta.txt").write_text("\n".join(names) + "\n\n")
    read = read_pictures(path)
    assert read.labels == tuple(names[digit] for digit in DIGITS)
    assert read.notes == ()


def test_cifar_100_has_coarse_and_fine_labels(tmp_path: Path) -> None:
    path = written(tmp_path / "train.bin", cifar(DIGITS + 10, DIGITS + 90))
    (tmp_path / "coarse_label_names.txt").write_text("\n".join(f"c{i}" for i in range(20)))
    (tmp_path / "fine_label_names.txt").write_text("\n".join(f"f{i}" for i in range(100)))
    read = read_pictures(path)
    np.testing.assert_allclose(read.pictures, COLOUR / 255, atol=1e-7)
    assert read.labels == tuple(f"c{digit + 10}: f{digit + 90}" for digit in DIGITS)


@pytest.mark.parametrize(
    ("array", "shape"),
    [(GREY, (5, 4)), (COLOUR / 255, (32, 32, 3)), (GREY.reshape(12, 20)[:, :16], (4, 4))],
)
def test_an_npy_is_one_array(tmp_path: Path, array: np.ndarray, shape: tuple[int, ...]) -> None:
    read = read_pictures(npy(tmp_path, array))
    assert (read.shape, read.labels) == (shape, None)
    white = 255 if array.dtype == np.uint8 else 1
    np.testing.assert_allclose(read.values, array.reshape(12, -1) / white, atol=1e-7)


@pytest.mark.parametrize("kind", ["idx", "npy", "cifar"])
def test_of_a_set_that_is_too_large_a_sample_is_read_with_its_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    make = {
        "idx": lambda: written(tmp_path / "train-images-idx3-ubyte", idx(GREY)),
        "npy": lambda: npy(tmp_path, GREY),
        "cifar": lambda: written(tmp_path / "test_batch.bin", cifar(DIGITS)),
    }
    written(tmp_path / "train-labels-idx1-ubyte", idx(DIGITS))
    pictures = COLOUR if kind == "cifar" else GREY
    monkeypatch.setattr(picture_files, "MOST_VALUES", 7 * pictures[0].size)
    read = read_pictures(make[kind]())
    assert len(read) == 7
    assert "A sample of 7 of 12 pictures, drawn at random." in read.notes
    flat = (pictures.reshape(12, -1) / np.float32(255)).astype(np.float32)
    rows = [int((flat == picture).all(axis=1).argmax()) for picture in read.pixels]
    assert len(set(rows)) == 7
    assert kind == "npy" or read.labels == tuple(str(DIGITS[row]) for row in rows)


HUGE = struct.pack(">4B3I", 0, 0, 8, 3, 2**32 - 1, 2**32 - 1, 2**32 - 1)
MANY = struct.pack(">4B3I", 0, 0, 8, 3, 60_000, 28, 28)
NPY_HEAD = b"\x93NUMPY\x01\x00v\x00"
LONG_HEADER = "{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999, 28, 28), }".ljust(
    117
)

BAD = {
    "half an idx": (lambda at: written(at / "a", idx(GREY)[:-1]), "not an IDX file, or is damaged"),
    "an idx and more": (lambda at: written(at / "a", idx(GREY) + b"?"), "or is damaged"),
    "an idx of 3 bytes": (lambda at: written(at / "a", b"\0\0\x08"), "or is damaged"),
    "an idx without lengths": (lambda at: written(at / "a", idx(GREY)[:9]), "or is damaged"),
    "an idx of no side": (lambda at: written(at / "a", b"\0\0\x08\0"), "or is damaged"),
    "an idx of 255 sides": (lambda at: written(at / "a", b"\0\0\x08\xff" * 999), "or is damaged"),
    "a huge idx": (lambda at: written(at / "a", HUGE), "or is damaged"),
    "a huge idx, packed": (lambda at: written(at / "a", gzip.compress(HUGE)), "or is damaged"),
    "few bytes, packed": (lambda at: written(at / "a", gzip.compress(MANY)), "or is damaged"),
    "too many, packed": (
        lambda at: written(at / "a", gzip.compress(idx(GREY) + bytes(10**6))),
        "or is damaged",
    ),
    "half a gzip": (lambda at: written(at / "a", gzip.compress(idx(GREY))[:-99]), "or is damaged"),
    "a tar.gz": (lambda at: written(at / "a.tar.gz", gzip.compress(b"data" * 99)), "unpacked"),
    "an idx of labels": (lambda at: written(at / "a", idx(DIGITS)), "has labels but no pictures"),
    "an empty idx": (lambda at: written(at / "a", idx(GREY[:0])), "0 × 5 × 4 cannot be read"),
    "an idx of one picture": (lambda at: written(at / "a", idx(GREY[:1])), "there is one picture"),
    "a short cifar": (
        lambda at: written(at / "a.bin", cifar(DIGITS)[:-1]),
        "not a binary CIFAR-10 or",
    ),
    "an empty cifar": (lambda at: written(at / "a.bin", b""), "not a binary CIFAR-10 or"),
    "labels of no cifar": (
        lambda at: written(at / "a.bin", cifar(DIGITS + 9)),
        "not a binary CIFAR-10 or",
    ),
    "half a packed cifar": (
        lambda at: written(at / "a.bin.gz", gzip.compress(cifar(DIGITS))[:-99]),
        "not a binary CIFAR-10 or",
    ),
    "a pickle": (lambda at: written(at / "data_batch_1", pickle.dumps({b"data": 1})), "any progr"),
    "an npy of objects": (lambda at: npy(at, np.array([{}, None])), "has Python objects"),
    "an npy of texts": (lambda at: npy(at, np.full((3, 4), "a")), "are not numbers"),
    "an npy of one number": (lambda at: npy(at, np.array(3)), "one number cannot be read"),
    "an npy below zero": (lambda at: npy(at, GREY - 100.0), "values from -100 to 15"),
    "half an npy": (lambda at: written(at / "b", npy(at, GREY).read_bytes()[:-1]), "is damaged"),
    "an npy and more": (lambda at: written(at / "b", npy(at, GREY).read_bytes() + b"?"), "damaged"),
    "a huge npy": (lambda at: written(at / "a", NPY_HEAD + LONG_HEADER.encode() + b"\n"), "damag"),
    "an npy of brackets": (lambda at: written(at / "a", NPY_HEAD + b"(" * 118), "is damaged"),
    "the start of an npy": (lambda at: written(at / "a", b"\x93NUMPY"), "is damaged"),
}


@pytest.mark.parametrize("bad", BAD)
def test_damaged_and_hostile_files_are_a_sentence(tmp_path: Path, bad: str) -> None:
    make, sentence = BAD[bad]
    with pytest.raises(EigenfacesError, match=rf"{sentence}.*\.$"):
        read_pictures(make(tmp_path))


def test_labels_that_do_not_fit_are_a_sentence(tmp_path: Path) -> None:
    path = written(tmp_path / "train-images-idx3-ubyte", idx(GREY))
    labels = written(tmp_path / "train-labels-idx1-ubyte", idx(DIGITS[:5]))
    with pytest.raises(EigenfacesError, match="do not match: 5 of them for 12 pictures"):
        read_pictures(path)
    labels.write_bytes(idx(DIGITS)[:-1])
    with pytest.raises(EigenfacesError, match="“train-labels-idx1-ubyte” is not an IDX file"):
        read_pictures(path)


def test_a_packed_file_is_unpacked_no_further_than_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bomb says that it is small, or is refused by what it says before it is unpacked."""
    read = []
    unpacked = gzip.GzipFile.read

    def counted(self: gzip.GzipFile, size: int | None = -1) -> bytes:
        read.append(len(content := unpacked(self, size)))
        return content

    monkeypatch.setattr(gzip.GzipFile, "read", counted)
    bomb = written(tmp_path / "a", gzip.compress(idx(GREY) + bytes(10**7)))
    with pytest.raises(EigenfacesError, match="or is damaged"):
        read_pictures(bomb)
    assert sum(read) <= len(idx(GREY)) + 1
    monkeypatch.setattr(picture_sets, "MOST_BYTES", len(cifar(DIGITS)) - 1)
    with pytest.raises(EigenfacesError, match="not a binary CIFAR-10 or"):
        read_pictures(written(tmp_path / "a.bin.gz", gzip.compress(bytes(10**6))))
    monkeypatch.setattr(picture_sets, "MOST_BYTES", 200)
    with pytest.raises(EigenfacesError, match="at most 0 are read"):
        read_pictures(written(tmp_path / "b", idx(GREY)))
