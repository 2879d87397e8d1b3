"""The public headers without their private macros: a row of functions, one for each type, becomes a function with placeholders.

A header of OpenSHMEM defines a row of functions, and a list from shmem/lists.h repeats it for each type:

    #define SHMEMI_RMA_ROW(NAME, T) SHMEMI_CTX_FN(void, NAME##_p, T *dest, T value, int pe)
    SHMEMI_RMA_TYPES(SHMEMI_RMA_ROW)

A header of GASNet repeats a row itself, as GEXI_CALLS(0) to GEXI_CALLS(16). flatten() writes such a row once, with a placeholder
for each argument that differs. names_of() replaces the placeholders by the arguments, and shown() by a word such as TYPE.
"""
import re

from header_comments import COMMENT

PRIVATE = re.compile(r"SHMEMI_|GEXI_|\w+_\Z")
# A definition; the end of one; calls of macros that begin a line, such as SHMEMI_AMO_TYPES(SHMEMI_AMO_ROW).
PARTS = re.compile(r"^#define (?P<name>\w+)(?:\((?P<parameters>[^)]*)\))?(?P<body>(?:\\\n|[^\n])*)\n|^#undef (?P<undefined>\w+)\n|"
                   r"^(?P<calls>(?:[A-Z]\w+\([\w *,]*\)[ \t]*\n?)+)", re.M)
CALL = re.compile(r"(\w+)\(([\w *,]*)\)")
WORD = re.compile(COMMENT.pattern + r"|\b[A-Za-z_]\w*", re.S)
JOIN = re.compile(r"[ \t]*##[ \t]*")
PLACEHOLDER = re.compile(r"«(\d+)\.(\d+)»")
# The words for the parameters of rows.
WORDS = {"NAME": "TYPENAME", "T": "TYPE", "name": "TYPENAME", "type": "TYPE"}

tables = []  # (words, arguments of each repetition) of each row


def end_of_arguments(text, at):
    """Behind the parenthesis that closes the one at `at`."""
    open_n = 0
    for found in re.finditer(r"[()]", text[at:]):
        open_n += 1 if found.group() == "(" else -1
        if not open_n:
            return at + found.end()
    return len(text)


def arguments_of(text):
    """Splits at commas that are in no parentheses."""
    out, open_n = [""], 0
    for character in text:
        open_n += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not open_n:
            out.append("")
        else:
            out[-1] += character
    return [one.strip() for one in out]


def replaced(macro, arguments):
    """The body of a macro with these arguments."""
    parameters, body = macro
    values = dict(zip(parameters, arguments))
    return JOIN.sub("", WORD.sub(lambda word: values.get(word.group(), word.group()), body))


def expand(text, macros):
    """Replaces private macros by what they are defined as, but not in comments."""
    out, at = "", 0
    for word in WORD.finditer(text):
        if word.start() < at or word.group() not in macros:
            continue
        macro, end, arguments = macros[word.group()], word.end(), []
        if macro[0] is not None:
            if text[end:end + 1] != "(":
                continue
            end = end_of_arguments(text, end)
            arguments = arguments_of(text[word.end() + 1:end - 1])
        out += text[at:word.start()] + expand(replaced((macro[0] or [], macro[1]), arguments), macros)
        at = end
    return out + text[at:]


def body_of(text):
    """A definition's text as it would stand outside of the definition."""
    lines = [line.rstrip("\\").rstrip() for line in text.split("\n")]
    indent = min((len(line) - len(line.lstrip()) for line in lines[1:] if line), default=0)
    return "\n".join([lines[0].strip(), *[line[indent:] for line in lines[1:]]]).strip("\n")


def repetitions(calls, macros):
    """(row, arguments of each repetition) of calls that follow each other. A list of types calls its argument, the row."""
    done = []
    for name, argument in calls:
        row, items = name, [arguments_of(argument)]
        if argument in macros:
            row = argument
            listed = expand(f"{name}({row})", {one: macro for one, macro in macros.items() if one != row})
            items = [arguments_of(one) for one in re.findall(rf"\b{row}\(([^()]*)\)", listed)]
        if done and done[-1][0] == row:
            done[-1][1].extend(items)
        else:
            done.append((row, items))
    return done


def row_text(row, items, macros):
    if all(PRIVATE.match(item[0]) is None and "_" in item[0] for item in items):  # whole names
        return "\n".join(expand(replaced(macros[row], item), macros) for item in items)
    tables.append(([WORDS.get(one, one) for one in macros[row][0]], items))
    return expand(replaced(macros[row], [f"«{len(tables) - 1}.{i}»" for i in range(len(items[0]))]), macros)


def flatten(text, macros):
    """The text without private macros. `macros` are those of headers before this one, and receives those of this one."""
    out, at = [], 0
    for part in PARTS.finditer(text):
        name = part["name"] or part["undefined"]
        if name and not PRIVATE.match(name):
            continue
        out.append(text[at:part.start()])
        at = part.end()
        if part["name"]:
            parameters = part["parameters"]
            macros[name] = (None if parameters is None else re.findall(r"[\w.]+", parameters), body_of(part["body"]))
        elif part["undefined"]:
            macros.pop(name, None)
        else:
            for row, items in repetitions(CALL.findall(part["calls"]), macros):
                out.append((row_text(row, items, macros) if row in macros else
                            expand("\n".join(f"{row}({', '.join(item)})" for item in items), macros)) + "\n")
    out.append(text[at:])
    return re.sub(r"\)[ \t]+(?=SHMEMI_(?:CTX_)?FN\()", ")\n", "".join(out))


def names_of(name):
    """The functions that a name with placeholders stands for."""
    found = PLACEHOLDER.search(name)
    return [name.replace(found.group(), item[int(found[2])]) for item in tables[int(found[1])][1]] if found else [name]


def shown(text):
    return PLACEHOLDER.sub(lambda found: tables[int(found[1])][0][int(found[2])], text)


def tables_in(text):
    return [tables[number] for number in dict.fromkeys(int(found[1]) for found in PLACEHOLDER.finditer(text))]
