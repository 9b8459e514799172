from collections.abc import Iterator
from dataclasses import replace

import pytest
from scoring_data import sentence

from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, MismatchError, SourceLocation, TreeError
from headwise.evaluate.align import aligned


def placed(path: str, line: int, sent_id: str) -> Sentence:
    return Sentence.from_words(
        ["a", "b", "c"],
        heads=[0, 1, 1],
        comments=[f"# sent_id = {sent_id}"],
        location=SourceLocation(path, line, sent_id),
    )


GOLD = placed("gold.conllu", 7, "g1")
SYSTEM = placed("system.conllu", 9, "s1")


def run(gold: list[Sentence], *systems: list[Sentence], allow_missing: bool = False) -> int:
    return len(list(aligned(gold, systems, allow_missing=allow_missing)))


def test_same_sentences_pass() -> None:
    assert run([GOLD] * 3, [SYSTEM] * 3, [SYSTEM] * 3) == 3


def test_reading_is_lazy() -> None:
    def endless() -> Iterator[Sentence]:
        while True:
            yield GOLD

    assert next(aligned(endless(), [endless()])) == (GOLD, GOLD)


def test_another_word_names_both_places_and_the_words() -> None:
    other = replace(SYSTEM, forms=("a", "x", "c"))
    with pytest.raises(MismatchError) as caught:
        run([GOLD], [other])
    assert str(caught.value) == (
        "gold.conllu:7 (sentence g1): word 2 is 'b' here, but 'x' in the system output at "
        "system.conllu:9 (sentence s1); both must have the same words"
    )


def test_another_number_of_words() -> None:
    longer = sentence("a b c d", [0, 1, 1, 1])
    with pytest.raises(MismatchError, match=r"3 words here, but 4 .* \(sentence number 2\)"):
        run([GOLD, GOLD], [SYSTEM, longer])


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        (
            2,
            1,
            r"gold.conllu:7 .*the system output ends after 1 sentence, but the gold data",
        ),
        (1, 2, r"system.conllu:9 .*the gold data ends after 1 sentence, but the system output"),
        (1, 0, r"the system output ends after 0 sentences"),
    ],
)
def test_another_number_of_sentences(gold: int, system: int, message: str) -> None:
    with pytest.raises(MismatchError, match=message):
        run([GOLD] * gold, [SYSTEM] * system)


def test_the_second_of_two_systems_may_end_early() -> None:
    with pytest.raises(MismatchError, match="the system output ends after 1"):
        run([GOLD] * 2, [SYSTEM] * 2, [SYSTEM])


def test_gold_without_heads() -> None:
    bare = replace(GOLD, heads=(0, None, 1))
    with pytest.raises(InputError, match=r"gold.conllu:7.*word 2 of the gold sentence has no head"):
        run([bare], [SYSTEM], allow_missing=True)


def test_system_without_heads() -> None:
    bare = replace(SYSTEM, heads=(0, 1, None))
    with pytest.raises(InputError, match=r"system.conllu:9.*word 3 of the system sentence has no"):
        run([GOLD], [bare])
    assert run([GOLD], [bare], allow_missing=True) == 1


@pytest.mark.parametrize("head", [-1, 4, 10**30])
@pytest.mark.parametrize("allow_missing", [True, False])
def test_heads_outside_the_sentence(head: int, allow_missing: bool) -> None:
    with pytest.raises(TreeError, match=rf"HEAD of word 2 of the gold sentence is {head}, but"):
        run([replace(GOLD, heads=(0, head, 1))], [SYSTEM], allow_missing=allow_missing)
    with pytest.raises(TreeError, match=rf"HEAD of word 2 of the system sentence is {head}, but"):
        run([GOLD], [replace(SYSTEM, heads=(0, head, 1))], allow_missing=allow_missing)
