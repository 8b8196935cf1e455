"""Recognition: a gallery of people, a recipe for the comparison, and the verdict.

Lighting correction is here too, so that a changed recipe does not read photographs again.
"""
