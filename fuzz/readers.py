"""Coverage-guided fuzzing of every reader: any bytes give sentences or a Headwise error.

    python fuzz/readers.py -max_total_time=240 [CORPUS]     the options are libFuzzer's

What is read is also checked, counted, drawn and written; reading it back must give the same.
"""

import io
import sys
import tempfile
import warnings
from contextlib import redirect_stdout
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["headwise"]):
    from headwise.corpus.check import check_file
    from headwise.corpus.conllu import format_conllu, read_conllu
    from headwise.corpus.formats import FORMATS, read_sentences
    from headwise.corpus.statistics import Statistics
    from headwise.draw.svg import svg_tree
    from headwise.draw.terminal import draw_tree
    from headwise.errors import InputError

MEMORY = Path("/dev/shm")
FOLDER = tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None)
PATH = Path(FOLDER) / "input"


def read_and_use(name: str) -> None:
    """Do everything that is done with a file of a format."""
    sentences = list(read_sentences(PATH, name))
    Statistics.of(sentences)
    for sentence in sentences[:3]:
        if len(sentence) <= 30:
            draw_tree(sentence, width=60)
            svg_tree(sentence)


def one_input(data: bytes) -> None:
    PATH.write_bytes(data)
    for name in FORMATS:
        try:
            read_and_use(name)
        except InputError as error:
            if error.location.path is None:
                raise AssertionError(f"{error!r} has no location") from error
        if not all(problem.location.path for problem in check_file(PATH, name)):
            raise AssertionError("a problem has no location")
    try:
        first = list(read_conllu(PATH))
    except InputError:
        return
    PATH.write_text("".join(format_conllu(first)), "utf-8", newline="")
    if list(read_conllu(PATH)) != first:
        raise AssertionError("what was written is read differently")


def main() -> None:
    warnings.simplefilter("ignore")
    atheris.Setup(sys.argv, one_input)
    with redirect_stdout(io.StringIO()):
        atheris.Fuzz()


if __name__ == "__main__":
    main()
