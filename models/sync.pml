/* The rounds of a team sync area (src/core/sync.c, src/coll/named.c) and the sleep of its members (src/base/wait.c),
 * for spin. Members sleep on its eventcount and on their doorbells; the first DOORBELL_ONLY ones are woken by their
 * doorbells only. A signal wakes any WOKEN_BY_EACH sleepers, and each of these wakes as many.
 *
 * N members take STEPS steps. The first member that comes to a step chooses its kind, the same for all. Blocking
 * calls are a barrier, a broadcast (the root signals and leaves, the others wait for it), and a gather (the root
 * waits for all, the others arrive and leave). The first member may fail the call instead. Cells have COPIES copies.
 * A model of LANES has two more kinds:
 * - split-phase barriers (START_SPLIT): a member stores its name, arrives, and takes further steps of any kind before
 *   it waits for all and reads their names, before its next arrival in a split-phase barrier at the latest;
 * - started barriers (START): a member arrives and waits later. Any number is open, and completes in any order.
 * With NODES a started barrier has members on other nodes. Then the first member waits for those of its node and
 * releases the others, from the poll of any wait.
 * A test (tsr_named_is_over) that finds a round open changes nothing, and one that finds it complete is a wait that
 * does not sleep. A barrier in two parts (tsr_sync_enter, tsr_sync_leave) has the same steps as one call.
 *
 * Up to FLAT_MEMBERS members read each other's words. More members arrive in a tree of degree DEGREE: each stores its
 * round, and the member that finds its group complete stores the round one level up; the top completes the round. At
 * the end all members detach, and the first one frees the area.
 *
 * Claims, for all orders of steps:
 * - No member sleeps for ever (spin reports an invalid end state), whatever it has open.
 * - A waiting member leaves a round only after the members that it waits for have arrived in it.
 * - The parts that it then reads are of that round, up to its next step; so are the names of a split-phase barrier.
 *   All members compare the same names.
 * - It learns of a failure if and only if there was one: of any member in a barrier, of the root in a broadcast.
 * - No member reads a freed area.
 * - No word of a tree goes back to an earlier round.
 * - At the end all members are counted as awake.
 * With two copies make_room is also the rule of the bounce buffers. Not modelled: digests of calls, which are in the
 * same word as the round.
 *
 * Memory is sequentially consistent, as between locked instructions. A plain store in a broken variant goes through a
 * store buffer, which a separate process empties at any later time.
 *
 * Each line below is one run of `models/check`, the later ones of `make soak`. Broken variants must fail.
 *
 * Holds: -DN=2 -DSTEPS=4 -DCOPIES=2
 * Holds: -DN=2 -DSTEPS=3 -DDOORBELL_ONLY=1
 * Holds: -DN=2 -DSTEPS=3 -DDOORBELL_ONLY=2
 * Holds: -DN=3 -DSTEPS=1
 * Later: -DN=2 -DSTEPS=4 -DCOPIES=3
 * Later: -DN=3 -DSTEPS=2 -DFEW_KINDS -DNO_FAILURE
 * Later: -DN=4 -DSTEPS=1 -DFEW_KINDS -DNO_FAILURE
 * Later: -DN=3 -DSTEPS=3 -DFEW_KINDS -DNO_FAILURE
 * Later: -DN=3 -DSTEPS=2 -DFEW_KINDS
 * Later: -DN=3 -DSTEPS=3 -DFLAT_MEMBERS=2 -DFEW_KINDS -DNO_FAILURE
 * Later: -DN=3 -DSTEPS=2 -DCOPIES=3 -DFLAT_MEMBERS=2 -DFEW_KINDS -DNO_FAILURE
 * Later: -DN=3 -DSTEPS=2 -DCOPIES=3 -DFLAT_MEMBERS=2 -DLANES -DONE_KIND -DNO_FAILURE -DNO_STARTED
 * Later: -DN=2 -DSTEPS=3 -DLANES -DONE_KIND -DNO_FAILURE
 * Later: -DN=2 -DSTEPS=3 -DLANES -DFEW_KINDS -DNO_FAILURE
 * Later: -DN=2 -DSTEPS=3 -DLANES -DNODES -DNO_SPLIT -DONE_KIND
 * Later: -DN=3 -DSTEPS=1 -DLANES -DONE_KIND -DNO_FAILURE
 * Holds: -DN=3 -DSTEPS=2 -DCOPIES=3 -DFLAT_MEMBERS=2 -DONE_KIND -DNO_FAILURE
 * Holds: -DN=3 -DSTEPS=1 -DFLAT_MEMBERS=2 -DLANES -DONE_KIND -DNO_FAILURE
 * Holds: -DN=2 -DSTEPS=2 -DLANES -DFEW_KINDS -DNO_FAILURE
 * Holds: -DN=2 -DSTEPS=4 -DLANES -DONE_KIND -DNO_FAILURE -DNO_STARTED
 * Holds: -DN=2 -DSTEPS=3 -DLANES -DONE_KIND -DNO_FAILURE -DNO_SPLIT -DNODES -DDOORBELL_ONLY=2
 * Fails: -DN=2 -DSTEPS=2 -DNO_LAST_POLL
 * Fails: -DN=2 -DSTEPS=2 -DPLAIN_BELL -DDOORBELL_ONLY=2
 * Fails: -DN=2 -DSTEPS=2 -DPLAIN_COUNT
 * Fails: -DN=2 -DSTEPS=2 -DNO_SEQUENCE
 * Fails: -DN=2 -DSTEPS=2 -DLATE_SEQUENCE
 * Fails: -DN=3 -DSTEPS=1 -DWAKE_NO_OTHERS
 * Fails: -DN=3 -DSTEPS=2 -DONE_KIND -DNO_FAILURE -DWAKE_AFTER_OWN_SIGNAL
 * Fails: -DN=3 -DSTEPS=2 -DFEW_KINDS -DNO_FAILURE -DACK_ANY_SEQUENCE
 * Fails: -DN=2 -DSTEPS=2 -DRING_NO_DOORBELLS -DDOORBELL_ONLY=1
 * Fails: -DN=2 -DSTEPS=2 -DPLAIN_ARRIVAL
 * Fails: -DN=2 -DSTEPS=3 -DEXACT_ROUND
 * Fails: -DN=2 -DSTEPS=3 -DONE_FAILED
 * Fails: -DN=2 -DSTEPS=3 -DONE_PART
 * Fails: -DN=2 -DSTEPS=4 -DNO_ROOM
 * Fails: -DN=2 -DSTEPS=4 -DSHORT_ROOM
 * Fails: -DN=2 -DSTEPS=5 -DCOPIES=3 -DSHORT_ROOM
 * Fails: -DN=2 -DSTEPS=2 -DLAST_WAKES_NONE
 * Fails: -DN=3 -DSTEPS=1 -DFEW_KINDS -DNO_FAILURE -DSIGNAL_WAKES_NONE
 * Fails: -DN=3 -DSTEPS=1 -DFEW_KINDS -DFAILURE_WAKES_NONE
 * Fails: -DN=2 -DSTEPS=2 -DFREE_AT_ONCE
 * Fails: -DN=3 -DSTEPS=2 -DFLAT_MEMBERS=2 -DNO_LAST_POLL
 * Fails: -DN=3 -DSTEPS=2 -DFLAT_MEMBERS=2 -DPLAIN_BELL -DDOORBELL_ONLY=3
 * Fails: -DN=3 -DSTEPS=2 -DFLAT_MEMBERS=2 -DPLAIN_COUNT
 * Fails: -DN=3 -DSTEPS=2 -DFLAT_MEMBERS=2 -DPLAIN_TOP
 * Fails: -DN=3 -DSTEPS=2 -DFLAT_MEMBERS=2 -DEARLY_TOP
 * Fails: -DN=3 -DSTEPS=2 -DFLAT_MEMBERS=2 -DPLAIN_WORD
 * Fails: -DN=3 -DSTEPS=2 -DCOPIES=3 -DFLAT_MEMBERS=2 -DEXACT_GROUP -DFEW_KINDS -DNO_FAILURE
 * Fails: -DN=3 -DSTEPS=2 -DFLAT_MEMBERS=2 -DLAST_WAKES_NONE
 * Fails: -DN=3 -DSTEPS=1 -DFLAT_MEMBERS=2 -DFEW_KINDS -DNO_FAILURE -DSIGNAL_WAKES_NONE
 * Fails: -DN=2 -DSTEPS=1 -DLANES -DONE_KIND -DNO_FAILURE -DLATE_NAME
 * Fails: -DN=2 -DSTEPS=2 -DLANES -DONE_KIND -DNO_FAILURE -DNO_STARTED -DONE_NAME
 * Fails: -DN=2 -DSTEPS=3 -DLANES -DONE_KIND -DNO_FAILURE -DNO_STARTED -DANY_ROUND
 * Fails: -DN=2 -DSTEPS=1 -DLANES -DONE_KIND -DNO_FAILURE -DPLAIN_SPLIT
 * Fails: -DN=2 -DSTEPS=1 -DLANES -DONE_KIND -DNO_FAILURE -DPLAIN_STARTED
 * Fails: -DN=2 -DSTEPS=1 -DLANES -DONE_KIND -DNO_FAILURE -DSPLIT_WAKES_NONE
 * Fails: -DN=2 -DSTEPS=1 -DLANES -DONE_KIND -DNO_FAILURE -DSPLIT_WITHOUT_EVENT
 * Fails: -DN=2 -DSTEPS=1 -DLANES -DONE_KIND -DNO_FAILURE -DSTART_RINGS_NONE
 * Fails: -DN=2 -DSTEPS=1 -DLANES -DONE_KIND -DNO_FAILURE -DSTART_SIGNALS
 * Fails: -DN=2 -DSTEPS=1 -DLANES -DONE_KIND -DNO_FAILURE -DNODES -DEARLY_RELEASE
 * Fails: -DN=2 -DSTEPS=2 -DLANES -DONE_KIND -DNO_FAILURE -DNODES -DRELEASE_BACK
 * Fails: -DN=2 -DSTEPS=1 -DLANES -DONE_KIND -DNO_FAILURE -DNODES -DRELEASE_RINGS_NONE
 * Fails: -DN=2 -DSTEPS=2 -DLANES -DONE_KIND -DNO_FAILURE -DNODES -DRELEASE_IN_OWN_WAIT
 * Fails: -DN=3 -DSTEPS=1 -DFLAT_MEMBERS=2 -DLANES -DONE_KIND -DNO_FAILURE -DSPLIT_WAKES_NONE
 * Fails: -DN=3 -DSTEPS=1 -DFLAT_MEMBERS=2 -DLANES -DONE_KIND -DNO_FAILURE -DEARLY_TOP
 */
#ifndef N
#define N 3
#endif
#ifndef STEPS
#define STEPS 3
#endif
#ifndef COPIES
#define COPIES 2
#endif
#ifndef FLAT_MEMBERS
#define FLAT_MEMBERS 4
#endif
#ifndef DEGREE
#define DEGREE 2
#endif
#ifndef DOORBELL_ONLY
#define DOORBELL_ONLY 0
#endif
#ifndef WOKEN_BY_EACH
#define WOKEN_BY_EACH 1
#endif

#define GROUPS_OF(n) (((n) + DEGREE - 1) / DEGREE)
#define WORDS_N (2 * N) /* of a tree, leaves first; an upper bound */

#define LANE_CALLS 0
#define LANE_STARTED 1
#define LANE_SPLIT 2
#ifdef LANES
#define LANES_N 3
#else
#define LANES_N 1
#endif

/* The area: struct area, cells and trees. An arrival of a cell is twice the round, and one more if the member fails
 * it. */
byte calls[N], left_n;
byte arrival[N * COPIES], part[N * COPIES], failed[COPIES];
byte tree[LANES_N * WORDS_N], top[LANES_N];
#ifdef LANES
byte started[N], released, split[2 * N], name[2 * N];
#endif

/* The eventcount. Its numbers only matter by whether they are the latest. */
byte waiters_n, doorbell_waiters_n;
bool is_latest[N] /* the sequence that the member has read */, acked = true /* acked_sequence is the sequence */;

bool bell[N], asleep[N], on_event[N] /* sleeps on the eventcount, too */, freed;
short awake_n = N;

/* The true state, for the assertions. */
byte entered[N];
#ifdef LANES
byte entered_started[N], entered_split[N];
#define STEP_OF(i) (entered[i] + entered_started[i] + entered_split[i])
#else
#define STEP_OF(i) entered[i]
#endif
bool was_failed[STEPS + 1];
byte followed; /* last round in which the second member waited for a root and returned */
byte gone; /* members that have ended */

/* The kind of a step. */
#define BARRIER 1
#define BCAST 2         /* BCAST + 1: the other root */
#define GATHER 4
#define START_SPLIT 6
#define START 7
byte kind[STEPS + 2];
#ifdef LANES
#define KIND kind[at]
#else
#define KIND kind[round]
#endif
#define IS_BCAST (KIND / 2 == BCAST / 2)
#define ROOT (KIND % 2 * (N - 1)) /* in a barrier: the member that has a part */
#define SHOWS(i) ((i == ROOT) == (KIND < GATHER)) /* has a part that others read */

#define COPY(member, round) ((member) * COPIES + (round) % COPIES)
#ifdef ONE_FAILED
#define FAILED(round) failed[0]
#else
#define FAILED(round) failed[(round) % COPIES]
#endif
#ifdef ONE_PART
#define PART(member, round) part[member]
#else
#define PART(member, round) part[COPY(member, round)]
#endif
#ifdef EXACT_ROUND
#define REACHED(seen) ((seen) == goal)
#else
#define REACHED(seen) ((seen) >= goal)
#endif
#ifdef SHORT_ROOM
#define ROOM (COPIES + 1)
#else
#define ROOM COPIES
#endif
#ifdef ONE_NAME
#define NAME(member, round) name[member]
#else
#define NAME(member, round) name[(member) * 2 + (round) % 2]
#endif
#define SPLIT(member, round) split[(member) * 2 + (round) % 2]

/* ---- store buffers, of one store each ---- */

byte arrival_late[N], top_late[N], word_late[N], split_late[N], started_late[N];
bool bell_late[N], count_late[N];

#if defined(PLAIN_WORD) || defined(PLAIN_ARRIVAL) || defined(PLAIN_TOP) || defined(PLAIN_BELL) || \
    defined(PLAIN_COUNT) || defined(PLAIN_SPLIT) || defined(PLAIN_STARTED)
#define BUFFERED
#define DRAINED(me) \
  (!arrival_late[me] && !word_late[me] && !top_late[me] && !bell_late[me] && !count_late[me] && !split_late[me] && \
   !started_late[me])
proctype memory(byte me) {
end:
  do
  :: atomic { arrival_late[me] -> arrival[COPY(me, arrival_late[me] / 2)] = arrival_late[me]; arrival_late[me] = 0 }
  :: atomic { word_late[me] -> tree[me] = word_late[me]; word_late[me] = 0 }
  :: atomic { top_late[me] -> top[LANE_CALLS] = top_late[me]; top_late[me] = 0 }
  :: atomic { bell_late[me] -> bell[me] = true; bell_late[me] = false }
  :: atomic { count_late[me] -> waiters_n++; count_late[me] = false }
#ifdef LANES
  :: atomic { split_late[me] -> SPLIT(me, split_late[me]) = split_late[me]; split_late[me] = 0 }
  :: atomic { started_late[me] -> started[me] = started_late[me]; started_late[me] = 0 }
#endif
  od
}
#else
#define DRAINED(me) true
#endif

/* ---- sleeping: base/wait.c ---- */

/* What a member waits for, if not for one member. */
#define ALL N
#define OPEN_SPLIT (N + 1)
#define LEFT (N + 2)
#define OPEN_STARTED (N + 3)

#ifdef SPLIT_WITHOUT_EVENT
#define HAS_EVENT (who <= ALL)
#else
#define HAS_EVENT (who <= OPEN_SPLIT)
#endif
#define WAITS_ON_EVENT (HAS_EVENT && me >= DOORBELL_ONLY)

inline set_bell() {
#ifdef PLAIN_BELL
  atomic { bell_late[me] = true; awake_n-- }
#else
  atomic { DRAINED(me) -> bell[me] = true; awake_n-- }
#endif
}

inline count_waiter() {
#ifdef PLAIN_COUNT
  count_late[me] = true
#else
  waiters_n++
#endif
}

/* If no other member rings the doorbell of one that waits on the eventcount, its doorbell and its count are one
 * step. */
inline prepare_sleep() {
  if
  :: WAITS_ON_EVENT ->
#ifdef LANES
     set_bell();
     count_waiter();
#else
     atomic { set_bell(); count_waiter() }
#endif
#ifndef LATE_SEQUENCE
     is_latest[me] = true
#endif
  :: !WAITS_ON_EVENT ->
     set_bell();
     atomic { DRAINED(me) || !HAS_EVENT -> doorbell_waiters_n = doorbell_waiters_n + HAS_EVENT }
  fi
}

/* The kernel compares under its lock. */
inline futex_wait_pair() {
#ifdef LATE_SEQUENCE
  is_latest[me] = true;
#endif
  atomic {
    DRAINED(me);
    if
    :: bell[me] && (is_latest[me] || !WAITS_ON_EVENT) -> asleep[me] = true; on_event[me] = WAITS_ON_EVENT
    :: else
    fi
  }
  !asleep[me]
}

inline finish_sleep() {
  DRAINED(me) ->
  awake_n = awake_n + bell[me];
  bell[me] = false;
  waiters_n = waiters_n - WAITS_ON_EVENT;
  doorbell_waiters_n = doorbell_waiters_n - (HAS_EVENT && !WAITS_ON_EVENT);
  on_event[me] = false
}

/* After a full fence. One step: a check before the exchange is equivalent to the exchange alone. */
inline bell_ring(whose) {
  d_step {
    if
    :: bell[whose] -> bell[whose] = false; asleep[whose] = false; awake_n++
    :: else
    fi
  }
}

inline eventcount_wake() {
#ifndef NO_SEQUENCE
  d_step {
    for (i : 0 .. N - 1) { is_latest[i] = false }
    i = 0;
    acked = false
  };
#endif
  is_latest[me] = true;
  wake_some()
}

/* After the sequence was read: is_latest[me]. */
inline wake_some() {
  atomic {
    do
    :: i < WOKEN_BY_EACH ->
       if
       :: asleep[0] && on_event[0] -> asleep[0] = false
       :: asleep[1] && on_event[1] -> asleep[1] = false
#if N > 2
       :: asleep[2] && on_event[2] -> asleep[2] = false
#endif
#if N > 3
       :: asleep[3] && on_event[3] -> asleep[3] = false
#endif
       :: else -> break
       fi;
       i++
    :: else -> break
    od;
    few = i < WOKEN_BY_EACH;
    i = 0
  };
  atomic {
#ifdef ACK_ANY_SEQUENCE
    acked = acked || few;
#else
    acked = (few -> is_latest[me] : acked);
#endif
    few = false;
    is_latest[me] = false
  }
}

inline ring_others() {
  assert(!freed);
  i = 0;
  do
  :: i < N && i != me -> bell_ring(i); i++
  :: i == me -> i++
  :: i == N -> break
  od;
  i = 0
}

inline wake_others() {
  assert(!freed);
  if
  :: waiters_n > 0 -> eventcount_wake()
  :: else
  fi;
#if DOORBELL_ONLY > 0 && !defined(RING_NO_DOORBELLS)
  if
  :: doorbell_waiters_n > 0 -> ring_others()
  :: else
  fi
#endif
}

#ifdef WAKE_AFTER_OWN_SIGNAL
#define WAKES_OTHERS (!acked && !is_latest[me])
#else
#define WAKES_OTHERS !acked
#endif

/* tsr_wait_slow. The model omits polls before the doorbell is set, which only save work. Clearing the doorbell before
 * the next poll is harmless. */
inline wait_for(whom, which) {
  d_step { goal = which; who = whom; ready = false };
  do
  :: ready -> break
  :: !ready ->
     prepare_sleep();
#ifdef NO_LAST_POLL
     futex_wait_pair();
#else
     check_ready();
     if
     :: !ready -> poll()
     :: else
     fi;
#endif
     atomic {
       finish_sleep();
       few = WAITS_ON_EVENT && waiters_n > 0 && WAKES_OTHERS;
       is_latest[me] = few;
       check_ready()
     };
#ifndef WAKE_NO_OTHERS
     if
     :: few -> few = false; wake_some()
     :: else
     fi
#endif
  od
}

/* poll_once, and the sleep if it finds nothing. */
#ifdef NODES
inline poll() {
  find_release();
  if
  :: releasing -> release()
  :: else -> futex_wait_pair()
  fi
}
#else
inline poll() { futex_wait_pair() }
#endif

/* ---- the round: core/sync.c ---- */

#define CELL_REACHED(i) REACHED(arrival[COPY(i, goal)] / 2)
#if N <= FLAT_MEMBERS
#define HAS_ARRIVED(i) (i == me || REACHED(calls[i]) || CELL_REACHED(i))
#else
#define HAS_ARRIVED(i) (i == me || REACHED(tree[i]) || CELL_REACHED(i))
#endif

/* Whether all have arrived in a round of another sequence. The member has; it sees its own store even in a buffer. */
#ifdef ANY_ROUND
#define SPLIT_REACHED(i) (SPLIT(i, goal) > 0)
#else
#define SPLIT_REACHED(i) (SPLIT(i, goal) >= goal)
#endif
#define STARTED_REACHED(i, round) (started[i] >= (round))
#if N > FLAT_MEMBERS
#define SPLIT_COMPLETE (top[LANE_SPLIT] >= goal)
#define STARTED_COMPLETE(round) (top[LANE_STARTED] >= (round))
#elif N > 2
#define SPLIT_COMPLETE ((me == 0 || SPLIT_REACHED(0)) && (me == 1 || SPLIT_REACHED(1)) && (me == 2 || SPLIT_REACHED(2)))
#define STARTED_COMPLETE(round) \
  ((me == 0 || STARTED_REACHED(0, round)) && (me == 1 || STARTED_REACHED(1, round)) && \
   (me == 2 || STARTED_REACHED(2, round)))
#else
#define SPLIT_COMPLETE ((me == 0 || SPLIT_REACHED(0)) && (me == 1 || SPLIT_REACHED(1)))
#define STARTED_COMPLETE(round) ((me == 0 || STARTED_REACHED(0, round)) && (me == 1 || STARTED_REACHED(1, round)))
#endif
#ifdef NODES
#define IS_RELEASED (me == 0 -> (unreleased & ((1 << (goal + 1)) - 1)) == 0 : released >= goal)
#else
#define IS_RELEASED STARTED_COMPLETE(goal)
#endif

#if N <= FLAT_MEMBERS
inline all_arrived() {
  i = 0;
  do
  :: i < N && HAS_ARRIVED(i) -> i++
  :: else -> break
  od;
  ready = i == N;
  i = 0
}
#else
inline all_arrived() { ready = REACHED(top[LANE_CALLS]) }
#endif

/* One step: a condition that has become true remains true, so checking the words one by one finds nothing else. */
inline check_ready() {
  d_step {
    assert(!freed);
    if
    :: who == LEFT -> ready = (left_n + 1 == N)
#ifdef LANES
    :: who == OPEN_SPLIT -> ready = SPLIT_COMPLETE
    :: who == OPEN_STARTED -> ready = IS_RELEASED
#endif
    :: else ->
       ready = false;
       if
       :: who < N -> ready = HAS_ARRIVED(who)
       :: else
       fi;
       if
       :: !ready -> all_arrived()
       :: else
       fi
    fi
  }
}

inline make_room() {
  if
#ifndef NO_ROOM
  :: round + 1 >= settled + ROOM ->
     wait_for(ALL, round + 1 - COPIES / 2 - (ROOM - COPIES));
     settled = goal
#endif
  :: else
  fi
}

inline choose(chosen) {
  if
  :: chosen = BARRIER
#ifndef ONE_KIND
  :: chosen = BCAST
  :: chosen = GATHER + 1
#ifndef FEW_KINDS
  :: chosen = BCAST + 1
  :: chosen = GATHER
#endif
#endif
#if defined(LANES) && !defined(NO_SPLIT)
  :: chosen = START_SPLIT
#endif
#if defined(LANES) && !defined(NO_STARTED)
  :: chosen = START
#endif
  fi
}

/* A member may write its part at any time before it publishes its arrival; this is the earliest. */
inline enter() {
  atomic {
    round++;
#ifndef LANES
    if
    :: kind[round] == 0 -> choose(kind[round])
    :: else
    fi;
#endif
    entered[me] = round;
#ifdef LANES
    word = round;
#endif
    if
#ifndef NO_FAILURE
    :: me == 0 -> fails = true; FAILED(round) = round; was_failed[round] = true
#endif
    :: SHOWS(me) -> PART(me, round) = round
    :: !SHOWS(me)
    fi;
    forget_calls()
  }
}

/* Merges states that differ only in rounds which all members have left. */
inline forget_calls() {
  d_step {
    i = 0;
    do
    :: i < N && entered[i] >= round -> i++
    :: else -> break
    od;
    if
    :: i == N ->
       was_failed[round - 1] = false;
#ifndef EXACT_ROUND
       for (i : 0 .. N - 1) { calls[i] = (calls[i] < round -> round - 1 : calls[i]) }
       for (i : 0 .. N * COPIES - 1) {
         arrival[i] = (arrival[i] < round * 2 -> 0 : arrival[i]);
         part[i] = (part[i] < round -> 0 : part[i])
       }
       for (i : 0 .. COPIES - 1) { failed[i] = (failed[i] < round -> 0 : failed[i]) }
#endif
#ifndef LANES
       kind[round - 1] = 0
#endif
    :: else
    fi;
    i = 0
  }
}

/* A member without a part: in a barrier any but the one that has it; in a gather the root. */
#define BARE (!fails && !SHOWS(me) && !IS_BCAST)

inline publish_call() {
  if
#if N <= FLAT_MEMBERS
  :: BARE -> calls[me] = round
#else
  :: BARE -> skip
#endif
  :: else ->
#ifdef PLAIN_ARRIVAL
     arrival_late[me] = round * 2 + fails
#else
     arrival[COPY(me, round)] = round * 2 + fails
#endif
  fi;
#if N <= FLAT_MEMBERS
  if
  :: fails -> calls[me] = round
  :: else
  fi
#endif
}

/* The sequence in which the member arrives, and its round there. */
#ifdef LANES
#define LANE lane
#define WORD word
#else
#define LANE LANE_CALLS
#define WORD round
#endif

/* Words are read one by one, but never go back, so reading them at once finds nothing else. */
#ifdef EXACT_GROUP
#define IN_GROUP(i) (tree[i] == WORD)
#else
#define IN_GROUP(i) (tree[i] >= WORD)
#endif
inline join_group() {
  d_step {
    index = index / DEGREE;
    i = index * DEGREE;
    do
    :: i < n && i < (index + 1) * DEGREE && (IN_GROUP(level + i) || level + i == me) -> i++
    :: else -> break
    od;
    last = i == n || i == (index + 1) * DEGREE;
    i = 0;
    level = level + n;
    n = GROUPS_OF(n)
  }
}

inline arrive_in_tree() {
  level = LANE * WORDS_N; index = me; n = N;
#ifdef PLAIN_WORD
  word_late[me] = WORD;
#else
  tree[level + me] = WORD;
#endif
  do
  :: true ->
     join_group();
#ifdef EARLY_TOP
     break;
#endif
     if
     :: last && n > 1 -> atomic { assert(tree[level + index] <= WORD); tree[level + index] = WORD }
     :: else -> break
     fi
  od;
  level = 0; index = 0; n = 0;
  if
  :: last ->
#ifdef PLAIN_TOP
     top_late[me] = WORD
#else
     atomic { assert(top[LANE] <= WORD); top[LANE] = WORD }
#endif
  :: else
  fi
}

/* The waiters that this arrival completes, and those that wait for this member. */
#define WAKES_AS_LAST last
#define WAKES_AS_ROOT (!fails && IS_BCAST && me == ROOT)
#ifdef LAST_WAKES_NONE
#undef WAKES_AS_LAST
#define WAKES_AS_LAST false
#endif
#ifdef SIGNAL_WAKES_NONE
#undef WAKES_AS_ROOT
#define WAKES_AS_ROOT false
#endif
#ifdef FAILURE_WAKES_NONE
#define WAKES_AS_FAILED false
#else
#define WAKES_AS_FAILED fails
#endif

/* arrive_in_round */
inline arrive() {
  assert(!freed);
  publish_call();
#if N <= FLAT_MEMBERS
  atomic { goal = round; who = ALL; check_ready(); last = ready };
#else
  arrive_in_tree();
#endif
  if
  :: WAKES_AS_LAST || WAKES_AS_ROOT || WAKES_AS_FAILED -> wake_others()
  :: else
  fi
}

/* Checked as late as possible, just before the next step: by then most can have changed. */
inline check_barrier() {
  d_step {
    assert((FAILED(round) == round) == was_failed[round]);
    for (i : 0 .. N - 1) {
      assert(entered[i] >= round);
      assert(was_failed[round] || !SHOWS(i) || PART(i, round) == round)
    }
    i = 0
  }
}

inline check_root() {
  d_step {
    assert(entered[ROOT] >= round);
    assert(arrival[COPY(ROOT, round)] % 2 == (ROOT == 0 && was_failed[round]));
    assert((ROOT == 0 && was_failed[round]) || PART(ROOT, round) == round)
  }
}

/* The last member may delay a broadcast until the second one has left it. Then only the root can have rung the second
 * one. */
#if N > 2 && !defined(LANES)
inline come() {
  if
  :: me == N - 1 && kind[round + 1] == BCAST -> followed > round
  :: true
  fi
}
#else
inline come() { skip }
#endif

#define WAITS_FOR_ROOT (!fails && IS_BCAST && me != ROOT)
#define WAITS_FOR_ALL (!fails && !IS_BCAST && (me == ROOT || KIND == BARRIER))

inline call() {
  come();
  make_room();
  enter();
  arrive();
  if
  :: WAITS_FOR_ROOT || (WAITS_FOR_ALL && !last) ->
     goal = round;
     who = (IS_BCAST -> ROOT : ALL);
     wait_for(who, goal)
  :: else
  fi;
  if
  :: WAITS_FOR_ROOT ->
     check_root();
     if
     :: N > 2 && me == 1 -> followed = round
     :: else
     fi
  :: WAITS_FOR_ALL -> settled = round; check_barrier()
  :: else
  fi;
  d_step {
    last = false; ready = false; fails = false; goal = 0; who = 0;
#ifdef LANES
    word = 0
#endif
  }
}

/* ---- started calls and split-phase barriers ---- */

#ifdef LANES
/* Merges states that differ only in the kinds of steps which all members have left. */
inline forget_kind() {
  d_step {
    i = 0;
    do
    :: i < N && STEP_OF(i) >= at -> i++
    :: else -> break
    od;
    kind[at - 1] = (i == N -> 0 : kind[at - 1]);
    i = 0
  }
}

inline begin_start() {
  atomic {
    if
    :: KIND == START_SPLIT ->
       opened++;
       open = true;
       entered_split[me] = opened;
       lane = LANE_SPLIT;
       word = opened;
#ifndef LATE_NAME
       NAME(me, opened) = opened
#endif
    :: else ->
       begun++;
       entered_started[me] = begun;
       lane = LANE_STARTED;
       word = begun;
#ifdef NODES
       unreleased = (me == 0 -> unreleased | (1 << begun) : 0)
#endif
    fi
  }
}

inline publish_start() {
  if
  :: lane == LANE_SPLIT ->
#ifdef PLAIN_SPLIT
     split_late[me] = word
#else
     SPLIT(me, word) = word
#endif
  :: else ->
#ifdef PLAIN_STARTED
     started_late[me] = word
#else
     started[me] = word
#endif
  fi;
  atomic {
    goal = word;
    last = (lane == LANE_SPLIT -> SPLIT_COMPLETE : STARTED_COMPLETE(word))
  }
}

/* tsr_sync_start */
inline start() {
  assert(!freed);
  begin_start();
#if N <= FLAT_MEMBERS
  publish_start();
#else
  arrive_in_tree();
#endif
#ifdef LATE_NAME
  if
  :: lane == LANE_SPLIT -> NAME(me, opened) = opened
  :: else
  fi;
#endif
  if
#ifndef SPLIT_WAKES_NONE
  :: last && lane == LANE_SPLIT -> wake_others()
#endif
#ifndef START_RINGS_NONE
#ifdef START_SIGNALS
  :: last && lane == LANE_STARTED -> wake_others()
#else
  :: last && lane == LANE_STARTED -> ring_others()
#endif
#endif
  :: else
  fi;
  d_step { last = false; goal = 0; word = 0; lane = LANE_CALLS }
}

inline end_split() {
  wait_for(OPEN_SPLIT, opened);
  atomic {
    for (i : 0 .. N - 1) {
      assert(entered_split[i] >= opened);
      assert(NAME(i, opened) == opened)
    }
    i = 0;
    open = false; ready = false; goal = 0; who = 0
  }
}

/* Waits for the first open round, or for the last. */
inline end_started() {
  if
  :: goal = awaited + 1
  :: awaited + 1 < begun -> goal = begun
  fi;
  wait_for(OPEN_STARTED, goal);
  atomic {
    for (i : 0 .. N - 1) { assert(entered_started[i] >= goal) }
    i = 0;
    awaited = goal; ready = false; goal = 0; who = 0
  }
}
#endif

#ifdef NODES
#if defined(EARLY_RELEASE)
#define MAY_RELEASE(round) (unreleased & 1 << (round))
#elif defined(RELEASE_IN_OWN_WAIT)
#define MAY_RELEASE(round) (who == OPEN_STARTED && (unreleased & 1 << (round)) && STARTED_COMPLETE(round))
#else
#define MAY_RELEASE(round) ((unreleased & 1 << (round)) && STARTED_COMPLETE(round))
#endif

/* The messages of the first members come in any order. */
inline find_release() {
  if
  :: MAY_RELEASE(1) -> releasing = 1
  :: MAY_RELEASE(2) -> releasing = 2
  :: MAY_RELEASE(3) -> releasing = 3
  :: else -> releasing = 0
  fi
}

inline release() {
  atomic {
    for (i : 0 .. N - 1) { assert(entered_started[i] >= releasing) }
    i = 0;
#ifdef RELEASE_BACK
    released = releasing;
#else
    released = (released < releasing -> releasing : released);
#endif
    unreleased = unreleased & ~(1 << releasing);
    releasing = 0
  };
#ifndef RELEASE_RINGS_NONE
  ring_others()
#endif
}
#endif

/* ---- the end ---- */

inline detach() {
  if
  :: me == 0 ->
#ifndef FREE_AT_ONCE
     wait_for(LEFT, 0);
#endif
     freed = true
  :: else ->
     left_n++;
     bell_ring(0)
  fi
}

proctype member(byte me) {
  byte round, settled, i, goal, who;
  bool ready, fails, last, few;
#if N > FLAT_MEMBERS
  byte level, index, n;
#endif
#ifdef LANES
  byte at, lane, word, opened, begun, awaited;
  bool open;
#ifdef NODES
  byte unreleased, releasing;
#endif
  do
  :: atomic { at < STEPS && !kind[at + 1] -> choose(kind[at + 1]) }
  :: atomic { at < STEPS && kind[at + 1] && !(open && kind[at + 1] == START_SPLIT) -> at++; forget_kind() };
     if
     :: KIND >= START_SPLIT -> start()
     :: else -> call()
     fi
  :: open -> end_split()
  :: awaited < begun -> end_started()
  :: at == STEPS && !open && awaited == begun -> break
  od;
#else
  do
  :: round < STEPS -> call()
  :: else -> break
  od;
#endif
  detach();
  gone++
}

init {
  byte k;
  atomic {
    for (k : 0 .. N - 1) {
      run member(k)
#ifdef BUFFERED
      ; run memory(k)
#endif
    }
  }
  gone == N;
  assert(awake_n == N)
}
