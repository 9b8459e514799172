# mypy: allow-untyped-defs
"""Rows: what templates see of one end of an arc and of the tag of the other.

A row is a line of sixteen sums, for a token and one of the different tags at the other end of its
known arcs. All its arcs share it, whatever their distance.
"""

import numpy as np

from headwise.kernels.arc_features import MULTIPLIER
from headwise.kernels.arc_kinds import NARROW, PAIR
from headwise.kernels.arc_pairs import AT, LANE, ONE, PLACES
from headwise.kernels.arc_tables import FOUR
from headwise.kernels.jit import helper
from headwise.kernels.vectors import LINE, add_line, add_two, prefetch

TOKEN, TAG, SUM, COLUMNS = range(4)
"""Of a list of rows: their token, the tag of the other end, and where their sums start."""

HALF = np.uint64(32)


@helper
def list_rows(own, other, count, tag, most, room, row_of):
    """The rows of arcs, by one of their ends; how many there are.

    OUT room.rows; row_of[arc]: where the sums of its row start. A mark has the number of this list
    in its upper half, or it is one of an earlier list, and where the sums start in the lower one.
    """
    rows, marks = room.rows, room.marks
    room.lists[0] += 1
    this, found = np.uint64(room.lists[0]), np.uint64(0)
    for k in range(count):
        token, mate = own[k], tag[other[k]]
        place, start = np.uint64(token * most + mate), found * np.uint64(LINE)
        rows[TOKEN, found], rows[TAG, found], rows[SUM, found] = token, mate, start
        is_new = (marks[place] >> HALF) != this
        if is_new:
            marks[place] = this << HALF | start
        row_of[k] = marks[place]  # its lower half
        found += np.uint64(is_new)
    return found


@helper
def add_rows(templates, tokens, weights, side, of_tags, end, room, count):
    """Add the weights of templates to the rows of one end: OUT room.row_sums."""
    chosen = templates.modifier_rows if end else templates.head_rows
    own = templates.modifier if end else templates.head
    other = templates.head if end else templates.modifier
    backs = templates.modifier_backs_off if end else templates.head_backs_off
    bounds, rows, sums = templates.bounds, room.rows, room.row_sums[end]
    wide, narrow = weights.wide, weights.narrow
    wide_shift, narrow_shift = weights.wide_shift, weights.narrow_shift
    sums[: count * np.uint64(LINE)] = 0
    backed = list_backed(tokens.backed_off, rows, count)
    for i in range(len(chosen) + 1):
        if i < len(chosen):
            t, places = chosen[i], room.work[PLACES + (i & 1)]
            listed, used = (rows[COLUMNS:], backed) if backs[t] else (rows[:COLUMNS], count)
            keys, mates, seed = side[own[t]], of_tags[other[t]], templates.seed[t]
            if bounds[NARROW] <= t < bounds[PAIR]:
                ask_rows(keys, mates, seed, listed, used, narrow, narrow_shift, ONE, places)
            else:
                ask_rows(keys, mates, seed, listed, used, wide, wide_shift, FOUR, places)
        if i > 0:
            t, places = chosen[i - 1], room.work[PLACES + ((i - 1) & 1)]
            listed, used = (rows[COLUMNS:], backed) if backs[t] else (rows[:COLUMNS], count)
            if bounds[NARROW] <= t < bounds[PAIR]:
                add_two_each(places, listed[SUM], used, narrow, sums)
            else:
                add_line_each(places, listed[SUM], used, wide, sums)


@helper
def list_backed(backed_off, rows, count):
    """The rows of tokens that back off, after all rows: OUT rows; how many there are."""
    backed = np.uint64(0)
    for k in range(count):
        token = rows[TOKEN, k]
        rows[COLUMNS + TOKEN, backed], rows[COLUMNS + TAG, backed] = token, rows[TAG, k]
        rows[COLUMNS + SUM, backed] = rows[SUM, k]
        backed += np.uint64(backed_off[token])
    return backed


@helper
def ask_rows(keys, mates, seed, rows, count, table, shift, width, places):
    """Ask for the lines of a template: OUT places."""
    for k in range(count):
        key = (keys[rows[TOKEN, k]] ^ mates[rows[TAG, k]] ^ seed) * MULTIPLIER
        place = (key >> shift) << width
        places[k] = place
        prefetch(table, place)


@helper
def add_line_each(places, at, count, wide, sums):
    """Add lines that were asked for: OUT sums."""
    for k in range(count):
        add_line(sums, np.int64(at[k]), wide, np.int64(places[k]))


@helper
def add_two_each(places, at, count, narrow, sums):
    """Add weights of directions that were asked for: OUT sums."""
    for k in range(count):
        add_two(sums, np.int64(at[k]), narrow, np.int64(places[k]))


@helper
def share_rows(row_of, row_sums, arcs, count, sums):
    """Give every arc what its two rows have at its distance: OUT sums."""
    for k in range(count):
        lane = arcs[LANE, k]
        of_head, of_modifier = row_sums[0, row_of[0, k] + lane], row_sums[1, row_of[1, k] + lane]
        sums[arcs[AT, k]] += np.int32(of_head) + of_modifier
