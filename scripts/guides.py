"""The commands of README.md, the guides and the man pages. For tests/support/run-guide, which runs them, and check-docs.

In a page in Markdown a fenced block of "sh" holds commands, in a man page a block from .nf to .fi. The commands of a page are
run in their order and in one shell, unless a line right before the block says otherwise; in a man page it is a comment,
.\\" not run: REASON
  <!-- not run: REASON -->           not by a test
  <!-- run by make soak: REASON -->  not by `make check`
A block of C, C++, Fortran or CMake after the words "Save this as `NAME`" is a file that the reader writes.
  <!-- given: NAME = PATH -->        a file or folder that the reader has: of the sources or, as BUILD/PATH, of the build directory
A block of "text" right after commands shows what they print: each of its lines is printed, in any order; "..." stands for any
characters.
"""
import pathlib
import re
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "examples/README.md",
         ROOT / "bench/README.md", ROOT / "bench/shmem/README.md", ROOT / "bench/studies/README.md"]
MAN_PAGES = sorted((ROOT / "docs/man").glob("*.[1-8]"))

LANGUAGES = ["sh", "text", "c", "c++", "cmake", "fortran"]
FENCE = re.compile(r"^( {0,3})```([^\n]*)\n(.*?)^ {0,3}```$", re.S | re.M)
SAVED = re.compile(r"Save this as `([^`]+)`")
INDENTED = re.compile(r"(?:\A|\n\n)((?: {4,}|\t)\S[^\n]*)")
NO_FILL = re.compile(r"^\.nf\n(.*?)^\.fi$", re.S | re.M)
COMMAND = re.compile(r" *(\$ |[A-Z_]+=\S* )*(make|cmake|ctest|mpiexec|srun|salloc|(\./|bench/|scripts/|tessera-)\w+) ")
MARK = re.compile(r'^(?: *<!-- |\.\\" )(not run|run by make soak|given): (.+?)(?: -->)?$', re.M)


class Step:
    """`kind`: file (`name`), given (`name`, `text` is the path), commands, or printed. `line`: in the page. `mark` and `reason`: of
    commands that are not run, or not always."""

    def __init__(self, kind, line, text, name="", mark="", reason=""):
        self.kind, self.line, self.text, self.name, self.mark, self.reason = kind, line, text, name, mark, reason

    def is_run(self, everything):
        return self.mark != "not run" and (everything or self.mark != "run by make soak")


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def given(before, line):
    for mark, value in MARK.findall(before):
        if mark == "given":
            name, path = value.split(" = ")
            yield Step("given", line, path, name=name)


def commands(before, line, text):
    """With the mark right before them, if there is one."""
    last = before.rstrip().splitlines()[-1:] or [""]
    found = MARK.search(last[0])
    mark, reason = found.groups() if found and found.group(1) != "given" else ("", "")
    return Step("commands", line, text, mark=mark, reason=reason)


def steps_of_guide(text):
    end, last = 0, ""
    for block in FENCE.finditer(text):
        kind, before, line = block.group(2), text[end:block.start()], line_of(text, block.start())
        names, body = SAVED.findall(before), textwrap.dedent(block.group(3))
        yield from given(before, line)
        if kind == "sh":
            yield commands(before, line, body)
        elif kind == "text" and last == "sh" and not before.strip():
            yield Step("printed", line, body)
        elif kind != "text" and names:
            yield Step("file", line, body, name=names[-1])
        end, last = block.end(), kind


def plain(roff):
    """The text of a line of commands."""
    return re.sub(r"\\f.|\\&", "", roff).replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\")


def steps_of_man_page(text):
    end = 0
    for block in NO_FILL.finditer(text):
        before, line = text[end:block.start()], line_of(text, block.start())
        yield from given(before, line)
        # The mark may stand before the macros of the block's paragraph.
        yield commands(re.sub(r"(?m)^\.(PP|RS 4)\n", "", before), line, plain(block.group(1)))
        end = block.end()


def steps(path):
    text = path.read_text()
    return list(steps_of_man_page(text) if path in MAN_PAGES else steps_of_guide(text))


def wrong_blocks(path):
    """(line, what is wrong) of blocks of a guide that may hold commands and do not say so, and of marks that no commands follow."""
    text = path.read_text()
    outside = FENCE.sub(lambda block: re.sub(r"[^\n]", "x", block.group()), text)
    if path not in MAN_PAGES:
        for block in FENCE.finditer(text):
            if block.group(2) not in LANGUAGES:
                yield line_of(text, block.start()), f"a block of '{block.group(2)}': give one of {', '.join(LANGUAGES)}"
            elif block.group(2) == "text" and any(map(COMMAND.match, block.group(3).splitlines())):
                yield line_of(text, block.start()), "a block of text holds commands: begin it with ```sh, so that a test runs it"
        for block in INDENTED.finditer(outside):
            yield line_of(text, block.start(1)), "an indented block: begin it with ```sh, so that a test runs it, or ```text"
    marks = [found for found in MARK.finditer(outside) if found.group(1) != "given"]
    used = sum(bool(step.mark) for step in steps(path))
    if len(marks) != used:
        yield line_of(text, marks[0].start()) if marks else 1, f"{len(marks)} marks, but {used} of them right before commands"
