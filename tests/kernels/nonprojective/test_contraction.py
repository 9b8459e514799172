"""All questions in brackets, against enumeration."""

from hypothesis import given, settings
from hypothesis import strategies as st

from arctables import arc_tables
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.scores import Scores
from spanningtrees import check_all_questions, enumeration


@st.composite
def brackets_of(draw, n):
    """Some brackets over n words that do not cross."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        low = draw(st.integers(1, n))
        high = draw(st.integers(low, n))
        if not any(a < low <= b < high or low < a <= high < b for a, b in found):
            found.append((low, high))
    return tuple(found)


@settings(deadline=None)
@given(arc_tables(max_words=5, magnitudes=(1.0, 200.0)), st.booleans(), st.data())
def test_every_question_in_brackets(table, single_root, data):
    brackets = data.draw(brackets_of(len(table) - 1))
    scores = Scores(table, brackets=brackets)
    decoder = NonProjectiveDecoder(single_root)
    check_all_questions(scores, decoder, enumeration(table, single_root, brackets))
