"""Reads the compile_commands.json of a build directory, for the checks."""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess

BATCH = 24  # sources per process of clang's front end
TAKES_VALUE = ("-I", "-isystem", "-D")


def options(command):
    """The options of a command line that decide what the source means: include paths, macros, the standard."""
    words = iter(shlex.split(command))
    for word in words:
        if word in TAKES_VALUE:
            yield from (word, next(words))
        elif word.startswith(TAKES_VALUE) or word.startswith("-std="):
            yield word


def entries(build):
    return json.loads((pathlib.Path(build) / "compile_commands.json").read_text())


def sources(build):
    """{file: options}: each source once, however many targets compile it."""
    return {entry["file"]: list(options(entry["command"])) for entry in entries(build)}


def compiler(build):
    """The name of the compiler itself, whatever link was used (cc), and whether or not ccache starts it."""
    words = shlex.split(entries(build)[0]["command"])
    word = words[1] if os.path.basename(words[0]) == "ccache" else words[0]
    return os.path.basename(os.path.realpath(word))


def system_includes(build):
    """The -isystem paths that any source is compiled with (those of MPI)."""
    paths = {}
    for words in sources(build).values():
        for word, value in zip(words, words[1:]):
            if word == "-isystem":
                paths[value] = None
    return [word for path in paths for word in ("-isystem", path)]


def frontend(compiler, options, language):
    """The command by which this clang checks sources of a language ("c", "c++"), without their names. It takes several: each is a
    translation unit of its own, and clang takes longer to start than to check one."""
    told = subprocess.run([compiler, "-###", "-fsyntax-only", *options, "-x", language, "-"], capture_output=True, text=True)
    words = shlex.split(told.stderr.splitlines()[-1])
    name = words.index("-main-file-name")
    return words[:name] + words[name + 2:-1]


def frontend_commands(compiler, options, language, files):
    if "clang" not in os.path.basename(compiler):
        return [[compiler, "-fsyntax-only", *options, "-x", language, file] for file in files]
    command = frontend(compiler, options, language)
    return [[*command, *files[first:first + BATCH]] for first in range(0, len(files), BATCH)]


def check_syntax(groups):
    """What compilers say about sources: groups are tuples (compiler, options, language, files)."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        commands = [command for some in pool.map(lambda group: frontend_commands(*group), groups) for command in some]
        done = list(pool.map(lambda command: subprocess.run(command, capture_output=True, text=True), commands))
    return [f"{' '.join(run.args[:1])} ended with {run.returncode}:\n{run.stderr}" for run in done if run.returncode]
