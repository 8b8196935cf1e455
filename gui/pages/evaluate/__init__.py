"""How good is it? Protocols, figures with intervals, what keeps them honest, and the mistakes."""
