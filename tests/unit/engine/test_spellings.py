"""Names in languages in which they can be written in several ways: definition, references, highlights, by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.engine.test_navigation import Editor

from pilotfish.engine.navigation.names import definitions_named
from pilotfish.store.catalog import Catalog


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    (tmp_path / "root").mkdir()
    catalog = Catalog.open(tmp_path / "index")
    opened = Editor((tmp_path / "root").resolve(), catalog)
    yield opened
    opened.reader.close()
    catalog.close()


FILES = {
    "solver.f90": """\
module Solver
contains
  subroutine RunStep(n)  ! @fortran:RunStep
    integer, intent(in) :: n
    if (n > 0) call RUNSTEP(n - 1)  ! @again:RUNSTEP
  end subroutine RunStep  ! @ends:RunStep
end module Solver
""",
    "main.f90": """\
program main
  use SOLVER, only: runStep  ! @import:runStep
  call runstep(3)  ! @call:runstep
end program main
""",
    "shapes.pas": """\
unit Shapes;
interface
procedure DrawAll(count: integer); { @pascal:DrawAll }
implementation
procedure drawAll(Count: Integer);
begin
  writeln(COUNT);
end;
end.
""",
    "picture.pas": """\
program Picture;
uses SHAPES;
begin
  DRAWALL(3); { @draws:DRAWALL }
end.
""",
    "tools.nim": "proc read_all_lines*(path: string): int = 1  # @nim:read_all_lines\n",
    "main.nim": "import tools\necho readAllLines(path)  # @reads:readAllLines\necho ReadAllLines(path)\n",
    "CMakeLists.txt": """\
function(Add_Plugin name)  # @cmake:Add_Plugin
endfunction()
set(add_plugin 1)
ADD_PLUGIN(first)  # @adds:ADD_PLUGIN
""",
    "same.c": "int runstep(int n) { return n; }\nint RUNSTEP(int n) { return runstep(n); }  // @c:RUNSTEP\n",
}


@pytest.mark.parametrize(
    ("use", "meant", "used"),
    [
        ("main.f90@call", "fortran", {"again", "import", "call", "ends"}),
        ("picture.pas@draws", "pascal", {"draws"}),
        ("main.nim@reads", "nim", {"reads"}),
        ("CMakeLists.txt@adds", "cmake", {"adds"}),
    ],
)
def test_a_name_is_found_in_any_spelling(editor: Editor, use: str, meant: str, used: set[str]) -> None:
    editor.write(FILES)
    assert editor.definition(use)[0] == meant
    assert set(editor.references(use)) == used
    highlights = editor.ask("document_highlight", use)
    assert highlights.outcome == "found"


def test_names_are_asked_for_in_any_spelling_and_shown_as_they_are_written(editor: Editor) -> None:
    editor.write(FILES)
    assert [each.name for each in definitions_named(editor.view(), "RUNSTEP", "solver.f90")] == ["RunStep", "RUNSTEP"]
    assert [each.name for each in definitions_named(editor.view(), "readAllLines", None)] == ["read_all_lines"]
    assert editor.definition("same.c@c") == ["c"]


def test_unsaved_texts_know_all_spellings(editor: Editor) -> None:
    editor.write(FILES)
    editor.open("main.f90", FILES["main.f90"].replace("runstep(3)", "RUNStep(3)").replace(":runstep", ":RUNStep"))
    assert editor.definition("main.f90@call")[0] == "fortran"
    assert set(editor.references("solver.f90@fortran")) == {"again", "import", "call", "ends"}
