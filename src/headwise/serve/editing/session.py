"""A session on one file: acts, undo and redo, and who has seen which version.

    prepare an act → propose for what it changed (elsewhere) → commit: saved, or nothing happened

A commit is on the disk when it is shown as saved: in the file, or in the journal of a large one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseError, UsageError
from headwise.review.ranking import Ranking, Suspicion
from headwise.serve.editing.acceptance import Judgement, judge
from headwise.serve.editing.acts import uncheck
from headwise.serve.editing.marks import marks_of
from headwise.serve.editing.proposing import Clash, Proposal, Task
from headwise.serve.editing.treebankfile import TreebankFile

Answer = Proposal | Clash
Way = Literal["undo", "redo"]

MOST_ANSWERS = 200
"""Sentences whose proposals are kept; those of others are made again when they are looked at."""


class StaleError(HeadwiseError):
    """Another window has changed the sentence or the file since it was shown."""


class ClashError(HeadwiseError):
    """No tree satisfies all that would be fixed: nothing was changed."""

    def __init__(self, clash: Clash) -> None:
        """Keep what clashes."""
        super().__init__(clash.message)
        self.clash = clash


@dataclass(frozen=True, slots=True)
class Change:
    """Sentences in the place of others; `own` are the bytes of those that stood there."""

    place: int
    old: tuple[tuple[int, Sentence], ...]
    new: tuple[tuple[int, Sentence], ...]
    own: tuple[bytes, ...]


class Session:
    """One file that is being corrected. Sentences have keys that stay when others are split."""

    def __init__(self, path: str | Path, kind: str = "all", ranking: Ranking | None = None) -> None:
        """Open a file; `kind` says what is proposed (`proposing.KINDS`)."""
        self.file = TreebankFile.read(path)
        self.kind = kind
        self.ranking = ranking
        self.revision = 0
        self._forget()

    def _forget(self) -> None:
        count = len(self.file.sentences)
        self.next_key = count
        self.keys = list(range(count))
        self.versions = dict.fromkeys(self.keys, self.revision)
        self.done: dict[Way, list[Change]] = {"undo": [], "redo": []}
        self.answers: dict[int, Answer] = {}
        self.first: dict[int, tuple[Sentence, Sentence]] = {}
        self.judgements: dict[int, list[Judgement]] = {}
        self.certainties: dict[int, float] = {}
        self.suspicions = {} if self.ranking is None else self.ranking.by_place(self.file.sentences)
        self.checked = {
            key
            for key, one in zip(self.keys, self.file.sentences, strict=True)
            if marks_of(one).checked
        }

    def load_again(self) -> None:
        """Take the file as it is now; what was done before cannot be undone any more."""
        self.file.read_again()
        self.revision += 1
        self._forget()

    def close(self) -> None:
        """Write all into the file, and let others correct it."""
        self.file.close()

    def propose_kind(self, kind: str) -> None:
        """Choose what is proposed."""
        self.kind = kind
        self.answers.clear()
        self.first.clear()

    # ------------------------------------------------------------------ looking

    def place_of(self, key: int) -> int:
        """Where a sentence stands in the file."""
        try:
            return self.keys.index(key)
        except ValueError:
            raise StaleError("this sentence is not there any more: load the file again") from None

    def sentence(self, key: int) -> Sentence:
        """A sentence as it stands in the file."""
        return self.file.sentences[self.place_of(key)]

    def task(self, key: int) -> Task | None:
        """What is to be proposed for a sentence, if it was not yet."""
        return None if key in self.answers else Task(self.sentence(key), self.kind)

    def note_answer(self, key: int, answer: Answer) -> None:
        """Keep what was proposed for a sentence as it stands."""
        self.answers.pop(key, None)
        self.answers[key] = answer
        if len(self.answers) > MOST_ANSWERS:
            del self.answers[next(iter(self.answers))]
        if isinstance(answer, Proposal) and key not in self.first:
            self.first[key] = self.sentence(key), answer.sentence

    def shown(self, key: int) -> Sentence:
        """A sentence as it is shown: what is open is proposed."""
        answer = self.answers.get(key)
        return answer.sentence if isinstance(answer, Proposal) else self.sentence(key)

    def suspicious(self, key: int) -> list[Suspicion]:
        """The values of a sentence that are probably wrong, least likely first."""
        sentence = self.sentence(key)  # what was corrected is not suspicious any more
        return [one for one in self.suspicions.get(key, []) if one.fits(sentence)]

    # ------------------------------------------------------------------ changing

    def check_version(self, key: int, version: int) -> None:
        """Raise if a sentence was changed since somebody saw it."""
        self.place_of(key)
        if self.versions[key] != version:
            raise StaleError("another window has changed this sentence: here it is as it is now")

    def check_revision(self, revision: int) -> None:
        """Raise if the file was changed since somebody saw it."""
        if self.revision != revision:
            raise StaleError("another window has changed the file: here it is as it is now")

    def prepare(self, key: int, count: int, new: Sequence[Sentence]) -> Change:
        """A change of `count` sentences from one on; nothing is done yet."""
        place = self.place_of(key)
        keys = self.keys[place : place + count]
        if len(keys) < count:
            raise UsageError("this is the last sentence: there is no next one")
        fresh = range(self.next_key, self.next_key + max(len(new) - count, 0))
        old = tuple(zip(keys, self.file.sentences[place : place + count], strict=True))
        named = zip([*keys, *fresh], new, strict=False)
        own = tuple(self.file.pieces[place : place + count])
        return Change(place, old, tuple((one, self._finished(new)) for one, new in named), own)

    def _finished(self, sentence: Sentence) -> Sentence:
        """The sentence; if words have no head, it is not checked, unless trees are left alone."""
        is_whole = sentence.has_tree or self.kind in ("tags", "none")
        return sentence if is_whole else uncheck(sentence)

    def tasks(self, change: Change) -> list[Task]:
        """What is to be proposed for what a change makes."""
        return [Task(sentence, self.kind) for _, sentence in change.new]

    def check_answers(self, change: Change, answers: Sequence[Answer]) -> None:
        """Raise if a change makes clash what did not clash before."""
        before = [self.answers.get(key) for key, _ in change.old]
        if not any(isinstance(one, Clash) for one in before):
            for one in answers:
                if isinstance(one, Clash):
                    raise ClashError(one)

    def commit(self, change: Change, answers: Sequence[Answer]) -> None:
        """Save a change whose proposals were made; if that fails nothing has happened."""
        self.check_answers(change, answers)
        self._put(change, answers, None)
        self.done["undo"].append(change)
        self.done["redo"].clear()

    def _put(self, change: Change, answers: Sequence[Answer], own: Sequence[bytes] | None) -> None:
        count = len(change.old)
        self.file.replace(change.place, count, [one for _, one in change.new], own)
        self.revision += 1
        for key, _ in change.old:
            self.answers.pop(key, None)
        keys = [key for key, _ in change.new]
        self.keys[change.place : change.place + count] = keys
        self.next_key = max(self.next_key, *(key + 1 for key in keys))
        for (key, sentence), answer in zip(change.new, answers, strict=True):
            self.versions[key] = self.revision
            self.note_answer(key, answer)
            self._note_checked(key, sentence)
        for key in {key for key, _ in change.old} - set(keys):
            self.checked.discard(key)
            self.judgements.pop(key, None)
            self.certainties.pop(key, None)

    def _note_checked(self, key: int, sentence: Sentence) -> None:
        if not marks_of(sentence).checked:
            self.checked.discard(key)
            self.judgements.pop(key, None)
        elif key not in self.checked:
            self.checked.add(key)
            if key in self.first:
                self.judgements[key] = judge(*self.first[key], sentence)

    def reversal(self, way: Way) -> Change:
        """What undoing the last change would do, or redoing what was undone last."""
        if not self.done[way]:
            raise UsageError(f"there is nothing to {way}")
        change = self.done[way][-1]
        own = self.file.pieces[change.place : change.place + len(change.new)]
        return Change(change.place, change.new, change.old, tuple(own))

    def reverse(self, way: Way, change: Change, answers: Sequence[Answer]) -> None:
        """Undo or redo: the bytes are those that were there before."""
        self._put(change, answers, self.done[way][-1].own)
        self.done[way].pop()
        self.done["redo" if way == "undo" else "undo"].append(change)

    # ------------------------------------------------------------------ order

    def unmeasured(self) -> Iterator[int]:
        """Sentences whose certainty is not known yet, in the order of the file."""
        return (key for key in self.keys if key not in self.certainties)

    def ids(self) -> set[str]:
        """The ids of all sentences."""
        return {one.id for one in self.file.sentences if one.id is not None}
