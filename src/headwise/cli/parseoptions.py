"""The options of `headwise parse`, one by one."""

from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.formatters import OUTPUT_NAMES

READ, WRITE, ASK = "What is read", "What is written", "What is asked"

Arguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TEXT|FILE",
        help="Files, or text itself; - is standard input, and so is nothing at all.",
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        help="A model: a folder, or the name of one that comes with Headwise [default: en].",
    ),
]
Text = Annotated[
    bool,
    typer.Option(
        "--text",
        help="All arguments are raw text, or files of it: what is no file is text.",
        rich_help_panel=READ,
    ),
]
Presegmented = Annotated[
    bool,
    typer.Option("--presegmented", help="Text with one sentence a line.", rich_help_panel=READ),
]
Tokenized = Annotated[
    bool,
    typer.Option(
        "--tokenized",
        help="Text with one sentence a line, its tokens set off by spaces.",
        rich_help_panel=READ,
    ),
]
Errors = Annotated[
    str,
    typer.Option(
        help="Text that is no UTF-8: strict (an error), or replace.", rich_help_panel=READ
    ),
]
Output = Annotated[
    Path,
    typer.Option("--output", "-o", help="A file; - is standard output.", rich_help_panel=WRITE),
]
ToFormat = Annotated[
    str | None,
    typer.Option(
        "--to",
        help=f"Format of the output: {OUTPUT_NAMES}. By default the name's ending says; on "
        "standard output, files become conllu, and text in the call is drawn (but for "
        "--marginals).",
        rich_help_panel=WRITE,
    ),
]
Flush = Annotated[
    bool,
    typer.Option(
        "--flush",
        help="Answer each sentence before the next one is read: for programs that write a sentence "
        "and wait for its tree. Raw text is answered at the end of a paragraph (a blank line).",
        rich_help_panel=WRITE,
    ),
]
Generator = Annotated[
    bool,
    typer.Option(
        "--generator",
        help="Comments say which Headwise and which model have made this.",
        rich_help_panel=WRITE,
    ),
]
OwnTags = Annotated[
    bool,
    typer.Option(
        "--own-tags",
        help="Tags and lemmas of the model, even where the input has some.",
        rich_help_panel=ASK,
    ),
]
Kbest = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="So many best trees a sentence: sent_id/1, /2 …, with their scores. With --decode "
        "mbr or mbr-rerank, the candidates that one tree is made of.",
        rich_help_panel=ASK,
    ),
]
Decode = Annotated[
    str,
    typer.Option(
        help="map: the most probable tree; mbr: the tree of minimum Bayes risk, over all trees "
        "or over candidates; mbr-rerank: the candidate of minimum Bayes risk.",
        rich_help_panel=ASK,
    ),
]
Samples = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="So many trees drawn by their probability; with --decode mbr…, as candidates.",
        rich_help_panel=ASK,
    ),
]
Marginals = Annotated[
    bool,
    typer.Option(
        "--marginals",
        help="Probabilities of heads and relations, in MISC; of trees, in comments.",
        rich_help_panel=ASK,
    ),
]
Constraints = Annotated[
    bool,
    typer.Option(
        "--constraints",
        help="Keep the heads and relations that the input has.",
        rich_help_panel=ASK,
    ),
]
Guide = Annotated[
    Path | None,
    typer.Option(
        help="The same sentences under another parser's trees, for models that ask.",
        rich_help_panel=ASK,
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Threads.")]
