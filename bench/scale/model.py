"""The model: the parameters of a machine, and the times of barrier and allreduce on it, in ns."""
import functools
import math

import source

SMALL, LARGE = 8, 1 << 20


class Machine:
    """Parameters taken from rows: the fastest batch of each point, since a disturbance only adds time."""

    def __init__(self, rows):
        self.rows = rows
        self.cores = rows[0]["cores"]
        self.line = self.least("limits.round_trip") / 2 # one cache line from core to core
        self.add = self.least("limits.atomic", "fetch-add.hot") # one more arrival on a shared cache line
        self.byte = self.least("limits.memcpy", size=LARGE) / LARGE
        self.turn = self.turn_of_a_core()
        self.set_wire()

    def times(self, work, variant=None, size=None, hosts=1):
        return [row for row in self.rows if row["work"] == work and row["unit"] == "ns" and row["hosts"] == hosts and
                variant in (None, row["variant"]) and size in (None, row["bytes"])]

    def least(self, *wanted, **more):
        found = self.times(*wanted, **more)
        if not found:
            raise SystemExit(f"scale-model: no row of {' '.join(wanted)}: measure again")
        return min(row["min"] for row in found)

    def turn_of_a_core(self):
        """The time that one more unit on a core adds to a bare barrier; 0 if no units shared a core."""
        each = [row["min"] * self.cores / row["units"] for row in self.times("limits.barrier", "yield")]
        return sum(each) / len(each) if each else 0

    def set_wire(self):
        """A message takes overhead, latency, bytes * per_byte, overhead; several follow each other by one overhead."""
        hosts = max(row["hosts"] for row in self.rows)
        self.hosts = hosts if hosts > 1 else 0
        if not self.hosts:
            return
        small, large = (self.least("p2p.send", "plain", size, hosts) for size in (SMALL, LARGE))
        self.per_byte = max(large - small, 1) / (LARGE - SMALL)
        self.overhead = min(self.least("stream.put", None, SMALL, hosts), small / 3)
        self.latency = small - 2 * self.overhead

    def message(self, size):
        return 2 * self.overhead + self.latency + size * self.per_byte


def levels(n, degree=2):
    depth = 0
    while degree ** depth < n:
        depth += 1
    return depth


def subtrees(nodes):
    """How many nodes there are below each child of the root of a binomial tree, the child included."""
    return [min(2 ** k, nodes - 2 ** k) for k in reversed(range(levels(nodes)))]


def held(nodes, step):
    """The parts of which a node holds a sum after so many halving steps."""
    return -(-nodes // 2 ** step)


def shared(begins, work):
    """When transfers end that begin at these times, take `work` each if alone, and share a link evenly."""
    ends, now, left = [], 0, []
    for begin in [*begins, math.inf]:
        while left and now + left[0] * len(left) <= begin:
            now += left[0] * len(left)
            left = [one - left[0] for one in left[1:]]
            ends.append(now)
        left = [one - (begin - now) / len(left) for one in left] + [work]
        now = begin
    return ends


class Between:
    """Leaders, one for each of `nodes`: the algorithms of src/coll, and for the barrier src/core/bootstrap.c. `add` is the time to
    add one byte up; a method for each collective and algorithm."""

    def __init__(self, machine, add):
        self.machine, self.add = machine, add
        self.message, self.per_byte = machine.message, machine.per_byte

    def take(self, collective, algorithm, nodes, size):
        return getattr(self, f"{collective}_{algorithm}")(nodes, size)

    def chosen(self, collective, nodes, size):
        return self.take(collective, source.chosen(collective, nodes, size), nodes, size)

    def algorithms(self, collective):
        return [name for name in ("direct", "tree", "doubling", "ring", "halving") if hasattr(self, f"{collective}_{name}")]

    def barrier_doubling(self, nodes, _):
        return levels(nodes) * self.message(SMALL)

    def allreduce_doubling(self, nodes, size):
        """Nodes beyond a power of two send their data to a neighbour, and receive the sum from it."""
        whole = 2 ** (nodes.bit_length() - 1)
        steps = levels(whole) + (nodes > whole)
        return steps * (self.message(size) + size * self.add) + (nodes > whole) * self.message(size)

    def allreduce_ring(self, nodes, size):
        return 2 * (nodes - 1) * self.message(size / nodes) + size * (nodes - 1) / nodes * self.add

    def halves(self, nodes, size):
        """The steps in one direction. One node's parts wrap around the end, and take two messages."""
        for step in range(levels(nodes)):
            keeps = held(nodes, step + 1)
            moved = (held(nodes, step) - keeps) * size / nodes
            yield self.message(moved) + (keeps > 1) * self.machine.overhead, moved

    def sum_up(self, nodes, size):
        return sum(time + moved * self.add for time, moved in self.halves(nodes, size))

    def collect(self, nodes, size):
        return sum(time for time, _ in self.halves(nodes, size))

    def pass_parts(self, nodes, size):
        """Each node's part travels between the root and the node."""
        return levels(nodes) * self.message(0) + size * (nodes - 1) / nodes * self.per_byte

    def allreduce_halving(self, nodes, size):
        return self.sum_up(nodes, size) + self.collect(nodes, size)

    def bcast_halving(self, nodes, size):
        return self.pass_parts(nodes, size) + self.collect(nodes, size)

    def reduce_halving(self, nodes, size):
        return self.sum_up(nodes, size) + self.pass_parts(nodes, size)

    def bcast_tree(self, nodes, size):
        """A node starts all its messages at once, those to the largest subtrees first; they share its link."""
        @functools.cache
        def end(members):
            below = subtrees(members)
            sent = shared([k * self.machine.overhead for k in range(len(below))], size * self.per_byte)
            return max((at + self.message(0) + end(part) for at, part in zip(sent, below)), default=0)
        return end(nodes)

    def reduce_tree(self, nodes, size):
        """The messages to a node come one after another over its link; the node adds them up when all have arrived."""
        @functools.cache
        def end(members):
            below, free = subtrees(members), 0
            for ready in sorted(end(part) + self.message(0) for part in below):
                free = max(free, ready) + size * self.per_byte
            return free + len(below) * size * self.add
        return end(nodes)

    def scatter_tree(self, nodes, size):
        """`size` is a node's block. A node starts all its messages at once, those to the largest subtrees first."""
        @functools.cache
        def end(members):
            now, last = 0, 0
            for part in subtrees(members):
                now += self.machine.overhead
                last = max(last, now + self.message(part * size) - self.machine.overhead + end(part))
                now = max(now, part * size * self.per_byte)
            return last
        return end(nodes)

    def gather_tree(self, nodes, size):
        """The messages to a node come one after another over its link."""
        @functools.cache
        def end(members):
            free = 0
            for ready, part in sorted((end(part) + self.message(0), part) for part in subtrees(members)):
                free = max(free, ready) + part * size * self.per_byte
            return free
        return end(nodes)

    def scatter_direct(self, nodes, size):
        """The root starts one message after another; they share its link."""
        begins = [(k + 1) * self.machine.overhead for k in range(nodes - 1)]
        return shared(begins, size * self.per_byte)[-1] + self.message(0) - self.machine.overhead

    def received(self, begins, size, now=0):
        """When a node, free from `now` on, has received messages that begin at these times and share its link."""
        for end in shared(begins, size * self.per_byte):
            now = max(now, end + self.machine.latency) + self.machine.overhead
        return now

    def gather_direct(self, nodes, size):
        """All nodes send at once."""
        return self.received([self.machine.overhead] * (nodes - 1), size)

    def alltoall_direct(self, nodes, size):
        """A node exchanges blocks with some nodes at a time: it starts all sends, then receives."""
        def exchange(partners):
            begins = [(k + 1) * self.machine.overhead for k in range(partners)]
            return self.received(begins, size, begins[-1]) if partners else 0
        groups, rest = divmod(nodes - 1, source.AT_ONCE_N)
        return groups * exchange(source.AT_ONCE_N) + exchange(rest)

    def allgather_ring(self, nodes, size):
        return (nodes - 1) * self.message(size)

    def allgather_doubling(self, nodes, size):
        return sum(self.message(min(2 ** k, nodes - 2 ** k) * size) for k in range(levels(nodes)))

    def bcast_ring(self, nodes, size):
        """In each round a node passes one piece on and receives the next."""
        piece = min(size, source.CHAIN_BYTES)
        return (nodes - 2 + math.ceil(size / piece)) * self.message(piece)

    def reduce_ring(self, nodes, size):
        piece = min(size, source.CHAIN_BYTES)
        return self.bcast_ring(nodes, size) + (nodes - 2 + math.ceil(size / piece)) * piece * self.add


class Model:
    """Nodes of `members` units each, which have `cores` there."""

    def __init__(self, machine, cores):
        self.machine, self.cores = machine, cores
        self.between = Between(machine, machine.byte) if machine.hosts else None

    def crowding(self, members):
        return max(1, members / self.cores)

    def turn(self, members):
        """A barrier on one node. Units that share cores each have to run once. Otherwise the words of a cache line, or
        the tree's lines, move from core to core one after another, and so do the copies of the line that releases all."""
        m = self.machine
        if members == 1:
            return 0
        if members > self.cores:
            return members / self.cores * m.turn
        if members <= source.LINE_MEMBERS:
            return members * m.line
        return levels(members, source.TREE_DEGREE) * source.TREE_DEGREE * m.add + members * m.line

    def show(self, members):
        """One member publishes data. The others fetch its cache line one after another, or each has to run."""
        return 0 if members == 1 else members / self.cores * self.machine.turn if members > self.cores else \
            members * self.machine.line

    def copy(self, members, size):
        return size * self.machine.byte * self.crowding(members)

    def fetch(self, members):
        """The other members' parts; up to four are in a line that the barrier has fetched. Each core fetches them once."""
        return 0 if members <= source.LINE_MEMBERS else (members - 1) * self.machine.line

    def pieces(self, size):
        """Private memory that the kernel does not copy goes through bounce buffers; for long data the members first agree
        whether they are needed."""
        step = source.STAGE_BYTES if size >= 4 * source.STAGE_BYTES else source.STAGE_BYTES // 2
        whole, rest = divmod(size, step)
        return [step] * whole + [rest] * (rest > 0)

    def local_reduce(self, members, size):
        if members == 1:
            return 0
        tries = size > (source.DIRECT_OVERSUBSCRIBED_BYTES if members > self.cores else source.DIRECT_BYTES)
        if tries and size >= (members if members > 2 else 1) * source.ATTACH_BYTES: # each reads, adds up and writes one part for all
            return 2 * self.turn(members) + 3 * self.copy(members, size)
        time = self.turn(members) if tries and size > source.REMEMBERED_BYTES else 0
        splits = members >= source.SPLIT_MEMBERS and size >= source.SPLIT_BYTES
        for piece in self.pieces(size):
            time += self.copy(members, piece) + self.turn(members) + self.fetch(members)
            if splits: # each adds up a part for all, and publishes it
                time += self.copy(members, piece) + self.turn(members) + self.copy(members, piece)
            else:
                time += members * self.copy(members, piece)
        return time

    def local_bcast(self, members, size):
        if members == 1:
            return 0
        time = self.turn(members) if size > max(source.DIRECT_BCAST_BYTES, source.REMEMBERED_BYTES) else 0
        return time + sum(2 * self.copy(members, piece) + self.show(members) for piece in self.pieces(size))

    def barrier(self, nodes, members):
        if nodes == 1:
            return self.turn(members)
        return self.turn(members) + self.between.barrier_doubling(nodes, SMALL) + self.show(members)

    def allreduce(self, nodes, members, size):
        if nodes == 1:
            return self.local_reduce(members, size)
        return (self.local_reduce(members, size) + self.between.chosen("allreduce", nodes, size) +
                self.local_bcast(members, size))


def split(units, per_node):
    nodes = -(-units // per_node)
    return nodes, -(-units // nodes)


def predictions(machine, per_node, numbers):
    """For numbers of units: units, nodes, and the times of a barrier and of allreduces of 8 B and 1 MiB. Each unit has a core."""
    model = Model(machine, max(per_node, 1))
    for units in numbers:
        nodes, members = split(units, per_node)
        if nodes > 1 and not machine.hosts:
            raise SystemExit("scale-model: the rows have no messages between hosts: measure with --hosts 2")
        yield (units, nodes, model.barrier(nodes, members), model.allreduce(nodes, members, SMALL),
               model.allreduce(nodes, members, LARGE))


def of_row(machine, row):
    """The prediction for a measured row of barrier or allreduce. Hosts on one machine share its cores."""
    hosts, members = row["hosts"], math.ceil(row["units"] / row["hosts"])
    model = Model(machine, machine.cores if hosts == 1 else max(1, machine.cores // hosts))
    if row["work"] == "barrier":
        return model.barrier(hosts, members)
    return model.allreduce(hosts, members, row["bytes"])
