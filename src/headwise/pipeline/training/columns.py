"""Whether a treebank has the columns that a training needs, told before anything is trained."""

from collections.abc import Sequence

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import InputError, SourceLocation, counted, warn
from headwise.parsers.base import Parser
from headwise.pipeline.training.pipelinescores import has_text
from headwise.pipeline.training.recipe import Recipe


def check_columns(
    sentences: Sequence[Sentence], parser: Parser, recipe: Recipe, source: str
) -> None:
    """Raise if a column is empty that is needed; warn if a stage has nothing to learn from."""
    if recipe.trains("parser"):
        check_for_parser(sentences, parser, recipe, source)
    for lacking in [*idle_stages(sentences, parser, recipe), *gaps(sentences, parser, recipe)]:
        warn(f"{source}: {lacking}")


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
    if recipe.learns_own_tags and len(sentences) == 1:
        raise InputError(
            "there is one sentence, and a parser learns from tags that were learnt from other "
            "sentences; --train-tags gold learns from those of the treebank",
            SourceLocation(source),
        )
    parser.check_treebank(sentences, own_tags=recipe.learns_own_tags)


def idle_stages(sentences: Sequence[Sentence], parser: Parser, recipe: Recipe) -> list[str]:
    """What stages will not find, because no word of the treebank has it."""
    lacks = {
        name: all(one.lacks(name) for one in sentences)
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


NAMES = {"relations": "DEPREL", "upos": "UPOS"}
"""Columns whose gaps are told, as files call them."""


def gaps(sentences: Sequence[Sentence], parser: Parser, recipe: Recipe) -> list[str]:
    """Which columns are filled in part only: `_` is not a value that could be learnt."""
    skipped = parser.skipped_for_gaps() if recipe.trains("parser") else {}
    if recipe.trains("tagger"):
        skipped = {**skipped, "upos": "sentences"}
    found = []
    for name in (name for name in NAMES if name in skipped):
        values = [getattr(one, name) for one in sentences]
        words, empty = sum(map(len, values)), sum(value.count(MISSING) for value in values)
        if not 0 < empty < words:
            continue
        verb = "has" if empty == 1 else "have"
        lacking = f"{empty:,} of {words:,} words {verb} no {NAMES[name]}: "
        if skipped[name] == "words":
            found.append(f"{lacking}it is not learnt from these words")
        else:
            count = sum(MISSING in value for value in values)
            found.append(
                f"{lacking}it is not learnt from {counted(count, 'sentence')} with such gaps"
            )
    return found
