"""The manual in ``assets/manual``: its sections for Help, its search, and its glossary."""
