"""The report of an evaluation: one HTML page, one JSON file, figures, and scores.

`summary` and `method` say in sentences what came of it and how it was measured, `tables` in
tables, `two_runs` how another run compares, and `plots` draws the figures; `page` puts all of it
into the page of `templates`. `scores` is what other biometrics tools read, `files` writes
everything, and `relative_paths` keeps the folders of this machine out of it.
"""

from eigenfaces.report.files import write_figures, write_report
from eigenfaces.report.page import to_html
from eigenfaces.report.scores import four_columns

__all__ = ["four_columns", "to_html", "write_figures", "write_report"]
