"""A grammar parses dependencies, and guides a parser."""

from bracketbank import LINES
from smallworlds import small_world

from headwise.experiments.perform import grammar_trees, jackknifed_trees, trained_grammar
from headwise.experiments.table import table_of
from headwise.experiments.work import Work, run_tasks

TEXT = """
title = "Guided"
seeds = [0, 1]
treebanks = ["trees"]

[settings]
epochs = 1
features = "paper-000"
labels = "none"
tables = { wide = 10, narrow = 10, filters = 8 }

[[systems]]
name = "grammar"
parser = "grammar"

[[systems]]
name = "alone"

[[systems]]
name = "guided"
guide = "grammar"

[[columns]]
measure = "uas"
title = "UAS"

[[columns]]
measure = "uas"
show = "p"
base = "grammar"
title = "p"

[treebank.trees]
train = "trees.mrg"
dev = "trees.mrg"
"""


def test_a_grammar_reads_trees_and_guides(tmp_path):
    path = small_world(tmp_path, TEXT)
    (tmp_path / "trees.mrg").write_text("\n".join(LINES * 2) + "\n")
    work = Work.of_file(path)
    treebank = work.treebanks["trees"]
    gold = treebank.sentences("dev")
    told: list[tuple[str, int, int]] = []

    def tell(stage: str, done: int, total: int) -> None:
        told.append((stage, done, total))

    seen = grammar_trees(trained_grammar(treebank, tell), treebank, "dev", tell)
    assert [one.forms for one in seen] == [one.forms for one in gold]
    right = sum(
        a == b
        for x, y in zip(seen, gold, strict=True)
        for a, b in zip(x.heads, y.heads, strict=True)
    )
    assert right / sum(map(len, gold)) > 0.9
    assert [one.forms for one in jackknifed_trees(treebank, tell)] == [one.forms for one in gold]
    assert told[0] == ("training a grammar", 0, 1)
    assert ("training a grammar", 5, 5) in told
    assert len(list(run_tasks(work.tasks(), 1))) == 5
    table = table_of(work.reread())
    assert all(row.cells[0].mean > 50 for row in table.rows)
    assert [len(row.cells[0].values) for row in table.rows] == [1, 2, 2]
    assert all(0 < row.cells[1].mean <= 1 for row in table.rows[1:])
