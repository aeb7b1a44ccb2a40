"""How a front comes by an engine: find the live one, start one, end one that is silent, or say why there is none."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import msgspec

from pilotfish.engine import wire
from pilotfish.engine.channel import Channel, Loss
from pilotfish.engine.launch import (
    ENGINE_PROGRAM,
    EXIT_INCOMPATIBLE,
    EXIT_LOST,
    Launched,
    end_process,
    last_words,
    launch,
)
from pilotfish.engine.rendezvous import Endpoint, Place, RuntimeFolderError, own_variant, place_of, read_endpoint
from pilotfish.engine.wire import Hello, Json, OperationError, Welcome

HELD_PATIENCE_S = 3.0
"""For whoever holds the lock, and is not to be seen, to publish an endpoint or to leave."""

DEAF_PATIENCE_S = 11.0
"""For a live engine that takes no connections: it is leaving, which is bounded, or suspended in doing so."""

MAX_DEATHS = 3
DEATHS_WITHIN_S = 60.0
BACKOFF_S = 15.0
MAX_BACKOFF_S = 300.0
_GOING_S = 0.5
_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 0.25


class AttachError(Exception):
    """There is no engine to be had: an error for whoever asks, and in how many seconds to try again."""

    def __init__(self, error: OperationError, retry_s: float) -> None:
        super().__init__(error.message)
        self.error = error
        self.retry_s = retry_s


class Attacher:
    """Finds or starts the engine of one root, again and again, and remembers how that went.

    `say` takes what the user should know. `note` is set while the engine is not the root's usual one.
    """

    def __init__(
        self,
        root: Path,
        *,
        one_shot: bool = False,
        program: tuple[str, ...] = ENGINE_PROGRAM,
        index_folder: Path | None = None,
        say: Callable[[str], None],
    ) -> None:
        self.root = root
        self.note = ""
        self._one_shot = one_shot
        self._program = program
        self._index_folder = index_folder
        self.say = say
        self._candidate: Launched | None = None
        self._deaths: deque[float] = deque()
        self._backoff_s = BACKOFF_S
        self._log_path = ""

    async def attach(self, hello: Hello, on_notification: Callable[[str, Json], None]) -> tuple[Channel, Welcome]:
        """Return a connection that was welcomed. It takes as long as it takes; cancel it to stop.

        `hello` is completed with the engine's token.

        Raises:
            AttachError: there is no engine to be had for now.
        """
        try:
            usual = place_of(self.root)
        except RuntimeFolderError as error:
            raise AttachError(OperationError(wire.ENGINE_FAILED, str(error)), MAX_BACKOFF_S) from error
        attempt = _Attempt(self, hello, on_notification)
        found = None
        if not (self.note and _is_silent(usual)):  # no need to be patient a second time
            found = await attempt.at(usual)
        if found is None:
            found = await attempt.at(place_of(self.root, own_variant()), index_folder=self._own_index_folder())
        if found is None:
            reason = f"The engine of {self.root} cannot be reached, nor can another be started beside it."
            raise AttachError(OperationError(wire.ENGINE_FAILED, reason, self.note), BACKOFF_S)
        self._candidate = None  # it became the engine, or it loses
        self._log_path = found[1].log_path
        return found

    async def after_loss(self, channel: Channel, loss: Loss) -> None:
        """Take note of the end of a connection: end an engine that was silent, count one that died.

        Raises:
            AttachError: engines of this root keep ending.
        """
        endpoint = channel.endpoint
        if self._candidate is not None and self._candidate.pid == endpoint.pid:
            self._candidate = None  # or its end would be counted twice
        if loss.kind == "silent" and end_process(endpoint.pid, endpoint.started):
            self.say(f"The engine of {self.root} (process {endpoint.pid}) did not answer and was ended.")
            self.count_death("it did not answer")
        elif loss.kind == "ended" and not channel.leaving and await _is_gone(endpoint):
            self.count_death("it was killed or crashed")

    def attached_for(self, seconds: float) -> None:
        """Forget old failures after a connection that held for long enough."""
        if seconds > DEATHS_WITHIN_S:
            self._backoff_s = BACKOFF_S

    def count_death(self, how: str) -> None:
        """Count one more engine that ended on its own.

        Raises:
            AttachError: it was one too many within a minute.
        """
        now = asyncio.get_running_loop().time()
        self._deaths.append(now)
        while self._deaths and now - self._deaths[0] > DEATHS_WITHIN_S:
            self._deaths.popleft()
        if len(self._deaths) < MAX_DEATHS:
            return
        self._deaths.clear()
        self._fail(f"The engine of {self.root} ended {MAX_DEATHS} times within a minute; the last time {how}.")

    def _fail(self, message: str) -> NoReturn:
        """Give up for a while, longer each time."""
        retry_s, self._backoff_s = self._backoff_s, min(2 * self._backoff_s, MAX_BACKOFF_S)
        hint = f"See the log: {self._log_path}" if self._log_path else "Run `pilotfish doctor`."
        raise AttachError(OperationError(wire.ENGINE_FAILED, message, hint), retry_s)

    def _own_index_folder(self) -> Path | None:
        """Where an engine beside an unreachable one keeps its index, when the usual place was given by hand."""
        if self._index_folder is None:
            return None
        return self._index_folder.with_name(f"{self._index_folder.name}-{own_variant()}")

    def start(self, place: Place, index_folder: Path | None) -> None:
        """Start a candidate, unless one that this front started is still deciding."""
        if self._candidate is not None:
            return
        folder = index_folder or (self._index_folder if not place.variant else None)
        try:
            self._candidate = launch(place, program=self._program, one_shot=self._one_shot, index_folder=folder)
        except OSError as error:
            self._fail(f"No engine can be started for {self.root}: {error}")

    def judge_candidate(self, place: Place) -> bool:
        """Look at the candidate that this front started; return whether it has just lost the election.

        Raises:
            AttachError: no engine can be started.
        """
        candidate = self._candidate
        if candidate is None or candidate.exit_code is None:
            return False
        self._candidate = None
        code = candidate.exit_code
        if code == EXIT_LOST:
            return True
        if code == EXIT_INCOMPATIBLE:
            self._fail("Pilotfish was updated to a version that this process cannot talk to. Restart the editor.")
        if code != 0:
            words = last_words(place)
            self._log_path = self._log_path or str(place.last_words)
            self.count_death(f"exit code {code}{': ' + words if words else ''}")
        return False


async def _is_gone(endpoint: Endpoint) -> bool:
    """Whether an engine that closed a connection has ended: its sockets are closed a moment before it is gone.

    When it goes on, it was this connection that it would not have; then the moment is a pause before the next.
    """
    deadline = asyncio.get_running_loop().time() + _GOING_S
    while endpoint.alive:
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(0.01)
    return True


def _is_silent(place: Place) -> bool:
    endpoint = read_endpoint(place.endpoint)
    return endpoint is None or not endpoint.alive


class _Attempt:
    """One search for an engine."""

    def __init__(self, attacher: Attacher, hello: Hello, on_notification: Callable[[str, Json], None]) -> None:
        self._attacher = attacher
        self._hello = hello
        self._on_notification = on_notification
        self._loop = asyncio.get_running_loop()

    async def at(self, place: Place, *, index_folder: Path | None = None) -> tuple[Channel, Welcome] | None:
        """Search at one place; None when its lock is held by something that cannot be reached."""
        held_since: float | None = None
        deaf_since: float | None = None
        pause_s = _FIRST_PAUSE_S
        while True:
            endpoint = read_endpoint(place.endpoint)
            now = self._loop.time()
            if endpoint is not None and endpoint.alive:
                found = await self._connect(endpoint)
                if found is not None:
                    self._attacher.note = self._note(place)
                    return found
                held_since, deaf_since = None, deaf_since or now
                if now - deaf_since > DEAF_PATIENCE_S and end_process(endpoint.pid, endpoint.started):
                    self._attacher.count_death("it took no connections")
            else:
                deaf_since = None
                if self._attacher.judge_candidate(place):
                    held_since = held_since or now
                    if now - held_since > HELD_PATIENCE_S:
                        self._name_holder(place, endpoint)
                        return None
                else:
                    self._attacher.start(place, index_folder)
            await asyncio.sleep(pause_s * random.uniform(0.7, 1.3))
            pause_s = min(1.5 * pause_s, _LONGEST_PAUSE_S)

    async def _connect(self, endpoint: Endpoint) -> tuple[Channel, Welcome] | None:
        try:
            channel = await Channel.open(endpoint, self._on_notification)
        except OSError:
            return None
        hello = msgspec.structs.replace(self._hello, token=endpoint.token)
        try:
            return channel, await channel.hello(hello)
        except ConnectionError:
            await self._attacher.after_loss(channel, channel.lost.result())
            return None
        except OperationError as error:
            channel.close()
            if error.code in (wire.DRAINING, wire.REFUSED):  # leaving, or another engine's endpoint: look again
                return None
            raise AttachError(error, BACKOFF_S) from error
        except BaseException:
            channel.close()
            raise

    def _note(self, place: Place) -> str:
        return self._attacher.note if place.variant else ""

    def _name_holder(self, place: Place, endpoint: Endpoint | None) -> None:
        holder = f"process {endpoint.pid} on {endpoint.host}" if endpoint is not None else "a process that left no name"
        self._attacher.note = (
            f"The engine of {place.root} cannot be reached from here: its lock {place.lock} is held by {holder}, "
            "perhaps in another container. Working from an index of its own."
        )
        self._attacher.say(self._attacher.note)
