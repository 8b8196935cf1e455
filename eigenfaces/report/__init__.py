"""Reports of evaluations: an HTML page, a JSON file, figures, and scores.

`page` fills the template with the tables of `tables` and the figures of `plots`, and writes all
files, including scores for other biometrics tools. `lesson_figure` draws the figures of lessons.
"""
