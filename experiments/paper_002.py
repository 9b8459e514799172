"""Paper 002, table 2 (what each type of parts adds) and tables 3 and 4 (orders one to four)."""

from typing import Any

from runs import Run, perform_all

TREEBANKS = ("en_ewt", "ptb-sample", "zh_gsd")

THIRD = ("arc", "sibling", "grandchild", "grand-sibling", "stop")
ABLATION: dict[str, dict[str, Any]] = {
    "grand-sibling": {"parts": THIRD},
    "+ tri-sibling": {"parts": (*THIRD, "tri-sibling")},
    "+ grand-tri-sibling": {"order": 4, "part_features": "paper-002-no-backoff"},
    "+ 4-gram back-offs": {"order": 4},
}
"""What is scored in each row."""

PRINTED_2 = {
    "grand-sibling": (93.45, 49.06, 87.38, 38.85),
    "+ tri-sibling": (93.62, 49.42, 87.60, 38.94),
    "+ grand-tri-sibling": (93.70, 49.76, 87.69, 39.12),
    "+ 4-gram back-offs": (93.77, 50.82, 87.74, 39.23),
}
"""UAS and complete match of English, then of Chinese, on development data, without punctuation."""

PAPER: dict[str, Any] = {"part_features": "paper-002"}
BY_PARTS = {
    (name, label): Run(name, PAPER | parts)
    for name in TREEBANKS
    for label, parts in ABLATION.items()
}

ORDERS: dict[str, dict[str, Any]] = {
    "1": {"order": 1},
    "2, siblings": {"order": 2},
    "2, and grandchildren": {"parts": ("arc", "sibling", "grandchild", "stop")},
    "3": {"order": 3},
    "4": {"order": 4},
}
BY_ORDER = {
    (name, label): Run(name, settings) for name in TREEBANKS for label, settings in ORDERS.items()
}

PRINTED_3 = {
    "en_ewt": {},
    "ptb-sample": {"1": (90.9, 36.7), "2, siblings": (91.5, 42.1), "4": (93.4, 50.3)},
    "zh_gsd": {"3": (86.8, 35.5), "4": (87.4, 36.8)},
}
"""UAS and complete match on test data: tables 3 (PTB) and 4 (CTB); low orders are of others."""

RUNS = [
    run
    for name in TREEBANKS
    for table in (BY_ORDER, BY_PARTS)
    for (own, _), run in table.items()
    if own == name
]

if __name__ == "__main__":
    perform_all(RUNS)
