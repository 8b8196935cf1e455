"""The parts of pages: text, controls, cards, faces, bars, lists of faces."""
