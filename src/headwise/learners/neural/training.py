"""One training of a network: epochs scored on dev, the best kept, checkpoints written."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError, SourceLocation, UsageError
from headwise.interrupt import out_of_reach
from headwise.learners.callbacks import Plan, Report, TrainingCallback
from headwise.learners.checkpoint import (
    KIND,
    Run,
    best_score,
    checkpoint_exists,
    checkpoints,
    fingerprint,
    like,
    stored_run,
    write_state,
)
from headwise.learners.neural.adam import Weights, adam_step, new_weights
from headwise.learners.neural.batches import Batch, NumberedSentences, Rows, batches_of, filled
from headwise.learners.neural.development import NeuralDevelopment
from headwise.learners.neural.losses import LOSSES, total_loss
from headwise.learners.neural.settings import DropoutRates, LossName, NeuralSettings
from headwise.search.decoders.base import Decoder
from headwise.storage.modelfile import ModelFile, load_model, reporting_damage

Arrays = Mapping[str, NDArray[np.float32]]
Steps = Mapping[tuple[int, int], Callable[..., Any]]
"""`training_step`, compiled, by the number and length of rows; the weights given are used up."""
MAIN_SCORE = "dev_las"


@dataclass(eq=False)
class NeuralRun(Run):
    """A training of a network: its weights, and the best ones so far."""

    weights: Weights = field(init=False)
    best: Arrays | None = field(init=False, default=None)


@dataclass(eq=False)
class NeuralTraining:
    """What a network is trained on and how; checkpoints go nowhere without a folder.

    times: how often each sentence is learnt from in an epoch; by default once.
    """

    settings: NeuralSettings
    data: NumberedSentences
    vectors: NDArray[np.float32]
    decoder: Decoder
    initial: Arrays
    identity: Mapping[str, Any]
    development: NeuralDevelopment | None = None
    checkpoint: Path | None = None
    callback: TrainingCallback = field(default_factory=TrainingCallback)
    left_out: int = 0
    times: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        """Work out what an epoch is."""
        if self.times is None:
            self.times = np.ones(len(self.data), np.int64)
        self.words = int(((self.data.sizes - 1) * self.times).sum())
        self.epochs = self.settings.epochs_for(self.words)
        self.batch_tokens = self.settings.batch_for(self.words)
        self.steps = self.epochs * len(self.batches_in(0)[0])

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The sentences of an epoch: each as often as it is learnt from."""
        assert self.times is not None
        return np.repeat(np.arange(len(self.data)), self.times)

    def run(self, *, resume: bool = False) -> tuple[Arrays, NeuralRun]:
        """Train to the end: the averaged weights of the best epoch, or of the last without dev."""
        run = NeuralRun.start(("neural",))
        run.weights = new_weights({name: jnp.asarray(one) for name, one in self.initial.items()})
        if resume and self.checkpoint is not None and checkpoint_exists(self.checkpoint):
            run = self.restored(self.checkpoint)
        memory = 20 * sum(one.nbytes for one in self.initial.values())
        plan = Plan(len(self.numbers), self.words, self.left_out, self.epochs, run.history, memory)
        self.callback.begin(plan)
        # Nothing is there to save while JAX compiles, so that an interrupt ends it at once.
        steps = out_of_reach(partial(self.compiled_steps, run.weights))
        tick = time.monotonic()
        with checkpoints(lambda: self.save(run)) as save_after:
            for report in self.learn(run, steps):
                run.seconds += time.monotonic() - tick
                self.callback.progress(report)
                if report.ends_epoch:
                    self.end_epoch(run, report)
                save_after(f"epoch {run.epoch}")
                tick = time.monotonic()
        best = run.best if run.best is not None else to_numpy(run.weights.average)
        return best, run

    def compiled_steps(self, weights: Weights) -> Steps:
        """The training step and the scores on dev, compiled for all batches."""
        if self.development is not None:
            self.development.compile(weights.average)
        decoder: Any = self.decoder  # hashable, as all decoders are
        step = jitted_step(StepSettings.of(self.settings), decoder)
        key, number = jax.random.key(self.settings.seed), jnp.int32(0)
        shapes = {(one.count, one.length): one for one in self.batches_in(0)[0]}
        return {
            shape: step.lower(
                weights, self.vectors, filled(self.data, batch), key, number, number
            ).compile()
            for shape, batch in shapes.items()
        }

    def learn(self, run: NeuralRun, steps: Steps) -> Iterator[Report]:
        """Learn batch by batch; what is drawn depends on the seed and the step alone."""
        vectors, key = jnp.asarray(self.vectors), jax.random.key(self.settings.seed)
        while run.epoch < self.epochs:
            batches, order = self.batches_in(run.epoch)
            sentences = words = 0
            for position, number in enumerate(order):
                own = [one for row in batches[number].rows for one in row]
                sentences += len(own)
                words += int(self.data.sizes[own].sum()) - len(own)
                if position < run.position:
                    continue
                batch = batches[number]
                rows, now = filled(self.data, batch), jnp.int32(run.steps)
                run.weights, loss = steps[batch.count, batch.length](
                    run.weights, vectors, rows, key, now, jnp.int32(self.steps)
                )
                run.loss += checked_loss(float(loss), run.epoch + 1)
                run.steps, run.position = run.steps + 1, position + 1
                ends, mean = position + 1 == len(batches), run.loss / (position + 1)
                if ends:  # before a checkpoint may be written
                    run.epoch, run.position, run.loss = run.epoch + 1, 0, 0.0
                yield Report(run.epoch + (not ends), sentences, words, mean, ends)

    def batches_in(self, epoch: int) -> tuple[list[Batch], list[int]]:
        """The batches of an epoch, and in which order they come."""
        random = np.random.default_rng([self.settings.seed, epoch])
        sentences = random.permutation(self.numbers).tolist()
        batches = batches_of(self.data.sizes, sentences, self.batch_tokens)
        return batches, random.permutation(len(batches)).tolist()

    def end_epoch(self, run: NeuralRun, report: Report) -> None:
        """Note what an epoch came to, and keep its weights if they are the best so far."""
        record = report.record(run.seconds)
        if self.development is not None:
            record |= self.development.scores(run.weights.average)
            if record[MAIN_SCORE] > best_score(run.history, MAIN_SCORE):
                run.best, run.best_epoch = to_numpy(run.weights.average), report.epoch
        run.seconds = 0.0
        run.history += (record,)
        self.callback.epoch(record)

    @cached_property
    def full_identity(self) -> dict[str, Any]:
        """What must be the same for a training to go on."""
        learnt = (self.data.features, self.data.tags, self.data.heads, self.data.relations)
        compared = self.development.data if self.development is not None else None
        dev = () if compared is None else (compared.features, compared.heads, compared.relations)
        return {
            **self.identity,
            "data": fingerprint((*learnt, self.vectors, *self.repeated)),
            "development data": fingerprint(dev),
        }

    @property
    def repeated(self) -> tuple[NDArray[np.int64], ...]:
        """How often sentences are learnt from, if not all are once."""
        assert self.times is not None
        return (self.times,) if (self.times != 1).any() else ()

    def save(self, run: NeuralRun) -> None:
        """Write a checkpoint, whole or not at all."""
        if self.checkpoint is None:
            return
        arrays = {
            f"{kind}/{name}": np.asarray(array)
            for kind, group in zip(Weights._fields, run.weights, strict=True)
            for name, array in group.items()
        }
        arrays |= {f"best/{name}": array for name, array in (run.best or {}).items()}
        run.identity = self.full_identity
        write_state(self.checkpoint, run, arrays)

    def restored(self, checkpoint: Path) -> NeuralRun:
        """The training of a checkpoint."""
        model = load_model(checkpoint, KIND)
        run = stored_run(NeuralRun, checkpoint, model.settings, self.full_identity)
        self.check_position(checkpoint, run)
        with reporting_damage("checkpoint", SourceLocation(str(checkpoint))):
            groups = [
                {name: jnp.asarray(self.stored(model, kind, name)) for name in self.initial}
                for kind in Weights._fields
            ]
            if run.best_epoch:
                run.best = {name: self.stored(model, "best", name) for name in self.initial}
        run.weights = Weights(*groups)
        return run

    def check_position(self, checkpoint: Path, saved: Run) -> None:
        """Raise unless a checkpoint is within the training, which would find no end otherwise."""
        inside = saved.epoch < self.epochs and saved.position < len(self.batches_in(saved.epoch)[0])
        at_the_end = saved.epoch == self.epochs and saved.position == 0
        if not (inside or at_the_end) or saved.steps > self.epochs * len(self.numbers):
            message = "is further than its training goes: begin anew with --force"
            raise ModelError(message, SourceLocation(str(checkpoint)))

    def stored(self, model: ModelFile, kind: str, name: str) -> NDArray[np.float32]:
        """An array of a checkpoint, if it is like the one that training begins with."""
        key = f"{kind}/{name}"
        return np.array(like(self.initial[name], key, model.array(key)))


def checked_loss(loss: float, epoch: int) -> float:
    """The loss of a step; raise if training has gone astray."""
    if not np.isfinite(loss):
        raise UsageError(
            f"the loss is not finite in epoch {epoch}: choose a lower learning_rate (--set)"
        )
    return loss


def to_numpy(parameters: Mapping[str, jax.Array]) -> Arrays:
    """Weights as NumPy arrays."""
    return {name: np.array(value) for name, value in parameters.items()}


class StepSettings(NamedTuple):
    """The settings that a step depends on; it is compiled anew when one of them changes."""

    loss: LossName
    dropout: DropoutRates
    smoothing: float
    neighbours: float
    learning_rate: float
    weight_decay: float
    averaging: float

    @classmethod
    def of(cls, settings: NeuralSettings) -> "StepSettings":
        """Those among all settings."""
        return cls(*(getattr(settings, name) for name in cls._fields))


@lru_cache(maxsize=4)
def jitted_step(settings: StepSettings, decoder: Decoder) -> Any:
    """`training_step` for JAX to compile: once a process, as long as it is the same function.

    Folds, teachers and resumed trainings have the same settings one after the other.
    """
    return jax.jit(training_step(settings, decoder), donate_argnums=0)


def training_step(settings: StepSettings, decoder: Decoder) -> Callable[..., Any]:
    """A step: weights, vectors, rows, key, number and count in; weights and loss out."""
    loss = partial(
        total_loss,
        dropout=settings.dropout,
        loss=LOSSES.get(settings.loss),
        decoder=decoder,
        smoothing=settings.smoothing,
        neighbours=settings.neighbours,
    )

    def step(
        weights: Weights,
        vectors: jax.Array,
        rows: Rows,
        key: jax.Array,
        now: jax.Array,
        steps: jax.Array,
    ) -> tuple[Weights, jax.Array]:
        own = jax.random.fold_in(key, now)
        (value, _), gradient = jax.value_and_grad(loss, has_aux=True)(
            weights.now, vectors, rows, own
        )
        changed = adam_step(
            weights,
            gradient,
            now,
            steps,
            settings.learning_rate,
            settings.weight_decay,
            settings.averaging,
        )
        return changed, value

    return step
