"""The one painter of plots: axes, a list of marks over them, and a widget for both.

The core returns the arrays; a plot says in words what it shows, and is saved as PNG, SVG or PDF.
"""
