"""Recognition: a gallery of people, a recipe for comparing faces, and the verdict on a face."""
