"""What a server is told: its address, its models, who may use it, and its limits."""

from dataclasses import dataclass
from ipaddress import ip_address

from headwise.errors import UsageError
from headwise.storage.settings import check_counts, check_positive, check_types

BOUNDS = {
    "port": (0, (1 << 16) - 1),
    "body_bytes": (1, 1 << 30),
    "sentence_words": (1, 2000),  # no model parses longer ones
    "queue": (1, 100_000),
    "connections": (1, 100_000),
    "workers": (1, 256),
    "kbest": (1, 1000),
}
"""The least and the greatest value of each number."""


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """Settings of a server.

    models: folders or names of models; the first one answers where a request names none. Without
        any, these are the models of the package.
    host, port: where it listens; port 0 takes any that is free.
    token: what requests must bring as `Authorization: Bearer …`.
    is_open: whether an address that others can reach may be served without a token.
    allowed_hosts: further names that the server may be called by.
    body_bytes: the longest body of a request.
    sentence_words: the longest sentence, in words.
    seconds: how long a request may take, from its last byte to its answer.
    body_seconds: how long the server waits for the next part of a request.
    queue: how many requests may wait or be at work at a time; others are answered with 429.
    connections: how many connections may be open at a time.
    workers: how many processes parse; each of them has the models in memory.
    kbest: the most trees of a sentence that may be asked for.
    edit: a CoNLL-U file to correct.
    ranking: what is suspicious in it, as `headwise review` has written it.
    """

    models: tuple[str, ...] = ()
    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = None
    is_open: bool = False
    allowed_hosts: tuple[str, ...] = ()
    body_bytes: int = 1 << 20
    sentence_words: int = 500
    seconds: float = 30.0
    body_seconds: float = 10.0
    queue: int = 256
    connections: int = 1024
    workers: int = 1
    kbest: int = 100
    edit: str | None = None
    ranking: str | None = None

    def check(self) -> None:
        """Raise if this cannot be served, or should not be."""
        check_types(self)
        check_counts(self, BOUNDS)
        check_positive(self, "seconds", "body_seconds")
        if self.token is not None and not (self.token.isascii() and self.token.isprintable()):
            raise UsageError("a token consists of printable ASCII characters")
        if self.token is not None and (not self.token or " " in self.token):
            raise UsageError("a token is not empty and has no spaces")
        if self.ranking is not None and self.edit is None:
            raise UsageError("--ranking is of a file that is corrected: name it with --edit")
        if not self.is_open and self.token is None and not is_loopback(self.host):
            raise UsageError(
                f"{self.host} can be reached from other machines: ask for a token (--token), or "
                "let everyone who can reach it use the server (--open)"
            )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
