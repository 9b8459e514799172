"""Paper 001, tables 2 and 4: Bayes Point Machines in four languages, against their members."""

from typing import Any

from runs import Run, perform_all

from headwise.features import WordRules
from headwise.features.tables import TableSizes

COMMON: dict[str, Any] = {
    "features": "paper-000",
    "learner": "bayes-point",
    "epochs": 5,
    "tables": TableSizes(wide=20, narrow=4, parts=22),
}

LANGUAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "ar_padt": ("Arabic", {"words": WordRules(lowercase=True, numbers="one", backoff="lemma")}),
    "zh_gsd": ("Chinese", {"words": WordRules(lowercase=True, numbers="chinese", length=1)}),
    "cs_mix": (
        "Czech",
        {"words": WordRules(lowercase=True, numbers="one"), "decoder": "non-projective"},
    ),
    "en_ewt": ("English", {"words": WordRules(lowercase=True, numbers="one")}),
}
"""The paper's choices: what words back off to, and Chu-Liu-Edmonds for Czech."""

MACHINES = {name: Run(name, COMMON | own) for name, (_, own) in LANGUAGES.items()}
ARABIC_CHU_LIU = Run("ar_padt", COMMON | LANGUAGES["ar_padt"][1] | {"decoder": "non-projective"})
DEFAULT_MACHINES = {
    name: Run(name, {"learner": "bayes-point", "epochs": 5}) for name in ("en_ewt", "zh_gsd")
}

PRINTED_2 = {
    "Arabic": (79.9, 90.0, 9.8, 79.8),
    "Chinese": (71.2, 66.2, 17.5, 73.3),
    "Czech": (84.0, 88.8, 30.9, 84.3),
    "English": (90.0, 93.7, 35.1, 90.8),
}
"""Accuracy, root and complete match with punctuation; accuracy without it. Test data."""

PRINTED_4 = {
    "Arabic": (78.4, 77.9, 77.4),
    "Chinese": (83.8, 83.1, 82.6),
    "Czech": (84.5, 83.5, 83.3),
    "English": (91.2, 90.8, 90.5),
}
"""Machine, best and worst perceptron, without punctuation. Development data."""

RUNS = [*MACHINES.values(), ARABIC_CHU_LIU, *DEFAULT_MACHINES.values()]

if __name__ == "__main__":
    perform_all(RUNS)
