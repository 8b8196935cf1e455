"""Published figures, their sources and protocols, and what ours are beside them."""
