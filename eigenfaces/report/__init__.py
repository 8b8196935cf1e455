"""Evaluation reports: an HTML page, a JSON file, figures, and scores.

`page` fills the template with tables from `tables` and figures from `plots`, and writes all files,
including scores for other biometrics tools. `lesson_figure` draws the figures for lessons.
"""
