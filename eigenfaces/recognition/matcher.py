"""How faces are compared, whatever they are compared in: a part of a recipe."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from eigenfaces.errors import EigenfacesError
from eigenfaces.space.distances import DISTANCES
from eigenfaces.space.representation import Smoothing, percentage
from eigenfaces.text import Field, NumberOrShare, OneOf, Whole, as_number, check_fields

Whitening = Literal["none", "pca"]
Rule = Literal["nearest", "class mean", "mean distance"]

_MOST_COUNTED = 100_000
"""Components, and neighbours, that can be asked for: more than any face space has."""


class _ComponentsField(NumberOrShare):
    def checked(self, said: object) -> int | float:
        number = as_number(said)
        if not (1 <= number <= self.most if isinstance(number, int) else 0 < number <= 1):
            raise EigenfacesError(
                f"Give the components as a count of 1 to {self.most:,}, or as a share above 0 and "
                "up to 1.0."
            )
        return number

    def read(self, text: str) -> int | float:
        """Return “40” as a count (int), “0.95” and “95%” as a share of the variance (float)."""
        said = text.strip()
        try:
            if said.endswith("%"):
                return self.checked(float(said[:-1]) / 100)
            return self.checked(float(said) if "." in said else int(said))
        except (ValueError, EigenfacesError):
            raise EigenfacesError(
                f"“{said}” is neither a count from 1 up, like 40, nor a share of the variance to "
                "keep, like 0.95 or 95%."
            ) from None

    def per_cent(self, value: object) -> float | None:
        return 100 * value if isinstance(value, float) else None

    def share(self, per_cent: float) -> float:
        return round(per_cent / 100, 6)


class _SmoothingField(NumberOrShare):
    def checked(self, said: object) -> Smoothing:
        if isinstance(said, str) and said.rstrip().endswith("%"):
            try:
                per_cent = percentage(said)
            except ValueError:
                per_cent = math.nan
            if 0 <= per_cent <= self.most_share:
                return f"{per_cent:.10g}%"
        else:
            number = as_number(said)
            if 0 <= number <= self.most:
                return float(number)
        raise EigenfacesError(
            f"Give the smoothing ε of the whitening as a variance of 0 to {self.most:,.0f}, or as "
            f"a share of the mean variance kept, of 0% to {self.most_share:.0f}%."
        )

    def read(self, text: str) -> Smoothing:
        """Return “0.5” as ε itself, and “10%” as a share of the mean variance kept."""
        try:
            return self.checked(float(text))
        except ValueError:
            return self.checked(text)

    def per_cent(self, value: object) -> float | None:
        return percentage(value) if isinstance(value, str) else None

    def share(self, per_cent: float) -> str:
        return f"{per_cent}%"


DISTANCE = OneOf(
    name="distance",
    label="Distance in face space",
    about="Distance in face space",
    choices={name: each.words for name, each in DISTANCES.items()},
    titles={name: name for name in DISTANCES},
)
COMPONENTS = _ComponentsField(
    name="components",
    label="Components",
    about="Components to compare",
    how="a count, or the share of the variance to keep (0.95, 95%)",
    why="The first k components are compared: a count, or the fewest that keep this share.",
    most=_MOST_COUNTED,
    most_share=100,
    metavar="N|SHARE",
    least=1,
    kinds=("Share", "Count"),
    labels=("Number of components", "Share of the variance to keep"),
)
DROPPED = Whole(
    name="dropped",
    label="Leading components to drop",
    about="Leave the first N components out of the comparison",
    why="The first components often hold the light. Without them some distances gain and others "
    "lose: Evaluate measures which.",
    option="drop-first",
    unit="dropped",
    least=0,
    most=_MOST_COUNTED,
    refusal="The number of leading components to drop must be a whole number of 0 to "
    f"{_MOST_COUNTED:,}.",
)
WHITENING = OneOf(
    name="whitening",
    label="Whitening",
    about="Give all components the same weight",
    titles={"pca": "PCA"},
    choices={
        "none": "Coordinates are compared as they are: components with much variance count for "
        "more.",
        "pca": "cᵢ / √(λᵢ + ε): every component counts alike. With many components this makes "
        "matching worse, because those of little variance are mostly noise.",
    },
)
SMOOTHING = _SmoothingField(
    name="smoothing",
    label="Smoothing ε",
    about="Added to the variances in the whitening",
    how="a variance, like 0.5, or a share of the mean variance kept, like 10%",
    why="ε keeps √(λ + ε) away from 0: a variance (grey² summed over pixels), or a share of the "
    "mean λ of the components kept.",
    most=1_000_000,  # more than the variance of all pixels of the largest faces together
    most_share=1000,
    metavar="ε|SHARE%",
    least=0,
    kinds=("Variance", "Share"),
    labels=("Smoothing ε", "Smoothing ε, share of the mean variance kept"),
)
RULE = OneOf(
    name="rule",
    label="Who is closest",
    titles={"nearest": "Nearest photos", "class mean": "Person's mean"},
    about="Compare with each photograph, with each person's mean, or by the mean of the distances "
    "to a person's photographs",
    choices={
        "nearest": "The person of the nearest enrolled photo; of the k nearest photos, the person "
        "with most of them, ties by summed distance.",
        "class mean": "The person whose photos' mean is nearest.",
        "mean distance": "The person to whose photos the distances are smallest on average.",
    },
)
NEIGHBOURS = Whole(
    name="neighbours",
    label="Number of nearest photos",
    about="How many nearest photographs vote",
    unit="nearest",
    least=1,
    most=_MOST_COUNTED,
    refusal=f"The number of neighbours must be a whole number of 1 to {_MOST_COUNTED:,}.",
)


@dataclass(frozen=True)
class Matcher:
    """How faces are compared in what a recipe compares them in.

    Names may be written as on the command line (``l2``, ``class-mean``); the value has their
    standard form. Impossible values raise `EigenfacesError`. What each setting means is said by
    its field: a float is the share of the variance that the components keep, and a smoothing like
    ``10%`` a share of the mean variance of the components kept (see `epsilon`).
    """

    components: int | float = 0.95
    dropped: int = 0
    whitening: Whitening = "none"
    smoothing: Smoothing = 0.0
    distance: str = "L2"
    rule: Rule = "nearest"
    neighbours: int = 1

    FIELDS: ClassVar[tuple[Field, ...]] = (
        *(COMPONENTS, DROPPED, WHITENING, SMOOTHING),
        *(DISTANCE, RULE, NEIGHBOURS),
    )

    def __post_init__(self) -> None:
        check_fields(self, self.FIELDS)
        if isinstance(self.components, int) and self.dropped >= self.components:
            raise EigenfacesError(
                "Drop fewer of the leading components than are compared: at least one must be left."
            )
        if self.whitening != "none" and DISTANCES[self.distance].whitens:
            raise EigenfacesError(
                f"“{self.distance}” whitens by itself: choose no whitening, or another distance."
            )

    @property
    def idle(self) -> dict[str, str]:
        """The settings that have no effect beside the others, each with the reason."""
        found = {}
        if self.whitening == "none" and self.smoothing != 0.0:
            found["smoothing"] = "Smoothing has no effect without whitening."
        if self.rule != "nearest" and self.neighbours != 1:
            found["neighbours"] = (
                f"The number of neighbours has no effect: by the rule “{self.rule}” none votes."
            )
        return found
