"""The options of `headwise parse`."""

from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.formatters import OUTPUT_NAMES

INPUT, OUTPUT, PARSING = "Input", "Output", "Parsing"

Arguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TEXT|FILE",
        help="Files or text to parse (- for standard input, which is also the default).",
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        help="Model folder, or name of a bundled model [default: en].",
    ),
]
Text = Annotated[
    bool,
    typer.Option(
        "--text",
        help="Read raw text: arguments are files of it, or the text itself.",
        rich_help_panel=INPUT,
    ),
]
Presegmented = Annotated[
    bool,
    typer.Option("--presegmented", help="Read text, one sentence per line.", rich_help_panel=INPUT),
]
Tokenized = Annotated[
    bool,
    typer.Option(
        "--tokenized",
        help="Read tokenised text: one sentence per line, tokens separated by spaces.",
        rich_help_panel=INPUT,
    ),
]
Errors = Annotated[
    str,
    typer.Option(
        help="How to handle invalid UTF-8: strict (raise an error) or replace.",
        rich_help_panel=INPUT,
    ),
]
Output = Annotated[
    Path,
    typer.Option(
        "--output", "-o", help="Output file (- for standard output).", rich_help_panel=OUTPUT
    ),
]
ToFormat = Annotated[
    str | None,
    typer.Option(
        "--to",
        help=f"Output format: {OUTPUT_NAMES} [default: by file extension; on standard output, "
        "conllu for files and with --marginals, tree for text on the command line].",
        rich_help_panel=OUTPUT,
    ),
]
Flush = Annotated[
    bool,
    typer.Option(
        "--flush",
        help="Write each tree before reading the next sentence, for interactive use; raw text is "
        "parsed at the end of each paragraph (a blank line).",
        rich_help_panel=OUTPUT,
    ),
]
Generator = Annotated[
    bool,
    typer.Option(
        "--generator",
        help="Write the Headwise version and the model into the comments of the first sentence.",
        rich_help_panel=OUTPUT,
    ),
]
OwnTags = Annotated[
    bool,
    typer.Option(
        "--own-tags",
        help="Replace the tags and lemmas of the input by the model's.",
        rich_help_panel=PARSING,
    ),
]
Kbest = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Write the k best trees per sentence (sent_id/1, /2 …) with their scores; with "
        "--decode mbr or mbr-rerank, the number of candidates.",
        rich_help_panel=PARSING,
    ),
]
Decode = Annotated[
    str,
    typer.Option(
        help="map: the most probable tree; mbr: the tree of minimum Bayes risk, over all trees "
        "or over candidates; mbr-rerank: the candidate of minimum Bayes risk.",
        rich_help_panel=PARSING,
    ),
]
Samples = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Write this many trees per sentence, sampled from the model; with --decode mbr or "
        "mbr-rerank, the number of sampled candidates.",
        rich_help_panel=PARSING,
    ),
]
Marginals = Annotated[
    bool,
    typer.Option(
        "--marginals",
        help="Add probabilities of heads and relations to MISC, of trees to comments.",
        rich_help_panel=PARSING,
    ),
]
Constraints = Annotated[
    bool,
    typer.Option(
        "--constraints",
        help="Keep the heads and relations of the input as constraints.",
        rich_help_panel=PARSING,
    ),
]
Guide = Annotated[
    Path | None,
    typer.Option(
        help="Guide file: the same sentences under another parser's trees, for guided models.",
        rich_help_panel=PARSING,
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of threads.")]
