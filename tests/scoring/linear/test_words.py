import pytest

from headwise.errors import UsageError
from headwise.scoring.linear.words import WordRules


def test_words_are_forms_unless_said_otherwise():
    assert WordRules().word("House") == "House"
    assert WordRules(lowercase=True).word("House") == "house"


@pytest.mark.parametrize("form", ["7", "1,234.5", "-3", "1999", "10 000", "3rd", "50%", "10:30"])
def test_numbers_become_one_token(form):
    assert WordRules(numbers="one").word(form) == "NUMBER"
    assert WordRules().word(form) == form


@pytest.mark.parametrize("form", ["B2B", "x", "two", "1st-class", "-", "%"])
def test_what_is_no_number_stays(form):
    assert WordRules(numbers="one").word(form) == form


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ("三月", "MONTH"),
        ("12月份", "MONTH"),
        ("二十五日", "DATE"),
        ("一九九八年", "YEAR"),
        ("１９９８年", "YEAR"),
        ("三百万", "NUMBER"),
        ("第五", "NUMBER"),
        ("12.5％", "NUMBER"),
        ("今年", "今年"),
        ("月", "月"),
    ],
)
def test_chinese_numbers(form, word):
    assert WordRules(numbers="chinese").word(form) == word


def test_prefixes():
    rules = WordRules()
    assert rules.prefix("houses") == "house"
    assert rules.prefix("house") is None
    assert rules.prefix_or_word("house") == "house"
    assert WordRules(length=1).prefix("我们") == "我"
    assert WordRules(backoff="none").prefix("houses") is None
    assert WordRules(backoff="lemma").prefix("houses") is None


@pytest.mark.parametrize(
    "rules", [WordRules(numbers="some"), WordRules(backoff="stem"), WordRules(length=0)]
)
def test_rules_without_meaning_are_refused(rules):
    with pytest.raises(UsageError, match=r"numbers|backoff|length"):
        rules.check()


@pytest.mark.parametrize(
    ("coarse", "fine", "expected"),
    [
        ("penn", "NNPS", "NN"),
        ("penn", "PRP$", "PRP$"),
        ("penn", "PRP", "PR"),
        ("penn", ",", ","),
        ("penn", "_", "_"),
        ("chinese", "NR", "N"),
        ("chinese", "PU", "PU"),
        ("chinese", "CD", "CD"),
        ("chinese", "_", "_"),
    ],
)
def test_coarse_tags_are_those_of_paper_002(coarse, fine, expected):
    assert WordRules(coarse=coarse).coarse_tag(fine) == expected


@pytest.mark.parametrize(
    "form", ["7", "1,234.5", "-3", "10 000", "3rd", "50%", ".5", "-.75", "+.5%"]
)
def test_any_number_is_one_token(form):
    assert WordRules(numbers="any").word(form) == "NUMBER"
    assert WordRules(numbers="any-chinese").word(form) == "NUMBER"


@pytest.mark.parametrize("form", ["1990s", "'90s", "’90s", "1990's", "80s"])
def test_decades_are_numbers(form):
    assert WordRules(numbers="any").word(form) == "NUMBER"
    assert WordRules(numbers="one").word(form) == form  # models of before know no other


@pytest.mark.parametrize("form", [".", "'s", "B2B", "s", "1st-class", ".com", "7s-"])
def test_what_is_no_number_stays_under_any(form):
    assert WordRules(numbers="any").word(form) == form


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ("30多", "NUMBER"),
        ("三十几", "NUMBER"),
        ("数十", "NUMBER"),
        (".5", "NUMBER"),
        ("一九九八年", "YEAR"),
        ("三月", "MONTH"),
        ("多", "多"),
        ("几", "几"),
    ],
)
def test_chinese_numbers_of_any_kind(form, word):
    assert WordRules(numbers="any-chinese").word(form) == word


def test_chinese_numbers_of_before_stay_as_they_were():
    assert WordRules(numbers="chinese").word("30多") == "30多"


def test_a_back_off_of_two_characters():
    rules = WordRules(length=2)
    assert [rules.prefix(word) for word in ("中", "中国", "中国人")] == [None, None, "中国"]
