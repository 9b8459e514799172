"""Running text of a treebank, and where tokens and sentences end in it."""

from headwise.corpus.sentence import Sentence
from headwise.kernels.text.char_classify import SENTENCE_END, TOKEN_END
from headwise.text.rawtext import running_text

NO_SPACE = "SpaceAfter=No"


def sentence(*forms: str, glued: tuple[int, ...] = (), comments=()) -> Sentence:
    misc = [NO_SPACE if place in glued else "_" for place in range(len(forms))]
    return Sentence.from_words(list(forms), misc=misc, comments=list(comments))


def ends_of(found) -> tuple[list[str], list[str]]:
    """What stands up to each end of a token, and up to each end of a sentence."""
    text, classes = found.text, found.classes.tolist()
    tokens = [text[: at + 1] for at, kind in enumerate(classes) if kind]
    return tokens, [text[: at + 1] for at, kind in enumerate(classes) if kind == SENTENCE_END]


def test_spaces_are_those_of_the_treebank():
    found = running_text([sentence("Yes", ",", "we", "do", ".", glued=(0, 3))])
    assert found.text == "Yes, we do. "
    assert len(found.classes) == len(found.text)
    tokens, sentences = ends_of(found)
    assert tokens == ["Yes", "Yes,", "Yes, we", "Yes, we do", "Yes, we do."]
    assert sentences == ["Yes, we do."]
    assert found.classes[2] == TOKEN_END


def test_paragraphs_and_documents_begin_after_a_blank_line():
    found = running_text(
        [
            sentence("One", comments=["# newdoc id = a"]),
            sentence("two", glued=(0,)),
            sentence("Three", comments=["# newpar"]),
        ]
    )
    assert found.text == "One two\n\nThree "
    assert ends_of(found)[1] == ["One", "One two", "One two\n\nThree"]


def test_nothing_has_no_text():
    found = running_text([])
    assert (found.text, len(found.classes)) == ("", 0)
