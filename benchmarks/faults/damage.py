"""Damaged models are rejected, damaged treebanks are read or rejected."""

import random
import shutil
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import headwise
from faults.finding import SIZES, Finding, call, sample_treebank
from headwise.corpus.formats import read_sentences, write_sentences
from headwise.errors import HeadwiseError, HeadwiseWarning
from headwise.storage.modelfile import CARD, FILES

BRACKETS = "( (S (NP-SBJ (DT The) (NN dog)) (VP (VBZ barks) (NP (-NONE- *T*-1))) (. .)) )\n" * 20
ENDINGS = ("conllu", "conllu.gz", "conllx.xz", "jsonl", "txt.gz")


def truncated(data: bytes, rng: random.Random) -> bytes:
    """Truncate the data."""
    return data[: rng.randrange(len(data))]


def flipped(data: bytes, rng: random.Random) -> bytes:
    """Flip some bits."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 8))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def filled(data: bytes, rng: random.Random) -> bytes:
    """Overwrite a piece with random bytes."""
    start = rng.randrange(len(data))
    piece = rng.randbytes(rng.choice((1, 16, 512)))
    return data[:start] + piece + data[start + len(piece) :]


def repeated(data: bytes, rng: random.Random) -> bytes:
    """Repeat a piece."""
    start = rng.randrange(len(data))
    end = min(len(data), start + rng.randint(1, 4096))
    return data[:end] + data[start:]


DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    truncated,
    flipped,
    filled,
    repeated,
)


def inject(seconds: float, rng: random.Random, folder: Path) -> Finding:
    """Damage files for a number of seconds, half of them models."""
    found = Finding("models and treebanks, damaged")
    model, files = some_model(folder), some_treebanks(folder)
    damaged = folder / "damaged"
    end = time.monotonic() + seconds
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HeadwiseWarning)
        while found.rounds < 40 or time.monotonic() < end:
            damage = rng.choice(DAMAGES)
            if found.rounds % 2:
                damage_model(found, model, damaged, damage, rng)
            else:
                damage_treebank(found, rng.choice(files), folder, damage, rng)
            found.rounds += 1
    return found


def some_model(folder: Path) -> Path:
    """Train a small pipeline."""
    sample_treebank(folder / "model.conllu", 10)
    done = call("train", "--fast", folder / "model.conllu", "-o", folder / "model", *SIZES)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return folder / "model"


def some_treebanks(folder: Path) -> list[Path]:
    """The same sentences in every format."""
    sentences = sample_treebank(folder / "all.conllu", 10)
    paths = [folder / f"all.{ending}" for ending in ENDINGS]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HeadwiseWarning)  # CoNLL-X cannot store all of it
        for path in paths:
            write_sentences(path, sentences)
    (folder / "all.mrg").write_text(BRACKETS)
    return [*paths, folder / "all.mrg"]


def damage_model(
    found: Finding, model: Path, damaged: Path, damage: Callable[..., bytes], rng: random.Random
) -> None:
    """Damage one file of a model and load it: only the card may be damaged."""
    shutil.rmtree(damaged, ignore_errors=True)
    shutil.copytree(model, damaged)
    name = rng.choice(FILES)
    before = (damaged / name).read_bytes()
    (damaged / name).write_bytes(after := damage(before, rng))
    what = f"{name}, {damage.__name__}"
    try:
        pipeline = headwise.load(damaged)
        next(iter(pipeline.pipe(["One sentence."])))  # type: ignore[union-attr]
    except HeadwiseError:
        found.note("models rejected")
        found.expect(name != CARD or len(after) == 0, f"{what}: rejected because of its card")
    except Exception as error:
        found.problems.append(f"{what}: {error!r}")
    else:
        found.note("models loaded (their cards were damaged)")
        found.expect(name == CARD or before == after, f"{what}: loaded nevertheless")


def damage_treebank(
    found: Finding, path: Path, folder: Path, damage: Callable[..., bytes], rng: random.Random
) -> None:
    """Damage a treebank and read it."""
    target = folder / f"damaged-{path.name}"
    target.write_bytes(damage(path.read_bytes(), rng))
    try:
        for _ in read_sentences(target):
            pass
    except HeadwiseError:
        found.note("treebanks rejected")
    except Exception as error:
        found.problems.append(f"{path.name}, {damage.__name__}: {error!r}")
    else:
        found.note("treebanks read")
