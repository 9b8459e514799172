"""How many proposals were accepted as they were, by relation."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from headwise.corpus.sentence import Sentence


class Judgement(NamedTuple):
    """One proposed word after its sentence was checked."""

    relation: str  # the one that it has now
    head: bool  # whether the proposed head was accepted
    both: bool  # and the relation as well


def judge(given: Sentence, shown: Sentence, final: Sentence) -> list[Judgement]:
    """What became of proposals: of words whose heads were open when they were first shown.

    Nothing is said of a sentence whose words are others now.
    """
    if given.forms != final.forms:
        return []
    found = []
    for word, head in enumerate(given.heads):
        if head is None:
            same_head = shown.heads[word] == final.heads[word]
            same = same_head and shown.relations[word] == final.relations[word]
            found.append(Judgement(final.relations[word], same_head, same))
    return found


def acceptance(judgements: Iterable[Judgement]) -> list[dict[str, object]]:
    """Rows of a table: relation, number of proposals, accepted heads, and with their relations."""
    total: Counter[str] = Counter()
    heads: Counter[str] = Counter()
    both: Counter[str] = Counter()
    for relation, head, whole in judgements:
        total[relation] += 1
        heads[relation] += head
        both[relation] += whole
    return [
        {"relation": name, "proposed": count, "heads": heads[name], "accepted": both[name]}
        for name, count in total.most_common()
    ]
