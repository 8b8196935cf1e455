"""What each page shows, the mathematics, the glossary and the keys."""
