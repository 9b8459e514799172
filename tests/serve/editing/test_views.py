import json

from editedfiles import written
from headwise.serve.editing.proposing import Clash, Proposal
from headwise.serve.editing.session import Session
from headwise.serve.editing.views import file_view, sentence_view


def test_views_are_json_and_tell_fixed_from_proposed(tmp_path):
    session = Session(written(tmp_path))
    one = session.sentence(0)
    shown = one.with_tree([2, 3, 0, 3], ["det", "nsubj", "root", "punct"])
    chances = [0.5, 0.9, 1.0, 1.0]
    lists = [[(2, 0.5)]] * 4
    session.note_answer(0, Proposal(shown, lists, [[("det", 1.0)]] * 4, chances, chances, 0.4))
    view = json.loads(json.dumps(sentence_view(session, 0)))
    assert view["words"][0]["fixed"] == {
        "head": False,
        "relation": False,
        "tags": False,
        "lemma": False,
    }
    assert (view["words"][0]["head"], view["words"][0]["head_prob"]) == (2, 0.5)
    assert view["words"][0]["heads"] == [[2, 0.5]]
    fixed = sentence_view(session, 1)
    assert all(all(word["fixed"].values()) for word in fixed["words"])
    assert fixed["multiwords"] == [{"first": 3, "last": 4, "form": "can't"}]
    session.note_answer(1, Clash("no tree has all of this", ()))
    assert sentence_view(session, 1)["clash"] == "no tree has all of this"
    rows = file_view(session)
    assert [row["id"] for row in rows["sentences"]] == ["s1", "s2", "s3"]
    assert (rows["file"], rows["checked"], rows["count"]) == ("corpus.conllu", 0, 3)
