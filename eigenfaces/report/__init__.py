"""The report of an evaluation: one HTML page, one JSON file, figures, and scores.

`page` fills the template with the tables of `tables` and the figures of `plots`, and writes the
files, with the scores for other biometrics tools. `lesson_figure` draws the figures of lessons.
"""
