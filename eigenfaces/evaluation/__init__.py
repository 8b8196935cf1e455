"""Honest evaluation: protocols, figures with intervals, and controls.

`protocols` define training faces, gallery and probes, also by lists in files. `searches` computes
distances in the face space of a fold; `metrics` computes figures from these, and `by_components`
does so for every number of components. `controls` finds leaks, and gives figures to compare the
result with. `run` does all of this in several processes. `records` holds the result and stores it
so that it can be repeated; `result_words` explains it, `curves` gives its curves, and `compare`
compares two results.
"""
