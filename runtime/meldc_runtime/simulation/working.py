"""Runs a simulation: shares it out, adds up what comes back in order, and stops in good order.

All counts are whole numbers and are added span by span in the order of the games, so the result
does not depend on who played what.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

from meldc_runtime.bots import BotError, make_bot
from meldc_runtime.game import Game
from meldc_runtime.light import dataclass
from meldc_runtime.simulation.figures import Results
from meldc_runtime.simulation.spans import (
    Alone,
    Desk,
    Match,
    Packed,
    Played,
    Span,
    Workforce,
    spans_of,
)
from meldc_runtime.simulation.task import Task

AHEAD = 3
"""Spans given out for each hand before their results are taken."""
MOST_LOSSES = 5
"""Processes lost in a row before the work is given up."""
INTERRUPTS = {
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
}
LAST_WORDS = 10.0
"""Seconds that the thread of a pool has to notice that its processes are gone."""


class WorkersLostError(Exception):
    """Processes that play were ended from outside, again and again."""


STOPPING = (KeyboardInterrupt, OSError, BotError, WorkersLostError)
"""What ends a simulation before its time, with the result so far."""


@dataclass(slots=True)
class Outcome:
    """What came of a task. done: games before this one are played (from where it was begun).
    stopped: why it ended before its time.
    """

    results: Results
    done: int
    stopped: BaseException | None = None


def simulate(
    game: Game, task: Task, workers: int = 1, progress: Callable[[int], None] | None = None
) -> Outcome:
    """Plays a task, with as many processes as `workers`; `progress` is told how many games are
    done.

    Raises BotError for a bot that does not exist.
    """
    match = Match((("", game),), task)
    return run(match, workforce(match, workers), tell=lambda p: progress and progress(p.span.end))


def workforce(match: Match, workers: int) -> Workforce:
    """This process, or several."""
    return Alone(match) if workers <= 1 else Processes(match, workers)


def run(
    match: Match,
    force: Workforce,
    start: int = 0,
    tell: Callable[[Played], object] | None = None,
) -> Outcome:
    """Plays the games of a match from `start` on; `tell` gets each span in order before it is
    counted.

    An interrupt, a system that refuses to write, a bot that fails end it: the outcome has what was
    counted until then, always whole spans. Raises BotError for a bot that does not exist.
    """
    for name in match.task.names:
        make_bot(name)
    outcome = Outcome(Results(), start)
    waiting: deque[tuple[Span, object]] = deque()
    spans = spans_of(match.task, start)
    try:
        for _ in range(force.hands * AHEAD if force.hands > 1 else 1):
            _submit_next(force, spans, waiting)
        while waiting:
            played = force.result(waiting.popleft()[1])
            with deaf_to_interrupts():
                if tell is not None:
                    tell(played)
                outcome.results.merge(played.results)
                outcome.done = played.span.end
            _submit_next(force, spans, waiting)
    except STOPPING as problem:
        outcome.stopped = problem
    finally:
        force.close()
    return outcome


def _submit_next(
    force: Workforce, spans: Iterator[Span], waiting: deque[tuple[Span, object]]
) -> None:
    span = next(spans, None)
    if span is not None:
        waiting.append((span, force.submit(span)))


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """What asks the program to end comes after what is done within; processes started within never
    see it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Processes:
    """Plays in processes of this machine. One that is lost costs a repeat of what it was doing."""

    def __init__(self, match: Match, workers: int) -> None:
        self.hands = workers
        self.packed = match.packed()
        self.losses = 0
        self.pool = self._pool()
        self.given: dict[Span, Future[Played]] = {}

    def _pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.hands, get_context("spawn"), initializer=_sit_down, initargs=(self.packed,)
        )

    def submit(self, span: Span) -> Span:
        while True:
            try:
                with deaf_to_interrupts():  # processes are started here; this one answers for them
                    self.given[span] = self.pool.submit(_play, span)
                return span
            except BrokenProcessPool:
                self._begin_again()
            except (OSError, ValueError) as problem:
                if getattr(problem, "errno", None) is not None:
                    raise
                self._begin_again()  # the pool fell apart meanwhile: its handles are closed

    def result(self, ticket: object) -> Played:
        assert isinstance(ticket, Span)
        while True:
            try:
                played = self.given[ticket].result()
                self.losses = 0
                del self.given[ticket]
                return played
            except BrokenProcessPool:
                self._begin_again()

    def _begin_again(self) -> None:
        """New processes, for all that is not done."""
        self.losses += 1
        if self.losses > MOST_LOSSES:
            raise WorkersLostError("the processes that play are ended again and again")
        self._dismiss()
        self.pool = self._pool()
        for span in list(self.given):
            future = self.given[span]
            if not future.done() or future.cancelled() or future.exception() is not None:
                self.submit(span)

    def _dismiss(self) -> None:
        """Ends all processes, whatever they do: the pool by itself waits for some for ever."""
        manager: Any = self.pool._executor_manager_thread
        processes = list((self.pool._processes or {}).values())
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        if manager is not None:  # the interpreter, at its end, trips over one that is half gone
            manager.join(LAST_WORDS)

    def close(self) -> None:
        self._dismiss()


_desk: list[Desk] = []


def _sit_down(packed: Packed) -> None:
    _desk[:] = [Desk(packed.match())]


def _play(span: Span) -> Any:
    return _desk[0].play(span)
