"""The manual in ``assets/manual``: the sections shown in Help, their search, and the glossary."""
