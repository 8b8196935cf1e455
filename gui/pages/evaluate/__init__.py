"""The Evaluate page: protocols, figures with intervals, baselines and mistakes."""
