"""Libraries are imported without what nobody here uses, and can still be used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LIBRARY = {
    "bulky/__init__.py": "import bulky.part\nraise AssertionError('its own code has run')\n",
    "bulky/inner/__init__.py": "raise AssertionError('its own code has run')\n",
    "bulky/inner/part.py": "VALUE = 7\n",
    "command.py": "raise AssertionError('it was imported')\n",
}
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from pilotfish.lean_imports import leave_out, put_without_contents, unbuilt_adapters, unbuilt_models, uncollected
put_without_contents("bulky", "bulky.inner", "not_installed")
leave_out("command")
leave_out("sys")
from bulky.inner.part import VALUE
import pydantic, sys
try:
    import command
except ImportError:
    command = None
before = dict(pydantic.BaseModel.model_config)
with unbuilt_models():
    class Later(pydantic.BaseModel):
        number: int
assert dict(pydantic.BaseModel.model_config) == before
assert not Later.__pydantic_complete__
assert Later(number="3").number == 3
with unbuilt_adapters():
    numbers = pydantic.TypeAdapter(list[int] | int)
assert pydantic.TypeAdapter(list[int]).pydantic_complete
assert not numbers.pydantic_complete
assert numbers.validate_python(["3"]) == [3]
import gc
with uncollected():
    assert not gc.isenabled()
assert gc.isenabled()
print(VALUE, command, "not_installed" in sys.modules)
"""


def test_packages_are_there_without_their_own_code(tmp_path: Path) -> None:
    for name, text in LIBRARY.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "7 None False\n", done.stderr
