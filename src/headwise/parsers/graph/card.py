"""The card of a parser: what people should know of it."""

from collections.abc import Mapping
from typing import Any

from headwise.inference.temperatures import ModelTemperatures
from headwise.storage.modelcard import Row, card_of
from headwise.storage.settings import from_mapping

ABOUT_DATA = (
    "On every second sentence of development data, those that the temperatures and the curves of "
    "reported probabilities were not fitted to."
)


def card(settings: dict[str, Any]) -> str:
    """The card of a parser, in Markdown."""
    report, training = settings["report"], settings["training"]
    rows: list[Row] = [
        *settings["about"].items(),
        ("learner", learner_text(training["learner"])),
        parts_row(training),
        ("search", training["decoder"]),
        ("features", features_text(settings)),
        ("distinct features of arcs in gold trees", f"{report['features']:,}"),
        ("weights that are not 0", f"{report['weights']:,}, {training['bits']} bits each"),
        ("sentences learnt from", f"{report['sentences']:,} ({report['words']:,} words)"),
        ("sentences left out", report["left_out"]),
        ("epochs", f"{training['epochs']}, the weights are from epoch {report['epoch']}"),
        ("seed", training["seed"]),
        ("relations", labels_text(settings)),
        ("temperature of probabilities", temperatures_text(settings["temperatures"])),
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
    does = (
        "It finds heads and relations." if settings["labels"] else "It finds heads, not relations."
    )
    curves = "\n".join(calibration_lines(report))
    return card_of("A dependency parser", rows, does) + (curves + "\n" if curves else "")


def learner_text(learner: str | Mapping[str, Any]) -> str:
    """The name of a learner; one that is not of the package has its settings with it."""
    return learner if isinstance(learner, str) else str(learner["name"])


def pruner_text(kept: Mapping[str, float]) -> str:
    """How much a pruner keeps, and how good trees over that could be."""
    return f"{kept['heads_a_word']:.1f} heads a word, oracle UAS {kept['oracle_uas']:.2f}"


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


def temperatures_text(stored: Mapping[str, Any]) -> str:
    """What scores are divided by before they are made probabilities."""
    own = from_mapping(ModelTemperatures, stored)
    return f"{own}" if own.given_tags is None else f"{own}; under given tags {own.given_tags}"


def calibration_lines(report: Mapping[str, Any]) -> list[str]:
    """The reliability curves, a table for each kind of answer."""
    lines = curves_of(report.get("calibration", {}))
    if lines:
        lines = ["", "## How far its probabilities can be trusted", "", ABOUT_DATA, *lines]
    given = curves_of(report.get("calibration_given_tags", {}))
    return lines + (["", "### Under given tags", *given] if given else [])


def curves_of(found: Mapping[str, Any]) -> list[str]:
    """The reliability curves of one condition."""
    titles = {
        "heads": "heads",
        "labels": "relations of words with the right head",
        "tags": "tags (UPOS)",
        "trees": "whole trees (heads)",
    }
    lines: list[str] = []
    for kind, title in titles.items():
        if kind in found:
            error = 100 * found[kind]["error"]
            lines += ["", f"Reliability of {title}; expected calibration error {error:.2f} %:", ""]
            lines += ["| answers | probability | right |", "|--:|--:|--:|"]
            lines += [
                f"| {count:,} | {100 * likely:.1f} % | {100 * right:.1f} % |"
                for count, likely, right in found[kind]["curve"]
            ]
    return lines


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
