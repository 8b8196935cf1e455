"""Honest evaluation: protocols, figures with intervals, controls, and what they depend on.

`protocols` define training faces, gallery and probes, also by lists in files. `searches` computes
distances in the face space of a fold; figures in `metrics` are computed from these, and in
`by_components` for every number of components. `controls` find leaks and give figures to compare
with. `run` does all of it, in several processes; `records` holds the result and stores it so that
it can be repeated; `result_words` explains it, `curves` draws from it, and `compare` takes two.
"""
