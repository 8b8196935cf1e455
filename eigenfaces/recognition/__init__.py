"""Who is on a photograph: a gallery of people, a recipe that compares, and the verdict.

Light is evened out here, since a changed recipe never reads a photograph again.
"""
