"""The options of `headwise train`, one by one."""

from pathlib import Path
from typing import Annotated, Any

import typer

FILES, STAGES, LEARNING = "Files", "Stages of the pipeline", "Learning of the parser"
LOOKING, MODEL = "What the parser looks at", "The model of the parser"


def option(panel: str, text: str, *names: str, **settings: Any) -> Any:
    """An option under a heading of the help page."""
    return typer.Option(*names, help=text, rich_help_panel=panel, show_default=False, **settings)


Treebank = Annotated[Path, typer.Argument(help="Gold trees; - is standard input.")]
Output = Annotated[Path, option(FILES, "The model to write: a folder.", "--output", "-o")]
Dev = Annotated[Path | None, option(FILES, "Development data; its best epoch is kept.")]
Guide = Annotated[
    Path | None, option(FILES, "The treebank as another parser has parsed it, to correct it.")
]
DevGuide = Annotated[Path | None, option(FILES, "The same for dev.")]
Unlabelled = Annotated[
    Path | None,
    option(
        FILES,
        "Sentences without trees, text or any format: semisupervised learns from them, "
        "link-margin counts their words.",
    ),
]
Config = Annotated[
    Path | None, option(FILES, "Settings in TOML; options given here go before them.")
]
Log = Annotated[Path | None, option(FILES, "The training log; MODEL.log.jsonl by default.")]
Resume = Annotated[bool, option(FILES, "Go on from a checkpoint, if there is one.", "--resume")]
Force = Annotated[bool, option(FILES, "Replace a model that is there.", "--force")]
Only = Annotated[
    str | None,
    option(STAGES, "Only these, with commas: tokeniser, tagger, lemmas, parser."),
]
Without = Annotated[str | None, option(STAGES, "All but these, with commas.")]
Tokeniser = Annotated[
    Path | None, option(STAGES, "A model whose tokeniser is taken instead of training one.")
]
Tagger = Annotated[Path | None, option(STAGES, "The same for the tagger.")]
Lemmas = Annotated[Path | None, option(STAGES, "The same for lemmas.")]
Parser = Annotated[Path | None, option(STAGES, "The same for the parser.")]
TrainTags = Annotated[
    str | None,
    option(
        STAGES,
        "Tags the parser learns from: gold (the default), jackknife (those of taggers that "
        "have not seen the sentence), or both.",
    ),
]
Folds = Annotated[int | None, option(STAGES, "Folds of the jackknife (10).", min=2)]
Order = Annotated[int | None, option(LEARNING, "Order of the parser: 1 (the default) to 4.")]
Parts = Annotated[
    str | None,
    option(
        LEARNING,
        "Part types instead of an order, with commas: arc, sibling, grandchild, "
        "grand-sibling, tri-sibling, grand-tri-sibling, stop.",
    ),
]
Learner = Annotated[
    str | None,
    option(
        LEARNING,
        "mira (the default), factored-mira, perceptron, bayes-point, log-linear, arc-margin, "
        "semisupervised; models of words alone: lexical (counts), link-margin (links); "
        "boosting (classifiers of links).",
    ),
]
Decoder = Annotated[
    str | None, option(LEARNING, "Trees to search: projective (the default), non-projective.")
]
Epochs = Annotated[int | None, option(LEARNING, "Times over the treebank (10).")]
Seed = Annotated[int | None, option(LEARNING, "Of the sentences' order (0).")]
K = Annotated[int | None, option(LEARNING, "Trees that mira learns from at a time (1).")]
Loss = Annotated[
    str | None,
    option(
        LEARNING,
        "What mira's margins grow with: heads, no-punctuation, complete, or labelled (with "
        "joint labels); link-margin: local or global.",
    ),
]
Labels = Annotated[
    str | None,
    option(
        LEARNING,
        "Relations: second-stage (the default) labels finished trees, joint learns labelled "
        "arcs, none.",
    ),
]
Augmented = Annotated[
    bool | None,
    option(
        LEARNING,
        "Whether mira looks for the trees that violate margins most (yes).",
        "--augmented/--not-augmented",
    ),
]
Averaging = Annotated[
    str | None,
    option(LEARNING, "Average of weights: late ones count more (late), or all alike (even)."),
]
Most = Annotated[float | None, option(LEARNING, "mira: bound of a constraint (1).")]
Rate = Annotated[float | None, option(LEARNING, "log-linear, semisupervised: size of steps (0.1).")]
Decay = Annotated[float | None, option(LEARNING, "log-linear: pull to 0 (0).")]
Beta = Annotated[float | None, option(LEARNING, "arc-margin, link-margin: pull to 0 (1).")]
Betas = Annotated[
    str | None,
    option(LEARNING, "link-margin: several, with commas; cross-validation chooses."),
]
Laplacian = Annotated[
    float | None, option(LEARNING, "link-margin: pull of similar pairs to each other (0).")
]
Alpha = Annotated[float | None, option(LEARNING, "semisupervised: pull to 0 (1).")]
Lam = Annotated[
    float | None,
    option(LEARNING, "semisupervised: what sentences without trees count (0.01).", "--lambda"),
]
Targets = Annotated[
    str | None,
    option(
        LEARNING,
        "semisupervised: sentences without trees may have heads (the default), as in the "
        "thesis, or mixtures of trees.",
    ),
]
Members = Annotated[int | None, option(LEARNING, "bayes-point: perceptrons (10).")]
Jobs = Annotated[
    int,
    option(
        LEARNING,
        "bayes-point: perceptrons trained at a time; boosting: threads (1).",
        "--jobs",
        "-j",
        min=1,
    ),
]
Crossing = Annotated[
    str | None,
    option(
        LEARNING,
        "Crossing arcs under projective search: lift, lift-head, lift-path, lift-head+path "
        "(relations say where from, and it is undone), reorder, leave-out.",
    ),
]
SingleRoot = Annotated[
    bool | None,
    option(
        LEARNING,
        "Whether trees have one root; as in the treebank by default.",
        "--single-root/--several-roots",
    ),
]
Longest = Annotated[int | None, option(LEARNING, "Leave out sentences of more words.")]
Variant = Annotated[
    str | None,
    option(LEARNING, "lexical: words (the default), one-word, joint, tags, joint-tags."),
]
Rounds = Annotated[int | None, option(LEARNING, "boosting: rounds (4).")]
Update = Annotated[
    str | None,
    option(LEARNING, "boosting: additive (the default), m1, m2 (AdaBoost), logistic."),
]
Keep = Annotated[
    str | None, option(LEARNING, "boosting: the last round (the default), or the ensemble.")
]
Prior = Annotated[str | None, option(LEARNING, "boosting: exponential (the default), l2.")]
Dynamic = Annotated[
    bool | None,
    option(
        LOOKING,
        "boosting: whether links look at earlier modifiers of their head (yes).",
        "--dynamic/--static",
    ),
]
Similarity = Annotated[
    Path | None,
    option(FILES, "lexical, link-margin: similar words, of headwise similarity build."),
]
Features = Annotated[
    str | None,
    option(
        LOOKING,
        "A feature set by name (see headwise features), or a file; link-margin: pairs, pmi, "
        "distance, with commas.",
    ),
]
PartFeatures = Annotated[
    str | None,
    option(
        LOOKING,
        "The same for higher parts: default, paper-002, paper-003 (see docs/papers.md), or a file.",
    ),
]
Share = Annotated[
    float | None,
    option(LEARNING, "Above order 1, prune arcs of less than this share of the best (0.005)."),
]
Heads = Annotated[int | None, option(LEARNING, "… and keep at most so many heads (10).")]
Tags = Annotated[
    str | None, option(LOOKING, "Which tags count: both (the default), upos, xpos, none.")
]
Lowercase = Annotated[bool | None, option(LOOKING, "Make words small.", "--lowercase/--keep-case")]
Numbers = Annotated[str | None, option(LOOKING, "Numbers: keep, one, chinese.")]
Backoff = Annotated[str | None, option(LOOKING, "What words back off to: prefix, lemma, none.")]
Prefix = Annotated[int | None, option(LOOKING, "Characters of a prefix (5).")]
Plausible = Annotated[
    float | None,
    option(
        LOOKING,
        "The share of right arcs among those that tags make plausible to learners; 1: all (0.995).",
    ),
]
Bits = Annotated[int | None, option(MODEL, "Bits of a weight: 8 (the default), 16, 32.")]
Thin = Annotated[
    int | None, option(MODEL, "Leave out weights of so few steps: a smaller file (0).")
]
Wide = Annotated[
    int | None, option(MODEL, "Lines of features with distance, as a power of 2 (21).")
]
Narrow = Annotated[int | None, option(MODEL, "Lines of features with direction only (22).")]
Filters = Annotated[int | None, option(MODEL, "Bits of filters of pairs (22).")]
PartLines = Annotated[int | None, option(MODEL, "Lines of higher parts (23).")]
LabelWeights = Annotated[int | None, option(MODEL, "Weights of relations (22).")]
