"""Runs measurements and writes `docs/performance.md` and `docs/quality.md` from what they printed.

    python -m tests.bench [--corpus FOLDER] [--only] [PART ...]

Each part is one of the commands in this folder and in `tests/quality`; its output is kept in `tests/bench/results`, so
that the pages can be written again after a single part was measured anew. `--only` measures nothing and just writes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.bench import corpus
from tests.bench.machine import machine

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
RESULTS = HERE / "results"


@dataclass(frozen=True)
class Part:
    """One measurement: its page, its title, what it shows, and its command.

    Words of the command in capitals stand for what this machine has: CORPUS, LANGUAGES, LANGUAGE=FOLDER …, EVAL, TREES
    and HISTORIES; FOLDER for an empty one. A `table` is Markdown; else what the command prints is shown as it is. One
    that `keeps_itself` writes what is shown: a part of it may be measured anew.
    """

    name: str
    page: str
    title: str
    meaning: str
    command: tuple[str, ...]
    table: bool = False
    keeps_itself: bool = False


ORACLES = "LANGUAGE=FOLDER …"
ORACLE_RULES = """\
What a parser does not read is not compared, and counted under what differs: files that it refuses (Roslyn 4.1 knows
C# up to 10; of 20 refused files 17 hold newer forms, and why the others are is not known; one of glibc takes LLVM's
parser over a minute), and the branches of conditions that it does not take, where we define things nevertheless.
LLVM's parser of C reads each file by itself, unconfigured: it finds headers of the system and of the package (for
glibc those of its build), passes over those that are missing, and leaves macros from them as they are. Definitions
within functions of C, JavaScript and TypeScript are not compared. Three kinds count neither as missing nor as extra:
what a macro of C gives a name that is not written there, for which we take the macro or its first argument
(`TEST_BEGIN(test_x) {`), at 240 places of glibc, 259 of redis, 58 of curl and 52 of git (of 20 in glibc 17 are such,
the others functions that we miss: counted as missing all of them, recall would be .957 in glibc and .976 in redis);
the constructor and the class that the TypeScript server sees in a function or variable of JavaScript to which members
are added; names in brackets or quotes there. ctags 6.2 was tried beside 5.9 for C, C#, Objective-C, Kotlin, Lua and
PowerShell, where both say nearly the same, and Ruby, where it says more that is none."""

PARTS = (
    Part(
        "corpus",
        "performance",
        "The corpus",
        "Pinned packages from PyPI, npm and Debian (`tests/bench/corpus.toml`).",
        ("tests.bench.corpus", "CORPUS"),
    ),
    Part(
        "cold",
        "performance",
        "A cold index",
        "CPU, wall time, memory and disk against tree-sitter's bare parsing of the same files, in turns.",
        ("tests.bench.cold_index", "CORPUS", "--share", "3", "--rounds", "1"),
    ),
    Part(
        "outlines",
        "performance",
        "What an outline costs, by language",
        "CPU of an outline against tree-sitter's bare parsing of the same text, in turns, on real files of public"
        " repositories and packages; at most three times as much is asked. For a text with embedded languages *parse*"
        " is that of the outer text alone, as if its scripts, expressions or cells were strings; *parses* adds what is"
        " embedded in it, each part by itself, which nobody can outline without parsing it, so that the bound is held"
        " by that. Medians over the files, and beside them the ratio of the sums: small files pay more for what every"
        " file costs. Texts that are prepared for their grammar (SCSS, fixed-form Fortran) are parsed as prepared.",
        ("tests.bench.outlines", "LANGUAGES", "--files", "20", "--rounds", "2"),
        table=True,
    ),
    Part(
        "aider",
        "performance",
        "Beside Aider",
        "CPU of a whole cold index against Aider's tag extraction on the same copy of every ninth file.",
        ("tests.bench.aider", "CORPUS", "--share", "9"),
    ),
    Part(
        "initialize",
        "performance",
        "`initialize`",
        "The answer against importing pygls alone, in turns.",
        ("tests.bench.initialize",),
    ),
    Part(
        "pipe",
        "performance",
        "At the editor's end of the pipe",
        "Wall time from request to answer, the index of the whole corpus behind it.",
        ("tests.bench.pipe", "--corpus", "CORPUS"),
    ),
    Part(
        "keystrokes",
        "performance",
        "Typing while the index is built",
        "A large file under somebody's hands from the first moment of a cold index on, at the editor's end of the pipe;"
        " the server notes which version it handled when.",
        ("tests.bench.keystrokes", "CORPUS", "--share", "8"),
    ),
    Part(
        "symbols",
        "performance",
        "Search over 500,000 definitions",
        "In the engine, without the pipe.",
        ("tests.bench.symbol_search",),
    ),
    Part(
        "repo_map",
        "performance",
        "The repo map",
        "Graph, ranks and maps of 11,000 files: CPU in this process, wall time at the editor's end of the pipe.",
        ("tests.bench.repo_map", "--corpus", "CORPUS"),
    ),
    Part(
        "semantic",
        "performance",
        "Semantic search",
        "All chunks of the corpus cut, embedded and stored; then a restart, questions in the engine, and edits.",
        ("tests.bench.semantic", "CORPUS", "--share", "2", "--edits", "60"),
    ),
    Part(
        "mcp",
        "performance",
        "At an agent's end of the pipe",
        "Wall time from a call of a tool to its answer over stdio, every second file of the corpus behind it.",
        ("tests.bench.mcp", "CORPUS", "--share", "2", "--calls", "60"),
    ),
    Part(
        "oracles",
        "quality",
        "Definitions against oracles",
        "Recall and precision on named packages against the oracle in each row: functions and types, and what else"
        " universal-ctags knows of the language. Both sides' definitions are compared by name and line.\n\n"
        + ORACLE_RULES,
        ("tests.quality.oracles", ORACLES, "--keep"),
        table=True,
        keeps_itself=True,
    ),
    Part(
        "navigation",
        "quality",
        "Definitions and references from a place",
        "Names that are defined in another file, sampled uniformly from those on which the oracles agree: pyright and"
        " jedi for Python, the TypeScript server for TypeScript and JavaScript. An answer is right where its file and"
        " line are theirs. References of sampled definitions against SCIP indexes that scip-python and scip-typescript"
        " made, by file and line. What is missing in zod and Redux Toolkit are members of types that other types"
        " compute (`ReturnType`, mapped and conditional types, arguments of type parameters), of which each use counts"
        " for all types of a union, and uses in files beyond the 200 kB of which scopes are read for an editor: without"
        " that bound recall is .829, .860 and .414 in Redux Toolkit, Hono and zod.",
        ("tests.quality.navigation", ORACLES, "--answers", "FOLDER", "--indexes", "FOLDER", "--keep"),
        table=True,
        keeps_itself=True,
    ),
    Part(
        "hierarchies",
        "quality",
        "Calls, types above and below, implementations",
        "150 functions, methods and classes of each package, sampled uniformly, and all of its types, against pyright"
        " and the TypeScript server. *Incoming* are lines that call a function, *callers* those with the right"
        " caller, *outgoing* what a function calls, line by line. *Beyond* are calls that only we bind, of which the"
        " server knows no definition at all; they count neither way. The TypeScript server also counts calls of what"
        " a method overrides, or of what overrides it.",
        ("tests.quality.hierarchies", ORACLES, "--answers", "FOLDER"),
        table=True,
    ),
    Part(
        "edges",
        "quality",
        "Links between files",
        "Which files use which, against SCIP indexes that scip-python and scip-typescript made: precision, recall, and"
        " recall weighted by the number of references.",
        ("tests.quality.edges", ORACLES),
    ),
    Part(
        "map_quality",
        "quality",
        "The repo map",
        "How often a map shows a definition that a commit changed, drawn around the words that its author wrote. Beside"
        " it Aider's map of the same trees with the same words, paths alone, and random definitions written as ours"
        " are. *Itself* is stricter: the definition's own line, not one that merely has its name. The commits are of"
        " ten public repositories in six languages, of which this is none. Shares with 95 % bootstrap intervals.",
        ("tests.quality.repo_map", "--eval", "EVAL", "--trees", "TREES", "--by-command", "3"),
        table=True,
    ),
    Part(
        "context",
        "quality",
        "Context for a task",
        "How often what `build_context` gives for a commit's words shows a line of a definition that it changed. Beside"
        " it what grep and reading bring at the same budget. The trees are clones with their history up to the commit"
        " that is searched. Shares with 95 % bootstrap intervals, paired for differences.",
        ("tests.quality.context", "--eval", "EVAL", "--trees", "TREES"),
        table=True,
    ),
    Part(
        "retrieval",
        "quality",
        "Search",
        "How well `pilotfish search --batch` answers questions whose answers are known: a function by the first"
        " sentence of its documentation (blanked out in the tree), the files that a commit changed by what its author"
        " wrote, a definition by its name in several forms. Beside it BM25 over the same chunks with tests hidden. The"
        " ten repositories are the map's. NDCG@10 with 95 % bootstrap intervals. The weights were fitted on these"
        " questions; the part `ranker` measures what they reach on repositories of which they know none.",
        ("tests.quality.retrieval", "--eval", "EVAL", "--trees", "HISTORIES"),
        table=True,
    ),
    Part(
        "ranker",
        "quality",
        "What each feature of the ranker is worth",
        "NDCG@10 of the ranker alone on the same questions, each asked of weights that were fitted on the nine other"
        " repositories, and below it how that changes when a feature is left out and the rest fitted anew: what is"
        " negative is lost. An interval with zero in it says that the questions cannot tell. The first stage orders all"
        " candidates by what the index holds of them, the second the best 60 of them once more; those are the same in"
        " every row, as the weights of this version choose them. `server/pilotfish/retrieval/features.py` says what the"
        " names mean.",
        ("tests.quality.retrieval", "--eval", "EVAL", "--trees", "HISTORIES", "--ablate"),
        table=True,
    ),
    Part(
        "own_set",
        "quality",
        "Search, for everybody to repeat",
        "The same measurement on questions that the command makes itself, of Python packages that come with"
        " `pip install pilotfish[dev]` and that neither the model nor the weights were fitted on: functions by the"
        " first sentence of their documentation, and definitions by their names, as they are, as words, with a part"
        " left out, and in the other case style.",
        ("tests.quality.own_set", "--measure", "FOLDER"),
        table=True,
    ),
)

INTRODUCTION = {
    "performance": """# Performance

Measured by the commands named below; `make bench` runs them all. Trust the ratios: times are those of one small machine
that other work shared.
""",
    "quality": """# Quality

Measured by the commands named below.
""",
}


def measure(part: Part, places: Mapping[str, list[str]]) -> None:
    """Run one part and keep what it prints."""
    arguments = [argument for word in part.command[1:] for argument in places.get(word, [word])]
    done = subprocess.run(
        [sys.executable, "-m", part.command[0], *arguments], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    output = done.stdout.replace(places["CORPUS"][0], "CORPUS").strip()
    if done.returncode not in (0, 1) or not output:
        sys.exit(f"{part.name} failed: {done.stderr.strip()}")
    if part.keeps_itself:
        return
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{part.name}.txt").write_text(f"{machine()}\n{output}\n", "utf-8")


def write_pages() -> None:
    """Write the pages from the kept outputs."""
    for page, introduction in INTRODUCTION.items():
        sections = [introduction.strip()]
        for part in PARTS:
            kept = RESULTS / f"{part.name}.txt"
            if part.page == page and kept.exists():
                when, _, output = kept.read_text("utf-8").partition("\n")
                command = " ".join(("python -m", *part.command))
                shown = output.strip() if part.table else f"```\n{output.strip()}\n```"
                sections.append(f"## {part.title}\n\n{part.meaning}\n\n`{command}` ({when})\n\n{shown}")
        (REPOSITORY / "docs" / f"{page}.md").write_text("\n\n".join(sections) + "\n", "utf-8")


def main() -> None:
    """Measure what is asked for and write the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--only", action="store_true")
    parser.add_argument("--oracle", action="append", default=[], metavar="LANGUAGE=FOLDER")
    parser.add_argument("--eval", type=Path, help="folder of the commits' dev.jsonl")
    parser.add_argument("--trees", type=Path, help="folder of the trees that the commits are of, OWNER+NAME each")
    parser.add_argument(
        "--histories", type=Path, help="folder of plain/OWNER+NAME and stripped/OWNER+NAME, with history"
    )
    parser.add_argument("--languages", type=Path, help="folder of real files in many languages; the corpus by default")
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    if not options.only:
        folder = (options.corpus or corpus.fetch(corpus.default_folder())).resolve()
        places = {"CORPUS": [str(folder)], ORACLES: options.oracle}
        places |= {"EVAL": [str(options.eval)], "TREES": [str(options.trees)], "HISTORIES": [str(options.histories)]}
        places["LANGUAGES"] = [str((options.languages or folder).resolve())]
        for part in PARTS:
            if (options.parts and part.name in options.parts) or (not options.parts and part.page == "performance"):
                with tempfile.TemporaryDirectory() as empty:
                    measure(part, {**places, "FOLDER": [empty]})
    write_pages()


if __name__ == "__main__":
    main()
