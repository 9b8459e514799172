import pytest

from headwise.errors import UsageError
from headwise.serve.settings import ServeSettings, is_loopback


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True),
        ("0.0.0.0", False), ("::", False), ("192.168.1.5", False), ("example.org", False),
    ],
)  # fmt: skip
def test_what_only_this_machine_reaches(host, expected):
    assert is_loopback(host) is expected
    if expected:
        ServeSettings(host=host).check()
        return
    with pytest.raises(UsageError, match=r"can be reached from other machines.*--token.*--open"):
        ServeSettings(host=host).check()
    ServeSettings(host=host, token="secret").check()
    ServeSettings(host=host, is_open=True).check()


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"ranking": "r.json"}, "name it with --edit"),
        ({"port": 70000}, "port must be 65,535 or less"),
        ({"port": "80"}, "port"),
        ({"queue": 0}, "queue must be 1 or more"),
        ({"workers": 0}, "workers must be 1 or more"),
        ({"seconds": 0.0}, "seconds must be above 0"),
        ({"seconds": float("nan")}, "seconds"),
        ({"sentence_words": 2001}, "sentence_words must be 2,000 or less"),
        ({"token": ""}, "a token is not empty"),
        ({"token": "a b"}, "has no spaces"),
        ({"token": "ä"}, "printable ASCII"),
    ],
)
def test_what_cannot_be_served_is_refused(setting, message):
    with pytest.raises(UsageError, match=message):
        ServeSettings(**setting).check()
