"""Time from starting `pilotfish serve` to its answer to `initialize`, against importing pygls alone.

The two are run in turns, and the ratio of the medians is what counts: issue 2 asks for at most 1.3.

    python tests/bench/initialize.py [ROUNDS]
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time

GREETING = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}


def import_pygls() -> float:
    """Seconds that importing pygls's server takes, process and all."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-c", "import pygls.lsp.server"], check=True)
    return time.perf_counter() - started


def answer_initialize() -> float:
    """Seconds from starting the server to the last byte of its answer."""
    body = json.dumps({**GREETING, "params": {**GREETING["params"], "rootUri": None}}).encode()  # type: ignore[dict-item]
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-I", "-m", "pilotfish", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    process.stdin.flush()
    length = int(process.stdout.readline().rpartition(b":")[2])
    process.stdout.readline()
    process.stdout.read(length)
    elapsed = time.perf_counter() - started
    process.stdin.close()
    process.wait()
    process.stdout.close()
    return elapsed


def main(rounds: int) -> None:
    """Print both medians and their ratio as one line of JSON."""
    import_pygls()
    answer_initialize()
    pairs = [(import_pygls(), answer_initialize()) for _ in range(rounds)]
    imports, answers = (statistics.median(column) for column in zip(*pairs, strict=True))
    figures = {
        "rounds": rounds,
        "import_pygls_ms": round(imports * 1000),
        "initialize_ms": round(answers * 1000),
        "ratio": round(answers / imports, 3),
        "limit": 1.3,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
