"""What a user fits, saves and loads: a folder for each kind of parser, one registry of them."""
