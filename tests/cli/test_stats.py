"""`headwise stats` as a person uses it."""

import json

from commandcalls import call


def test_stats(sample, capsys):
    code, out, _ = call("stats", sample, "--json", capsys=capsys)
    assert code == 0
    assert json.loads(out)[str(sample)]["words"] == 62
    assert "62" in call("stats", sample, capsys=capsys)[1]
    assert "UPOS (1 most frequent of 11)" in call("stats", sample, "--top", 1, capsys=capsys)[1]


def test_stats_of_many_files_have_a_row_each(sample, tmp_path, capsys):
    copies = [tmp_path / f"copy{i}.conllu" for i in range(6)]
    for copy in copies:
        copy.write_bytes(sample.read_bytes())
    out = call("stats", *copies, capsys=capsys)[1]
    assert [line.split()[0] for line in out.splitlines() if "copy" in line] == [
        copy.name for copy in copies
    ]
