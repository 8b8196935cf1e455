"""The manual, Markdown in ``assets/manual``: its sections for Help, and its glossary for all.

In the text about the sample, `gallery_figures` replaces the figures by those of an open gallery.
"""
