"""Evaluation of recipes: protocols, figures with intervals, and controls.

`protocols` splits faces into training faces, gallery and probes. `searches` computes distances in
the face space of each fold, `metrics` derives figures from them, and `by_components` does both for
every number of components. `controls` finds leaks and measures baselines. `run` carries out all of
this, using several processes. `records` stores results so that evaluations can be repeated.
`result_words` explains results, `curves` computes their curves, and `compare` compares two of them.
"""
