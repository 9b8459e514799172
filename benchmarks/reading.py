"""Reading and writing CoNLL-U beside `conllu` and `pyconll`, in one run on the same text.

    python benchmarks/reading.py [FILE]     FILE: any CoNLL-U file; without it, generated text

Prints tokens a second and the ratio to `conllu`: the best of several rounds, in each of which all
take their turn, so that a busy machine is busy for all.
"""

import gc
import io
import math
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from headwise.corpus.conllu import format_conllu, read_conllu
from headwise.corpus.files import read_chunks
from headwise.corpus.sentence import Sentence

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


def headwise_work(path: Path) -> tuple[Work, Work]:
    sentences = list(read_conllu(path))
    return lambda: consume(read_conllu(path)), lambda: write(format_conllu(sentences))


def headwise_changed_work(path: Path) -> tuple[Work, Work]:
    """Reading, and changing every tree, heads and relations, and writing: nothing is copied."""
    sentences = list(read_conllu(path))
    heads = [[0, *range(1, len(sentence))] for sentence in sentences]
    relations = [[sys.intern(f"{name}:new") for name in s.relations] for s in sentences]

    def change_and_write() -> None:
        write(format_conllu(map(Sentence.with_tree, sentences, heads, relations)))

    return lambda: consume(read_conllu(path)), change_and_write


def conllu_work(path: Path) -> tuple[Work, Work]:
    import conllu

    def read() -> None:
        with path.open(encoding="utf-8") as file:
            consume(conllu.parse_incr(file))

    sentences = conllu.parse(path.read_text("utf-8"))
    return read, lambda: write(sentence.serialize() for sentence in sentences)


def pyconll_work(path: Path) -> tuple[Work, Work]:
    import pyconll

    sentences = list(pyconll.iter_from_file(str(path)))
    return (
        lambda: consume(pyconll.iter_from_file(str(path))),
        lambda: write(sentence.conll() + "\n\n" for sentence in sentences),
    )


PEERS = {
    "headwise": headwise_work,
    "  changed": headwise_changed_work,
    "conllu": conllu_work,
    "pyconll": pyconll_work,
}


def consume(sentences: Iterable[object]) -> None:
    for _ in sentences:
        pass


def write(texts: Iterable[str]) -> None:
    sink = io.BytesIO()
    for text in texts:
        sink.write(text.encode())


def seconds(work: Work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(path: Path) -> dict[str, tuple[float, float]]:
    """The least times of reading and writing, of those that are installed."""
    work: dict[str, tuple[Work, Work]] = {}
    for name, prepare in PEERS.items():
        try:
            work[name] = prepare(path)
        except ImportError:
            print(f"{name:10}not installed: pip install 'headwise[bench]'")
    gc.freeze()  # the sentences held for writing must not slow reading down
    times = dict.fromkeys(work, (math.inf, math.inf))
    for _ in range(ROUNDS):
        for name, (read, write_all) in work.items():
            best = times[name]
            times[name] = min(best[0], seconds(read)), min(best[1], seconds(write_all))
    return times


def main(arguments: list[str]) -> None:
    text = b"".join(read_chunks(arguments[0])).decode() if arguments else generated_treebank()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.conllu"
        path.write_text(text, "utf-8", newline="")
        tokens = sum(map(len, read_conllu(path)))
        print(f"{tokens:,} tokens, best of {ROUNDS} rounds\n")
        print(f"{'':10}{'read, tokens/s':>18}{'write, tokens/s':>18}{'× conllu':>18}")
        times = measure(path)
        base = times.get("conllu")
        for name, (read, written) in times.items():
            ratio = f"{base[0] / read:.1f} / {base[1] / written:.1f}" if base else "–"
            print(f"{name:10}{tokens / read:>18,.0f}{tokens / written:>18,.0f}{ratio:>18}")


if __name__ == "__main__":
    main(sys.argv[1:])
