"""Guides of docs as man pages: titles, paragraphs, lists, tables, code, emphasis and links of Markdown. Rows of tables become items,
because a terminal has no room for columns of sentences. Pictures are left out."""
import re

INLINE = re.compile(r"`(?P<code>[^`]+)`|\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*\s][^*]*)\*|"
                    r"\[(?P<link>[^\]]*)\]\((?P<target>[^)]*)\)")

# The guides that are man pages, and what they are about.
PAGES = {"concepts": "units, global memory, completion and progress in all interfaces",
         "memory-model": "what orders what, call by call"}


def escape(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def line_of(text):
    """Text that is no request, though it may begin with a dot or quote."""
    return "\\&" + text if text[:1] in ".'" else text


def target_of(link):
    """What a reader of man pages finds at a link."""
    name = link.removesuffix(".md")
    return f"tessera-{name}(7)" if name in PAGES else link if "/" in link else f"docs/{link}"


def inline(text):
    """Text with its emphasis; a link with what it leads to."""
    out, at = "", 0
    for found in INLINE.finditer(text):
        out += escape(text[at:found.start()])
        strong, weak = found["code"] or found["bold"], found["italic"]
        if found["link"] is not None:
            out += f"{escape(found['link'])} ({escape(target_of(found['target']))})"
        else:
            out += f"\\fB{escape(strong)}\\fP" if strong else f"\\fI{escape(weak)}\\fP"
        at = found.end()
    return line_of(out + escape(text[at:]))


def table(lines):
    """Items: the first cell, and the others with the titles of their columns if there are several."""
    titles, _, *rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    for first, *others in rows:
        named = [(title, cell) for title, cell in zip(titles[1:], others) if cell]
        yield ".TP"
        yield inline(first) or "\\&"
        if len(titles) > 2:
            yield inline("; ".join(f"{title}: {cell}" if title else cell for title, cell in named)) or "\\&"
        else:
            yield inline(" ".join(cell for _, cell in named)) or "\\&"


def blocks(text):
    """The blocks of a guide between blank lines; code, which may have blank lines, is one."""
    for part in re.split(r"^(```\w*\n.*?^```\n)", text, flags=re.S | re.M):
        yield from [part] if part.startswith("```") else re.split(r"\n{2,}", part)


def guide(text):
    """The lines of a man page behind its name."""
    out = [".SH DESCRIPTION"]
    for block in blocks(text):
        lines = block.strip("\n").split("\n")
        if lines[0].startswith("```"):
            out += [".PP", ".nf", *(line_of(escape(line)) for line in lines[1:-1]), ".fi"]
        elif lines[0].startswith("## "):
            out.append(".SH " + escape(lines[0][3:].upper()))
        elif lines[0].startswith("|"):
            out += table(lines)
        elif lines[0].startswith("* "):
            for item in re.split(r"^\* ", "\n".join(lines), flags=re.M)[1:]:
                out += [".IP \\(bu 2", inline(re.sub(r"\s+", " ", item).strip())]
        elif lines[0] and not lines[0].startswith(("# ", "![")):
            out += [".PP", inline(" ".join(lines))]
    return out
