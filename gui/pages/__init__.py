"""One file a page. Pages never import each other."""
