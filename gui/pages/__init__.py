"""The pages: a file each, or a folder with ``page.py``. Pages never import each other."""
