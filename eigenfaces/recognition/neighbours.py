"""The nearest enrolled people of a probe, which is compared with every photograph, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from eigenfaces.recognition.comparison import Comparison, Enrolled, Matching, order_of_people
from eigenfaces.recognition.matcher import Matcher
from eigenfaces.space.arrays import Numbers
from eigenfaces.space.representation import Coordinates


@dataclass(frozen=True)
class Match:
    """One enrolled person as a candidate.

    ``distance`` is *in* face space, lower is nearer: to the nearest of the person's photographs,
    to their mean, or the mean of the distances to them, as the recipe says. ``row`` is the person's
    nearest photograph in the gallery; ``votes`` counts the person's among the k neighbours.
    """

    person: str
    distance: float
    row: int
    votes: int


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The r enrolled photographs of a gallery, as a matcher compares probes with them.

    Parameters
    ----------
    matcher, comparison
        How faces are compared.
    photos
        (r, k) the coordinates of the photographs.
    rows, people
        (r,) the row of each in the gallery, in the order of enrolment; the number of its person.
    names
        (p,) the people by number.
    """

    matcher: Matcher
    comparison: Comparison
    photos: Coordinates
    rows: Numbers
    people: Numbers
    names: tuple[str, ...]

    @cached_property
    def _enrolled(self) -> Enrolled:
        return Enrolled(self.people, len(self.names))

    @cached_property
    def _compared(self) -> Coordinates:
        return self.comparison.compared(self.photos)

    def of(self, probes: Coordinates) -> Matching:
        """Return the comparison of probes, given by their coordinates (m, k), with all of them."""
        probes, of = self.comparison.compared(probes), self.comparison.exact_distances
        return Matching(self.matcher, self._enrolled, of, probes, self._compared)

    def ranked(self, found: Matching, count: int) -> list[tuple[Match, ...]]:
        """Return the first people for each probe: by votes, their summed distance, and distance.

        Of two photographs equally far, the one enrolled first votes; at equal distances, the person
        enrolled first is first. Raises `EigenfacesError` for a distance that is no finite number.
        """
        enrolled, to_people = self._enrolled, found.to_people
        votes = found.votes if self.matcher.rule == "nearest" else ()
        count = min(count, len(enrolled.present))
        orders = order_of_people(to_people, *votes)[:, :count].tolist()

        def match(probe: int, person: int) -> Match:
            own = enrolled.rows_of(person)
            row = int(self.rows[own[found.to_photos[probe, own].argmin()]])
            given = int(votes[0][probe, person]) if votes else 0
            return Match(self.names[person], float(to_people[probe, person]), row, given)

        return [tuple(match(probe, each) for each in order) for probe, order in enumerate(orders)]
