"""Honest evaluation: protocols, figures with intervals, controls, and what they depend on.

Each file imports only those above it, in the order that `tests/test_architecture.py` states.
`protocols`, `split_files` and `published_protocols` define training faces, gallery and probes;
`leaks` rejects splits that would give too good results. `spaces` fits the face space of every fold,
`searches` computes distances, kept in `distance_blocks`; `figures` are computed from these, with
`intervals`, `dimensions` for every number of components. `baselines` are measured for comparison,
and `remarks` explain them. `evaluate` combines all of it in a value of `results`; `paired` compares
two of them, and `records` stores one so that it can be repeated.
"""
