"""The errors and warnings of the library, as the sources have them: identifier, level and text.

The pages of messages are made from this list (scripts/message-page, scripts/man-pages), and scripts/check-messages checks it.
"""
import functools
import pathlib
import re
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent

ERROR, WARNING, ENDS = "error", "warning", "ends the job"
# The functions that take a message: which argument it is, and its level; None: an argument says it.
FUNCTIONS = {"tsr_fail": (1, ERROR), "tsr_abort": (1, ENDS), "tsr_error": (0, ERROR), "tsr_warn": (0, WARNING),
             "tsr_report": (0, ERROR), "tsr_log_always": (1, None), "tsr_log_call": (1, None), "tsr_log_write": (1, None), "tsr_wire_fatal": (0, ENDS),
             "tsr_native_invalid": (1, ERROR), "tsr_dart_fail": (1, ERROR), "tsr_dart_invalid": (0, ERROR),
             "tsr_dart_log": (1, None), "tsr_armci_fail": (1, ERROR), "tsr_armci_die": (0, ENDS), "tsr_gex_fail": (1, ERROR),
             "tsr_gex_die": (0, ENDS), "tsr_shmem_die": (0, ENDS), "gasnett_fatalerror": (0, ENDS)}
# Errors of another function, or after which the process ends without the functions above.
OTHERS = {"0211": ENDS, "0212": ENDS, "0214": ENDS, "0399": ENDS, "0402": WARNING}
# The first identifier of each folder, and what its messages are about.
RANGES = [("src/base/", 1, "Variables, timelines, long waits"), ("src/node/", 100, "Memory of a node"),
          ("src/net/", 200, "MPI, launchers, messages between nodes"), ("src/core/", 300, "Start, end, teams, memory, deaths"),
          ("src/am/", 500, "Active messages"), ("src/rma/", 600, "Puts, gets, atomics, locks"),
          ("src/vis/", 700, "Strided and indexed transfers"), ("src/p2p/", 800, "Two-sided messages"),
          ("src/coll/", 900, "Collectives"), ("src/api/native/", 1000, "The native interface"), ("src/api/dart/", 2000, "DART"),
          ("src/api/armci/", 3000, "ARMCI"), ("src/api/gasnet/", 4000, "GASNet"), ("src/api/shmem/", 5000, "OpenSHMEM")]

FIRST = re.compile(r"\b(%s)\s*\(" % "|".join(FUNCTIONS))
QUIET = re.compile(r"TSR_LOG_(INFO|DEBUG)")  # the level of those that need none
PASSED_ON = re.compile(r"\s*(\.\.\.|__VA_ARGS__|const char \*)")  # in a declaration, or in a function of the list
LITERAL = re.compile(r'(?:^|[?:])\s*"')  # also each of two that a condition chooses from
IDENTIFIER = re.compile(r"TSR-(\d{4})\b")
STARTS = re.compile(r'"TSR-(\d{4}) ')
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
PIECE = re.compile(r'\s*(?:"((?:\\.|[^"\\])*)"|(\w+))')
DEFINITION = re.compile(r'^ *#define (\w+) "((?:\\.|[^"\\])*)"$', re.M)
PLACEHOLDER = re.compile(r"%(%|[-+ #0]*\d*(?:\.\d+)?(?:hh|h|ll|l|z|t|j)?([a-zA-Z]))")
CHOICE = re.compile(r'[^"]*\?\s*"([^"]*)"\s*:\s*"([^"]*)"\Z')

# What an argument of %s is, by its expression.
WORDS = [(r"\bcall(->name)?\Z|__func__\Z", "CALL"), (r"remed(y|ies)", "REMEDY"),
         (r"\bstrerror\b|status_string|status_text|\bwhy\b|\breason\b", "REASON"), (r"\bname\Z|_name\b", "NAME"),
         (r"\bhost\Z|gethostname", "HOST"), (r"\b(path|file)\Z", "FILE")]


def blank(text):
    """The text with comments and the insides of strings blanked; every character keeps its place."""
    return NOT_CODE.sub(lambda m: m.group()[0] + re.sub(r"[^\n]", " ", m.group()[1:-1]) + m.group()[-1]
                        if m.group()[0] in "\"'" else re.sub(r"[^\n]", " ", m.group()), text)


def arguments(code, at):
    """Where the arguments behind the parenthesis before `at` begin; the last place is their end."""
    begins, depth = [at], 0
    while depth >= 0:
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(code[at], 0)
        if code[at] == "," and depth == 0:
            begins.append(at + 1)
        at += 1
    return begins + [at]


def sources():
    return sorted(path for path in (ROOT / "src").rglob("*.[ch]"))


def starts(text):
    """Where a literal begins with an identifier, and that."""
    code = blank(text)
    return [(found.start(), found[1]) for found in STARTS.finditer(text) if code[found.start()] == '"']


def calls(text):
    """For each call that takes a message: where the message's text begins, or None when it is no literal; the line of the call;
    its level; and its arguments behind the message."""
    code = blank(text)
    for match in FIRST.finditer(code):
        begins, (number, level) = arguments(code, match.end()), FUNCTIONS[match[1]]
        given = code[begins[number]:begins[number + 1] - 1] if number < len(begins) - 1 else "..."
        if PASSED_ON.match(given) or QUIET.search(code, begins[0], begins[-1]):
            continue
        line, literals = code.count("\n", 0, match.start()) + 1, list(LITERAL.finditer(given))
        level = level or (WARNING if "TSR_LOG_WARN" in code[begins[0]:begins[number]] else ERROR)
        values = [text[begin:end - 1].strip() for begin, end in zip(begins[number + 1:], begins[number + 2:])]
        for literal in literals or [None]:
            yield literal and begins[number] + literal.end(), line, level, values


# ---- The texts, as a reader sees them ----

@functools.cache
def definitions_in(path):
    found = {}
    for name, value in DEFINITION.findall(path.read_text()):
        found.setdefault(name, []).append(value)
    return {name: " or ".join(values) for name, values in found.items()}  # of several MPIs


@functools.cache
def definitions_in_headers():
    return {name: value for path in sources() if path.suffix == ".h" for name, value in definitions_in(path).items()}


def format_at(text, at, path):
    """The format whose first literal has its first character at `at`."""
    out, at = "", at - 1
    while piece := PIECE.match(text, at):
        literal, name = piece.groups()
        if literal is None:
            macros = definitions_in(path) | definitions_in_headers()
            literal = "u" if name.startswith("PRI") else macros[name]  # of PRIu64 and so on
        out, at = out + literal, piece.end()
    return out.replace('\\"', '"').replace("\\\\", "\\")


def word_for(kind, value):
    """What stands for a placeholder: a word by the argument's meaning."""
    choice = CHOICE.match(value)
    if kind in "px":
        return "ADDRESS" if kind == "p" else "N"
    if kind != "s":
        return "N"
    if choice:
        return " or ".join(choice.groups()) if all(choice.groups()) else "[" + "".join(choice.groups()) + "]"
    return next((word for pattern, word in WORDS if re.search(pattern, value)), "...")


def readable(form, values):
    values = iter(values)

    def word(match):
        if match[1] == "%":
            return "%"
        value = next(values, "")
        begins = match.start() == len("TSR-0000 ") and form[match.end():match.end() + 1] == ":"
        return "CALL" if begins and value.endswith("name") else word_for(match[2], value)
    return re.sub(r"(\.\.\.){2,}", "...", PLACEHOLDER.sub(word, form))


class Message:
    def __init__(self, number, level, text):
        self.number, self.text = number, text
        self.name = f"TSR-{number}"
        self.level = ENDS if "the job ends" in text else OTHERS.get(number, level)


def messages_of(path):
    text, at = path.read_text(), set()
    for begin, _, level, values in calls(text):
        found = IDENTIFIER.match(text, begin) if begin is not None else None
        if found:
            at.add(begin - 1)
            yield Message(found[1], level, readable(format_at(text, begin, path), values)[len("TSR-0000 "):])
    for begin, number in starts(text):  # composed of pieces
        if number in OTHERS and begin not in at:
            yield Message(number, ERROR, format_at(text, begin + 1, path)[len("TSR-0000 "):] + "...")


@functools.cache
def all_messages():
    return sorted((message for path in sources() for message in messages_of(path)), key=lambda message: message.number)


def groups():
    """For each layer or interface: title, first and last identifier that it may have, its messages."""
    ends = [first for _, first, _ in RANGES[1:]] + [10000]
    for (_, first, title), end in zip(RANGES, ends):
        yield title, first, end - 1, [message for message in all_messages() if first <= int(message.number) < end]


INTRODUCTION = textwrap.dedent("""\
    Every error and warning of the library has an identifier, which stays the same when the wording changes. In the texts below N
    stands for a number, ADDRESS for an address, CALL for the function that the program called, NAME, HOST and FILE for names, REASON
    and REMEDY for what the system reports and what to do about it, and ... for other text that varies. Text in [ ] is not always
    printed.

    After an error the call fails as its interface says, or another message ends the job. After a warning the call and the job go
    on. TESSERA_ERRORS=abort makes every error end the job. Monitors print TSR-0339 and TSR-0342 while the job ends.
    """)
