"""Reading and writing CoNLL-U beside `conllu` and `pyconll`, in one run on the same text.

    python benchmarks/reading.py [FILE]     FILE: any CoNLL-U file; without it, generated text

Prints tokens a second (best of several rounds) and the ratio to `conllu`.
"""

import io
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from headwise.corpus.conllu import format_conllu, read_conllu
from headwise.corpus.files import read_chunks
from headwise.corpus.sentence import Sentence

ROUNDS = 5


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


def fastest(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def measure_headwise(path: Path) -> tuple[float, float]:
    def read() -> None:
        for _ in read_conllu(path):
            pass

    sentences = list(read_conllu(path))
    return fastest(read), fastest(lambda: write(sentences))


def measure_headwise_changed(path: Path) -> tuple[float, float]:
    """Changing every tree, heads and relations, and writing: no sentence is written as read."""
    sentences = list(read_conllu(path))
    heads = [[0, *range(1, len(sentence))] for sentence in sentences]
    relations = [[f"{name}:new" for name in sentence.relations] for sentence in sentences]
    return float("nan"), fastest(
        lambda: write(map(Sentence.with_tree, sentences, heads, relations))
    )


def write(sentences: Iterable[Sentence]) -> None:
    sink = io.BytesIO()
    for text in format_conllu(sentences):
        sink.write(text.encode())


def measure_conllu(path: Path) -> tuple[float, float]:
    import conllu

    def read() -> None:
        with path.open(encoding="utf-8") as file:
            for _ in conllu.parse_incr(file):
                pass

    sentences = conllu.parse(path.read_text("utf-8"))

    def write() -> None:
        sink = io.BytesIO()
        for sentence in sentences:
            sink.write(sentence.serialize().encode())

    return fastest(read), fastest(write)


def measure_pyconll(path: Path) -> tuple[float, float]:
    import pyconll

    def read() -> None:
        for _ in pyconll.iter_from_file(str(path)):
            pass

    sentences = list(pyconll.iter_from_file(str(path)))

    def write() -> None:
        sink = io.BytesIO()
        for sentence in sentences:
            sink.write(sentence.conll().encode())
            sink.write(b"\n\n")

    return fastest(read), fastest(write)


def main(arguments: list[str]) -> None:
    text = b"".join(read_chunks(arguments[0])).decode() if arguments else generated_treebank()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.conllu"
        path.write_text(text, "utf-8", newline="")
        tokens = sum(map(len, read_conllu(path)))
        print(f"{tokens:,} tokens, best of {ROUNDS} rounds\n")
        print(f"{'':10}{'read, tokens/s':>18}{'write, tokens/s':>18}{'× conllu':>18}")
        peers = {
            "headwise": measure_headwise,
            "  changed": measure_headwise_changed,
            "conllu": measure_conllu,
            "pyconll": measure_pyconll,
        }
        times: dict[str, tuple[float, float]] = {}
        for name, measure in peers.items():
            try:
                times[name] = measure(path)
            except ImportError:
                print(f"{name:10}not installed: pip install 'headwise[bench]'")
        base = times.get("conllu")
        for name, (read, write) in times.items():
            ratio = f"{base[0] / read:.1f} / {base[1] / write:.1f}" if base else "–"
            line = f"{name:10}{tokens / read:>18,.0f}{tokens / write:>18,.0f}{ratio:>18}"
            print(line.replace("nan", "  –"))


if __name__ == "__main__":
    main(sys.argv[1:])
