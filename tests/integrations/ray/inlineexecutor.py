"""Work of a job done in this process, with workers that are lost on purpose."""

from collections.abc import Callable, Hashable, Sequence

from headwise.integrations.ray.driver import WorkerLostError
from headwise.integrations.ray.work import Result, Work, outcome
from toypipelines import toy_pipeline, toy_trees


def running_text(count: int, seed: int = 0) -> str:
    """Paragraphs of one sentence each, which cannot be compressed to nothing."""
    return "".join(f"{sentence.text}\n\n" for sentence in toy_trees(count, seed))


class InlineExecutor:
    """Does work when its result is asked for; `is_lost` says whose worker is lost."""

    def __init__(self, is_lost: Callable[[Work, int], bool] = lambda work, number: False) -> None:
        self.is_lost = is_lost
        self.works: list[Work] = []

    def capacity(self) -> int:
        return 3

    def submit(self, work: Work) -> Hashable:
        self.works.append(work)
        return len(self.works) - 1

    def finished(self, running: Sequence[Hashable]) -> Hashable:
        return running[-1]  # not in the order in which it was handed out

    def result(self, handle: Hashable) -> Result:
        work = self.works[handle]
        if self.is_lost(work, handle):
            raise WorkerLostError
        return outcome(work, toy_pipeline())
