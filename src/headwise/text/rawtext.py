"""The running text of a treebank, and where its tokens and sentences end in it."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.kernels.text.char_classify import SENTENCE_END, TOKEN_END

PARAGRAPH = "\n\n"


@dataclass(frozen=True, slots=True, eq=False)
class RunningText:
    """A text, and for every character whether it ends a token or a sentence."""

    text: str
    classes: NDArray[np.uint8]


def running_text(sentences: Iterable[Sentence]) -> RunningText:
    """The text of sentences as their documents had it: paragraphs end with a blank line."""
    pieces: list[str] = []
    ends: list[int] = []
    sentence_ends: list[int] = []
    size = 0
    for sentence in sentences:
        begins = any(line.startswith(("# newpar", "# newdoc")) for line in sentence.comments)
        if pieces and begins:
            size += len(PARAGRAPH) - len(pieces[-1]) if pieces[-1] in ("", " ") else 0
            pieces[-1] = PARAGRAPH
        for token in sentence.tokens():
            form = token.form.strip() or token.form
            space = " " if token.space_after else ""
            pieces += (form, space)
            ends.append(size + len(form) - 1)
            size += len(form) + len(space)
        if ends:
            sentence_ends.append(ends[-1])
    classes = np.zeros(size, np.uint8)
    classes[ends] = TOKEN_END
    classes[sentence_ends] = SENTENCE_END
    return RunningText("".join(pieces), classes)
