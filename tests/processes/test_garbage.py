"""The garbage collector runs rarely, and not over what was there before."""

import gc

from headwise.processes.garbage import OBJECTS_BEFORE_GARBAGE, collect_rarely


def test_what_is_there_is_spared():
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    kept = [[]]
    try:
        collect_rarely()
        assert gc.get_threshold()[0] == OBJECTS_BEFORE_GARBAGE
        assert gc.get_freeze_count() > frozen
        assert all(one is not kept for one in gc.get_objects())
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
