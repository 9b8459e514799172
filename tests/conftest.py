"""Being here, this file puts its folder on the path, so that tests can import `oracle`."""
