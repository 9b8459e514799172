"""Benchmark of tokenisers: `python benchmarks/tokenisers.py FOLDER [NAME …] [--folds N]`.

FOLDER has a folder for each treebank, with files ending in train.conllu.gz and dev.conllu.gz. Each
tokeniser is trained on train and scored on the running text of dev or, with `--folds`, by
cross-validation on train, whose documents (or stretches of forty sentences) are dealt out in turn.
Prints a Markdown table: F1 of tokens, sentences and words, and kilobytes of the arrays of a model.

The rows: the default, which sees the words around a gap and the sentence so far; the same with UPOS
hidden; and what is learnt from characters and pieces alone.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from headwise.corpus.sentence import MISSING, Sentence
from headwise.evaluate import evaluate_raw
from headwise.text.rawtext import running_text
from headwise.text.tokeniser import Tokeniser, TokeniserTraining
from pages import figures, head, row
from treebankfolders import arguments, folders_in, sentences_of

MEASURES = ("tokens", "sentences", "words")
STRETCH = 40
WITHOUT_WORDS, WITHOUT_TAGS, DEFAULT = "characters and pieces", "words, without UPOS", "words"

Split = tuple[Sequence[Sentence], Sequence[Sentence]]


def without_tags(sentence: Sentence) -> Sentence:
    return replace(sentence, upos=(MISSING,) * len(sentence))


def trained(way: str, train: Sequence[Sentence]) -> Tokeniser:
    if way == WITHOUT_TAGS:
        train = list(map(without_tags, train))
    return Tokeniser.fit(train, TokeniserTraining(words=way != WITHOUT_WORDS))


def score(way: str, splits: Sequence[Split]) -> list[float]:
    """F1 of all measures, over all splits together, and the size of the last model in kilobytes."""
    correct, total = Counter[str](), Counter[str]()
    for train, test in splits:
        tokeniser = trained(way, train)
        found = evaluate_raw(test, tokeniser.split(running_text(test).text))
        for name in MEASURES:
            correct[name] += 2 * found[name].correct
            total[name] += found[name].gold + found[name].system
    size = sum(array.nbytes for array in tokeniser.to_model()[1].values())
    return [*(100 * correct[name] / total[name] for name in MEASURES), size / 1000]


def documents(sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    starts = [any(line.startswith("# newdoc") for line in one.comments) for one in sentences]
    has_documents, found = any(starts), list[list[Sentence]]()
    for number, (one, start) in enumerate(zip(sentences, starts, strict=True)):
        if not found or (start if has_documents else number % STRETCH == 0):
            found.append([])
        found[-1].append(one)
    return found


def folds_of(sentences: Sequence[Sentence], count: int) -> Iterator[Split]:
    """Train on all but one fold, test on that one."""
    found = documents(sentences)
    for fold in range(count):
        train, test = list[Sentence](), list[Sentence]()
        for number, document in enumerate(found):
            (test if number % count == fold else train).extend(document)
        yield train, test


def main() -> None:
    options = arguments(__doc__)
    options.add_argument("--folds", type=int, help="number of folds of a cross-validation on train")
    chosen = options.parse_args()
    print(head("treebank", "seen", *MEASURES, "kB", texts=2))
    for folder in folders_in(chosen.folder, chosen.names):
        train, dev = sentences_of(folder)
        splits = list(folds_of(train, chosen.folds)) if chosen.folds else [(train, dev)]
        for way in (DEFAULT, WITHOUT_TAGS, WITHOUT_WORDS):
            print(row(folder.name, way, *figures(score(way, splits))), flush=True)


if __name__ == "__main__":
    main()
