"""Headwise beside its peers, on the same data, in one run: accuracy, speed, and their ratios.

    python benchmarks/peers.py [TRAIN DEV] [--sentences N] [--epochs N] [--only NAME …]

Parsers learn from gold tags, and parse dev under gold tags, in one thread: first and third order of
Headwise, UDPipe 1 (`ufal.udpipe`: its parser alone) and spaCy (its `parser` over a `tok2vec` that
sees the tags, too). Reading and writing CoNLL-U is compared with `conllu`. Peers that are not
installed are left out, with a word about it: pip install 'headwise[peers]'. Without files it is UD
English EWT, which lies beside the repository (../shared/treebanks).

Parsing is timed in turns, the least of several rounds; training once, in seconds of the processor.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import reading
from headwise.corpus.conllu import format_conllu
from headwise.corpus.formats import read_sentences, write_sentences
from headwise.corpus.sentence import Sentence
from headwise.evaluate import evaluate
from headwise.parser import DependencyParser

EWT = Path(__file__).parents[2] / "shared/treebanks/en_ewt"
ROUNDS = 3

Sentences = Sequence[Sentence]
Parse = Callable[[], list[Sentence]]


@dataclass(frozen=True)
class Data:
    """What all learn from and parse."""

    train: Sentences
    dev: Sentences
    epochs: int | None  # None: as each of them has it by default


@dataclass(frozen=True)
class Peer:
    """A parser that has learnt: how long it took, and how it parses dev."""

    seconds: float
    parse: Parse


def headwise_parser(data: Data, **settings: Any) -> Peer:
    if data.epochs is not None:
        settings["epochs"] = data.epochs
    start = time.process_time()
    parser = DependencyParser(**settings).fit(data.train, data.dev)
    seconds = time.process_time() - start
    return Peer(seconds, lambda: parser.predict(data.dev))


def udpipe(data: Data) -> Peer:
    """UDPipe 1: training and parsing of its own objects; their conversion is not timed."""
    from ufal import udpipe as ufal

    def converted(sentences: Sentences) -> list[Any]:
        reader = ufal.InputFormat.newInputFormat("conllu")
        reader.setText("".join(format_conllu(sentences)))
        found, error = [ufal.Sentence()], ufal.ProcessingError()
        while reader.nextSentence(found[-1], error):
            found.append(ufal.Sentence())
        return found[:-1]

    epochs = "" if data.epochs is None else f";iterations={data.epochs}"
    options = f"use_gold_tags=1;run_count=1{epochs}"
    train, dev = (ufal.Sentences(converted(part)) for part in (data.train, data.dev))
    error = ufal.ProcessingError()
    start = time.process_time()
    learnt = ufal.Trainer.train("morphodita_parsito", train, dev, "none", "none", options, error)
    seconds = time.process_time() - start
    if error.occurred():
        raise RuntimeError(error.message)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.udpipe"
        path.write_bytes(learnt if isinstance(learnt, bytes) else learnt.encode("utf-8"))
        model = ufal.Model.load(str(path))

    given = converted(data.dev)
    for sentence in given:
        sentence.unlinkAllNodes()

    def parse() -> list[Sentence]:
        for sentence in given:
            model.parse(sentence, ufal.Model.DEFAULT)
        words = [list(sentence.words)[1:] for sentence in given]
        return [
            own.with_tree([word.head for word in found], [word.deprel for word in found])
            for own, found in zip(data.dev, words, strict=True)
        ]

    return Peer(seconds, parse)


def spacy(data: Data) -> Peer:
    """spaCy's parser over a tok2vec of its default size, which sees words and gold tags."""
    import spacy as package
    from spacy.tokens import Doc
    from spacy.training import Example
    from spacy.util import minibatch

    package.util.fix_random_seed(0)
    nlp = package.blank("en")
    nlp.add_pipe("parser", config={"model": SPACY_MODEL})

    def doc(sentence: Sentence, *, gold: bool) -> Any:
        trees: dict[str, list[Any]] = {}
        if gold:
            pairs = list(zip(sentence.heads, sentence.relations, strict=True))
            trees["heads"] = [(head or i) - 1 for i, (head, _) in enumerate(pairs, 1)]
            trees["deps"] = [name if head else "ROOT" for head, name in pairs]
        tags = {"tags": list(sentence.xpos), "pos": list(sentence.upos)}
        return Doc(nlp.vocab, words=list(sentence.forms), **tags, **trees)

    examples = [Example(doc(one, gold=False), doc(one, gold=True)) for one in data.train]
    start = time.process_time()
    optimizer = nlp.initialize(lambda: examples)
    rng = random.Random(0)
    for _ in range(SPACY_EPOCHS if data.epochs is None else data.epochs):
        rng.shuffle(examples)
        for batch in minibatch(examples, 64):
            nlp.update(batch, sgd=optimizer, drop=0.1)
    seconds = time.process_time() - start
    parser = nlp.get_pipe("parser")

    def parse() -> list[Sentence]:
        docs = parser.pipe((doc(one, gold=False) for one in data.dev), batch_size=256)
        return [
            own.with_tree(
                [0 if token.head == token else token.head.i + 1 for token in found],
                ["root" if token.head == token else token.dep_ for token in found],
            )
            for own, found in zip(data.dev, docs, strict=True)
        ]

    return Peer(seconds, parse)


SPACY_EPOCHS = 10
WIDTH = 96
SPACY_MODEL = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "state_type": "parser",
    "extra_state_tokens": False,
    "hidden_width": 64,
    "maxout_pieces": 2,
    "use_upper": True,
    "tok2vec": {
        "@architectures": "spacy.Tok2Vec.v2",
        "embed": {
            "@architectures": "spacy.MultiHashEmbed.v2",
            "width": WIDTH,
            "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE", "TAG", "POS"],
            "rows": [5000, 1000, 2500, 2500, 100, 50],
            "include_static_vectors": False,
        },
        "encode": {
            "@architectures": "spacy.MaxoutWindowEncoder.v2",
            "width": WIDTH,
            "depth": 4,
            "window_size": 1,
            "maxout_pieces": 3,
        },
    },
}

PEERS: dict[str, tuple[str, Callable[[Data], Peer]]] = {
    "headwise, order 1": ("headwise", headwise_parser),
    "headwise, order 3": ("headwise", lambda data: headwise_parser(data, order=3)),
    "UDPipe 1": ("ufal.udpipe", udpipe),
    "spaCy": ("spacy", spacy),
}
"""For every peer its package and how it learns."""


def trained(data: Data, names: Sequence[str]) -> dict[str, Peer]:
    """Those that are installed, having learnt."""
    found = {}
    for name in names or PEERS:
        package, learn = PEERS[name]
        try:
            found[name] = learn(data)
        except ImportError:
            print(f"{name} is left out: {package} is not installed: pip install 'headwise[peers]'")
            continue
        print(
            f"{name} ({package} {version(package)}) has learnt in {found[name].seconds:.0f} s",
            flush=True,
        )
    return found


def least_seconds(peers: dict[str, Peer]) -> dict[str, float]:
    """The least times to parse dev, everybody taking turns."""
    times = dict.fromkeys(peers, float("inf"))
    for _ in range(ROUNDS):
        for name, peer in peers.items():
            start = time.perf_counter()
            peer.parse()
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def print_table(data: Data, peers: dict[str, Peer]) -> None:
    """Accuracy and speed, and how many times as fast the first one is."""
    words = sum(map(len, data.dev))
    scores = {
        name: evaluate(data.dev, peer.parse(), rounds=1).all_tokens for name, peer in peers.items()
    }
    times = least_seconds(peers)
    first = next(iter(peers))
    print(f"\n{len(data.train):,} sentences to learn from, {words:,} words to parse, one thread\n")
    print(f"| | UAS | LAS | words a second | {first}: times as fast | seconds of training |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, peer in peers.items():
        accuracy = f"{scores[name].uas:.2f} | {scores[name].las:.2f}"
        speed = f"{words / times[name]:,.0f} | {times[name] / times[first]:.1f}"
        print(f"| {name} | {accuracy} | {speed} | {peer.seconds:.0f} |")


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare all."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("train", type=Path, nargs="?", default=EWT / "en_ewt-ud-train.conllu.gz")
    options.add_argument("dev", type=Path, nargs="?", default=EWT / "en_ewt-ud-dev.conllu.gz")
    options.add_argument("--sentences", type=int, help="learn from so many only")
    options.add_argument("--epochs", type=int, help="of all; by default as each has it")
    options.add_argument("--only", nargs="*", choices=list(PEERS), default=[])
    chosen = options.parse_args(arguments)
    train = list(read_sentences(chosen.train))[: chosen.sentences]
    data = Data(train, list(read_sentences(chosen.dev)), chosen.epochs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dev.conllu"
        write_sentences(path, data.dev)
        reading.main([str(path)])
    print()
    peers = trained(data, chosen.only)
    if peers:
        print_table(data, peers)


if __name__ == "__main__":
    main()
