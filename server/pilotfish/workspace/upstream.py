"""The branch that the one checked out follows: how far apart both are, and fetching it where the user allows that.

How far apart is read from local refs. A fetch is the one command that speaks to others and writes into `.git`: it moves
the one ref that stands for the upstream branch, and neither the working tree nor any other ref. What a repository's
settings name counts as little as anywhere (`workspace.git`): of them only the remote's address and the names of its
branches are taken. Transports, ssh command and credential helpers come from the user's own configuration.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import Final, NamedTuple

from pilotfish.workspace.git import Git, environment, override_arguments, search_path
from pilotfish.workspace.secrets import redact_line

FETCH_S: Final = 120.0
"""How long a fetch may take, in seconds."""

TRANSPORTS: Final = ("https", "ssh", "http", "git", "file")
"""What a fetch may speak, as git itself allows by default; never `ext`, which runs a command. The user's own
configuration may forbid some (`protocol.<name>.allow = never`)."""

_OVERRIDES: Final = (
    ("credential.helper", ""),  # begins the list anew: what the repository has added is gone
    ("credential.interactive", "false"),
    ("fetch.prune", "false"),
    ("fetch.pruneTags", "false"),
    ("fetch.writeCommitGraph", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("transfer.bundleURI", "false"),
    ("maintenance.auto", "false"),
)
_USER_KEYS: Final = r"^(protocol\.(.*\.)?allow|core\.sshcommand|credential\.(.*\.)?helper)$"
_LOCAL: Final = "."
_IN_ADDRESS: Final = re.compile(r"(?<=://)[^/\s@]*@")
_LONGEST: Final = 300
_NO_WINDOW: Final = getattr(subprocess, "CREATE_NO_WINDOW", 0)


class Upstream(NamedTuple):
    """The branch that the one checked out follows: the remote's name (`.` for this repository itself), the branch's
    ref there, and the ref that stands for it here."""

    remote: str
    branch: str
    ref: str

    @property
    def name(self) -> str:
        """What people call it: `origin/main`."""
        return self.ref.removeprefix("refs/remotes/").removeprefix("refs/heads/")


class Distance(NamedTuple):
    """How many commits HEAD lacks that its upstream has, and the other way round."""

    behind: int
    ahead: int


class FetchError(Exception):
    """Nothing could be fetched: what git said."""


def upstream(git: Git) -> Upstream | None:
    """Return what the branch that is checked out follows; None where it follows none, or none is checked out."""
    head = git.line("symbolic-ref", "--quiet", "HEAD")
    if head is None:
        return None
    answer = git.line("for-each-ref", "--format=%(upstream)%00%(upstream:remotename)%00%(upstream:remoteref)", head)
    ref, _, rest = (answer or "").partition("\0")
    remote, _, branch = rest.partition("\0")
    return Upstream(remote, branch, ref) if ref and remote and branch else None


def distance(git: Git, followed: Upstream) -> Distance | None:
    """Return how far HEAD and its upstream are apart by what is known here; None where that is not there yet."""
    answer = git.line("rev-list", "--left-right", "--count", f"HEAD...{followed.ref}", "--")
    ahead, _, behind = (answer or "").partition("\t")
    return Distance(int(behind), int(ahead)) if ahead.isdigit() and behind.isdigit() else None


def fetch(git: Git, followed: Upstream, timeout: float = FETCH_S) -> None:
    """Fetch the upstream branch and move the ref that stands for it here.

    Raises:
        FetchError: there is nothing to fetch from, or git could not.

    """
    if followed.remote == _LOCAL:
        return
    if not followed.ref.startswith("refs/remotes/") or followed.remote.startswith("-"):
        raise FetchError(f"the upstream {followed.name} is no branch of a remote")
    user = _user_configuration(git)
    arguments = [
        *override_arguments(_OVERRIDES),
        *(part for name, value in user if name.startswith("credential.") for part in ("-c", f"{name}={value}")),
        *("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-prune", "--no-write-fetch-head"),
        # A repository may name a program for the other side, and refs that a fetch moves beside those asked for.
        *("--upload-pack=git-upload-pack", "--refmap="),
        *("--", followed.remote, f"+{followed.branch}:{followed.ref}"),
    ]
    allowed = {
        "GIT_ALLOW_PROTOCOL": ":".join(_transports(user)),
        "GIT_SSH_COMMAND": dict(user).get("core.sshcommand", "ssh -oBatchMode=yes"),
        "SSH_ASKPASS_REQUIRE": "never",
    }
    _run(git, arguments, allowed, timeout)


def _user_configuration(git: Git) -> list[tuple[str, str]]:
    """Return what the user's and the system's own configuration say of transports and credentials, in its order."""
    asked = ("config", "-z", "--show-scope", "--get-regexp", _USER_KEYS)
    answer = git.line(*asked, variables={"GIT_DIR": os.devnull}) or ""
    fields = answer.split("\0")
    entries = ((scope, *entry.partition("\n")) for scope, entry in zip(fields[::2], fields[1::2], strict=False))
    return [(name, value) for scope, name, _, value in entries if scope in ("system", "global")]


def _transports(user: list[tuple[str, str]]) -> list[str]:
    settings = {name.lower(): value.lower() for name, value in user}
    general = settings.get("protocol.allow", "always")
    return [each for each in TRANSPORTS if settings.get(f"protocol.{each}.allow", general) != "never"]


def _run(git: Git, arguments: list[str], variables: Mapping[str, str], timeout: float) -> None:
    try:
        process = subprocess.Popen(
            git.command(*arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**environment(os.environ, search_path(git.root)), **variables},
            creationflags=_NO_WINDOW,
            start_new_session=sys.platform != "win32",  # no terminal to ask on, and one group to end
        )
    except (OSError, ValueError) as error:
        raise FetchError(f"git could not be started: {error}") from error
    try:
        _, said = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        _end(process)
        raise FetchError(f"git took longer than {timeout:,.0f} s") from None
    if process.returncode:
        raise FetchError(_last_words(said))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git and what it has started: transports are programs of their own."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stderr is not None:
        process.stderr.close()


def _last_words(said: bytes) -> str:
    """Return what git gave as its reason, without what an address may hold of a password."""
    lines = said.decode("utf-8", "replace").splitlines()
    reasons = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines[-1:] or ["git gave no reason"]
    return redact_line(_IN_ADDRESS.sub("", reasons[0]))[:_LONGEST]
