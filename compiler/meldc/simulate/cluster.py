"""Plays on a Ray cluster: for campaigns beyond one machine.

The cluster is the one that the environment names (`RAY_ADDRESS`), else one of so many processes on
this machine. Every machine of it needs meldc installed, in the same version.
"""

from __future__ import annotations

import os
from typing import Any

from meldc.simulate.rows_file import MissingExtraError
from meldc_runtime.simulation import Match, Played, Span
from meldc_runtime.simulation.spans import Desk, Packed
from meldc_runtime.simulation.working import MOST_LOSSES, WorkersLostError

_desks: dict[Packed, Desk] = {}
"""In a worker: the desk of the match that it plays."""


class RayForce:
    """Plays spans as tasks of Ray. A worker that is lost costs a repeat of what it was doing."""

    def __init__(self, match: Match, workers: int) -> None:
        """Raises MissingExtraError where Ray is not installed, OSError where there is no
        cluster.
        """
        try:
            import ray
        except ImportError:
            raise MissingExtraError("`--cluster`", "ray", "cluster") from None
        self.ray: Any = ray
        self.begun = not ray.is_initialized()
        if self.begun:
            self._begin(workers)
        self.hands = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.packed = ray.put(match.packed())
        self.play = ray.remote(max_retries=MOST_LOSSES, num_cpus=1)(play)
        self.open: set[Any] = set()

    def _begin(self, workers: int) -> None:
        quiet = {"log_to_driver": False, "configure_logging": False}
        try:
            if "RAY_ADDRESS" in os.environ:
                self.ray.init(**quiet)
            else:
                self.ray.init(num_cpus=workers, include_dashboard=False, **quiet)
        except (ConnectionError, ValueError, RuntimeError) as problem:
            raise OSError(f"there is no Ray cluster to be had: {problem}") from None

    def submit(self, span: Span) -> object:
        ticket = self.play.remote(self.packed, span)
        self.open.add(ticket)
        return ticket

    def result(self, ticket: object) -> Played:
        try:
            played: Played = self.ray.get(ticket)
        except self.ray.exceptions.RayTaskError:  # what the play itself raised, as its own kind
            raise
        except self.ray.exceptions.RayError as problem:  # of the cluster: machines, memory
            raise WorkersLostError(
                f"workers of the cluster are lost again and again: {problem}"
            ) from None
        self.open.discard(ticket)
        return played

    def close(self) -> None:
        for ticket in self.open:
            self.ray.cancel(ticket, force=True)
        if self.begun:
            self.ray.shutdown()


def play(packed: Packed, span: Span) -> Played:
    """Plays a span where a worker is; what it needs is made there once."""
    if packed not in _desks:
        _desks.clear()
        _desks[packed] = Desk(packed.match())
    return _desks[packed].play(span)
