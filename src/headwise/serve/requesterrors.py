"""Requests that are refused: what is wrong, as JSON with the right status.

{"error": {"code": "no_such_model", "message": "there is no model 'xx': …"}}
"""

from collections.abc import Mapping

from headwise.errors import ConstraintError, HeadwiseError, LimitError, ModelError, UsageError


class RequestError(Exception):
    """A request cannot be answered.

    code: a name for programs; message: a sentence for people.
    """

    def __init__(
        self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        """Make an error with an HTTP status and perhaps further headers."""
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.headers = dict(headers or {})

    def __reduce__(self) -> tuple[type["RequestError"], tuple[object, ...]]:
        """How workers send it."""
        return RequestError, (self.status, self.code, self.message, self.headers)

    @property
    def content(self) -> dict[str, dict[str, str]]:
        """The JSON that says so."""
        return {"error": {"code": self.code, "message": self.message}}


def bad_request(message: str, code: str = "bad_request") -> RequestError:
    """What was sent is not what is expected."""
    return RequestError(400, code, message)


def try_again(code: str, message: str, seconds: int, status: int = 503) -> RequestError:
    """Something that may go well later."""
    return RequestError(status, code, message, {"Retry-After": str(seconds)})


def too_many(seconds: int) -> RequestError:
    """The queue is full."""
    message = f"too many requests are waiting: try again in {seconds} s"
    return try_again("overloaded", message, seconds, 429)


def too_slow(seconds: float) -> RequestError:
    """The time that a request may take is over."""
    message = f"this took longer than {seconds:g} s, which is the limit: send less text, or "
    return try_again("time_limit", f"{message}try again", 5)


def worker_died() -> RequestError:
    """The process that parsed ended, and so did the one that tried again."""
    message = "the process that parsed this ended, twice: is there enough memory for it?"
    return try_again("worker_died", message, 5)


def request_error(error: Exception) -> RequestError:
    """What an error of the library means over HTTP."""
    if isinstance(error, RequestError):
        return error
    if isinstance(error, ModelError):
        return RequestError(503, "model_unavailable", str(error))
    if isinstance(error, LimitError):
        return RequestError(413, "sentence_too_long", str(error))
    if is_conflict(error):
        return RequestError(422, "impossible_constraints", str(error))
    if isinstance(error, UsageError):
        return bad_request(str(error), "not_possible")
    if isinstance(error, HeadwiseError):
        return bad_request(str(error), "invalid_data")
    return RequestError(500, "internal_error", "the server made a mistake; its log says where")


def is_conflict(error: Exception) -> bool:
    """Whether no tree satisfies the constraints, which parsing reports as invalid input."""
    return isinstance(error, ConstraintError) or isinstance(error.__cause__, ConstraintError)
