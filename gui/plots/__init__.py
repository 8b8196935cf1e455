"""Plots: axes, the marks drawn over them, and the widget that shows them.

The core computes the data. Each plot has a text description and can be saved as PNG, SVG or PDF.
"""
