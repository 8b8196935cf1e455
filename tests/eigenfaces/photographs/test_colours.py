"""Colours of photographs that say by an ICC profile what they are; and pages of a TIFF."""

import struct
from pathlib import Path

import numpy as np
import pytest
from astronaut import encoded
from numpy.typing import NDArray
from PIL import Image, ImageCms

from eigenfaces import Preparation
from eigenfaces.faces.quality import concerns
from eigenfaces.faces.read import Picture, read_face
from eigenfaces.photographs.decode import decode
from eigenfaces.photographs.find import Photo

Numbers = NDArray[np.float64]

# Columns are the primaries in XYZ, adapted to the white of profiles, D50.
WIDE = np.array([[0.5151, 0.2920, 0.1571], [0.2412, 0.6922, 0.0666], [-0.0011, 0.0419, 0.7841]])
SRGB = np.array([[0.4361, 0.3851, 0.1431], [0.2225, 0.7169, 0.0606], [0.0139, 0.0971, 0.7141]])
GAMMA = 1.8


def profile(space: bytes, primaries: Numbers = WIDE, curve: bytes = b"") -> bytes:
    """Return the ICC profile of a wide-gamut screen (``RGB ``), or of grey (``GRAY``)."""

    def fixed(values: Numbers) -> bytes:
        return b"".join(struct.pack(">i", round(value * 65536)) for value in values)

    curve = curve or b"curv" + bytes(4) + struct.pack(">IH", 1, round(GAMMA * 256)) + bytes(2)
    white = np.array([0.9642, 1.0, 0.8249])
    tags = {b"wtpt": b"XYZ " + bytes(4) + fixed(white)}
    if space == b"GRAY":
        tags[b"kTRC"] = curve
    else:
        for letter, primary in zip(b"rgb", primaries.T, strict=True):
            tags[bytes([letter]) + b"XYZ"] = b"XYZ " + bytes(4) + fixed(primary)
            tags[bytes([letter]) + b"TRC"] = curve
    at, table, body = 132 + 12 * len(tags), b"", b""
    for name, data in tags.items():
        table += name + struct.pack(">II", at + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    head = struct.pack(">I4sI4s4s4s", at + len(body), bytes(4), 0x02400000, b"mntr", space, b"XYZ ")
    head += bytes(12) + b"acsp" + bytes(28) + fixed(white)
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + body


def in_srgb(levels: Numbers) -> Numbers:
    """Return what colours (…, 3) of the wide screen are in sRGB (IEC 61966-2-1), 0 to 255."""
    light = np.clip((levels / 255) ** GAMMA @ (np.linalg.inv(SRGB) @ WIDE).T, 0, 1)
    return 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def luma(colours: Numbers) -> Numbers:
    return colours @ [0.299, 0.587, 0.114]


def colourful() -> Image.Image:
    rng = np.random.default_rng(0)
    small = Image.fromarray(rng.integers(40, 216, (4, 5, 3), np.uint8))
    return small.resize((60, 48), Image.Resampling.BICUBIC)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", [1, 6])
def test_colour_and_grey_are_those_that_the_profile_means(kind: str, orientation: int) -> None:
    exif = Image.Exif()
    exif[274] = orientation
    options = {"JPEG": {"quality": 95}, "WEBP": {"lossless": True}}.get(kind, {})
    plain = decode(encoded(colourful(), kind, exif=exif, **options)).colours(60).astype(float)
    expected = in_srgb(plain)
    assert np.abs(expected - plain).max() > 20, "it matters"
    content = encoded(colourful(), kind, exif=exif, icc_profile=profile(b"RGB "), **options)
    decoded = decode(content)
    np.testing.assert_allclose(decoded.colours(60), expected, atol=2)
    np.testing.assert_allclose(255 * decoded.grey, luma(expected), atol=2)
    half = decode(content, 30)
    assert half.grey.shape == ((24, 30) if orientation == 1 else (30, 24)) or kind != "JPEG"
    np.testing.assert_allclose(255 * half.grey, luma(half.colours(60)), atol=1)


def test_transparent_and_indexed_pictures() -> None:
    picture = colourful()
    see_through = picture.copy()
    see_through.putalpha(Image.fromarray(np.repeat(np.uint8([[0], [255]]), 24, 0).repeat(60, 1)))
    expected = in_srgb(np.asarray(picture, float))
    expected[:24] = 255
    decoded = decode(encoded(see_through, "PNG", icc_profile=profile(b"RGB ")))
    np.testing.assert_allclose(decoded.colours(60), expected, atol=2)
    np.testing.assert_allclose(255 * decoded.grey, luma(expected), atol=2)
    few = picture.quantize(16)
    expected = in_srgb(np.asarray(few.convert("RGB"), float))
    decoded = decode(encoded(few, "PNG", icc_profile=profile(b"RGB ")))
    np.testing.assert_allclose(decoded.colours(60), expected, atol=2)


@pytest.mark.parametrize("mode", ["L", "LA"])
def test_grey_pictures(mode: str) -> None:
    picture = colourful().convert("L")
    light = (np.asarray(picture) / 255) ** GAMMA
    expected = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    assert np.abs(255 * expected - np.asarray(picture)).max() > 10, "it matters"
    content = encoded(picture.convert(mode), "PNG", icc_profile=profile(b"GRAY"))
    np.testing.assert_allclose(decode(content).grey, expected, atol=0.01)


STEPS = np.linspace(0, 1, 256)
LIGHT = np.where(STEPS <= 0.04045, STEPS / 12.92, ((STEPS + 0.055) / 1.055) ** 2.4)
TABLE = (
    b"curv"
    + bytes(4)
    + struct.pack(">I", 256)
    + np.rint(65535 * LIGHT**1.008).astype(">u2").tobytes()
)
SAME = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
BAD = {
    "sRGB itself": SAME,
    "sRGB but for rounding": profile(b"RGB ", SRGB, TABLE),
    "damaged": profile(b"RGB ")[:150],
    "no profile": b"nothing of the kind",
    "of grey": profile(b"GRAY"),
    "of Lab": ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes(),
    "empty": b"",
}


@pytest.mark.parametrize("which", BAD)
def test_a_profile_that_says_nothing_changes_nothing(which: str) -> None:
    content = encoded(colourful(), "PNG", icc_profile=BAD[which])
    decoded, plain = decode(content), decode(encoded(colourful(), "PNG"))
    assert np.array_equal(decoded.grey, plain.grey)
    assert np.array_equal(decoded.colours(60), plain.colours(60))


def test_many_levels_stay_as_many() -> None:
    ramp = np.linspace(0, 65535, 32 * 24).reshape(32, 24).astype(np.uint16)
    content = encoded(Image.fromarray(ramp), "PNG", icc_profile=profile(b"GRAY"))
    np.testing.assert_allclose(decode(content).grey, ramp / 65535, atol=1e-4)


def test_more_pages_of_a_tiff_are_said_and_smaller_copies_are_none(tmp_path: Path) -> None:
    pages = [colourful(), colourful().rotate(180)]
    content = encoded(pages[0], "TIFF", save_all=True, append_images=pages[1:])
    said = "The file has several pages. Only the first is read."
    decoded = decode(content)
    assert decoded.pages == said
    assert np.array_equal(decoded.grey, decode(encoded(pages[0], "TIFF")).grey)
    assert decode(encoded(pages[0], "TIFF")).pages == ""
    thumbnail = pages[0].resize((30, 24))
    thumbnail.encoderinfo = {"tiffinfo": {254: 1}}  # type: ignore[attr-defined]
    content_of_one = encoded(pages[0], "TIFF", save_all=True, append_images=[thumbnail])
    assert decode(content_of_one).pages == ""
    frames = encoded(pages[0], "GIF", save_all=True, append_images=pages[1:])
    assert decode(frames).pages == "", "a film is none"
    crop = Preparation(48, 60, already_cropped=True)
    reading = read_face(Photo(tmp_path), crop, Picture(content))
    last = concerns(reading, crop)[-1]
    assert (last.kind, last.reason, last.is_note) == ("pages", said, True)
