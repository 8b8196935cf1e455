"""Parts that pages are made of: words, controls, cards, painted pictures, lists of faces."""
