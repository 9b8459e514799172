"""Text that had to be cut where no sentence ends: warned of once, with its location."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwise.errors import SourceLocation, warn

if TYPE_CHECKING:
    from headwise.text.tokeniser import TokenisedText

LONGEST_SENTENCE = 500
"""How many tokens a sentence of raw text may have; what is longer is cut."""

ADVICE = (
    "separate paragraphs by blank lines, or give one sentence per line as pre-segmented text "
    "(--presegmented)"
)


@dataclass(slots=True)
class CutNotice:
    """Warns of the first place where text was cut, and not again.

    source: the file that is read, or what else the text is.
    """

    source: str | None = None
    is_given: bool = False

    def tell_of_tokens(self, tokenised: "TokenisedText", *, offset: int = 0, line: int = 1) -> None:
        """Warn if a sentence was cut; the text starts at an offset, and in a line, of the whole."""
        if self.is_given or not tokenised.cuts:
            return
        at = int(tokenised.starts[tokenised.cuts[0]])
        line += tokenised.text.count("\n", 0, at)
        self.tell(line, offset + at, f"no sentence ends within {LONGEST_SENTENCE} tokens")

    def tell(self, line: int, offset: int, why: str) -> None:
        """Warn, the first time, that the text is cut before a character, which is in this line."""
        if self.is_given:
            return
        self.is_given = True
        warn(
            f"{SourceLocation(self.source, line)}, character {offset + 1:,}: {why}, so that the "
            f"text is cut here, and wherever else this happens; {ADVICE}"
        )
