"""The report of an evaluation: one HTML page, one JSON file, figures, and scores."""
