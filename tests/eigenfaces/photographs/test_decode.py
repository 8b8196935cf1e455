"""Reading photographs: every mode upright and grey; every bad kind a sentence."""

import re
import sys
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pillow_heif
import pytest
from astronaut import encoded, stored_as
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import EpsImagePlugin, Image, ImageCms

from eigenfaces import Preparation, find_photos, load_faces
from eigenfaces.errors import PhotoError
from eigenfaces.photographs.decode import decode, read_bytes

# Outside of the tests, the program itself silences what Pillow remarks on damaged metadata.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

SIZE = (24, 32)  # width, height
SENTENCE = re.compile(r"[A-Z].*[.)]$", re.DOTALL)


def picture(mode: str = "L", seed: int = 0) -> Image.Image:
    """A smooth random picture."""
    rng = np.random.default_rng(seed)
    small = Image.fromarray(rng.integers(0, 256, (6, 5, 3), np.uint8))
    return small.resize(SIZE, Image.Resampling.BICUBIC).convert(mode)


def array_as(values: np.ndarray, kind: str) -> bytes:
    return encoded(Image.fromarray(values), kind)


def grey(content: bytes, longest: int | None = None) -> np.ndarray:
    return decode(content, longest).grey


def luma(image: Image.Image) -> np.ndarray:
    rgb = np.asarray(image.convert("RGB"), float)
    return rgb @ [0.299, 0.587, 0.114] / 255


class TestModes:
    @pytest.mark.parametrize(
        ("mode", "kinds"),
        {
            "L": "PNG BMP TIFF PPM GIF",
            "RGB": "PNG BMP TIFF PPM",
            "1": "PNG PPM",
            "P": "PNG GIF",
            "CMYK": "TIFF",
        }.items(),
    )
    def test_colour_becomes_luma(self, mode: str, kinds: str) -> None:
        for kind in kinds.split():
            levels = grey(encoded(picture(mode), kind))
            assert levels.dtype == np.float32
            np.testing.assert_allclose(levels, luma(picture(mode)), atol=1.01 / 255)

    def test_transparent_parts_lie_on_white(self) -> None:
        image = Image.new("RGBA", SIZE, (0, 0, 0, 255))
        image.paste((0, 0, 0, 0), (0, 0, 12, 32))
        image.paste((0, 0, 0, 51), (12, 0, 24, 16))
        for mode in ("LA", "RGBA"):
            levels = grey(encoded(image.convert(mode), "PNG"))
            assert (levels[:, :12] == 1).all()
            np.testing.assert_allclose(levels[:16, 12:], 0.8, atol=0.005)
            assert (levels[16:, 12:] == 0).all()
        image = Image.new("P", SIZE, 0)
        image.putpalette([0, 0, 0, 255, 0, 0])
        image.paste(1, (0, 0, 12, 32))
        levels = grey(encoded(image, "PNG", transparency=0))
        assert (levels[:, 12:] == 1).all()
        np.testing.assert_allclose(levels[:, :12], 0.299, atol=0.003)
        assert (grey(encoded(Image.new("L", SIZE, 7), "PNG", transparency=7)) == 1).all()

    def test_wider_numbers(self, tmp_path: Path) -> None:
        """A file that states its white is believed; of the others, the values decide."""
        values = np.linspace(0, 65535, 32 * 24).reshape(32, 24).astype(np.uint16)
        expected = values.astype(np.float32) / 65535
        floats = (values[::-1] / 65535).astype("<f4").tobytes()  # the last row comes first
        pillow_heif.from_pillow(Image.fromarray(values // 8)).save(tmp_path / "a", quality=-1)
        files = (
            (b"P5\n24 32\n65535\n" + values.astype(">u2").tobytes(), expected),
            (b"P5\n24 32\n4095\n" + (values // 16).astype(">u2").tobytes(), expected),
            (array_as(values // 257, "PPM"), values // 257 / 65535),
            ((tmp_path / "a").read_bytes(), values // 8 / 65535),
            (array_as((values // 257).astype(np.int32), "TIFF"), (values // 257) / 255),
            (b"Pf\n24 32\n-1.0\n" + floats, expected),
        )
        for content, levels in files:
            np.testing.assert_allclose(grey(content), levels, atol=1 / 1000)

    @pytest.mark.parametrize("bits", [8, 10, 12, 14, 16])
    @pytest.mark.parametrize("kind", ["TIFF", "PNG", "float"])
    def test_fewer_bits_than_there_is_room_for(self, bits: int, kind: str) -> None:
        ramp, white = np.linspace(0, 1, 32 * 24).reshape(32, 24), 2**bits - 1
        kind, of = ("TIFF", np.float32) if kind == "float" else (kind, np.uint16)
        decoded = decode(array_as(np.rint(ramp * white).astype(of), kind))
        np.testing.assert_allclose(decoded.grey, ramp, atol=1 / white)
        usual = bits == 16 or (bits == 8 and of == np.float32)
        assert usual != (f"{white:,} is treated as white" in decoded.rescaled)

    @pytest.mark.parametrize("least", [0, -0.02])
    @pytest.mark.parametrize("most", [1, 1.02, 1.5, 258, 1040])
    def test_floats_beyond_black_and_white(self, least: float, most: float) -> None:
        ramp = np.linspace(least * most, most, 32 * 24, dtype=np.float32).reshape(32, 24)
        levels = grey(array_as(ramp, "TIFF"))
        np.testing.assert_allclose(levels, np.maximum(ramp / most, 0), atol=0.01)

    @pytest.mark.parametrize(("of", "most"), [(np.uint16, 65535), (np.float32, 1)])
    def test_zero_is_white(self, of: type, most: int) -> None:
        ramp = np.linspace(0, most, 32 * 24).reshape(32, 24).astype(of)
        content = encoded(Image.fromarray(ramp), "TIFF", tiffinfo={262: 0})
        np.testing.assert_allclose(grey(content), 1 - ramp / most, atol=0.004)

    def test_lab(self) -> None:
        profiles = [ImageCms.createProfile(name) for name in ("sRGB", "LAB")]
        image = picture("L").convert("RGB")
        lab = ImageCms.profileToProfile(image, *profiles, outputMode="LAB")
        assert lab is not None
        expected = np.asarray(image.convert("L")) / 255
        np.testing.assert_allclose(grey(encoded(lab, "TIFF")), expected, atol=1.01 / 255)

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, -1.0, 1e9])
    def test_values_that_are_no_grey(self, bad: float) -> None:
        values = np.full((32, 24), 0.5, np.float32)
        values[3, 4] = bad
        with pytest.raises(PhotoError, match="values"):
            decode(array_as(values, "TIFF"))

    def test_first_frame(self) -> None:
        frames = [picture(seed=i) for i in range(3)]
        for kind in ("GIF", "TIFF", "PNG"):
            content = encoded(frames[0], kind, save_all=True, append_images=frames[1:])
            assert np.array_equal(grey(content), grey(encoded(frames[0], kind)))

    @pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP", "HEIF"])
    def test_upright(self, kind: str, tmp_path: Path) -> None:
        """HEIF is what telephones write; a file's name may be unusual."""
        upright = picture().resize((240, 320))
        file = tmp_path / "subject01.happy"
        for orientation in range(1, 9):
            stored, exif = stored_as(upright, orientation)
            if kind == "HEIF":
                pillow_heif.from_pillow(stored).save(file, quality=95, exif=exif.tobytes())
            else:
                options = {"quality": 100} if kind in ("JPEG", "WEBP") else {}
                file.write_bytes(encoded(stored, kind, exif=exif, **options))
            decoded = decode(file.read_bytes())
            np.testing.assert_allclose(decoded.grey, np.asarray(upright) / 255, atol=0.05)
            assert decoded.colours(100).shape == (100, 75, 3)
        assert [photo.path for photo in find_photos(tmp_path).photos] == [file]

    def test_damaged_exif_says_nothing(self) -> None:
        content = encoded(picture(), "JPEG", exif=b"Exif\x00\x00MM\x00*\xff\xff\xff\xffjunk")
        assert grey(content).shape == (32, 24)


LARGE = picture("RGB").resize((1200, 800), Image.Resampling.BICUBIC)


@pytest.mark.parametrize("longest", [2, 149, 150, 151, 299, 300, 450, 599, 600, 601, 1199, 2000])
def test_a_jpeg_keeps_as_many_pixels_as_are_asked_for(longest: int) -> None:
    """A half, a quarter or an eighth: means of 2 × 2, 4 × 4 or 8 × 8 pixels."""
    levels = grey(encoded(LARGE, "JPEG", quality=95), longest)
    times = 1200 // levels.shape[1]
    assert levels.shape == (800 // times, 1200 // times)
    assert times == max(t for t in (1, 2, 4, 8) if t == 1 or 1200 // t >= longest)
    blocks = luma(LARGE).reshape(800 // times, times, 1200 // times, times)
    np.testing.assert_allclose(levels, blocks.mean(axis=(1, 3)), atol=0.03)
    assert grey(encoded(LARGE.resize((120, 80)), "PNG"), longest).shape == (80, 120)


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("cut", [1, 2, 20, 200])
def test_a_jpeg_without_its_end_is_read_and_said(cut: int, progressive: bool) -> None:
    large = LARGE.resize((240, 320))
    content = encoded(large, "JPEG", quality=95, progressive=progressive)
    for longest in (None, 160):
        decoded, whole = decode(content[:-cut], longest), decode(content, longest)
        rows = int(0.8 * len(whole.grey))
        np.testing.assert_allclose(decoded.grey[:rows], whole.grey[:rows], atol=0.02)
        missing = "end of the file is missing" in decoded.truncated
        assert (missing, whole.truncated) == (True, "")


BAD = {
    "text": (b"This is no picture at all.\n" * 20, "not a picture"),
    "zeros": (bytes(5000), "not a picture"),
    "cut JPEG": (encoded(picture("RGB"), "JPEG")[:-200], "cut short"),
    "cut PNG": (encoded(picture("RGB"), "PNG")[:-300], "cut short"),
    "one high": (array_as(np.zeros((1, 400), np.uint8), "PNG"), "too small: 400 × 1 pixels"),
    "huge": (b"P5\n60000 60000\n255\n", "too large"),
    "large": (b"P5\n9450 9450\n255\n", "too large"),  # between ours and twice Pillow's limit
    "HEIC": (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(200), "cut short"),
    "film": (b"\x00\x00\x00\x14ftypqt  \x00\x00\x02\x00qt  " + bytes(200), "a film"),
    "JPEG XL": (b"\xff\x0a" + bytes(200), "JPEG XL cannot be read"),
    "raw": (b"FUJIFILMCCD-RAW 0201" + bytes(200), "camera raw"),
    **{
        f"DNG {tag}": (encoded(picture("RGB"), "TIFF", tiffinfo={tag: value}), "camera raw")
        for tag, value in ((254, 1), (50706, b"\1\4\0\0"))
    },
    "shifted": (b"P5\r\n24 32\r\n255\r\n" + bytes(range(1, 251)) * 4, "longer than its header"),
}


class TestBad:
    @pytest.mark.parametrize("kind", BAD)
    def test_a_sentence_each(self, kind: str) -> None:
        content, reason = BAD[kind]
        with pytest.raises(PhotoError, match=reason) as caught:
            decode(content)
        assert SENTENCE.match(str(caught.value))

    def test_heic_without_its_decoder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is listed with what to do, and all other photographs are read."""
        photo = Image.new("L", (40, 40), 90)
        pillow_heif.from_pillow(photo).save(tmp_path / "a.heic")
        photo.save(tmp_path / "b.png")
        monkeypatch.setitem(sys.modules, "pillow_heif", None)
        faces = load_faces(find_photos(tmp_path), Preparation(40, 40, already_cropped=True))
        assert [photo.path.name for photo in faces.index.photos] == ["b.png"]
        (skipped,) = faces.skipped
        assert "HEIC cannot be read here. Run “pip install pillow-heif”" in skipped.reason
        assert SENTENCE.match(skipped.reason)

    def test_a_drawing_runs_no_program(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Pillow would have Ghostscript paint it."""
        monkeypatch.setattr(EpsImagePlugin, "Ghostscript", ghostscript := Mock())
        with pytest.raises(PhotoError, match="a drawing, not a photo"):
            decode(encoded(picture("RGB"), "EPS"))
        ghostscript.assert_not_called()

    def test_unreadable_files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with (tmp_path / "large.tif").open("wb") as file:
            file.truncate(50_000_000_000)  # sparse: takes no room
        with pytest.raises(PhotoError, match="too large"):
            read_bytes(tmp_path / "large.tif")
        (tmp_path / "a.png").write_bytes(encoded(picture(), "PNG"))
        refuse = Mock(side_effect=PermissionError(13, "Permission denied"))
        monkeypatch.setattr(Path, "read_bytes", refuse)  # even where all is permitted
        with pytest.raises(PhotoError, match="no permission"):
            read_bytes(tmp_path / "a.png")


@pytest.mark.parametrize(
    "header",
    [b"P5\n24 32\n255\n", b"P5\n# made by\n24 32\n# x\n#y\n255\n", b"P5\r24\t32\r\n255\n"],
)
def test_a_greymap_is_as_long_as_its_header_says(header: bytes) -> None:
    pixels = bytes(range(200)) * 3 + bytes(168)
    for content in (header + pixels, header + pixels + b"\n", 2 * (header + pixels)):
        assert grey(content).shape == (32, 24)
        assert grey(content)[0, 1] == np.float32(1 / 255)
    with pytest.raises(PhotoError, match="5 bytes longer"):
        decode(header + pixels + b"12345")


PLAIN = "RGB PNG, P PNG, RGB JPEG, L PPM, L TIFF, RGBA WEBP, RGB BMP"
CLEAN = [
    *(encoded(picture(mode), kind) for mode, kind in map(str.split, PLAIN.split(", "))),
    encoded(picture("CMYK"), "JPEG", progressive=True),
    encoded(picture("P"), "GIF", save_all=True, append_images=[picture("P", 1)]),
    encoded(picture("RGB"), "TIFF", compression="tiff_lzw"),
]


@settings(max_examples=200)
@given(
    st.sampled_from(CLEAN),
    st.lists(st.tuples(st.floats(0, 0.9999), st.integers(0, 255)), max_size=8),
    st.floats(0.1, 1),
)
def test_any_damage_is_a_picture_or_a_sentence(
    content: bytes, changes: list[tuple[float, int]], kept: float
) -> None:
    damaged = bytearray(content)
    for place, byte in changes:
        damaged[int(place * len(damaged))] = byte
    try:
        decoded = decode(bytes(damaged[: int(kept * len(damaged))]))
    except PhotoError as error:
        reason = str(error)
    else:
        levels, reason = decoded.grey, "."
        assert decoded.size == levels.shape
        assert decoded.colours(100).shape[2] == 3
        assert (levels.dtype, bool(np.isfinite(levels).all())) == (np.float32, True)
        assert 0 <= levels.min() <= levels.max() <= 1
    assert reason == "." or SENTENCE.match(reason)
