"""Headwise and other parsers on the same data, in one run: accuracy, speed, and ratios.

    python benchmarks/peers.py [TRAIN DEV] [--sentences N] [--epochs N] [--write docs/peers.md]

Parsers are trained on gold tags and parse dev with gold tags, in one thread: first and third order
of Headwise, UDPipe 1 (`ufal.udpipe`: its parser alone) and spaCy (its `parser` over a `tok2vec`
that uses the tags as well). Reading and writing CoNLL-U is compared with `conllu`. Peers that are
not installed are skipped with a note: pip install 'headwise[peers]'. The default is UD English EWT
beside the repository (../shared/treebanks).

Parsing is timed in turns, the fastest of several rounds, on each parser's own objects; conversion
is not timed. Training is timed once, in CPU time.
"""

import argparse
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import reading
from headwise.corpus.formats import read_sentences, write_sentences
from headwise.evaluate import evaluate
from measuring import fastest_in_turn
from peerparsers import PEERS, Data, Peer, Sentences

EWT = Path(__file__).parents[2] / "shared/treebanks/en_ewt"
ROUNDS = 3


def trained(data: Data, names: Sequence[str]) -> dict[str, Peer]:
    """The installed peers, trained."""
    found = {}
    for name in names or PEERS:
        package, learn = PEERS[name]
        try:
            found[name] = learn(data)
        except ImportError:
            print(f"{name} is skipped: {package} is not installed: pip install 'headwise[peers]'")
            continue
        print(f"{title_of(name)}: trained in {found[name].seconds:.0f} s", flush=True)
    return found


def parser_table(data: Data, peers: dict[str, Peer]) -> list[str]:
    """Accuracy and speed, and the speed relative to the first peer."""
    words = sum(map(len, data.dev))
    scores = {
        name: evaluate(data.dev, peer.trees(peer.parse()), rounds=1).all_tokens
        for name, peer in peers.items()
    }
    times = fastest_in_turn({name: peer.parse for name, peer in peers.items()}, ROUNDS)
    first = next(iter(peers))
    lines = [
        f"{len(data.train):,} training sentences, {words:,} words to parse, one thread, "
        + ("default epochs." if data.epochs is None else f"{data.epochs} epochs for all."),
        "",
        f"| | UAS | LAS | words per second | speed of {first}, relative to it | "
        "training, CPU seconds |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, peer in peers.items():
        accuracy = f"{scores[name].uas:.2f} | {scores[name].las:.2f}"
        speed = f"{words / times[name]:,.0f} | {times[name] / times[first]:.1f}"
        lines.append(f"| {title_of(name)} | {accuracy} | {speed} | {peer.seconds:.0f} |")
    return lines


def title_of(name: str) -> str:
    """A peer and its version."""
    return f"{name} ({version(PEERS[name][0])})"


def reading_table(sentences: Sentences) -> list[str]:
    """Reading and writing, and the speed relative to `conllu`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dev.conllu"
        write_sentences(path, sentences)
        times = reading.measure(path)
    words = sum(map(len, sentences))
    base = times.get("conllu")
    lines = ["| | words read per second | words written per second |", "|---|--:|--:|"]
    for name, measured in times.items():
        cells = [""] * (2 - len(measured))
        for column, own in enumerate(measured, 2 - len(measured)):
            ratio = f" ({base[column] / own:.1f})" if base else ""
            cells.append(f"{words / own:,.0f}{ratio}")
        lines.append(f"| {name.strip()} | {' | '.join(cells)} |")
    return [*lines, "", "In brackets: speed relative to `conllu`."]


ABOUT = """# Comparison with other parsers

`python benchmarks/peers.py --sentences 2000 --epochs 5 --write docs/peers.md` measures this page.
All parsers are trained on the same sentences with gold tags and parse the same ones, in one run on
one machine, which may have been shared with other jobs. Speeds were measured in turns. Training
times are CPU seconds; ours exclude compilation, which happens once. UDPipe 1 (`ufal.udpipe`) is its
parser alone; spaCy is its `parser` on a small `tok2vec` that also sees the tags. Neither was tuned,
except that spaCy uses batches of 16 sentences instead of 64, with which it learnt nothing in
trials. Both would gain from more data and longer training than a benchmark allows. Headwise and
UDPipe select their best epoch on the sentences that are parsed; spaCy does not.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare all parsers."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("train", type=Path, nargs="?", default=EWT / "en_ewt-ud-train.conllu.gz")
    options.add_argument("dev", type=Path, nargs="?", default=EWT / "en_ewt-ud-dev.conllu.gz")
    options.add_argument("--sentences", type=int, help="number of training sentences")
    options.add_argument("--epochs", type=int, help="for all [default: each parser's own]")
    options.add_argument("--only", nargs="*", choices=list(PEERS), default=[])
    options.add_argument("--write", type=Path, help="write the result to this page")
    chosen = options.parse_args(arguments)
    train = list(read_sentences(chosen.train))[: chosen.sentences]
    data = Data(train, list(read_sentences(chosen.dev)), chosen.epochs)
    peers = trained(data, chosen.only)
    parsing = ["", "## Parsing", "", *parser_table(data, peers)] if peers else []
    lines = [*parsing, "", "## Reading and writing", "", *reading_table(data.dev)]
    print("\n".join(lines))
    if chosen.write is not None:
        chosen.write.write_text(ABOUT + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
