"""Models as folders of data: written whole, checked, packed."""
