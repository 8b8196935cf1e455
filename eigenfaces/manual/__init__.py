"""The manual, Markdown in ``assets/manual``: its sections for Help, and its glossary."""
