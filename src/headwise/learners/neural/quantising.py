"""From trained floats to whole numbers of 8 bits, and how coarse their steps may be.

A weight is a whole number times the scale of its output. Dimensions of embeddings have scales of
their own, which are multiplied into the weights that read them. The steps of hidden layers are
chosen by what they come to on a sample of sentences.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.learners.neural.batches import NumberedSentences
from headwise.scoring.neural.characters import WINDOW
from headwise.scoring.neural.layers import LEVELS
from headwise.scoring.neural.network import CHARACTER_LAYER, EXACT, HIDDEN, Network
from headwise.scoring.neural.vectors import WordVectors
from headwise.scoring.neural.vocabulary import ABSENT, TAG_COLUMNS
from headwise.scoring.neural.wordfeatures import HASHED, SLOTS

Arrays = dict[str, NDArray[Any]]

MAX_TOKENS = 20_000
"""Of the sample that steps are chosen by."""

CUT = 0.9999
"""The share of activations that a step can hold; the few above are cut."""


def float_arrays(parameters: Mapping[str, NDArray[np.float32]], vectors: WordVectors) -> Arrays:
    """The arrays of a network that computes with floats: all scales are 1."""
    parameters = {name: one for name, one in parameters.items() if not for_training(name)}
    found: Arrays = dict(parameters)
    found["vectors"] = vectors.as_floats()
    found["hashed"] = parameters["hashed"].reshape(len(HASHED) * SLOTS, -1)
    for name in layer_names(parameters):
        weights = parameters[name]
        found[f"{name}.scale"] = np.ones((*weights.shape[:-2], weights.shape[-1]), np.float32)
    number = 0
    while f"encoder.{number}.bias" in found:
        found[f"encoder.{number}.input.bias"] = found.pop(f"encoder.{number}.bias")
        number += 1
    product = parameters["relations.product"]  # [modifier, relation, head]
    found["relations.product"] = product.transpose(0, 2, 1).reshape(len(product), -1)
    found["relations.product.scale"] = np.ones(product.shape[1], np.float32)
    found["relations.from-heads.bias"] = np.zeros(product.shape[1], np.float32)
    found["relations.from-modifiers.bias"] = found.pop("relations.bias")
    return found


def for_training(name: str) -> bool:
    """Whether weights are for training alone: those that guess neighbouring words."""
    return name.startswith("neighbours")


def layer_names(parameters: Mapping[str, NDArray[np.float32]]) -> list[str]:
    """The names of all weights that are multiplied with what other layers give."""
    tables = ("words", "hashed", "characters", "relations.product")
    return [
        name
        for name, array in parameters.items()
        if array.ndim >= 2 and name not in tables and not name.startswith("tags.")
        and not name.endswith(".bias")
    ]  # fmt: skip


def float_network(parameters: Mapping[str, NDArray[np.float32]], vectors: WordVectors) -> Network:
    """The network as it was trained."""
    steps = dict.fromkeys((*HIDDEN, CHARACTER_LAYER), 0.0) | {"arcs": 1.0}
    return Network.of(float_arrays(parameters, vectors), steps, levels=0)


def quantised(
    parameters: Mapping[str, NDArray[np.float32]], vectors: WordVectors, sample: NumberedSentences
) -> tuple[Arrays, dict[str, float]]:
    """The arrays and steps of a network in whole numbers."""
    steps = chosen_steps(float_network(parameters, vectors), sample)
    arrays = float_arrays(parameters, vectors)
    inputs, tags = quantise_tables(arrays, vectors)
    if CHARACTER_LAYER in arrays:
        inputs = np.concatenate([inputs, quantise_characters(arrays, steps[CHARACTER_LAYER])])
    for name in readers_of_tags(arrays):  # their last inputs; all others have steps of 1 / LEVELS
        arrays[name] = arrays[name].copy()
        arrays[name][..., arrays[name].shape[-2] - len(tags) :, :] *= tags[:, np.newaxis] * LEVELS
    number = 0
    while f"encoder.{number}.input" in arrays:
        name = f"encoder.{number}.input"
        if number == 0:
            arrays[name] = arrays[name] * inputs[:, np.newaxis]
            quantise_layer(arrays, name)
        else:
            quantise_layer(arrays, name, 1.0 / LEVELS)
        quantise_layer(arrays, f"encoder.{number}.recurrent", 1.0 / LEVELS)
        number += 1
    for name in HIDDEN:
        quantise_layer(arrays, name, 1.0 / LEVELS)
    quantise_layer(arrays, "arcs.product", steps["arcs.modifiers"] * steps["arcs.heads"])
    arrays["arcs.product.bias"] = arrays["arcs.product.bias"] * np.float32(steps["arcs.heads"])
    quantise_relations(arrays, steps)
    for name in TAG_COLUMNS:
        if f"tagging.{name}" in arrays:
            quantise_layer(arrays, f"tagging.{name}", steps["tagging"])
    return arrays, steps


def chosen_steps(network: Network, sample: NumberedSentences) -> dict[str, float]:
    """The steps of hidden layers and of turned modifiers, by a sample of sentences.

    The tags of every other sentence are given: both conditions occur.
    """
    count = int(np.searchsorted(sample.starts, MAX_TOKENS, side="right")) - 1
    count = min(max(count, 1), len(sample))
    end = int(sample.starts[count])
    tags = sample.tags[:end].copy()
    numbers = np.repeat(np.arange(count), sample.sizes[:count])
    tags[numbers % 2 == 0] = ABSENT
    found = network.encode(sample.starts[: count + 1], sample.features[:end], tags).on_cpu()
    layers = {
        "arcs.heads": found.heads,
        "arcs.modifiers": network.layers["arcs.modifiers"](found.states),
        "relations.heads": found.relation_heads,
        "relations.modifiers": found.relation_modifiers,
        "tagging": found.tagging,
    }
    encoder = network.encoder
    if encoder.characters is not None:
        layers[CHARACTER_LAYER] = encoder.read_characters(encoder.characters, sample.features[:end])
    steps = {name: step_for(values, LEVELS) for name, values in layers.items()}
    steps["arcs"] = step_for(found.modifiers * np.float32(steps["arcs.heads"]), EXACT)
    return steps


def step_for(values: NDArray[np.float32], levels: int) -> float:
    """The step of which nearly all values are at most `levels`."""
    usual = float(np.quantile(np.abs(values), CUT, method="higher"))
    return max(usual / levels, 1e-6)


def readers_of_tags(arrays: Arrays) -> list[str]:
    """The names of layers that read embeddings of tags: all after the first one of the encoder."""
    later = [name for name in arrays if name.endswith(".input") and name != "encoder.0.input"]
    return [*later, *(name for name in HIDDEN if name != "tagging")]


def quantise_tables(
    arrays: Arrays, vectors: WordVectors
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Make embeddings whole numbers; what their dimensions, side by side, are to be multiplied by.

    Those of words come first, then those of tags. Tables of hashed features lie one below the
    other, and have scales of their own.
    """
    arrays["words"], scales = whole_columns(arrays["words"])
    found = [scales]
    arrays["vectors"] = vectors.numbers
    found.append(vectors.scale)
    tables = arrays["hashed"].reshape(len(HASHED), SLOTS, -1)
    pairs = [whole_columns(table) for table in tables]
    arrays["hashed"] = np.concatenate([table for table, _ in pairs])
    found += [scale for _, scale in pairs]
    of_tags = [np.empty(0, np.float32)]
    for name in TAG_COLUMNS:
        if f"tags.{name}" in arrays:
            arrays[f"tags.{name}"], scale = whole_columns(arrays[f"tags.{name}"])
            of_tags.append(scale)
    return np.concatenate(found), np.concatenate(of_tags)


def quantise_characters(arrays: Arrays, step: float) -> NDArray[np.float32]:
    """Make the convolution over characters whole numbers; what its outputs are multiplied by."""
    arrays["characters"], scale = whole_columns(arrays["characters"])
    arrays[CHARACTER_LAYER] = arrays[CHARACTER_LAYER] * np.tile(scale, WINDOW)[:, np.newaxis]
    quantise_layer(arrays, CHARACTER_LAYER)
    return np.full(arrays[CHARACTER_LAYER].shape[1], step, np.float32)


def whole_columns(
    weights: NDArray[np.float32], axis: int = 0
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Weights as whole numbers, and the scale of each column."""
    scale = np.abs(weights).max(axis=axis) / np.float32(LEVELS)
    scale = np.maximum(scale, np.float32(1e-12)).astype(np.float32)
    numbers = np.rint(weights / np.expand_dims(scale, axis))
    return numbers.astype(np.int8), scale


def quantise_layer(arrays: Arrays, name: str, step: float = 1.0) -> None:
    """Make the weights of a layer whole numbers; `step` is that of its inputs."""
    arrays[name], scale = whole_columns(arrays[name], axis=-2)
    arrays[f"{name}.scale"] = (scale * np.float32(step)).astype(np.float32)


def quantise_relations(arrays: Arrays, steps: Mapping[str, float]) -> None:
    """Make the weights of relations whole numbers, with one scale for each relation."""
    heads, modifiers = steps["relations.heads"], steps["relations.modifiers"]
    product = arrays["relations.product"]
    labels = len(arrays["relations.product.scale"])
    by_label = product.reshape(-1, labels)
    numbers, scale = whole_columns(by_label)
    arrays["relations.product"] = numbers.reshape(product.shape)
    arrays["relations.product.scale"] = (scale * np.float32(heads * modifiers)).astype(np.float32)
    quantise_layer(arrays, "relations.from-heads", heads)
    quantise_layer(arrays, "relations.from-modifiers", modifiers)
