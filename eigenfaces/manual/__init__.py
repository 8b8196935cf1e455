"""The manual, Markdown in ``assets/manual``: its sections for Help, and its glossary for all.

Where it speaks of the sample, `gallery_figures` puts the figures of an open gallery instead.
"""
