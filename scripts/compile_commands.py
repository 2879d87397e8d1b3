"""Reads the compile_commands.json of a build directory, for the checks."""
import json
import os
import pathlib
import shlex

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
