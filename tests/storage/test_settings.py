"""Settings are read strictly, and come back from JSON as they were."""

import json
from dataclasses import dataclass, field, fields
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.errors import FormatError, HeadwiseError, SourceLocation, UsageError
from headwise.learners.settings import TrainingSettings
from headwise.parsers.boosting.settings import BoostingSettings
from headwise.parsers.lexical.settings import LexicalSettings
from headwise.parsers.linkmargin.settings import LinkMarginSettings
from headwise.reranking.learners import RerankerSettings
from headwise.scoring.linear import WordRules
from headwise.scoring.linear.pruner import PrunerSettings
from headwise.storage.settings import from_mapping, read_settings, to_mapping
from headwise.text.similarity.words import WordSimilarity


@dataclass(frozen=True, slots=True)
class Stage:
    name: str
    share: float = 0.5


@dataclass(frozen=True, slots=True)
class Training:
    epochs: int = 10
    learner: Literal["perceptron", "mira"] = "mira"
    rate: float = 0.1
    shuffle: bool = True
    longest: int | None = None
    size: Literal["small"] | int = "small"
    features: tuple[str, ...] = ()
    pair: tuple[int, str] = (1, "a")
    weights: dict[str, float] = field(default_factory=dict)
    words: WordRules = field(default_factory=WordRules)
    stages: tuple[Stage, ...] = ()


@pytest.fixture
def read(tmp_path):
    def read_text(text: str) -> Training:
        path = tmp_path / "file.toml"
        path.write_text(text, "utf-8")
        return read_settings(path, Training)

    return read_text


def test_every_type_is_read(read):
    text = """
    epochs = 3
    learner = "perceptron"
    rate = 1
    shuffle = false
    longest = 100
    size = 7
    features = ["h.word", "m.word"]
    pair = [2, "b"]
    weights = { wide = 1.5 }
    words.numbers = "one"
    [[stages]]
    name = "tagger"
    [[stages]]
    name = "parser"
    share = 0.25
    """
    found = read(text)
    assert found == Training(
        3,
        "perceptron",
        1.0,
        False,
        100,
        7,
        ("h.word", "m.word"),
        (2, "b"),
        {"wide": 1.5},
        WordRules(numbers="one"),
        (Stage("tagger"), Stage("parser", 0.25)),
    )
    assert type(found.rate) is float


def test_what_is_not_mentioned_keeps_its_default(read):
    assert read("") == Training()
    assert read("\ufeff# with a byte order mark\n") == Training()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("epochs = 3\nepocs = 4", 2, "epocs: unknown key; did you mean 'epochs'?"),
        ("lowercase = true", 1, "lowercase: unknown key; did you mean 'words.lowercase'?"),
        ("zzz = 1", 1, r"unknown key \(known here: epochs, learner"),
        ("[words]\nlowercase = true\nnumber = 'one'", 3, "words.number: .*'numbers'"),
        ("[wards]\nlowercase = true", 1, "wards: .*'words'"),
        ("epochs = 'ten'", 1, "epochs: expected an integer, not 'ten' \\(a string\\)"),
        ("epochs = 1.0", 1, "expected an integer, not 1.0 \\(a number\\)"),
        ("epochs = true", 1, "expected an integer, not True \\(true or false\\)"),
        ("shuffle = 1", 1, "expected true or false, not 1 "),
        ("rate = '0.1'", 1, "expected a number"),
        ("rate = nan", 1, "rate: expected a finite number, not nan"),
        ("rate = -inf", 1, "rate: expected a finite number, not -inf"),
        ("rate = 1e999", 1, "rate: expected a finite number, not inf"),
        (f"rate = 1{'0' * 90}", 1, "rate: expected a number below 2⁶³ in size"),
        (f"epochs = {2**63}", 1, "epochs: expected a number below 2⁶³ in size"),
        (f"epochs = -{2**63}", 1, "epochs: expected a number below 2⁶³ in size"),
        ("learner = 'svm'", 1, "expected one of 'perceptron', 'mira', not 'svm'"),
        ("longest = 'none'", 1, "expected an integer, not 'none'"),
        ("size = 1.5", 1, "expected one of 'small' or an integer"),
        ("features = 'h.word'", 1, "expected a list, not 'h.word' \\(a string\\)"),
        ("features = [\n'h.word',\n3]", 1, "features.1: expected a string, not 3"),
        ("pair = [1]", 1, "pair: expected a list of 2, not of 1"),
        ("weights = 3", 1, "weights: expected a table"),
        ("weights.wide = 'x'", 1, "weights.wide: expected a number"),
        ("words = 3", 1, "words: expected a table, not 3"),
        ("epochs = 1979-05-27", 1, "not datetime.date.* \\(a date\\)"),
        ("[[stages]]\nname = 'a'\n[[stages]]\nshare = 1", 3, "'name' is missing: write name = "),
        ("[words]\nlength = 0", 1, "words: length must be at least 1"),
        ("epochs = 1\nepochs = 2", 2, "is not valid TOML: "),
        ("\nepochs =", 2, "is not valid TOML: "),
    ],
)  # fmt: skip
def test_mistakes_are_named_with_their_line(read, text, line, message):
    with pytest.raises(FormatError, match=message) as caught:
        read(text)
    assert caught.value.location.path.endswith("file.toml")
    if line is not None:
        assert caught.value.location.line == line


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="there is no file"):
        read_settings(tmp_path / "nothing.toml", Training)
    (tmp_path / "latin.toml").write_bytes(b"epochs = 1\n# caf\xe9")
    with pytest.raises(FormatError, match="latin.toml:2: is not UTF-8"):
        read_settings(tmp_path / "latin.toml", Training)


def test_what_the_file_and_the_call_say_together_names_the_file(tmp_path):
    path = tmp_path / "file.toml"
    path.write_text("epochs = 0\n")
    for changes in ({}, {"seed": 3}):
        with pytest.raises((FormatError, UsageError), match=r"file\.toml.*epochs must be"):
            read_settings(path, TrainingSettings, changes=changes)
    with pytest.raises(UsageError, match="^seed: expected an integer"):
        read_settings(path, TrainingSettings, changes={"seed": "x"})


def test_the_place_of_a_mapping_is_told():
    with pytest.raises(FormatError, match="model/config.json: epochs: expected an integer"):
        from_mapping(Training, {"epochs": None}, SourceLocation("model/config.json"))
    with pytest.raises(FormatError, match="expected a table"):
        from_mapping(Training, [])


INTS = st.integers(-(2**63) + 1, 2**63 - 1)
SETTINGS = st.builds(
    Training,
    rate=st.floats(allow_nan=False, allow_infinity=False),
    longest=st.none() | INTS,
    size=st.just("small") | INTS,
    features=st.lists(st.text()).map(tuple),
    weights=st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False)),
    words=st.builds(WordRules, length=st.integers(1, 2**63 - 1)),
    stages=st.lists(st.builds(Stage, share=st.just(0.5))).map(tuple),
)


@given(SETTINGS)
def test_settings_come_back_from_json(settings):
    text = json.dumps(to_mapping(settings))
    assert from_mapping(Training, json.loads(text)) == settings


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60))
def test_any_text_is_read_or_refused(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("any") / "any.toml"
    path.write_text(text, "utf-8")
    try:
        assert read_settings(path, Training) == Training()
    except HeadwiseError:
        return


def test_stored_settings_may_have_former_names():
    stored = to_mapping(TrainingSettings(drop_up_to=3, pruner=PrunerSettings(max_heads=7)))
    stored["thin"] = stored.pop("drop_up_to")
    stored["pruner"]["most"] = stored["pruner"].pop("max_heads")
    stored["labeller"]["thin"] = stored["labeller"].pop("drop_up_to")
    found = from_mapping(TrainingSettings, stored)
    assert (found.drop_up_to, found.pruner.max_heads, found.labeller.drop_up_to) == (3, 7, 0)
    reranker = to_mapping(RerankerSettings(learner="large-margin", c=0.5))
    reranker["most"] = reranker.pop("c")
    assert from_mapping(RerankerSettings, reranker).c == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [("thin = 2", "thin: is called drop_up_to now"),
     ("[pruner]\nmost = 4", "pruner.most: is called max_heads now")],
)  # fmt: skip
def test_former_names_in_files_are_refused_with_the_new_ones(tmp_path, text, message):
    path = tmp_path / "train.toml"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        read_settings(path, TrainingSettings)


SETTINGS_CLASSES = {
    TrainingSettings: ("epochs", "k", "drop_up_to"),
    LexicalSettings: ("counts", "neighbours"),
    LinkMarginSettings: ("ties", "neighbours", "epochs"),
    BoostingSettings: ("counts", "rounds", "steps"),
    WordSimilarity: ("vocabulary", "neighbours"),
}
HUGE = [(cls, name) for cls, names in SETTINGS_CLASSES.items() for name in names]


@pytest.mark.parametrize(("cls", "name"), HUGE)
def test_numbers_that_no_machine_could_serve_are_refused(cls, name, tmp_path):
    path = tmp_path / "train.toml"
    for value in (2**62, 2**63, 10**90, -1):
        path.write_text(f"# settings\n{name} = {value}\n")
        with pytest.raises(FormatError, match=rf"train.toml.*{name}.*(must be|below 2⁶³)"):
            read_settings(path, cls)


@pytest.mark.parametrize("cls", SETTINGS_CLASSES)
@pytest.mark.parametrize("value", ["inf", "nan", "-1e999"])
def test_every_number_of_every_class_is_finite(cls, value, tmp_path):
    path = tmp_path / "train.toml"
    for one in fields(cls):
        if one.type in (float, float | None):
            path.write_text(f"{one.name} = {value}")
            with pytest.raises(FormatError, match=f"train.toml:1: {one.name}: expected a finite"):
                read_settings(path, cls)


def test_only_a_bound_may_be_infinite(tmp_path):
    path = tmp_path / "train.toml"
    for text in ("c = inf", 'c = "inf"'):
        path.write_text(text)
        found = read_settings(path, TrainingSettings)
        assert found.c == found.complete()["c"] == "inf"
    assert json.loads(json.dumps(to_mapping(found)))["c"] == "inf"
    path.write_text("c = -inf")
    with pytest.raises(FormatError, match="c: expected a number or one of 'inf', not -inf"):
        read_settings(path, TrainingSettings)
    given = TrainingSettings(c=float("inf"))
    given.check()
    assert float(given.c) == float("inf")
