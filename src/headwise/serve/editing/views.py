"""What the page is told of a file and its sentences, as JSON."""

from typing import Any, TypeVar

from headwise.corpus.sentence import MISSING, Sentence
from headwise.serve.editing.acceptance import acceptance
from headwise.serve.editing.marks import ROOT, marks_of
from headwise.serve.editing.proposing import Clash, Proposal
from headwise.serve.editing.session import Session

T = TypeVar("T")

SAID = ("column", "value", "probability", "expected", "expected_probability")
"""What is said of a suspicious value of a word."""

PREVIEW = 120
"""Characters of a sentence that a list shows."""


def file_view(session: Session) -> dict[str, Any]:
    """The file: its sentences in order, and what was done."""
    rows = zip(session.keys, session.file.sentences, strict=True)
    return {
        **status_view(session),
        "sentences": [
            {
                "key": key,
                "id": one.id,
                "text": one.text[:PREVIEW],
                "words": len(one),
                "checked": key in session.checked,
                "certainty": session.certainties.get(key),
                "suspicion": least_likely(session, key),
            }
            for key, one in rows
        ],
    }


def status_view(session: Session) -> dict[str, Any]:
    """What changes with every act."""
    judged = [one for many in session.judgements.values() for one in many]
    return {
        "file": session.file.path.name,
        "revision": session.revision,
        "kind": session.kind,
        "undo": len(session.done["undo"]),
        "redo": len(session.done["redo"]),
        "checked": len(session.checked),
        "count": len(session.keys),
        "measured": len(session.certainties),
        "ranked": session.ranking is not None,
        "acceptance": acceptance(judged),
    }


def sentence_view(session: Session, key: int) -> dict[str, Any]:
    """A sentence: what is fixed, what is proposed, and how likely that is."""
    given, answer = session.sentence(key), session.answers.get(key)
    proposal = answer if isinstance(answer, Proposal) else Proposal(given)
    marks = marks_of(given)
    words = words_view(given, proposal)
    for one in session.suspicious(key):
        words[one.word - 1]["suspicions"].append({name: getattr(one, name) for name in SAID})
    return {
        "key": key,
        "version": session.versions[key],
        "place": session.place_of(key),
        "id": given.id,
        "text": given.text,
        "comments": list(given.comments),
        "checked": marks.checked,
        "note": marks.note,
        "forbidden": [list(arc) for arc in marks.forbidden],
        "brackets": [list(pair) for pair in marks.brackets],
        "tree_prob": proposal.tree_prob,
        "uncalibrated": proposal.is_uncalibrated,
        "clash": answer.message if isinstance(answer, Clash) else None,
        "suspicion": least_likely(session, key),
        "words": words,
        "multiwords": [
            {"first": row.first, "last": row.last, "form": row.form} for row in given.multiwords
        ],
        "empty_nodes": [{"id": row.id, "form": row.form} for row in given.empty_nodes],
    }


def words_view(given: Sentence, proposal: Proposal) -> list[dict[str, Any]]:
    """The words of a sentence."""
    shown = proposal.sentence
    return [
        {
            "id": n + 1,
            "form": shown.forms[n],
            "lemma": value(shown.lemmas[n]),
            "upos": value(shown.upos[n]),
            "xpos": value(shown.xpos[n]),
            "feats": value(shown.feats[n]),
            "head": shown.heads[n],
            "relation": value(shown.relations[n]),
            "misc": value(shown.misc[n]),
            "fixed": {
                "head": given.heads[n] is not None or given.relations[n] == ROOT,
                "relation": given.relations[n] != MISSING,
                "tags": given.upos[n] != MISSING,
                "lemma": given.lemmas[n] != MISSING,
            },
            "head_prob": item(proposal.head_probs, n),
            "relation_prob": item(proposal.relation_probs, n),
            "heads": item(proposal.heads, n) or [],
            "relations": item(proposal.relations, n) or [],
            "suspicions": [],
        }
        for n in range(len(given))
    ]


def least_likely(session: Session, key: int) -> float | None:
    """The probability of the most suspicious value of a sentence, if it has any."""
    found = session.suspicious(key)
    return found[0].probability if found else None


def value(text: str) -> str | None:
    """A column's value, None where nothing is given."""
    return None if text == MISSING else text


def item(values: list[T], n: int) -> T | None:
    """An entry of a list that may be empty."""
    return values[n] if values else None
