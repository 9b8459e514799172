# mypy: allow-untyped-defs
"""Rows of CoNLL-U as bytes: where their fields are, and how other trees are written into them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.borrow import borrowed
from headwise.kernels.runtime.jit import helper, inlined, kernel
from headwise.kernels.text.wordhash import BASIS, mixed

FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(9)
"""Columns of a word, without its ID."""

HASHED = 5
"""How many columns are hashed: those before HEAD."""

TAB, NEWLINE, NUMBER_SIGN, MINUS, UNDERSCORE = (ord(c) for c in "\t\n#-_")
ZERO = ord("0")
LONGEST_NUMBER = 9
NOT_GIVEN, WRONG = -1, -2


class Scan(NamedTuple):
    """The sentences of a piece of a file: of those that are plain, all words."""

    starts: NDArray[np.int64]  # [sentence]: its first byte …
    ends: NDArray[np.int64]  # … and the end of its last row, without the line end
    lines: NDArray[np.int64]  # [sentence + 1]: its first line
    words: NDArray[np.int64]  # [sentence + 1]: its first word
    plain: NDArray[np.bool_]  # [sentence]: whether its rows are words and multiword tokens in order
    fields: NDArray[np.int32]  # [word, column]: where it starts; a tab stands before the next
    hashes: NDArray[np.uint64]  # [column, word]
    heads: NDArray[np.int32]  # [word]: -1 if not given


@kernel
def scan_rows(all_data, most):
    """Scan text of sentences, each with one blank line after it; of `most` words at most."""
    sentences = count_blank_lines(all_data)
    found = Scan(
        np.empty(sentences, np.int64),
        np.empty(sentences, np.int64),
        np.zeros(sentences + 1, np.int64),
        np.zeros(sentences + 1, np.int64),
        np.empty(sentences, np.bool_),
        np.empty((most, MISC + 1), np.int32),
        np.empty((HASHED, most), np.uint64),
        np.empty(most, np.int32),
    )
    data, scan, i = borrowed(all_data), borrowed(found), 0
    for s in range(sentences):
        scan.starts[s], comments = i, 0
        while data[i] == NUMBER_SIGN:
            i = next_line(data, i)
            comments += 1
        i, scan.plain[s], count, rows = scan_sentence(data, i, scan, scan.words[s])
        scan.words[s + 1] = scan.words[s] + (count if scan.plain[s] else 0)
        scan.lines[s + 1] = scan.lines[s] + comments + rows + 1
        scan.ends[s] = i - 1
        i += 1
    return found


@helper
def count_blank_lines(data):
    """How many lines are blank; no two of them follow each other, and the first is not."""
    count = 0
    for i in range(1, len(data)):
        count += (data[i] == NEWLINE) & (data[i - 1] == NEWLINE)
    return count


@inlined
def scan_sentence(data, i, scan, word):
    """Scan rows up to a blank line: where it is, whether they are plain; numbers of words, rows."""
    count, rows, covered, plain = 0, 0, 0, True
    while data[i] != NEWLINE:
        number, after = read_number(data, i)
        rows += 1
        plain &= number == count + 1
        if data[after] == MINUS:  # a multiword token
            last, after = read_number(data, after + 1)
            plain &= number > covered and last >= number and data[after] == TAB
            covered = last
            plain &= has_nine_fields(data, after)
        else:
            plain &= data[after] == TAB
            if plain:
                plain, i = scan_word(data, after + 1, scan, word + count)
            count += 1
        i = next_line(data, i)
    plain &= count > 0 and covered <= count
    for w in range(word, word + count):
        plain &= plain and scan.heads[w] <= count
    return i, plain, count, rows


@helper
def scan_word(data, i, scan, word):
    """Note the fields of a word from FORM on; whether all are there, and where reading ended."""
    for column in range(MISC + 1):
        scan.fields[word, column] = i
        x, start = BASIS, i
        while data[i] != TAB and data[i] != NEWLINE:
            if column < HASHED:
                x = mixed(x, np.uint64(data[i]))
            i += 1
        if column < HASHED:
            scan.hashes[column, word] = x
        if i == start or (data[i] == NEWLINE) != (column == MISC):
            return False, i
        i += 1
    head, after = read_number(data, scan.fields[word, HEAD])
    if head == WRONG and data[after] == UNDERSCORE:
        head, after = NOT_GIVEN, after + 1
    scan.heads[word] = head
    return head != WRONG and data[after] == TAB, i - 1


@helper
def has_nine_fields(data, i):
    """Whether nine fields follow a tab up to the line end, none of them empty."""
    fields = 0
    while data[i] == TAB:
        i += 1
        start = i
        while data[i] != TAB and data[i] != NEWLINE:
            i += 1
        if i == start:
            return False
        fields += 1
    return fields == MISC + 1


@helper
def read_number(data, i):
    """The number that starts here, as IDs are written, or WRONG; and where it ends."""
    start, number = i, 0
    while ZERO <= data[i] < ZERO + 10 and i - start <= LONGEST_NUMBER:
        number = 10 * number + data[i] - ZERO
        i += 1
    size = i - start
    is_right = 0 < size <= LONGEST_NUMBER and (size == 1 or data[start] != ZERO)
    return (number if is_right else WRONG), i


@helper
def next_line(data, i):
    """Where the next line starts."""
    while data[i] != NEWLINE:
        i += 1
    return i + 1


@kernel
def splice_trees(data, scan, sentences, starts, heads, relations, names, name_starts):
    """Sentences under other trees: their text, one after the other, and where each ends in it.

    sentences: which ones of a scan; starts: the first token of each, its root, among `heads` and
    `relations`, which are numbers of names. Where tree and relations stay, so does everything; else
    DEPS are emptied.
    """
    size = 0
    for k in range(len(sentences)):
        s = sentences[k]
        size += scan.ends[s] - scan.starts[s]
        for w in range(scan.words[s + 1] - scan.words[s]):
            relation = relations[starts[k] + 1 + w]
            size += LONGEST_NUMBER + 4 + name_starts[relation + 1] - name_starts[relation]
    out, ends, o = np.empty(size, np.uint8), np.empty(len(sentences), np.int64), 0
    for k in range(len(sentences)):
        s, token = sentences[k], starts[k] + 1
        i, first = scan.starts[s], scan.words[s]
        count = scan.words[s + 1] - first
        if not is_same(data, scan, first, count, token, heads, relations, names, name_starts):
            for w in range(count):
                o = copied(out, o, data, i, scan.fields[first + w, HEAD])
                o = written_number(out, o, heads[token + w])
                out[o] = TAB
                a = relations[token + w]
                o = copied(out, o + 1, names, name_starts[a], name_starts[a + 1])
                out[o], out[o + 1] = TAB, UNDERSCORE
                o += 2
                i = scan.fields[first + w, MISC] - 1
        o = copied(out, o, data, i, scan.ends[s])
        ends[k] = o
    return out[:o], ends


@inlined
def is_same(data, scan, first, count, token, heads, relations, names, name_starts):
    """Whether a sentence has these heads and relations already."""
    for w in range(count):
        if scan.heads[first + w] != heads[token + w]:
            return False
    for w in range(count):
        a, b = scan.fields[first + w, DEPREL], scan.fields[first + w, DEPS] - 1
        x, y = name_starts[relations[token + w]], name_starts[relations[token + w] + 1]
        if b - a != y - x:
            return False
        for i in range(b - a):
            if data[a + i] != names[x + i]:
                return False
    return True


@helper
def copied(out, o, data, start, end):
    """Copy bytes; where they end."""
    for i in range(end - start):
        out[o + i] = data[start + i]
    return o + max(0, end - start)


@helper
def written_number(out, o, number):
    """Write a number; where it ends."""
    digits, rest = 1, number // 10
    while rest > 0:
        digits, rest = digits + 1, rest // 10
    for k in range(digits - 1, -1, -1):
        out[o + k] = ZERO + number % 10
        number //= 10
    return o + digits
