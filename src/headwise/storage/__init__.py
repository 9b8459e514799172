"""Models as folders of data: atomic writes, validation, compression of arrays."""
