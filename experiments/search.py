"""Projective against non-projective search where many trees have crossing arcs."""

from runs import Run, perform_all

TREEBANKS = ("la_udante", "hu_szeged", "ar_padt", "cs_mix")
DECODERS = ("projective", "non-projective")

RUNS_BY_NAME = {
    (name, decoder): Run(name, {"decoder": decoder}) for name in TREEBANKS for decoder in DECODERS
}
REORDERED = {name: Run(name, {"crossing": "reorder"}) for name in TREEBANKS}
RUNS = [*RUNS_BY_NAME.values(), *REORDERED.values()]

if __name__ == "__main__":
    perform_all(RUNS)
