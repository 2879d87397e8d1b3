"""The public headers as documentation: file, sections, functions and what their comments say.

The headers have plain comments. The first is about the file. One above a function, or above several functions without a blank line
between them, is about these. A line "/* ---- Title ----" begins a section; what stands below it holds for the whole section.
"""
import re

DEFINES = re.compile(r"(?:#define[^\n]*(?:\\\n[^\n]*)*\n)*")
TYPE = re.compile(r"(?:typedef|enum|struct|union)\b(?:[^\n{]*;[^\n]*\n|.*?^\}[^\n]*\n|.*\Z)", re.S | re.M)
COMMENT = re.compile(r"/\*.*?\*/[ \t]*\n?", re.S)
SECTION = re.compile(r"\A----+ *(.*?) *-*\Z")
DECLARATION = re.compile(r"(?:[^;{]|\{.*?\n\})*?(?:;[^\n]*\n|\n\}\n|\Z)", re.S)


def text_of(comment):
    """The lines of a comment without its frame."""
    lines = comment.strip()[2:-2].split("\n")
    return [re.sub(r"\A[ \t]*\* ?", "", line).rstrip() if number else line.strip() for number, line in enumerate(lines)]


def declarations_of(after):
    """What follows up to a blank line or the next comment, declaration by declaration."""
    block = re.match(r".*?(?:\n(?=\n|/\*)|\Z)", after, re.S).group()
    if block.startswith("SHMEMI_"): # rows of a table
        return re.split(r"(?<=\n)(?=SHMEMI_)", block)
    type_definition = TYPE.match(block)
    rest = block[type_definition.end():] if type_definition else block
    return ([type_definition.group()] if type_definition else []) + [one for one in DECLARATION.findall(rest) if one.strip()]


def pieces(text):
    """Yields ("file", lines), ("section", title, lines), ("item", lines, declarations), ("beside", lines) of a comment behind
    code on its line, and ("code", text) for all else, in their order."""
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
        elif own_line and after[DEFINES.match(after).end():][:1] not in "\n#":
            defines = DEFINES.match(after).group()
            declarations = declarations_of(after[len(defines):])
            yield "code", defines
            at += len(defines) + sum(map(len, declarations))
            yield "item", lines, declarations
        elif not own_line and re.search(r"[,;\w]\s*\Z", before.rsplit("\n", 1)[-1]):
            yield "beside", lines
        first = False
    yield "code", text[at:]
