"""Makes the neural English model of the package: teachers, the text that they parse, a student.

    python experiments/english_model.py prepare FOLDER [--text …] [--vectors …]   # here
    python experiments/english_model.py train FOLDER                    # on an accelerator
    python experiments/english_model.py assemble FOLDER [--seed 1] [-o MODEL]     # here

The accelerator needs JAX and this repository, and no Numba. It trains four large networks on UD
English EWT, parses the text by their averaged probabilities, and trains two students on treebank
and text (`teaching` in the package does the same on one machine, with exact trees; here a sentence
is learnt from if the likeliest heads of all words are a tree). Sums on an accelerator have no fixed
order, so that a new student has other weights; the two differ by 0.06 LAS on dev. Which one is
kept was chosen there.
"""

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from headwise.corpus.sentence import Sentence
    from headwise.learners.neural.batches import NumberedSentences
    from headwise.learners.neural.settings import NeuralSettings
    from headwise.scoring.neural.vocabulary import Vocabulary

SHARED = Path(__file__).parents[2] / "shared"
TEACHERS, STUDENTS = (10, 11, 12, 13), (0, 1)
GOLD_WEIGHT = 4
LEAST_IN_TEXT = 5
"""How often a word of the text must occur to have an embedding of its own."""

LEAST_PROBABLE = 0.5
"""Heads and tags of the text that are less probable are not learnt from."""

ABOUT = {
    "language": "English",
    "treebank": "Universal Dependencies, English EWT, training part (CC BY-SA 4.0)",
    "text": "sentences of Common Voice (CC0) and prose of MDN web docs by Mozilla contributors "
    "(CC BY-SA 2.5), parsed by four larger networks",
    "vectors": "GloVe 6B, 100 dimensions (PDDL 1.0)",
    "licence": "CC BY-SA 4.0, which is the treebank's "
    "(https://creativecommons.org/licenses/by-sa/4.0/)",
    "trained on": "en_ewt-ud-train.conllu.gz",
    "development data": "en_ewt-ud-dev.conllu.gz",
}
Arrays = dict[str, NDArray[Any]]


def teacher_settings() -> "NeuralSettings":
    """How the teachers are trained."""
    from headwise.learners.neural.settings import DropoutRates, NetworkSizes, NeuralSettings

    sizes = NetworkSizes(units=300, arcs=256)
    return NeuralSettings(epochs=30, sizes=sizes, dropout=DropoutRates(tags=0.5))


def student_settings() -> "NeuralSettings":
    """How the students are trained: by default but for what the amount of text asks for."""
    from headwise.learners.neural.settings import NeuralSettings

    return NeuralSettings(epochs=16, batch_words=4000)


# Preparing: sentences become numbers.


def parts_of(treebank: Path) -> "list[list[Sentence]]":
    """The training and the development part of EWT."""
    from headwise.corpus.formats import read_sentences

    names = (treebank / f"en_ewt-ud-{part}.conllu.gz" for part in ("train", "dev"))
    return [list(read_sentences(name)) for name in names]


def sentences_of(text: Path) -> "list[Sentence]":
    """The sentences of a text of one sentence or paragraph a line, as bare words."""
    import gzip

    from headwise.corpus.sentence import Sentence
    from headwise.pipeline.models import as_pipeline

    tokeniser = as_pipeline("en-fast").need_tokeniser()
    with gzip.open(text, "rt", encoding="utf-8") as stream:
        found = [one for line in stream if line.strip() for one in tokeniser.split(line.strip())]
    return [Sentence.from_words(one.forms) for one in found if 2 <= len(one) <= 100]


def prepare(folder: Path, treebank: Path, text: Path, vectors: Path) -> None:
    """Write what training needs: `teachers.npz` and `students.npz`, whose vocabularies differ."""
    from headwise.learners.neural.batches import NumberedSentences
    from headwise.parsers.neural.parser import NeuralParser, word_counts
    from headwise.scoring.neural.vocabulary import Vocabulary
    from headwise.scoring.neural.wordfeatures import WordFeatures

    train, dev = parts_of(treebank)
    found = NeuralParser().vectors_for(train, vectors)
    more = sentences_of(text)
    often = {word: n for word, n in word_counts(more).items() if n >= LEAST_IN_TEXT}
    folder.mkdir(parents=True, exist_ok=True)
    for name, counts in (("teachers", {}), ("students", often)):
        vocabulary = Vocabulary.of(train, found.words, 2, Counter(counts))
        words, arrays = WordFeatures(vocabulary), dict[str, NDArray[Any]]()
        for part, sentences in (("train", train), ("dev", dev), ("text", more)):
            numbered = NumberedSentences.of(sentences, vocabulary, words)
            arrays |= {f"{part}.{key}": value for key, value in compact(numbered).items()}
        arrays |= {"vectors": found.numbers, "scale": found.scale, "vocabulary": packed(vocabulary)}
        np.savez_compressed(folder / f"{name}.npz", **arrays)  # type: ignore[arg-type]
        print(name, {one: len(arrays[f"{one}.starts"]) - 1 for one in ("train", "dev", "text")})


def compact(data: "NumberedSentences") -> Arrays:
    """Numbers of sentences with the features of each kind of word once."""
    kinds, kind = np.unique(data.features, axis=0, return_inverse=True)
    small = {name: getattr(data, name).astype(np.int16) for name in ("tags", "heads", "relations")}
    return {"kinds": kinds, "kind": kind.ravel().astype(np.uint32), "starts": data.starts, **small}


def packed(vocabulary: "Vocabulary") -> NDArray[np.uint8]:
    """A vocabulary as bytes, without the words of vectors, which only parsing looks up."""
    names = ("words", "upos", "xpos", "feats", "relations", "roots", "inner")
    text = json.dumps({name: getattr(vocabulary, name) for name in names})
    return np.frombuffer(text.encode(), np.uint8)


def unpacked(data: NDArray[np.uint8], vectors: Sequence[str] = ()) -> "Vocabulary":
    """A vocabulary from its bytes."""
    from headwise.scoring.neural.vocabulary import Vocabulary

    names = {name: tuple(value) for name, value in json.loads(bytes(data)).items()}
    return Vocabulary(**names, vectors=tuple(vectors))


def part_of(arrays: Mapping[str, NDArray[Any]], part: str) -> "NumberedSentences":
    """Numbers of sentences from what `prepare` wrote."""
    from headwise.learners.neural.batches import NumberedSentences

    own = {
        name: arrays[f"{part}.{name}"].astype(np.int32) for name in ("tags", "heads", "relations")
    }
    features = arrays[f"{part}.kinds"][arrays[f"{part}.kind"]]
    return NumberedSentences(arrays[f"{part}.starts"], features, **own)


# Training: on an accelerator, all networks of one shape at once.


def train_networks(
    arrays: Mapping[str, NDArray[Any]],
    settings: "NeuralSettings",
    seeds: Sequence[int],
    taught: "NumberedSentences | None" = None,
) -> Any:
    """The averaged weights of networks that are trained side by side, stacked."""
    import jax
    import jax.numpy as jnp

    from headwise.learners.neural.adam import new_weights
    from headwise.learners.neural.batches import filled
    from headwise.learners.neural.initialising import new_parameters
    from headwise.learners.neural.training import NeuralTraining, StepSettings, training_step

    vectors = arrays["vectors"].astype(np.float32) * arrays["scale"]
    data, times = part_of(arrays, "train"), None
    if taught is not None:
        times = np.repeat([GOLD_WEIGHT, 1], [len(data), len(taught)])
        data = joined(data, taught)
    nothing: Any = None  # the local loss searches no trees
    training = NeuralTraining(settings, data, vectors, nothing, {}, {}, times=times)
    vocabulary = unpacked(arrays["vocabulary"])
    initial = [new_parameters(settings.sizes, vocabulary, vectors.shape[1], seed) for seed in seeds]
    weights = new_weights({name: jnp.stack([one[name] for one in initial]) for name in initial[0]})
    keys = jax.vmap(jax.random.key)(jnp.array(seeds))
    one_step = training_step(StepSettings.of(settings), nothing)
    side_by_side = jax.vmap(one_step, in_axes=(0, None, None, 0, None, None))
    step, now, known = jax.jit(side_by_side, donate_argnums=0), 0, jnp.asarray(vectors)
    for epoch in range(training.epochs):
        batches, order = training.batches_in(epoch)
        for number in order:
            rows = filled(data, batches[number])
            weights, loss = step(weights, known, rows, keys, jnp.int32(now), training.steps)
            now += 1
        print(f"epoch {epoch + 1} of {training.epochs}, loss {float(loss.mean()):.3f}", flush=True)
    return weights.average


def joined(first: "NumberedSentences", second: "NumberedSentences") -> "NumberedSentences":
    """Sentences after each other."""
    names = ("features", "tags", "heads", "relations")
    starts = np.concatenate([first.starts, second.starts[1:] + first.starts[-1]])
    columns = {
        name: np.concatenate([getattr(first, name), getattr(second, name)]) for name in names
    }
    return replace(first, starts=starts, **columns)


def parsed_text(arrays: Mapping[str, NDArray[Any]], networks: Any) -> Arrays:
    """What networks together find likeliest in the text, with their averaged probabilities."""
    import jax
    import jax.numpy as jnp

    from headwise.learners.neural.batches import batches_of, filled
    from headwise.learners.neural.network import forward, relation_scores
    from headwise.learners.neural.settings import DropoutRates
    from headwise.scoring.neural.vocabulary import ABSENT, TAG_COLUMNS

    vectors = jnp.asarray(arrays["vectors"].astype(np.float32) * arrays["scale"])

    @jax.jit
    def answers(networks: Any, rows: Any) -> Any:
        def probabilities(one: Any) -> Any:
            hidden = jnp.full(rows.tags.shape, ABSENT)
            out = forward(one, vectors, rows, hidden, DropoutRates())
            tags = [jax.nn.softmax(out.tags[name], -1) for name in TAG_COLUMNS]
            return out, jax.nn.softmax(out.arcs, axis=1), tags

        outputs, arcs, tags = jax.vmap(probabilities)(networks)
        heads = jnp.argmax(arcs.mean(0), axis=1)

        def named(one: Any, out: Any) -> jax.Array:
            return jax.nn.softmax(relation_scores(one, out, heads), -1)

        relations = jnp.argmax(jax.vmap(named)(networks, outputs).mean(0), -1)
        means = [one.mean(0) for one in tags]
        return (
            jnp.stack([heads, relations, *(jnp.argmax(one, -1) for one in means)], -1),
            jnp.stack([arcs.mean(0).max(axis=1), *(one.max(-1) for one in means)], -1),
        )

    text = part_of(arrays, "text")
    found = np.zeros((len(text.features), 5), np.int32)
    sure = np.zeros((len(text.features), 4), np.float32)
    by_length = np.argsort(text.sizes, kind="stable")
    for some in np.array_split(by_length, 3):  # short rows for short sentences
        for batch in batches_of(text.sizes, some.tolist(), 16_000):
            values, shares = map(np.asarray, answers(networks, filled(text, batch)))
            for row, sentences in enumerate(batch.rows):
                place = 0
                for sentence in sentences:
                    start, end = text.starts[sentence : sentence + 2]
                    here = slice(place, place + end - start)
                    found[start:end], sure[start:end] = values[row, here], shares[row, here]
                    found[start:end, 0] -= place
                    place = here.stop
    return {"found": found, "sure": sure}


def as_taught(text: "NumberedSentences", answers: Arrays) -> "NumberedSentences":
    """The text as a student learns from it: trees, less what is not sure."""
    from headwise.corpus.tree import is_single_rooted, is_tree
    from headwise.scoring.neural.vocabulary import ABSENT

    found, sure = answers["found"], answers["sure"] >= LEAST_PROBABLE
    spans = list(zip(text.starts.tolist(), text.starts[1:].tolist(), strict=False))
    heads = (found[start:end, 0].tolist() for start, end in spans)
    is_kept = np.array([is_tree(own) and is_single_rooted(own) for own in heads])
    tokens = np.repeat(is_kept, text.sizes)
    is_word = np.ones(len(found), np.bool_)
    is_word[text.starts[:-1]] = False

    def learnt(column: int, by: int) -> NDArray[np.int32]:
        known: NDArray[np.int32] = np.where(sure[:, by] & is_word, found[:, column], ABSENT)
        kept: NDArray[np.int32] = known[tokens].astype(np.int32)
        return kept

    return replace(
        text,
        starts=np.concatenate([[0], np.cumsum(text.sizes[is_kept])]),
        features=text.features[tokens],
        heads=learnt(0, 0),
        relations=learnt(1, 0),
        tags=np.stack([learnt(2 + n, 1 + n) for n in range(3)], axis=1),
    )


def train(folder: Path) -> None:
    """Train teachers, let them parse the text, train students: `student-SEED.npz`."""
    with np.load(folder / "teachers.npz") as stored:
        arrays = dict(stored)
    answers = parsed_text(arrays, train_networks(arrays, teacher_settings(), TEACHERS))
    with np.load(folder / "students.npz") as stored:
        arrays = dict(stored)
    taught = as_taught(part_of(arrays, "text"), answers)
    print(f"{len(taught)} of {len(arrays['text.starts']) - 1} sentences of the text are trees")
    networks = train_networks(arrays, student_settings(), STUDENTS, taught)
    for number, seed in enumerate(STUDENTS):
        half = {name: np.asarray(one[number], np.float16) for name, one in networks.items()}
        np.savez(folder / f"student-{seed}.npz", **half)  # type: ignore[arg-type]


# Assembling: whole numbers, temperatures, the other stages.


def assemble(folder: Path, treebank: Path, vectors: Path, seed: int, model: Path) -> None:
    """Make a pipeline of a student, with the tokeniser and the lemmatiser of `en-fast`."""
    from headwise.learners.neural.batches import NumberedSentences
    from headwise.learners.neural.training import NeuralRun
    from headwise.parsers.neural.parser import NeuralParser
    from headwise.pipeline.models import as_pipeline
    from headwise.pipeline.pipeline import Pipeline
    from headwise.pipeline.training.pipelinescores import pipeline_scores
    from headwise.scoring.neural.wordfeatures import WordFeatures

    learnt, dev = parts_of(treebank)
    settings = student_settings()
    parser = NeuralParser(epochs=settings.epochs, batch_words=settings.batch_words, seed=seed)
    found = parser.vectors_for(learnt, vectors)
    with np.load(folder / "students.npz") as stored:
        parser.vocabulary_ = unpacked(stored["vocabulary"], found.words)
        text = {"sentences": len(stored["text.starts"]) - 1, "words": len(stored["text.kind"])}
    with np.load(folder / f"student-{seed}.npz") as stored:
        weights = {name: value.astype(np.float32) for name, value in stored.items()}
    parser.single_root_, parser.projective_ = True, parser.is_projective(learnt)
    words = WordFeatures(parser.vocabulary_)
    numbered, compared = (
        NumberedSentences.of(one, parser.vocabulary_, words) for one in (learnt, dev)
    )
    run = NeuralRun.start()
    run.epoch = settings.epochs or 0
    parser.finish(weights, run, found, numbered, compared)
    parser.report_ |= {
        "sentences": len(learnt),
        "words": sum(map(len, learnt)),
        "left_out": 0,
        "epochs": settings.epochs,
        "vectors": len(found.words),
        "text": {**text, "words": text["words"] - text["sentences"], "gold_weight": GOLD_WEIGHT},
    }
    parser.calibrate(dev)
    fast = as_pipeline("en-fast")
    pipeline = Pipeline(tokeniser=fast.tokeniser, lemmas=fast.lemmas, parser=parser)
    scores = pipeline_scores(pipeline, dev)
    pipeline.save(model, about=ABOUT, report={"dev": scores}, force=True)
    for condition, values in scores.items():
        print(condition, values)


def main(arguments: Sequence[str] | None = None) -> None:
    """Do one of the three steps."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("step", choices=("prepare", "train", "assemble"))
    options.add_argument("folder", type=Path)
    options.add_argument("--treebank", type=Path, default=SHARED / "treebanks/en_ewt")
    options.add_argument("--text", type=Path, default=SHARED / "text/en-open.txt.gz")
    options.add_argument("--vectors", type=Path, default=SHARED / "vectors/glove-6b-100d.npz")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument(
        "-o", "--model", type=Path, default=Path(__file__).parents[1] / "src/headwise/embedded/en"
    )
    chosen = options.parse_args(arguments)
    if chosen.step == "prepare":
        prepare(chosen.folder, chosen.treebank, chosen.text, chosen.vectors)
    elif chosen.step == "train":
        import sys
        from importlib.util import find_spec

        if find_spec("numba") is None:
            from without_numba import replace_numba

            sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
            replace_numba()
        train(chosen.folder)
    else:
        assemble(chosen.folder, chosen.treebank, chosen.vectors, chosen.seed, chosen.model)


if __name__ == "__main__":
    main()
