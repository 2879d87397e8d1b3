"""Values that the model reads from the library's source, so that it follows each change there."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMBER = r"\d+(?: << \d+)?"


def value(text):
    base, _, shift = text.partition(" << ")
    return int(base) << int(shift or 0)


def number(path, name, pattern):
    found = re.search(pattern, (ROOT / path).read_text())
    if not found:
        raise SystemExit(f"scale-model: {path} has no {name} any more: what the model says of it has to be looked at")
    return value(found.group(1))


def constant(path, name):
    return number(path, name, rf"\b{name} = ({NUMBER})\b")


def default(variable):
    return number("src/base/config_table.h", variable, rf'"{variable}", ({NUMBER}),')


LINE_MEMBERS = constant("src/core/sync.c", "FLAT_MEMBERS")
TREE_DEGREE = default("TESSERA_BARRIER_DEGREE")
STAGE_BYTES = constant("src/core/sync.h", "TSR_BOUNCE_BYTES")
DIRECT_BYTES = constant("src/coll/direct.h", "TSR_DIRECT_BYTES")
DIRECT_OVERSUBSCRIBED_BYTES = constant("src/coll/direct.h", "TSR_DIRECT_OVERSUBSCRIBED_BYTES")
DIRECT_BCAST_BYTES = constant("src/coll/direct.h", "TSR_DIRECT_BCAST_BYTES")
REMEMBERED_BYTES = constant("src/coll/direct.h", "TSR_DIRECT_REMEMBERED_BYTES")
ATTACH_BYTES = constant("src/node/attach.h", "TSR_ATTACH_FROM")
SPLIT_MEMBERS = constant("src/coll/local_reduce.c", "SPLIT_MEMBERS")
SPLIT_BYTES = constant("src/coll/local_reduce.c", "SPLIT_BYTES")
CHAIN_BYTES = constant("src/coll/builders.h", "TSR_CHAIN_BYTES")
AT_ONCE_N = constant("src/coll/builders.h", "TSR_AT_ONCE_N")


def leaders_table():
    """Rows (collective, most nodes, most bytes, algorithm) of the built-in table, for the part between leaders."""
    most = rf"TSR_ANY_\w+|{NUMBER}"
    row = re.compile(rf"\{{TSR_COLL_(\w+), TSR_LEADERS, \w+, ({most}), ({most}), TSR_BY_(\w+)\}}")
    for kind, nodes, size, algorithm in row.findall((ROOT / "src/coll/select.c").read_text()):
        limits = [float("inf") if text.startswith("TSR") else value(text) for text in (nodes, size)]
        yield kind.lower(), *limits, algorithm.lower()


TABLE = list(leaders_table())


def chosen(collective, nodes, size):
    for kind, most_nodes, most_bytes, algorithm in TABLE:
        if kind == collective and nodes <= most_nodes and size <= most_bytes:
            return algorithm
    raise SystemExit(f"scale-model: src/coll/select.c has no row for {collective} between leaders")
