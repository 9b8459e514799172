"""The card of a parser: what people should know of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from headwise.parsers.stored import (
    card_with_curves,
    pruner_text,
    row_of_temperatures,
    rows_of_treebank,
)
from headwise.storage.modelcard import Row

if TYPE_CHECKING:
    from headwise.parsers.graph.parser import DependencyParser


def card(parser: "DependencyParser", settings: Mapping[str, Any]) -> str:
    """The card of a parser, in Markdown."""
    report, training = settings["report"], settings["training"]
    rows: list[Row] = [
        *settings["about"].items(),
        ("learner", parser.learner_name),
        parts_row(training),
        ("search", training["decoder"]),
        ("features", features_text(settings)),
        ("distinct features of arcs in gold trees", f"{report['features']:,}"),
        ("weights that are not 0", f"{report['weights']:,}, {training['bits']} bits each"),
        *rows_of_treebank(report),
        ("epochs", f"{training['epochs']}, the weights are from epoch {report['epoch']}"),
        ("seed", training["seed"]),
        ("relations", labels_text(settings)),
        row_of_temperatures(settings),
    ]
    if "unlabelled" in report:
        more = report["unlabelled"]
        text = f"{more['sentences']:,}, {more['left_out']} left out"
        rows.append(("sentences without trees", text))
    if "dev_uas" in report:
        text = f"{report['dev_uas']:.2f}"
        rows.append(("UAS on dev, all tokens, under the tags it was given there", text))
        if "dev_las" in report:
            rows.append(("LAS with subtypes, the same way", f"{report['dev_las']:.2f}"))
        rows.append(("UAS with 32-bit weights", f"{report['dev_uas_32_bits']:.2f}"))
    if "pruner" in report:
        rows.append(("what its pruner keeps", pruner_text(report["pruner"])))
    members = [one["dev_uas"] for one in report["members"] if "dev_uas" in one]
    if members:
        mean = sum(members) / len(members)
        text = f"best {max(members):.2f}, worst {min(members):.2f}, mean {mean:.2f}"
        rows.append((f"UAS of its {len(members)} members", text))
    found = "heads and relations" if settings["labels"] else "heads, not relations"
    return card_with_curves("A dependency parser", rows, f"It finds {found}.", report)


def features_text(settings: Mapping[str, Any]) -> str:
    """Which templates of arcs it has; higher orders, which have a pruner, have another default."""
    name = settings["training"]["features"]
    if name == "default" and "pruner" in settings["report"]:
        name = "default of higher orders"
    return f"{name}, {len(settings['templates'])} templates"


def parts_row(training: Mapping[str, Any]) -> Row:
    """What is scored: an order, or parts that were chosen."""
    if training["parts"]:
        return "parts", ", ".join(training["parts"])
    return "order", training["order"]


def labels_text(settings: Mapping[str, Any]) -> str:
    """How relations are found."""
    labels = settings["labels"]
    if labels is None:
        return "none"
    count = len(labels["names"])
    if labels["kind"] == "joint":
        return f"{count}, learnt together with arcs"
    weights = settings["report"]["label_weights"]
    return f"{count}, by a second stage ({weights:,} weights)"


def summary(report: Mapping[str, Any]) -> str:
    """What training came to, in a line."""
    parts = [f"epoch {report['epoch']}"]
    if "dev_uas" in report:
        full = report["dev_uas_32_bits"]
        parts.append(f"dev UAS {report['dev_uas']:.2f} ({full:.2f} with 32-bit weights)")
    if "dev_las" in report:
        parts.append(f"LAS with subtypes {report['dev_las']:.2f}")
    parts.append(f"{report['features']:,} features, {report['weights']:,} weights")
    if "pruner" in report:
        parts.append(f"its pruner keeps {pruner_text(report['pruner'])}")
    members = [one["dev_uas"] for one in report["members"] if "dev_uas" in one]
    if members:
        mean = sum(members) / len(members)
        parts.append(f"members {min(members):.2f} to {max(members):.2f}, mean {mean:.2f}")
    return ", ".join(parts)
