"""Ctrl-C waits for a good moment, unless it is pressed twice."""

import os
import signal
import threading

import pytest

from headwise.learners.interrupt import noted_interrupts


def test_the_first_is_noted_and_the_second_counts_at_once():
    with noted_interrupts() as interrupt:
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupt.signal_number == signal.SIGINT
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        interrupt.leave()


def test_a_request_to_end_is_an_exit():
    with noted_interrupts() as interrupt:
        os.kill(os.getpid(), signal.SIGTERM)
    with pytest.raises(SystemExit) as leaving:
        interrupt.leave()
    assert leaving.value.code == 143


def test_other_threads_are_never_interrupted():
    before, found = signal.getsignal(signal.SIGINT), []

    def work():
        with noted_interrupts() as interrupt:
            found.append((interrupt.signal_number, signal.getsignal(signal.SIGINT)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [(None, before)]
