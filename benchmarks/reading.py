"""Benchmark of reading and writing CoNLL-U: Headwise, `conllu` and `pyconll` on the same text.

    python benchmarks/reading.py [FILE]     FILE: any CoNLL-U file; without it, generated text

Prints tokens per second and the ratio to `conllu`: the best of several rounds, in each of which all
take a turn, so that a busy machine is busy for all.
"""

import argparse
import gc
import io
import math
import random
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from headwise.corpus.conllu import format_conllu, read_conllu
from headwise.corpus.files import read_chunks
from headwise.corpus.sentence import Sentence
from measuring import fastest_in_turn

ROUNDS = 7


def generated_treebank(sentences: int = 3000) -> str:
    """Text shaped like a UD treebank: comments, features, enhanced arcs, some multiword rows."""
    chance = random.Random(1)
    blocks = []
    for number in range(sentences):
        length = chance.randint(3, 30)
        rows = [f"# sent_id = made-{number}", f"# text = {'word ' * length}".rstrip()]
        for i in range(1, length + 1):
            head = 0 if i == 1 else chance.randint(1, i - 1)
            relation = "root" if head == 0 else chance.choice(["nsubj", "obj", "obl", "amod"])
            form = f"word{chance.randint(1, 5000)}"
            if i == 2 and chance.random() < 0.2:
                rows.append(f"{i}-{i + 1}\t{form}s" + "\t_" * 8)
            feats = "Case=Nom|Number=Sing" if chance.random() < 0.5 else "_"
            fields = [i, form, form, "NOUN", "NN", feats, head, relation, f"{head}:{relation}", "_"]
            rows.append("\t".join(map(str, fields)))
        blocks.append("\n".join(rows) + "\n\n")
    return "".join(blocks)


Work = Callable[[], object]


def headwise_work(path: Path) -> tuple[Work, ...]:
    sentences = list(read_conllu(path))
    return lambda: consume(read_conllu(path)), lambda: write(format_conllu(sentences))


def changed_work(path: Path) -> tuple[Work, ...]:
    """All trees changed, heads and relations, so that no sentence is copied as it was read."""
    sentences, heads, relations = read_with_other_trees(path)
    changed = list(map(Sentence.with_tree, sentences, heads, relations))
    return (lambda: write(format_conllu(changed)),)


def changing_work(path: Path) -> tuple[Work, ...]:
    """The same, including the time to change the trees."""
    sentences, heads, relations = read_with_other_trees(path)
    return (lambda: write(format_conllu(map(Sentence.with_tree, sentences, heads, relations))),)


def read_with_other_trees(path: Path) -> tuple[list[Sentence], list[list[int]], list[list[str]]]:
    sentences = list(read_conllu(path))
    heads = [[0, *range(1, len(sentence))] for sentence in sentences]
    relations = [[sys.intern(f"{name}:new") for name in s.relations] for s in sentences]
    return sentences, heads, relations


def conllu_work(path: Path) -> tuple[Work, ...]:
    import conllu

    def read() -> None:
        with path.open(encoding="utf-8") as file:
            consume(conllu.parse_incr(file))

    sentences = conllu.parse(path.read_text("utf-8"))
    return read, lambda: write(sentence.serialize() for sentence in sentences)


def pyconll_work(path: Path) -> tuple[Work, ...]:
    from pyconll.load import iter_from_file

    sentences = list(iter_from_file(str(path)))
    return (
        lambda: consume(iter_from_file(str(path))),
        lambda: write(sentence.conll() + "\n\n" for sentence in sentences),
    )


PEERS = {
    "headwise": headwise_work,
    "  changed trees": changed_work,
    "  changing trees": changing_work,
    "conllu": conllu_work,
    "pyconll": pyconll_work,
}
"""Functions that prepare reading and writing, or writing alone."""


def consume(sentences: Iterable[object]) -> None:
    for _ in sentences:
        pass


def write(texts: Iterable[str]) -> None:
    sink = io.BytesIO()
    for text in texts:
        sink.write(text.encode())


def measure(path: Path) -> dict[str, list[float]]:
    """The fastest times of reading and writing, of those that are installed."""
    work: dict[str, tuple[Work, ...]] = {}
    for name, prepare in PEERS.items():
        try:
            work[name] = prepare(path)
        except ImportError:
            print(f"{name} is not installed: pip install 'headwise[bench]'")
    gc.freeze()  # the sentences held for writing must not slow reading down
    each = {(name, task): task for name, tasks in work.items() for task in tasks}
    times = fastest_in_turn(each, ROUNDS)
    return {name: [times[name, task] for task in tasks] for name, tasks in work.items()}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("file", nargs="?", help="CoNLL-U file [default: generated text]")
    file = options.parse_args().file
    text = b"".join(read_chunks(file)).decode() if file else generated_treebank()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.conllu"
        path.write_text(text, "utf-8", newline="")
        tokens = sum(map(len, read_conllu(path)))
        times = measure(path)
    print(f"{tokens:,} tokens, best of {ROUNDS} rounds; in brackets, times as fast as conllu\n")
    print(f"{'':16}{'read, tokens/s':>22}{'write, tokens/s':>22}")
    base = times.get("conllu", [math.nan, math.nan])
    for name, measured in times.items():
        cells = [""] * (2 - len(measured))
        for other, own in zip(base[-len(measured) :], measured, strict=True):
            cells.append(f"{tokens / own:,.0f} ({other / own:.1f})")
        print(f"{name:16}{cells[0]:>22}{cells[1]:>22}")


if __name__ == "__main__":
    main()
