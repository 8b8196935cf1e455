"""Honest evaluation: protocols, figures with intervals, controls, and what they depend on.

Each file imports only those above it, in the order that `tests/test_architecture.py` states.
`protocols`, `lists` and `named` say who is fitted to, enrolled and searched for; `leaks` refuses
splits that would flatter; `spaces` gives every fold its face space, `searches` the distances;
`intervals` and `figures` turn them into figures, `dimensions` for every number of components;
`controls` keep them honest, `remarks` say what these mean; `evaluate` puts all of it together into
a value of `results`, `comparing` holds two of them side by side, `sweep` goes through many
settings, and `records` writes one down so that it can be repeated.
"""
