"""`headwise convert` as a person uses it."""

import gzip
import json

import pytest
from conllu_rows import TWO_WORDS

from commandcalls import call, process
from headwise.corpus.conllu import read_conllu
from headwise.corpus.sample import read_sample


def test_convert_between_formats(sample, tmp_path, capsys):
    packed, text, back = tmp_path / "a.conllu.gz", tmp_path / "a.txt", tmp_path / "b.conllu"
    assert call("convert", sample, packed, capsys=capsys)[0] == 0
    assert gzip.decompress(packed.read_bytes()) == sample.read_bytes()
    assert call("convert", packed, text, capsys=capsys)[0] == 0
    assert text.read_text().splitlines()[4] == "我们 用 树 理解 句子 。"
    assert call("convert", text, back, capsys=capsys)[0] == 0
    assert [s.forms for s in read_conllu(back)] == [s.forms for s in read_sample()]
    code, _, err = call("convert", sample, tmp_path / "a.conllx", capsys=capsys)
    assert code == 0
    assert "headwise: warning: CoNLL-X has no multiword rows" in err


def test_convert_brackets(tmp_path, capsys):
    source, target = tmp_path / "a.mrg", tmp_path / "a.conllu"
    source.write_text("( (S (NP-SBJ (DT The) (NN dog)) (VP (MD can) (VP (VB bark))) (. .)) )")
    last = tmp_path / "last.txt"
    last.write_text("@default right\nS right\n")
    first = tmp_path / "first.txt"
    first.write_text("@default left\nS left\n")
    expected = {
        "yamada-matsumoto": (2, 3, 0, 3, 3),
        "collins": (2, 3, 0, 3, 3),
        last: (2, 5, 4, 5, 0),
        first: (0, 1, 1, 3, 1),
    }
    for rules, heads in expected.items():
        assert call("convert", source, target, "--head-rules", rules, capsys=capsys)[0] == 0
        (sentence,) = read_conllu(target)
        assert sentence.forms == ("The", "dog", "can", "bark", ".")
        assert sentence.heads == heads, rules
    assert call("convert", source, target, "--head-rules", "nothing", capsys=capsys)[0] == 2


def test_convert_chinese_brackets(tmp_path, capsys):
    source, target = tmp_path / "a.mrg", tmp_path / "a.conllu"
    source.write_text("( (IP (NP (NN 狗)) (VP (ADVP (AD 大声)) (VP (VV 叫))) (PU 。)) )")
    assert call("convert", source, target, "--head-rules", "chinese", capsys=capsys)[0] == 0
    (sentence,) = read_conllu(target)
    assert sentence.heads == (3, 3, 0, 3)


def test_nothing_half_written(tmp_path, capsys):
    source, target = tmp_path / "a.conllu", tmp_path / "b.conllu"
    source.write_text(TWO_WORDS * 20_000 + "broken\n\n")
    target.write_text("old")
    assert call("convert", source, target, capsys=capsys)[0] == 1
    assert target.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [source, target]


def test_standard_input_and_output(sample):
    result = process("convert", "-", "-", input=sample.read_bytes())
    assert result.returncode == 0
    assert result.stdout == sample.read_bytes()


def test_a_full_disk_is_said_and_leaves_nothing(sample):
    result = process("convert", sample, "/dev/full", "--to", "conllu")
    assert result.returncode == 2
    assert b"cannot write /dev/full: No space left on device" in result.stderr


@pytest.mark.shared
def test_commands_on_shared_treebanks(treebanks, tmp_path, capsys):
    dev = treebanks / "ptb-sample/ptb-sample-dev.mrg.gz"
    target = tmp_path / "dev.conllu"
    assert call("convert", dev, target, capsys=capsys)[0] == 0
    assert call("check", target, dev, capsys=capsys)[0] == 0
    assert (
        json.loads(call("stats", target, "--json", capsys=capsys)[1])[str(target)]["words"] == 6327
    )
    rules = ["--head-rules", "collins", "--json"]
    found = json.loads(call("evaluate", target, dev, *rules, capsys=capsys)[1])
    assert 80 < found["without_punctuation"]["uas"] < 100  # other rules, other heads
