"""The report of an evaluation: one HTML page, one JSON file, figures, and scores.

Read from top to bottom, each file importing only those above it: `shared` makes the paths of a
record fit to be passed on, `scores` writes what other biometrics tools read; `words` and
`method` say in sentences what was done and what came of it, `tables` in tables, `beside` how
another run compares; `style`, `curves`, `rates`, `confused` and `drawings` draw; `page` puts it on
an HTML page, `sheets` and `printed` on paper, and `writing` into files.
"""

from eigenfaces.report.page import to_html
from eigenfaces.report.scores import four_columns
from eigenfaces.report.writing import write_figures, write_report

__all__ = ["four_columns", "to_html", "write_figures", "write_report"]
