"""The Evaluate page: protocols, results with intervals, baselines and mistakes."""
