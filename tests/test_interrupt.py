"""Ctrl-C waits for a good moment, unless it is pressed twice."""

import os
import signal
import threading

import pytest

from headwise.interrupt import held_interrupts, noted_interrupts, out_of_reach


def test_the_first_is_noted_and_the_second_counts_at_once():
    with noted_interrupts() as interrupt:
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupt.signal_number == signal.SIGINT
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        interrupt.leave()


@held_interrupts()
def interrupted_twice(done: list[str], error: Exception | None = None) -> None:
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGINT)
    done.append("all of it")
    if error is not None:
        raise error


def test_a_held_one_does_afterwards_what_it_would_have_done():
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        interrupted_twice(done)
    assert done == ["all of it"]
    with noted_interrupts() as outer:
        interrupted_twice(done)
        assert outer.signal_number == signal.SIGINT


def test_a_held_one_is_not_lost_where_the_block_fails():
    with pytest.raises(KeyboardInterrupt):
        interrupted_twice([], ValueError())


def test_what_is_out_of_reach_goes_on_while_its_caller_is_interrupted():
    is_interrupted, done = threading.Event(), threading.Event()

    def work():
        os.kill(os.getpid(), signal.SIGINT)
        assert is_interrupted.wait(20)
        done.set()

    with pytest.raises(KeyboardInterrupt):
        out_of_reach(work)
    assert not done.is_set()
    is_interrupted.set()
    assert done.wait(20)


def test_what_is_out_of_reach_returns_and_raises():
    assert out_of_reach(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        out_of_reach(lambda: 1 // 0)


def test_a_request_to_end_is_an_exit():
    with noted_interrupts() as interrupt:
        os.kill(os.getpid(), signal.SIGTERM)
    with pytest.raises(SystemExit) as leaving:
        interrupt.leave()
    assert leaving.value.code == 143


def test_signals_that_are_ignored_stay_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does in the background
    try:
        with noted_interrupts() as interrupt:
            os.kill(os.getpid(), signal.SIGINT)
        assert interrupt.signal_number is None
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_are_never_interrupted():
    before, found = signal.getsignal(signal.SIGINT), []

    def work():
        with noted_interrupts() as interrupt:
            found.append((interrupt.signal_number, signal.getsignal(signal.SIGINT)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [(None, before)]


def test_signals_that_a_program_around_python_handles_are_left_to_it(monkeypatch):
    """Python knows no such handler (None), and could not put it back."""
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: None}
    changed: list[int] = []

    def change(number, handler):
        if handler is None:
            raise TypeError("signal handler must be callable")
        changed.append(number)
        former, handlers[number] = handlers[number], handler
        return former

    monkeypatch.setattr(signal, "getsignal", handlers.__getitem__)
    monkeypatch.setattr(signal, "signal", change)
    with held_interrupts():
        assert handlers[signal.SIGINT] is not signal.default_int_handler
    assert changed == [signal.SIGINT, signal.SIGINT]
    assert handlers[signal.SIGINT] is signal.default_int_handler
