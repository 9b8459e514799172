"""."""


def main() -> None:
    """."""
