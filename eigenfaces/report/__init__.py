"""The report of an evaluation: one HTML page, one JSON file, figures, and scores.

`summary` and `method` describe the result and the method in sentences, `tables` in tables,
`two_runs` compares another run, and `plots` draws the figures; `page` puts all of it into the
page of `templates`. `scores` is for other biometrics tools, `files` writes everything, and
`relative_paths` removes the folders of this machine.
"""

from eigenfaces.report.files import report_files, write_figures, write_report
from eigenfaces.report.page import to_html
from eigenfaces.report.scores import four_columns

__all__ = ["four_columns", "report_files", "to_html", "write_figures", "write_report"]
