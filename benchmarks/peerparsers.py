"""Parsers to compare on the same data: ours, UDPipe 1 and spaCy."""

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwise.corpus.conllu import format_conllu
from headwise.corpus.sentence import Sentence
from headwise.parsers.graph.parser import DependencyParser

Sentences = Sequence[Sentence]


@dataclass(frozen=True)
class Data:
    """The data that all parsers are trained on and parse."""

    train: Sentences
    dev: Sentences
    epochs: int | None  # None: each parser's default


@dataclass(frozen=True)
class Peer:
    """A trained parser: its training time, and functions that parse dev and convert the result."""

    seconds: float
    parse: Callable[[], Any]
    trees: Callable[[Any], list[Sentence]]


def headwise_parser(data: Data, **settings: Any) -> Peer:
    if data.epochs is not None:
        settings["epochs"] = data.epochs
    DependencyParser(**settings | {"epochs": 1}).fit(data.train[:50], data.dev[:50])  # compiles
    start = time.process_time()
    parser = DependencyParser(**settings).fit(data.train, data.dev)
    seconds = time.process_time() - start
    return Peer(seconds, lambda: parser.predict(data.dev), list)


def udpipe(data: Data) -> Peer:
    """UDPipe 1: training and parsing of its own objects; conversion is not timed."""
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

    def parse() -> list[Any]:
        for sentence in given:
            model.parse(sentence, ufal.Model.DEFAULT)
        return given

    def trees(parsed: list[Any]) -> list[Sentence]:
        words = [list(sentence.words)[1:] for sentence in parsed]
        return [
            own.with_tree([word.head for word in found], [word.deprel for word in found])
            for own, found in zip(data.dev, words, strict=True)
        ]

    return Peer(seconds, parse, trees)


def spacy(data: Data) -> Peer:
    """spaCy's parser over a tok2vec of default size, which uses words and gold tags."""
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
        for batch in minibatch(examples, 16):
            nlp.update(batch, sgd=optimizer, drop=0.1)
    seconds = time.process_time() - start
    parser = nlp.get_pipe("parser")

    docs = [doc(one, gold=False) for one in data.dev]

    def trees(parsed: list[Any]) -> list[Sentence]:
        return [
            own.with_tree(
                [0 if token.head == token else token.head.i + 1 for token in found],
                ["root" if token.head == token else token.dep_ for token in found],
            )
            for own, found in zip(data.dev, parsed, strict=True)
        ]

    return Peer(seconds, lambda: list(parser.pipe(docs, batch_size=256)), trees)


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
"""For every peer its package and its training function."""
