"""The Synthesise page: faces that are nobody, made from the components."""
