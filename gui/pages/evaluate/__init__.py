"""The Evaluate page: protocols, figures with intervals, baselines, and the mistakes."""
