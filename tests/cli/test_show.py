"""`headwise show` as a person uses it."""

from xml.etree import ElementTree

from conllu_rows import TWO_WORDS

from commandcalls import call
from headwise.corpus.formats import write_sentences
from headwise.corpus.sentence import Sentence


def test_show_in_the_terminal(sample, other, capsys):
    assert "searches" in call("show", "-n", 1, capsys=capsys)[1]
    out = call("show", sample, "--sentence", "sample-4", "--width", 60, capsys=capsys)[1]
    assert "gelesen" in out
    assert "Headwise" not in out
    assert max(map(len, out.splitlines())) <= 60
    assert "gelesen" in call("show", sample, "--sentence", 4, capsys=capsys)[1]
    code, _, err = call("show", sample, "--sentence", 99, capsys=capsys)
    assert (code, "give a number from 1 to 6" in err) == (2, True)
    out = call("show", sample, "--diff", other, "-n", 1, capsys=capsys)[1]
    assert "sample-1" in out
    code, out, _ = call("show", sample, "--diff", sample, "--only-different", capsys=capsys)
    assert (code, out) == (0, "no trees differ\n")
    out = call("show", sample, "--diff", other, "--only-different", capsys=capsys)[1]
    assert "sample-1" in out


def test_show_as_svg(sample, other, tmp_path, capsys):
    for options in ([], ["-n", 1], ["--diff", other]):
        path = tmp_path / "tree.svg"
        assert call("show", sample, *options, "--svg", path, capsys=capsys)[0] == 0
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
        path.unlink()


def test_pictures_are_svg(sample, tmp_path, capsys):
    code, _, err = call("show", sample, "--svg", tmp_path / "t.PNG", capsys=capsys)
    assert (code, "choose a name that ends in .svg" in err) == (2, True)
    assert not (tmp_path / "t.PNG").exists()


def test_show_refuses_files_that_do_not_match(sample, tmp_path, capsys):
    path = tmp_path / "short.conllu"
    path.write_text("")
    assert call("show", sample, "--diff", path, capsys=capsys)[0] == 1


def test_numbers_of_sentences_come_before_names(tmp_path, capsys):
    path, names = tmp_path / "named.conllu", ["3", "b", "c", "77"]
    write_sentences(
        path,
        [
            Sentence.from_words([f"word{n}"], heads=[0], comments=[f"# sent_id = {name}"])
            for n, name in enumerate(names, 1)
        ],
    )
    for wanted, word in (("3", "word3"), ("b", "word2"), ("77", "word4"), ("1", "word1")):
        assert word in call("show", path, "--sentence", wanted, capsys=capsys)[1]
    assert call("show", path, "--sentence", "78", capsys=capsys)[0] == 2


def test_show_counts_the_sentences_of_the_file(tmp_path, capsys):
    """Also where only some of them are drawn."""
    gold, changed = tmp_path / "gold.conllu", tmp_path / "changed.conllu"
    gold.write_text(TWO_WORDS * 2)
    changed.write_text(TWO_WORDS + TWO_WORDS.replace("\tdep\t", "\tobj\t"))
    differing = ["show", gold, "--diff", changed, "--only-different", "--sentence"]
    code, out, _ = call(*differing, 2, capsys=capsys)
    assert (code, "obj" in out) == (0, True)
    assert call(*differing, 1, capsys=capsys)[:2] == (0, "the trees of 1 do not differ\n")


def test_show_says_where_a_sentence_without_a_name_is(tmp_path, capsys):
    path = tmp_path / "a.conllu"
    path.write_text(TWO_WORDS * 2)
    out = call("show", path, "--sentence", 2, capsys=capsys)[1]
    assert out.replace("\n", "").startswith(f"{path}:4")  # a long path is wrapped
