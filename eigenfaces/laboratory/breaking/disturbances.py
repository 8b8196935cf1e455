"""What can be done to a photograph of a face, how strongly, and in which order.

1. *Cover* and *light* belong to the face: what hides it from below, and a light from its side.
2. *Size*, *turn*, *move*: how it lies in the picture, by one resampling about its middle.
3. *Blur*: the lens. 4. *Darken*: the exposure. 5. *Noise*: the sensor.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
from PIL import Image

from eigenfaces.arrays import Floats
from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.crops import as_grey, as_levels
from eigenfaces.wording import Field, as_number

_REPEATED = 2  # px of the border that are repeated around a picture before it is resampled
_COVER = 0.5  # the grey of what covers a face


@dataclass(frozen=True, eq=False, kw_only=True)
class Disturbance(Field):
    """One way to disturb a picture: a number from ``least`` to ``most`` with a ``unit``.

    Parameters
    ----------
    done
        What has happened to the picture, for a heading: “turned”.
    neutral
        The value that changes nothing.
    step
        By which a slider moves.
    tried
        How far from neutral it is tried on a whole gallery; where both ways are possible, every
        other photograph goes the other way.
    """

    done: str
    unit: str
    least: float
    most: float
    neutral: float = 0.0
    step: float = 1.0
    tried: tuple[float, ...]

    def checked(self, said: object) -> float:
        """Return a strength as a float."""
        value = float(as_number(said))
        if not self.least <= value <= self.most:
            raise EigenfacesError(
                f"“{self.label}” goes from {self.least:g} to {self.most:g} {self.unit}."
            )
        return value

    @property
    def both_ways(self) -> bool:
        """Whether it can be more or less than neutral."""
        return self.least < self.neutral < self.most

    def rounded(self, value: float) -> float:
        """Return the possible strength nearest to a value, in steps from neutral."""
        steps = round((min(max(value, self.least), self.most) - self.neutral) / self.step)
        return self.neutral + steps * self.step

    def words(self, value: float) -> str:
        """Return a strength with its unit, and a sign where it has two ways.

        >>> TURN.words(14), SIZE.words(90), BLUR.words(0.5), ACROSS.words(-3)
        ('+14°', '90 %', '0.5 px', '−3 %')
        """
        text = f"{value:+g}" if self.both_ways and not self.neutral and value else f"{value:g}"
        return self._with_unit(text)

    def away_words(self, away: float) -> str:
        """Return how far from neutral a strength is, with its unit."""
        return self._with_unit(f"{away:.{0 if away >= 9.95 or away % 1 == 0 else 1}f}")

    def strengths(self, count: int) -> tuple[float, ...]:
        """Return some strengths from the least to the most, neutral among them."""
        values = np.linspace(self.least, self.most, count)
        values[np.abs(values - self.neutral).argmin()] = self.neutral
        return tuple(values.tolist())

    def _with_unit(self, text: str) -> str:
        gap = "" if self.unit == "°" else " "
        return f"{text.replace('-', '−')}{gap}{self.unit}"


TURN = Disturbance(
    name="turn",
    label="Turn",
    about="Turned about the middle of the face, clockwise",
    done="turned",
    unit="°",
    least=-40,
    most=40,
    tried=(0, 5, 10, 15, 20, 30, 40),
)
ACROSS = Disturbance(
    name="across",
    label="Move across",
    about="Moved to the right, in shares of the width of a face",
    done="moved across",
    unit="%",
    least=-25,
    most=25,
    tried=(0, 3, 6, 10, 15, 20, 25),
)
DOWN = Disturbance(
    name="down",
    label="Move down",
    about="Moved down, in shares of the height of a face",
    done="moved down",
    unit="%",
    least=-25,
    most=25,
    tried=(0, 3, 6, 10, 15, 20, 25),
)
SIZE = Disturbance(
    name="size",
    label="Size",
    about="Enlarged or reduced about the middle of the face",
    done="larger or smaller",
    unit="%",
    least=60,
    most=140,
    neutral=100,
    tried=(0, 5, 10, 15, 20, 30, 40),
)
BLUR = Disturbance(
    name="blur",
    label="Blur",
    about="Blurred by a Gaussian of this standard deviation, in pixels of a face",
    done="blurred, σ",
    unit="px",
    least=0,
    most=10,
    step=0.25,
    tried=(0, 1, 2, 3, 4, 6, 8, 10),
)
DARKEN = Disturbance(
    name="darken",
    label="Darken",
    about="All grey values made so much smaller",
    done="darkened",
    unit="%",
    least=0,
    most=95,
    tried=(0, 10, 20, 30, 45, 60, 75, 95),
)
LIGHT = Disturbance(
    name="light",
    label="Light from the side",
    about="So much darker at the far edge of the face, evenly from the lit one: the right one",
    done="lit from a side",
    unit="%",
    least=-100,
    most=100,
    tried=(0, 15, 30, 45, 60, 80, 100),
)
COVER = Disturbance(
    name="cover",
    label="Cover from below",
    about="The lowest part of the face hidden by even grey, in shares of its height",
    done="covered from below",
    unit="%",
    least=0,
    most=60,
    tried=(0, 5, 10, 15, 20, 30, 40, 60),
)
NOISE = Disturbance(
    name="noise",
    label="Noise",
    about="Gaussian noise of this standard deviation, in shares of the range of grey",
    done="with noise",
    unit="%",
    least=0,
    most=50,
    tried=(0, 5, 10, 15, 20, 30, 50),
)

DISTURBANCES = {
    each.name: each for each in (TURN, ACROSS, DOWN, SIZE, BLUR, DARKEN, LIGHT, COVER, NOISE)
}
"""All of them by name, as they are listed."""


@dataclass(frozen=True, kw_only=True)
class Strengths:
    """How strongly each `Disturbance` acts; as it is made, nothing is disturbed."""

    turn: float = TURN.neutral
    across: float = ACROSS.neutral
    down: float = DOWN.neutral
    size: float = SIZE.neutral
    blur: float = BLUR.neutral
    darken: float = DARKEN.neutral
    light: float = LIGHT.neutral
    cover: float = COVER.neutral
    noise: float = NOISE.neutral

    def __post_init__(self) -> None:
        for each in fields(self):
            value = DISTURBANCES[each.name].checked(getattr(self, each.name))
            object.__setattr__(self, each.name, value)

    def of(self, disturbance: Disturbance) -> float:
        """Return how strongly one of them acts."""
        return float(getattr(self, disturbance.name))

    def but(self, disturbance: Disturbance, strength: float) -> Strengths:
        """Return them with another strength of one."""
        return replace(self, **{disturbance.name: strength})

    @property
    def acting(self) -> tuple[Disturbance, ...]:
        """Those that change something."""
        return tuple(each for each in DISTURBANCES.values() if self.of(each) != each.neutral)

    @classmethod
    def random(cls, rng: np.random.Generator) -> Strengths:
        """Draw three of them, each up to half of what is possible."""
        made = cls()
        for number in rng.permutation(len(DISTURBANCES))[:3]:
            each = tuple(DISTURBANCES.values())[number]
            reach = (each.least if each.both_ways and rng.random() < 0.5 else each.most) / 2
            drawn = (reach - each.neutral / 2) * rng.uniform(0.2, 1)
            made = made.but(each, each.rounded(each.neutral + drawn))
        return made


NEUTRAL = Strengths()


@dataclass(frozen=True, eq=False)
class FacePicture:
    """A face (h, w), and as much of its photograph as lies around it.

    Parameters
    ----------
    grey
        (H, W) in 0…1.
    shape
        (h, w) of the face, in the middle of it.
    """

    grey: Floats
    shape: tuple[int, int]

    def __post_init__(self) -> None:
        if any(
            (side - own) % 2 or side < own
            for side, own in zip(self.grey.shape, self.shape, strict=True)
        ):
            raise ValueError("the face does not lie in the middle of its picture")
        self.grey.setflags(write=False)

    @property
    def margins(self) -> tuple[int, int]:
        """Pixels above and below the face, and at its left and right."""
        return (self.grey.shape[0] - self.shape[0]) // 2, (self.grey.shape[1] - self.shape[1]) // 2

    @property
    def face(self) -> Floats:
        """(h, w) the face."""
        down, across = self.margins
        return self.grey[down : down + self.shape[0], across : across + self.shape[1]]

    def disturbed(self, by: Strengths, rng: Callable[[], np.random.Generator]) -> FacePicture:
        """Return the picture after all disturbances, in whole grey levels; undisturbed, itself.

        ``rng`` makes the generator of the noise, and is asked only if there is any. What comes in
        from outside the picture is its border, repeated.
        """
        if not by.acting:
            return self
        grey = _covered(self, by.cover) * _lit(self, by.light)
        grey = _placed(grey, self.shape, by)
        if by.blur:
            from scipy.ndimage import gaussian_filter

            grey = gaussian_filter(grey, by.blur, mode="nearest")
        grey = grey * np.float32(1 - by.darken / 100)
        if by.noise:
            drawn = rng().standard_normal(grey.shape, np.float32)
            grey = grey + drawn * np.float32(by.noise / 100)
        return FacePicture(as_grey(as_levels(np.clip(grey, 0, 1))), self.shape)


def _covered(picture: FacePicture, share: float) -> Floats:
    """Return the picture with the lowest part of the face hidden, and all that is below it."""
    if not share:
        return picture.grey
    height, top = picture.shape[0], picture.margins[0]
    edge = top + height * (1 - share / 100)
    below = np.clip(np.arange(picture.grey.shape[0]) + 1 - edge, 0, 1)[:, None]
    return (picture.grey * (1 - below) + _COVER * below).astype(np.float32)


def _lit(picture: FacePicture, strength: float) -> Floats:
    """Return by how much each column is multiplied, (1, W): 1 at the lit edge of the face."""
    width, left = picture.shape[1], picture.margins[1]
    across = np.clip((np.arange(picture.grey.shape[1]) + 0.5 - left) / width, 0, 1)
    from_light = 1 - across if strength > 0 else across
    return (1 - abs(strength) / 100 * from_light)[None].astype(np.float32)


def _placed(grey: Floats, shape: tuple[int, int], by: Strengths) -> Floats:
    """Return the picture sized, turned and then moved, all about its middle, by one resampling."""
    if not any((by.turn, by.across, by.down, by.size != SIZE.neutral)):
        return grey
    (height, width), border = grey.shape, _REPEATED
    moved = complex(by.across / 100 * shape[1], by.down / 100 * shape[0])
    # A point p of the new picture shows the point m + (p − m − moved) / grown of the old one.
    back = 1 / (by.size / 100 * np.exp(1j * math.radians(by.turn)))
    middle = complex(width / 2, height / 2)
    at = middle - back * (middle + moved)
    reach = border + _reach(back, at, (height, width))
    padded = Image.fromarray(np.pad(grey, reach, mode="edge"))
    to_old = (
        *(back.real, -back.imag, at.real + reach),
        *(back.imag, back.real, at.imag + reach),
    )
    made = padded.transform(
        (width, height), Image.Transform.AFFINE, to_old, Image.Resampling.BICUBIC
    )
    return np.asarray(made)


def _reach(back: complex, at: complex, size: tuple[int, int]) -> int:
    """Return how far beyond the border the corners of the new picture lie in the old one."""
    height, width = size
    corners = at + back * np.array([0, width, 1j * height, width + 1j * height])
    outside = (-corners.real, corners.real - width, -corners.imag, corners.imag - height)
    return max(0, math.ceil(float(np.max(outside))))
