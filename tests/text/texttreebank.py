"""A small treebank made by rule, which every stage must be able to learn."""

from dataclasses import replace

import numpy as np

from headwise.corpus.sentence import MISSING, Multiword, Sentence

NOUNS = ("dog", "cat", "bird", "house", "tree", "river", "stone", "girl", "boy", "king")
VERBS = ("see", "hear", "like", "find", "want", "know")


def noun(random: np.random.Generator) -> str:
    """A common noun, or one that is never met again."""
    if random.random() < 0.8:
        return str(random.choice(NOUNS))
    return "".join(random.choice(list("bklmtu"), 4)) + "el"


def clause(random: np.random.Generator) -> list[tuple[str, str, str, str, str]]:
    """Words of a clause: form, lemma, UPOS, XPOS, FEATS."""
    subject, thing = noun(random), noun(random)
    verb = str(random.choice(VERBS))
    many = random.random() < 0.5
    number = "Plur" if many else "Sing"
    return [
        ("The", "the", "DET", "DT", MISSING),
        (f"{subject}s" if many else subject, subject, "NOUN", "NNS" if many else "NN",
         f"Number={number}"),
        (verb if many else f"{verb}s", verb, "VERB", "VBP" if many else "VBZ", "VerbForm=Fin"),
        ("a", "a", "DET", "DT", MISSING),
        (thing, thing, "NOUN", "NN", "Number=Sing"),
    ]  # fmt: skip


def sentence(random: np.random.Generator) -> Sentence:
    """A sentence, `The dogs see a cat.` or `The dog doesn't …`."""
    rows = clause(random)
    if random.random() < 0.3:
        rows.insert(2, ("does", "do", "AUX", "VBZ", "VerbForm=Fin"))
        rows.insert(3, ("n't", "not", "PART", "RB", MISSING))
    rows.append((".", ".", "PUNCT", ".", MISSING))
    forms, lemmas, upos, xpos, feats = zip(*rows, strict=True)
    misc = [MISSING] * len(forms)
    misc[-2] = "SpaceAfter=No"
    made = Sentence.from_words(
        forms, lemmas=lemmas, upos=upos, xpos=xpos, feats=feats, misc=misc, heads=range(len(forms))
    )
    if "n't" in forms:
        row = ("doesn't", *[MISSING] * 8)
        made = replace(made, extras=(Multiword(3, 4, row, 2),))
    return made


def treebank(count: int, seed: int = 0) -> list[Sentence]:
    """Some sentences; every fifth starts a paragraph."""
    random = np.random.default_rng(seed)
    made = [sentence(random) for _ in range(count)]
    return [
        replace(one, comments=("# newpar",)) if number % 5 == 0 else one
        for number, one in enumerate(made)
    ]
