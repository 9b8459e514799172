import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.inference.answers import ParseOptions
from headwise.serve.parserequest import ParseRequest, read_request
from headwise.serve.requesterrors import RequestError
from headwise.serve.settings import ServeSettings

SETTINGS = ServeSettings(kbest=5, sentence_words=50)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["text", "tokens", "conllu", "model", "own_tags", "kbest", "marginals", "candidates", "format"]
)


def read(**data: object) -> ParseRequest:
    return read_request(data, SETTINGS, "")[1]


def test_what_a_request_may_say():
    name, found = read_request(
        {"text": "A.", "model": "en", "own_tags": True, "kbest": 2, "marginals": True}, SETTINGS, ""
    )
    assert name == "en"
    assert found == ParseRequest(
        "text", "A.", own_tags=True, options=ParseOptions(2, True, candidates=0.01), longest=50
    )
    assert read(tokens=[["a", "b"], ["c d"]]).data == [["a", "b"], ["c d"]]
    assert read(conllu="", constraints=True).options.constraints
    assert read(text="", candidates=0.5).options.candidates == 0.5
    assert read(text="", marginals=True, format="conllu").options.candidates is None


@pytest.mark.parametrize(
    ("accept", "expected"),
    [("", "json"), ("*/*", "json"), ("text/plain", "conllu"), ("text/x-conllu", "conllu")],
)
def test_the_format_may_be_what_the_client_accepts(accept, expected):
    assert read_request({"text": ""}, SETTINGS, accept)[1].format == expected
    assert read_request({"text": "", "format": "json"}, SETTINGS, accept)[1].format == "json"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "a request is a JSON object"),
        ({}, "give one of text, tokens and conllu"),
        ({"text": "a", "conllu": "b"}, "give one of"),
        ({"text": 5}, "text must be a string"),
        ({"text": "a\ud800"}, "a lone surrogate"),
        ({"text": "a", "txt": 1}, "unknown key 'txt'; known are text, tokens"),
        ({"tokens": "a b"}, "tokens must be a list of sentences"),
        ({"tokens": [[]]}, "not empty"),
        ({"tokens": [["a", " "]]}, "not empty"),
        ({"tokens": [["a\tb"]]}, "without tabs"),
        ({"tokens": [["a", 1]]}, "a list of strings"),
        ({"text": "a", "kbest": 6}, "kbest must be a number from 1 to 5"),
        ({"text": "a", "kbest": True}, "kbest must be a number"),
        ({"text": "a", "candidates": 0}, "candidates must be a probability"),
        ({"text": "a", "marginals": 1}, "marginals must be true or false"),
        ({"text": "a", "constraints": True}, "give it as conllu"),
        ({"text": "a", "format": "xml"}, "format must be one of json, conllu"),
        ({"text": "a", "model": 3}, "model must be a name"),
    ],
)
def test_what_it_may_not_say(data, message):
    with pytest.raises(RequestError, match=message) as caught:
        read_request(data, SETTINGS, "")
    assert caught.value.status == 400


@given(JSON | st.dictionaries(KEYS, JSON, max_size=4))
def test_any_json_is_read_or_refused(data):
    try:
        _, found = read_request(data, SETTINGS, "")
    except RequestError as error:
        assert error.status == 400
    else:
        assert found.size >= 0


def test_the_size_of_a_request_is_that_of_its_text():
    assert read(text="a" * 30).size == 30
    assert read(tokens=[["ab", "c"]]).size == 5
    assert read(text="a" * 30, kbest=3).size == 90
