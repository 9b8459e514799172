"""The options of `headwise train`. All other settings are reached by `--config` and `--set`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from headwise.cli.output import WRONG_CALL, complain

FILES, PIPELINE, PARSER = "Files", "Stages of the pipeline", "The parser"
TEACHING = "Teaching"


def option(panel: str, text: str, *names: str, **settings: Any) -> Any:
    """An option under a heading of the help page."""
    return typer.Option(*names, help=text, rich_help_panel=panel, show_default=False, **settings)


Treebank = Annotated[Path, typer.Argument(help="Treebank to train on; - is standard input.")]
Output = Annotated[Path, option(FILES, "Model folder to write.", "--output", "-o")]
Dev = Annotated[
    Path | None, option(FILES, "Development data: the epoch that is best on it is kept.")
]
Guide = Annotated[
    Path | None, option(FILES, "The treebank as parsed by another parser, whose errors to correct.")
]
DevGuide = Annotated[Path | None, option(FILES, "The development data as parsed by it.")]
Unlabelled = Annotated[
    Path | None,
    option(FILES, "Sentences without trees, or text, for semisupervised and link-margin."),
]
Similarity = Annotated[
    Path | None,
    option(FILES, "Model of headwise similarity build, for lexical and link-margin."),
]
Vectors = Annotated[
    Path | None,
    option(FILES, "Pretrained word vectors (.vec, .txt, .npz, also .gz), for --scorer neural."),
]
BaseModel = Annotated[
    str | None,
    option(FILES, "Model with a neural parser to learn parts on top of (--learner neural-parts)."),
]
Config = Annotated[
    Path | None, option(FILES, "Settings in TOML; options take precedence (headwise settings).")
]
Set = Annotated[
    list[str] | None,
    option(FILES, "A setting as name=value, e.g. words.lowercase=true; repeatable.", "--set"),
]
Log = Annotated[Path | None, option(FILES, "Training log [default: MODEL.log.jsonl].")]
Resume = Annotated[bool, option(FILES, "Resume interrupted training.", "--resume")]
Force = Annotated[bool, option(FILES, "Replace an existing model.", "--force")]
Teacher = Annotated[
    list[str] | None,
    option(TEACHING, "Model that parses --text for this one to learn from; several average."),
]
Text = Annotated[
    list[str] | None,
    option(TEACHING, "File of text for the teachers to parse (.txt, .tok, .conllu, also .gz)."),
]
TextKind = Annotated[
    str | None,
    option(TEACHING, "raw, presegmented or tokenized [default: by the name of the file]."),
]
Only = Annotated[
    str | None,
    option(PIPELINE, "Train only these, with commas: tokeniser, tagger, lemmas, parser."),
]
Without = Annotated[str | None, option(PIPELINE, "Train all stages but these.")]
TrainTags = Annotated[
    str | None,
    option(
        PIPELINE,
        "Tags the parser is trained on: gold, jackknife (predicted by taggers that have not seen "
        "the sentence), or both [default: both with --scorer linear, else gold].",
    ),
]
Scorer = Annotated[
    str | None,
    option(
        PARSER,
        "neural, linear, or auto: both are trained and the better one on --dev is kept [default: "
        "neural if JAX is installed and no setting is of linear parsers, else linear].",
    ),
]
Fast = Annotated[
    bool,
    option(PARSER, "A linear parser of the first order: trained in a minute, less accurate."),
]
Partial = Annotated[
    bool,
    option(PARSER, "Learn from trees that lack some heads (_): these words are left open."),
]
Device = Annotated[
    str | None, option(PARSER, "cpu, cuda or auto, for neural training [default: auto].")
]
Learner = Annotated[
    str | None,
    option(
        PARSER,
        "Learner of a linear parser, or another kind (see headwise settings) [default: mira].",
    ),
]
Order = Annotated[
    int | None,
    option(
        PARSER,
        "Order of a linear parser, 1 to 4, or of parts on --base-model, 2 to 4 [default: 3; with "
        "--learner 1].",
    ),
]
Decoder = Annotated[
    str | None,
    option(
        PARSER, "projective or non-projective search [default: projective; neural: by treebank]."
    ),
]
Epochs = Annotated[
    int | None,
    option(PARSER, "Number of training epochs [default: 10; neural: 60 to 120 by size]."),
]
Seed = Annotated[int | None, option(PARSER, "Random seed for shuffling [default: 0].")]
Jobs = Annotated[
    int,
    option(
        PARSER,
        "Processes of bayes-point, threads of boosting [default: 1].",
        "--jobs",
        "-j",
        min=1,
    ),
]


class TrainCommand(TyperCommand):
    """A command some of whose options take several values, and most settings are no options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Say how a setting is given that was taken for an option."""
        options = {name for one in self.get_params(ctx) for name in one.opts}
        for name in (one.partition("=")[0] for one in args if one.startswith("--")):
            if name not in options and (setting := setting_named(name)):
                complain(f"{name} is a setting: use --set {setting}=VALUE (headwise settings)")
                raise typer.Exit(WRONG_CALL)
        return super().parse_args(ctx, spread(args))


def setting_named(option_name: str) -> str | None:
    """The setting that someone may mean by an option which there is not."""
    from headwise.pipeline.training.config import settings_by_group

    meant = option_name.removeprefix("--").replace("-", "_")
    names = [one.name for group in settings_by_group(None).values() for one in group]
    return next((one for one in names if meant in (one, one.rpartition(".")[2])), None)


def spread(args: list[str]) -> list[str]:
    """Arguments in which every value of an option with several has its name before it."""
    found: list[str] = []
    option_name = ""
    for one in args:
        if one.startswith("-"):
            option_name = one if one in SEVERAL else ""
        elif option_name and found[-1] != option_name:
            found.append(option_name)
        found.append(one)
    return found


SEVERAL = ("--teacher", "--text")
"""Options that take one value or more: `--teacher A B`."""
