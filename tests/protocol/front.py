"""A front of its own process: attaches, opens a document, prints the engine's pid, and stays until stdin ends.

python -I front.py ROOT HOST NAME
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from pilotfish.engine.client import EngineClient
from pilotfish.operations.index import StatusParameters, StatusResult


async def main(root: str, host: str, name: str) -> None:
    program = (sys.executable, "-I", "-X", "utf8", host)
    async with EngineClient(
        Path(root), kind="lsp", client=name, program=program, index_folder=Path(root).parent / "index"
    ) as client:
        client.document_opened(f"untitled:{name}", 1, f"text of {name}")
        status = await client.request("get_repo_status", StatusParameters(), 60)
        assert isinstance(status, StatusResult)
        print(json.dumps({"engine": status.engine_pid, "documents": status.unsaved_documents}), flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
