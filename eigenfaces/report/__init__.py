"""The report of an evaluation: one HTML page, one JSON file, figures, and scores.

`page` puts the method and the result into the page of `templates`, with the tables of `tables`
and the figures of `plots`; `files` writes it, and the scores for other biometrics tools. `figure`
is how every figure looks, `lesson_figure` draws that of a lesson.
"""
