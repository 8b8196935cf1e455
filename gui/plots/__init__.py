"""All plots: axes, marks drawn over them, and a widget for both.

The core returns the arrays. A plot describes itself in words and can be saved as PNG, SVG or PDF.
"""
