"""Whether a treebank has the columns that a training needs, told before anything is trained."""

import warnings
from collections.abc import Sequence

from headwise.corpus.sentence import MISSING, Sentence, is_given
from headwise.errors import HeadwiseWarning, InputError, SourceLocation
from headwise.parsers.base import Parser
from headwise.pipeline.training.pipelinescores import has_text
from headwise.pipeline.training.recipe import Recipe


def check_columns(
    sentences: Sequence[Sentence], parser: Parser, recipe: Recipe, source: str
) -> None:
    """Raise if a column is empty that is needed; warn if a stage has nothing to learn from."""
    if recipe.trains("parser"):
        check_for_parser(sentences, parser, recipe, source)
    for lacking in [*idle_stages(sentences, parser, recipe), *gaps(sentences, recipe)]:
        warnings.warn(f"{source}: {lacking}", HeadwiseWarning, stacklevel=3)


def check_for_parser(
    sentences: Sequence[Sentence], parser: Parser, recipe: Recipe, source: str
) -> None:
    """Raise if there are no trees, or not what goes with them."""
    if all(head is None for one in sentences for head in one.heads):
        raise InputError(
            "no word has a head, so that there is nothing to learn a parser from; "
            "--without parser trains the other stages",
            SourceLocation(source),
        )
    parser.check_treebank(sentences, own_tags=recipe.learns_own_tags)


def idle_stages(sentences: Sequence[Sentence], parser: Parser, recipe: Recipe) -> list[str]:
    """What stages will not find, because no word of the treebank has it."""
    lacks = {
        name: not any(is_given(getattr(one, name)) for one in sentences)
        for name in ("upos", "xpos", "lemmas", "relations")
    }
    found = []
    if recipe.trains("tokeniser") and not has_text(sentences):
        found.append(
            "no sentence says how its text looked (`# text`, `SpaceAfter=No`), so that the "
            "tokeniser will split text at spaces only (--without tokeniser)"
        )
    if recipe.trains("tagger") and lacks["upos"] and lacks["xpos"]:
        found.append("no word has a tag, so that the tagger will find none (--without tagger)")
    if recipe.trains("lemmas") and lacks["lemmas"]:
        found.append("no word has a lemma, so that no lemmas will be found (--without lemmas)")
    if recipe.trains("parser"):
        found += parser.missing_columns(lacks)
    return found


def gaps(sentences: Sequence[Sentence], recipe: Recipe) -> list[str]:
    """Which columns are filled in part only: `_` is not a value that could be learnt."""
    columns = (
        ("parser", "relations", "DEPREL", "the labeller"),
        ("tagger", "upos", "UPOS", "the tagger"),
    )
    found = []
    for stage, name, column, learner in columns:
        values = [getattr(one, name) for one in sentences]
        words, empty = sum(map(len, values)), sum(value.count(MISSING) for value in values)
        lacking = sum(MISSING in value for value in values)
        if recipe.trains(stage) and 0 < empty < words:
            found.append(
                f"{empty:,} of {words:,} words have no {column}: "
                f"{learner} does not learn from the {lacking:,} sentences that they are in"
            )
    return found
