"""A ranking meets the file again, which may have changed since."""

from editedfiles import DONE, LAST, written
from headwise.review.ranking import Ranking, Suspicion
from headwise.serve.editing import acts
from headwise.serve.editing.proposing import Proposal
from headwise.serve.editing.session import Session
from headwise.serve.editing.views import file_view, sentence_view

HEAD = Suspicion(2, "s2", 2, "dog", "head", "5", 0.01, "1", 0.9)
TAG = Suspicion(2, "s2", 5, "eat", "upos", "VERB", 0.02, "NOUN", 0.9)
GONE = Suspicion(9, None, 1, "x", "upos", "VERB", 0.02, "NOUN", 0.9)
RANKING = Ranking("corpus.conllu", {}, (HEAD, TAG, GONE))


def test_sentences_are_found_by_their_id_wherever_they_are(tmp_path):
    session = Session(written(tmp_path), ranking=RANKING)
    assert session.suspicious(1) == [HEAD, TAG]
    assert session.suspicious(0) == []
    session.close()
    moved = Session(written(tmp_path, LAST + LAST.replace("s3", "s4") + DONE), ranking=RANKING)
    assert moved.suspicious(2) == [HEAD, TAG]
    moved.close()
    twice = Session(written(tmp_path, DONE + DONE), ranking=RANKING)  # ids say nothing there
    assert twice.suspicious(0) == []
    assert twice.suspicious(1) == [HEAD, TAG]


def test_what_is_corrected_is_not_suspicious_and_is_again_when_undone(tmp_path):
    session = Session(written(tmp_path), ranking=RANKING)
    changed = acts.set_head(session.sentence(1), 2, 3)
    change = session.prepare(1, 1, [changed])
    session.commit(change, [Proposal(changed)])
    assert session.suspicious(1) == [TAG]
    back = session.next_undo()
    session.undo(back, [Proposal(back.new[0][1])])
    assert session.suspicious(1) == [HEAD, TAG]


def test_views_show_what_is_suspicious(tmp_path):
    session = Session(written(tmp_path), ranking=RANKING)
    view = file_view(session)
    assert view["ranked"]
    assert [row["suspicion"] for row in view["sentences"]] == [None, 0.01, None]
    words = sentence_view(session, 1)["words"]
    assert [len(word["suspicions"]) for word in words] == [0, 1, 0, 0, 1, 0]
    assert words[1]["suspicions"][0] == {
        "column": "head", "value": "5", "probability": 0.01,
        "expected": "1", "expected_probability": 0.9,
    }  # fmt: skip
    session.close()
    assert not file_view(Session(written(tmp_path)))["ranked"]
