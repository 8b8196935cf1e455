"""Evaluation of recipes: protocols, figures with intervals, and controls.

`protocols` splits faces into training faces, gallery and probes. `searches` computes distances in
the face space of each fold, `metrics` computes figures from them, and `by_components` does so for
every number of components. `controls` finds leaks, and baselines to compare the result with. `run`
does all of this in several processes. `records` stores the result so that it can be repeated.
`result_words` explains it, `curves` computes its curves, and `compare` compares two results.
"""
