"""Parts that pages are made of: words, controls, cards, faces, bars, lists of faces."""
