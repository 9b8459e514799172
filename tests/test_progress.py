"""Progress that nobody is told of, and what may stand in its place."""

import inspect

from headwise.cli.trainingprogress import TrainingLines
from headwise.progress import Progress, silent


def test_silence_says_nothing(capsys):
    assert silent("tagger", 1, 2) is None
    assert capsys.readouterr() == ("", "")


def test_what_stands_in_its_place_is_called_the_same_way():
    asked = inspect.signature(Progress.__call__)
    for one in (inspect.signature(silent), inspect.signature(TrainingLines.stage)):
        names = [name for name in one.parameters if name != "self"]
        assert len(names) == len(asked.parameters) - 1
