"""Recognition: a gallery of people, a recipe for the comparison, and the verdict."""
