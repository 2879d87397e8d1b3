"""The public headers as documentation: file, sections, functions and what their comments say.

The headers have plain comments. The first is about the file. One above a function, or above several functions without a blank line
between them, is about these. A line "/* ---- Title ----" begins a section; what stands below it holds for the whole section.
"""
import re

DEFINES = re.compile(r"(?:#define(?:\\\n|[^\n])*\n)*")
TYPE = re.compile(r"(?:typedef|enum|struct|union)\b(?:[^\n{]*;[^\n]*\n|.*?^\}[^\n]*\n|.*\Z)", re.S | re.M)
COMMENT = re.compile(r"/\*.*?\*/[ \t]*\n?", re.S)
SECTION = re.compile(r"\A----+ *(.*?) *-*\Z")
BLOCK = re.compile(r".*?(?:\n(?=\n|/\*)|\Z)", re.S)
# What ends a declaration, if no brace is open: a semicolon, or the brace of a function's body, which ends its line.
END = re.compile(r"[;{}](?:[^\n;{}]*\n)?")


def text_of(comment):
    """The lines of a comment without its frame."""
    lines = comment.strip()[2:-2].split("\n")
    return [re.sub(r"\A[ \t]*\* ?", "", line).rstrip() if number else line.strip() for number, line in enumerate(lines)]


def split_declarations(text):
    at, open_n = 0, 0
    for found in END.finditer(text):
        open_n = max(0, open_n + {"{": 1, "}": -1, ";": 0}[found.group()[0]])  # a comment may have cut off the beginning
        is_end = found.group()[0] == ";" or found.group()[0] == "}" and not found.group()[1:].strip()
        if not open_n and is_end and found.group().endswith("\n"):
            yield text[at:found.end()]
            at = found.end()
    if text[at:].strip():
        yield text[at:]


def declarations_of(after):
    """What follows up to a blank line or the next comment, declaration by declaration."""
    block = BLOCK.match(after).group()
    if block.startswith("SHMEMI_"): # rows of a table
        return re.split(r"(?<=\n)(?=SHMEMI_)", block)
    type_definition = TYPE.match(block)
    rest = block[type_definition.end():] if type_definition else block
    return ([type_definition.group()] if type_definition else []) + list(split_declarations(rest))


def pieces(text):
    """Yields ("file", lines), ("section", title, lines), ("item", lines, declarations, macros before them), ("beside", lines) of a
    comment behind code on its line, and ("code", text) for all else, in their order. ("macros", lines, text) is of a comment above
    macros only; their text follows as code, too."""
    at, first = 0, True
    for found in COMMENT.finditer(text):
        if found.start() < at:
            continue
        yield "code", text[at:found.start()]
        at = found.end()
        before, lines, after = text[:found.start()], text_of(found.group()), text[at:]
        own_line = not before or before.endswith("\n")
        section = SECTION.match(lines[0]) if own_line else None
        if first:
            yield "file", lines
        elif section:
            yield "section", section[1], lines[1:]
        elif own_line and after[DEFINES.match(after).end():][:1] not in "\n#/":
            defines = DEFINES.match(after).group()
            declarations = declarations_of(after[len(defines):])
            yield "code", defines
            at += len(defines) + sum(map(len, declarations))
            yield "item", lines, declarations, defines
        elif own_line and after[:1] == "#":
            yield "macros", lines, BLOCK.match(after).group()
        elif not own_line and re.search(r"[,;\w]\s*\Z", before.rsplit("\n", 1)[-1]):
            yield "beside", lines
        first = False
    yield "code", text[at:]
