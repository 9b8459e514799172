"""`headwise evaluate` as a person uses it."""

import json

import pytest
from conllu_rows import TWO_WORDS, row

from commandcalls import call


def test_evaluate(sample, other, capsys):
    code, out, _ = call("evaluate", sample, other, "--json", capsys=capsys)
    assert code == 0
    found = json.loads(out)
    assert {"uas", "las", "undirected", "ucm", "lcm", "root", "root_f1"} <= set(found)
    assert {"uas", "las", "undirected", "ucm", "lcm", "root", "root_f1"} <= set(
        found["without_punctuation"]
    )
    assert found["uas"] == pytest.approx(100 * (62 - 6) / 62)
    assert found["without_punctuation"]["uas"] == 100.0
    assert found["ucm"] == 0.0
    out = call("evaluate", sample, other, "--by", "relation", capsys=capsys)[1]
    assert "90.32" in out
    assert "punct" in out


def test_evaluate_chooses_what_is_punctuation(tmp_path, capsys):
    source, target = tmp_path / "a.mrg", tmp_path / "a.conllu"
    source.write_text("( (S (NP (NN Dog)) (VP (VBZ barks)) (. .)) )")
    call("convert", source, target, capsys=capsys)
    found = json.loads(call("evaluate", target, target, "--json", capsys=capsys)[1])
    assert found["punctuation"] == "penn"
    assert found["without_punctuation"]["words"] == 2
    out = call("evaluate", target, target, "--by", "tag", capsys=capsys)[1]
    assert "VBZ" in out
    assert call("evaluate", target, target, "--tags", "x", capsys=capsys)[0] == 2
    rules = ["--head-rules", "collins"]
    assert call("evaluate", source, target, *rules, capsys=capsys)[0] == 0


def test_evaluate_refuses_other_sentences(sample, tmp_path, capsys):
    path = tmp_path / "short.conllu"
    path.write_text(TWO_WORDS)
    code, _, err = call("evaluate", sample, path, capsys=capsys)
    assert code == 1
    assert "sample-1" in err


def test_evaluate_raw_takes_other_tokens(tmp_path, capsys):
    paths = []
    for name, tokens in (("gold", ["ab", "c"]), ("system", ["a", "b", "c"])):
        rows = [row(i, form, head=i - 1) for i, form in enumerate(tokens, 1)]
        paths.append(tmp_path / f"{name}.conllu")
        paths[-1].write_text("\n".join(rows) + "\n\n")
    code, out, _ = call("evaluate", "--raw", "--json", *paths, capsys=capsys)
    assert code == 0
    assert json.loads(out)["words"] == 40.0
    code, out, _ = call("evaluate", "--raw", *paths, capsys=capsys)
    assert code == 0
    assert "BLEX" in out
    assert call("evaluate", *paths, capsys=capsys)[0] == 1
    code, _, err = call("evaluate", "--raw", "--seed", 3, "--by", "tag", *paths, capsys=capsys)
    assert code == 2
    assert "cannot be combined with --by or --seed" in " ".join(err.split())


def test_raw_scores_tell_of_gold_words_that_lack_columns(tmp_path, capsys):
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(f"{row(1)}\n{row(2, head=1)}\n\n".replace("dep", "_"))
    system.write_text(f"{row(1)}\n{row(2, head=1)}\n\n")
    code, _, err = call("evaluate", gold, system, "--raw", capsys=capsys)
    assert (code, "note: 1 words of the gold data have no DEPREL" in err) == (0, True)
