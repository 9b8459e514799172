import pytest
from conllu_rows import TWO_WORDS, extra, row

from headwise.corpus.check import check_file
from headwise.corpus.formats import write_sentences
from headwise.corpus.sample import read_sample


def problems_of(text, tmp_path, **options):
    path = tmp_path / "f.conllu"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [(p.location.line, p.is_error, p.message) for p in check_file(path, **options)]


def test_the_sample_has_no_problems(tmp_path):
    path = tmp_path / "f.conllu"
    write_sentences(path, read_sample())
    assert list(check_file(path)) == []


def test_every_problem_is_found_not_only_the_first(tmp_path):
    text = f"{row(1)}\n{row(3, head=9)}\nx\n\n{TWO_WORDS}# late\n\n{row(1, '')}\n\n"
    assert problems_of(text, tmp_path) == [
        (2, True, "ID 3 where 2 was expected"),
        (2, True, "HEAD 9 is beyond the last word, 4"),
        (3, True, "1 column instead of 10; is this a treebank?"),
        (8, True, "comments without words"),
        (10, True, "FORM is empty; an empty column is written _"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{row(1, head=2)}\n{row(2, head=1)}\n\n", "words 1 → 2 → 1 form a cycle"),
        (f"{row(1)}\n{row(2)}\n\n", "several roots: words 1, 2"),
        (f"{row(1)}\n{row(2, head='_')}\n\n", "words without a head: 2"),
    ],
)
def test_heads_that_are_no_tree(text, message, tmp_path):
    assert (1, True, message) in problems_of(text, tmp_path)


def test_several_roots_can_be_allowed(tmp_path):
    assert problems_of(f"{row(1)}\n{row(2)}\n\n", tmp_path, several_roots=True) == []


def test_no_heads_at_all_are_no_problem(tmp_path):
    assert problems_of(f"{row(1, head='_').replace('dep', '_')}\n\n", tmp_path) == []


def test_bytes_that_are_not_utf8_do_not_hide_the_rest(tmp_path):
    data = b"# \xff\n" + TWO_WORDS.encode() + row(1, head=7).encode() + b"\n\n"
    assert problems_of(data, tmp_path) == [
        (1, True, "not UTF-8: byte 0xff"),
        (5, True, "HEAD 7 is beyond the last word, 1"),
    ]


def fields(*, upos="X", feats="_", head="0", relation="root", deps="_", form="w") -> str:
    return f"1\t{form}\t_\t{upos}\t_\t{feats}\t{head}\t{relation}\t{deps}\t_\n\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (fields(upos="NN"), "UPOS 'NN' is not a universal tag"),
        (fields(feats="Case"), "is not Name=Value"),
        (fields(feats="B=1|A=1"), "is not sorted"),
        (fields(feats="A=1|A=2"), "repeats a name"),
        (fields(deps="2:x"), "there is no node 2"),
        (fields(deps="x"), "is not head:relation"),
        (fields(relation="dep"), "the head is 0 but the relation is dep"),
        (fields(form=" w"), "starts or ends with white space"),
        (fields(form="a\x1b[1m"), r"FORM 'a\x1b[1m' holds a control character"),
        (fields(form="a\0"), r"FORM 'a\x00' holds a control character"),
        (fields(relation="root:a b"), "holds a space"),
        ("# text = v\n" + fields(), "word 1 is not found in # text at character 1"),
        ("# text = w w\n" + fields(), "# text goes on after the last word"),
        ("# text = wv\n" + TWO_WORDS, "SpaceAfter=No is missing"),
        (
            "# text = w v\n" + TWO_WORDS.replace("root\t_\t_", "root\t_\tSpaceAfter=No"),
            "# text has a space there",
        ),
        ("# sent_id = a\n" + fields() + "# sent_id = a\n" + fields(), "used on line 1 already"),
        (fields() + "\n", "more than one blank line"),
        ("", "there are no sentences"),
    ],
)
def test_warnings_do_not_count_as_errors(text, message, tmp_path):
    ((_, is_error, found),) = problems_of(text, tmp_path)
    assert message in found
    assert not is_error


def test_warnings_name_the_line_of_the_word(tmp_path):
    text = f"# a\n{extra('0.1')}\n{extra('1-2', 'x')}\n{row(1)}\n{extra('1.1')}\n" + row(
        2, head=1
    ).replace("X", "NN")
    assert problems_of(text + "\n\n", tmp_path) == [
        (6, False, "word 2: UPOS 'NN' is not a universal tag")
    ]


@pytest.mark.parametrize("format_name", ["conllx", "tokens", "jsonl", "brackets"])
@pytest.mark.parametrize("text", ["", "\n\n"])
def test_other_formats_are_checked_for_sentences(tmp_path, format_name, text):
    path = tmp_path / "f"
    path.write_text(text)
    (problem,) = [one for one in check_file(path, format_name) if "blank" not in one.message]
    assert (problem.message, problem.is_error) == ("there are no sentences", False)


def test_other_formats_are_checked_for_trees(tmp_path):
    path = tmp_path / "f.conllx"
    path.write_text(f"{row(1, head=1)}\n\n")
    assert "is its own head" in next(check_file(path)).message
    path = tmp_path / "f.mrg"
    path.write_text("( (S (NN a)\n")
    (problem,) = list(check_file(path))
    assert problem.location.line is not None


@pytest.mark.shared
def test_shared_treebanks_have_no_errors(treebank_file):
    assert not [problem for problem in check_file(treebank_file) if problem.is_error]


def test_thousands_of_broken_brackets_are_listed_one_by_one(tmp_path):
    path = tmp_path / "f.mrg"
    path.write_text("(S (NP x)))\n" * 5000)
    found = list(check_file(path))
    assert [problem.location.line for problem in found] == list(range(1, 5001))
    assert {problem.message for problem in found} == {"closing bracket without an opening one"}


LONG = "x" * 10_000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.conllu", f"# sent_id = {LONG}\n1\ta\n\n"),
        ("a.conllu", f"{LONG}\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"),
        ("a.conllu", f"1\ta\t_\tX\t_\t_\t{LONG}\troot\t_\t_\n\n"),
        ("a.conllu", f"1\t{LONG} \t {LONG}\t{LONG}\ta {LONG}\t{LONG}\t0\t{LONG}\t{LONG}\t_\n\n"),
        ("a.conllu", f"1\ta\t_\tX\t_\tA=1|A={LONG}\t0\troot\t{'9' * 9000}:x\t_\n\n"),
        ("a.conllu", "".join(f"{row(i + 1)}\n" for i in range(2000)) + "\n"),
        ("a.conllu", "".join(f"{row(i + 1, head=(i + 1) % 999 + 1)}\n" for i in range(999)) + "\n"),
        (
            "a.conllu",
            f"{row(1)}\n" + "".join(f"{row(i, head='_')}\n" for i in range(2, 999)) + "\n",
        ),
        ("a.conllx", f"1-2{LONG}\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"),
        ("a.jsonl", f'{{"words": [{{"id": "{LONG}", "form": "a"}}]}}\n'),
        ("a.jsonl", f'{{"id": "{LONG}", "words": [{{"form": "a", "head": "{LONG}"}}]}}\n'),
        ("a.mrg", f"(S {LONG} {LONG} {LONG})\n"),
        ("a.mrg", f"(S {LONG} (A b))\n"),
        ("a.mrg", f"(S ({LONG}))\n{LONG}\n"),
    ],
)
def test_messages_are_short_however_long_the_data_is(name, text, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    found = list(check_file(path))
    assert found
    assert max(len(f"{problem}") for problem in found) < 250 + len(str(path))


def test_a_file_of_nothing_but_problems_is_not_checked_to_its_end(tmp_path):
    text = "x\ty\n\n" * 4
    assert len(problems_of(text, tmp_path)) == 8
    assert problems_of(text, tmp_path, max_problems=8) == problems_of(text, tmp_path)
    *first, last = problems_of(text, tmp_path, max_problems=3)
    assert first == problems_of(text, tmp_path)[:3]
    message = "more than 3 problems: nothing is checked from here on (raise --max-problems)"
    assert last == (3, True, message)


def test_some_relations_are_missing(tmp_path):
    lacking = f"{row(1, head=2)}\n{row(2, head=0)}".replace("dep", "_", 1)
    missing = (1, False, "word 1: DEPREL is missing")
    assert missing in problems_of(f"{lacking}\n\n", tmp_path)
    assert problems_of(f"{row(1).replace('dep', '_')}\n\n", tmp_path) == []
