"""Honest evaluation: protocols, figures with intervals, controls, and what they depend on.

Read from top to bottom, each file importing only those above it: `protocols`, `lists` and `named`
say who is fitted to, enrolled and searched for; `leaks` refuses splits that would flatter;
`spaces` gives every fold its face space, `searches` the distances; `intervals` and `figures` turn
them into figures, `dimensions` for every number of components; `controls` keep them honest;
`evaluate` puts all of it together into a value of `results`.
"""
