"""`python -m headwise` does what `headwise` does."""

from headwise.cli import main

if __name__ == "__main__":
    main()
