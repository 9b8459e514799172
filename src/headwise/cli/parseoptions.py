"""The options of `headwise parse`, under their headings on the help page."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.formatters import OUTPUT_NAMES

of_input = partial(typer.Option, rich_help_panel="Input")
of_output = partial(typer.Option, rich_help_panel="Output")
of_parsing = partial(typer.Option, rich_help_panel="Parsing")
of_cluster = partial(typer.Option, rich_help_panel="Cluster")

Arguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TEXT|FILE",
        help="Files or text to parse (- for standard input, which is also the default).",
    ),
]
Model = Annotated[
    str | None,
    typer.Option("--model", "-m", help="Model folder, or name of a bundled model [default: en]."),
]
Text = Annotated[
    bool, of_input("--text", help="Read raw text: arguments are files of it, or the text itself.")
]
Presegmented = Annotated[bool, of_input("--presegmented", help="Read text, one sentence per line.")]
Tokenized = Annotated[
    bool,
    of_input(
        "--tokenized",
        help="Read tokenised text: one sentence per line, tokens separated by spaces.",
    ),
]
Column = Annotated[
    str | None,
    of_input(
        metavar="NAME",
        help="Read raw text from this column of Parquet files or JSON lines, a document a row.",
    ),
]
IdColumn = Annotated[
    str | None,
    of_input(
        metavar="NAME",
        help="With --column: the column of document ids [default: id, else row numbers].",
    ),
]
Errors = Annotated[
    str, of_input(help="How to handle invalid UTF-8: strict (raise an error) or replace.")
]
Output = Annotated[Path, of_output("--output", "-o", help="Output file (- for standard output).")]
ToFormat = Annotated[
    str | None,
    of_output(
        "--to",
        help=f"Output format: {OUTPUT_NAMES} [default: by file extension; on standard output, "
        "conllu for files and with probabilities, tree for text on the command line].",
    ),
]
Flush = Annotated[
    bool,
    of_output(
        "--flush",
        help="Write each tree before reading the next sentence, for interactive use; raw text is "
        "parsed at the end of each paragraph (a blank line).",
    ),
]
Generator = Annotated[
    bool,
    of_output(
        "--generator",
        help="Write the Headwise version and the model into the comments of the first sentence.",
    ),
]
OwnTags = Annotated[
    bool, of_parsing("--own-tags", help="Replace the tags and lemmas of the input by the model's.")
]
Kbest = Annotated[
    int | None,
    of_parsing(
        min=1,
        help="Write the k best trees per sentence (sent_id/1, /2 …) with their scores; with "
        "--decode mbr or mbr-rerank, the number of candidates.",
    ),
]
Decode = Annotated[
    str,
    of_parsing(
        help="map: the most probable tree; mbr: the tree of minimum Bayes risk, over all trees "
        "or over candidates; mbr-rerank: the candidate of minimum Bayes risk.",
    ),
]
Samples = Annotated[
    int | None,
    of_parsing(
        min=1,
        help="Write this many trees per sentence, sampled from the model; with --decode mbr or "
        "mbr-rerank, the number of sampled candidates.",
    ),
]
Marginals = Annotated[
    bool,
    of_parsing(
        "--marginals",
        help="Add probabilities of heads and relations to MISC, of trees to comments.",
    ),
]
Candidates = Annotated[
    float | None,
    of_parsing(
        metavar="PROBABILITY",
        help="Add all heads and relations of at least this probability to MISC (Heads, Relations).",
    ),
]
Constraints = Annotated[
    bool,
    of_parsing("--constraints", help="Keep the heads and relations of the input as constraints."),
]
Guide = Annotated[
    Path | None,
    of_parsing(
        help="Guide file: the same sentences under another parser's trees, for guided models."
    ),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print no progress, notes or warnings: errors only.")
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        help="Number of threads, or of processes for large texts [default: 1; with --device cuda, "
        "4 threads; with --engine ray on this machine, one worker per core].",
    ),
]
Device = Annotated[
    str,
    typer.Option(
        "--device",
        help="Where a neural model computes: cpu; cuda, for bulk work; or auto, an accelerator if "
        "JAX finds one.",
    ),
]
Engine = Annotated[
    str,
    of_cluster(
        help="local: this process; ray: a Ray cluster, which parses each file into one of the "
        "folder -o, and goes on where it was if run again.",
    ),
]
Address = Annotated[
    str | None,
    of_cluster(
        help="With --engine ray: the address of the cluster [default: one on this machine]."
    ),
]
