import pytest

from editedfiles import DONE, LAST, TEXT, written
from headwise.errors import UsageError
from headwise.review.ranking import Ranking, Suspicion
from headwise.serve.editing import acts
from headwise.serve.editing.proposing import Clash, Proposal
from headwise.serve.editing.session import ClashError, Session, StaleError
from headwise.serve.editing.treebankfile import ChangedFileError
from headwise.serve.editing.views import file_view, sentence_view


def guess(task) -> Proposal:
    """Every open word hangs on the one before it."""
    one = task.sentence
    heads = [n - 1 if head is None else head for n, head in enumerate(one.heads, 1)]
    relations = ["dep" if name == "_" else name for name in one.relations]
    return Proposal(one.with_tree(heads, relations))


def do(session: Session, key: int, act) -> None:
    if session.task(key):
        session.note_answer(key, guess(session.task(key)))
    change = session.prepare(key, 1, [act(session.sentence(key))])
    session.commit(change, [guess(task) for task in session.tasks(change)])


def undo(session: Session, way: str = "undo") -> None:
    change = session.reversal(way)
    session.reverse(way, change, [guess(task) for task in session.tasks(change)])


def redo(session: Session) -> None:
    undo(session, "redo")


def test_acts_are_saved_undone_to_the_byte_and_done_again(tmp_path):
    path = written(tmp_path)
    session = Session(path)
    do(session, 0, lambda one: acts.set_head(one, 1, 2))
    first = path.read_bytes()
    assert (
        first
        == TEXT.replace("Gloss=ein", "Gloss=ein")
        .replace("1\tA\t_\t_\t_\t_\t_", "1\tA\t_\t_\t_\t_\t2")
        .encode()
    )
    do(session, 1, lambda one: acts.set_relation(one, 1, "dep"))
    second = path.read_bytes()
    undo(session)
    assert path.read_bytes() == first
    undo(session)
    assert path.read_bytes() == TEXT.encode()
    with pytest.raises(UsageError, match="nothing to undo"):
        session.reversal("undo")
    redo(session)
    redo(session)
    assert path.read_bytes() == second
    undo(session)
    do(session, 0, lambda one: acts.set_note(one, "new"))
    with pytest.raises(UsageError, match="nothing to redo"):
        session.reversal("redo")


def test_splitting_keeps_the_keys_of_others(tmp_path):
    path = written(tmp_path)
    session = Session(path)
    one = session.sentence(1)
    from headwise.serve.editing.sentences import split_sentence

    change = session.prepare(1, 1, split_sentence(one, 3, session.ids()))
    session.commit(change, [guess(task) for task in session.tasks(change)])
    assert session.keys == [0, 1, 3, 2]
    assert session.sentence(2).id == "s3"
    undo(session)
    assert session.keys == [0, 1, 2]
    assert path.read_bytes() == TEXT.encode()


def test_clashes_and_changed_files_change_nothing(tmp_path):
    path = written(tmp_path)
    session = Session(path)
    session.note_answer(0, guess(session.task(0)))
    change = session.prepare(0, 1, [acts.set_head(session.sentence(0), 1, 2)])
    with pytest.raises(ClashError):
        session.commit(change, [Clash("no tree", ())])
    assert path.read_bytes() == TEXT.encode()
    path.write_bytes(path.read_bytes() + b"# more\n")
    with pytest.raises(ChangedFileError):
        session.commit(change, [guess(task) for task in session.tasks(change)])
    assert (session.revision, session.done["undo"]) == (0, [])


def test_what_others_have_changed_is_noticed(tmp_path):
    session = Session(written(tmp_path))
    session.check_version(0, 0)
    do(session, 0, lambda one: acts.set_note(one, "x"))
    with pytest.raises(StaleError):
        session.check_version(0, 0)
    with pytest.raises(StaleError):
        session.check_revision(0)
    session.check_version(1, 0)
    with pytest.raises(StaleError):
        session.check_version(99, 0)


def test_checked_sentences_and_accepted_proposals_are_counted(tmp_path):
    session = Session(written(tmp_path))
    do(session, 0, lambda one: acts.set_head(one, 4, 2))
    do(session, 0, lambda one: acts.check(one, session.shown(0)))
    assert session.checked == {0}
    (judged,) = session.judgements.values()
    assert [one.head for one in judged] == [True, True, True, False]
    do(session, 0, lambda one: acts.release(one, [1]))
    assert session.checked == set(), "a word is open again"
    undo(session)
    assert session.checked == {0}


# A ranking meets the file again, which may have changed since.

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
    back = session.reversal("undo")
    session.reverse("undo", back, [Proposal(back.new[0][1])])
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
