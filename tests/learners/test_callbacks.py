"""Several callbacks are told the same, in order."""

from headwise.learners.callbacks import CallbackList, Plan, Report

PLAN = Plan(1, 2, 0, 3, (), 4)
REPORT = Report(1, 1, 2, 0.5, True)


class Noting:
    def __init__(self, notes: list, name: str) -> None:
        self.notes, self.name = notes, name

    def stage(self, name, done, total) -> None:
        self.notes.append((self.name, (name, done, total)))

    def begin(self, plan) -> None:
        self.notes.append((self.name, plan))

    def progress(self, report) -> None:
        self.notes.append((self.name, report))

    def epoch(self, record) -> None:
        self.notes.append((self.name, record))


def test_all_are_told():
    notes: list = []
    several = CallbackList([Noting(notes, "a"), Noting(notes, "b")])
    several.stage("labels", 1, 2)
    several.begin(PLAN)
    several.progress(REPORT)
    several.epoch({"epoch": 1})
    told = [("labels", 1, 2), PLAN, REPORT, {"epoch": 1}]
    assert notes == [(name, one) for one in told for name in "ab"]
