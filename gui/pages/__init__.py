"""One folder a page, its `Page` in ``page.py``. Pages never import each other."""
