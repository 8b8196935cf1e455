"""The report of an evaluation: one HTML page, one JSON file, figures, and scores.

`page` puts the method and the result into the page of `templates`, with the tables of `tables`
and the figures of `plots`; `files` writes it, and the scores for other biometrics tools. `figure`
is how every figure looks, `lesson_figure` draws that of a lesson.
"""

from eigenfaces.report.files import (
    figures_folder,
    four_columns,
    report_files,
    write_figures,
    write_report,
)
from eigenfaces.report.page import to_html

__all__ = [
    "figures_folder",
    "four_columns",
    "report_files",
    "to_html",
    "write_figures",
    "write_report",
]
