/* The rounds of a team sync area (src/core/sync.c) and the sleep of its members (src/base/wait.h), for spin. Members
 * sleep on its eventcount and on their doorbells; the DEAF ones are woken by their doorbells only. A signal wakes any
 * WOKEN sleepers, and each of these wakes as many.
 *
 * N members execute ROUNDS rounds on COPIES copies. The first member that enters a round chooses its kind: a barrier
 * (TURN), a broadcast (the root signals and leaves, the others wait for it), or a collection (the root waits for all,
 * the others arrive and leave). The first member may fail the round instead. Up to LINE members read each other's
 * arrivals. More members arrive in a tree of degree DEGREE: each stores its round, and the member that finds its group
 * complete stores the round one level up; the top releases all. At the end all members leave the area, and the first
 * one frees it.
 *
 * Claims, for all orders of steps:
 * - No member sleeps for ever (spin reports an invalid end state).
 * - A waiting member leaves a round only after the members that it waits for have entered it.
 * - The data that it then reads is of that round, up to its next step.
 * - It learns of a failure if and only if there was one: of any member in a barrier, of the root in a broadcast.
 * - No member reads a freed area.
 * - No word of the tree goes back to an earlier round.
 * - At the end all members are counted as awake.
 * With two copies make_room is also the rule of the bounce buffers.
 *
 * Memory is sequentially consistent, as between locked instructions. A plain store in a broken variant goes through a
 * store buffer, which a separate process empties at any later time.
 *
 * Each line below is one run of `models/check`, the later ones of `make soak`. Broken variants must fail.
 *
 * Holds: -DN=2 -DROUNDS=4 -DCOPIES=2
 * Holds: -DN=2 -DROUNDS=3 -DDEAF=1
 * Holds: -DN=2 -DROUNDS=3 -DDEAF=2
 * Holds: -DN=3 -DROUNDS=1
 * Later: -DN=2 -DROUNDS=4 -DCOPIES=3
 * Later: -DN=3 -DROUNDS=2 -DFEW_KINDS -DNO_REFUSAL
 * Later: -DN=4 -DROUNDS=1 -DFEW_KINDS -DNO_REFUSAL
 * Later: -DN=3 -DROUNDS=3 -DFEW_KINDS -DNO_REFUSAL
 * Later: -DN=3 -DROUNDS=2 -DFEW_KINDS
 * Later: -DN=3 -DROUNDS=3 -DLINE=2 -DFEW_KINDS -DNO_REFUSAL
 * Holds: -DN=3 -DROUNDS=2 -DCOPIES=3 -DLINE=2 -DFEW_KINDS -DNO_REFUSAL
 * Fails: -DN=2 -DROUNDS=2 -DNO_SECOND_LOOK
 * Fails: -DN=2 -DROUNDS=2 -DPLAIN_BELL -DDEAF=2
 * Fails: -DN=2 -DROUNDS=2 -DPLAIN_COUNT
 * Fails: -DN=2 -DROUNDS=2 -DNO_STROKE
 * Fails: -DN=2 -DROUNDS=2 -DSTROKES_LATE
 * Fails: -DN=3 -DROUNDS=1 -DKEEP_IT
 * Fails: -DN=3 -DROUNDS=2 -DFEW_KINDS -DNO_REFUSAL -DONLY_OF_OWN_STROKE
 * Fails: -DN=3 -DROUNDS=2 -DFEW_KINDS -DNO_REFUSAL -DHEARD_TOO_MUCH
 * Fails: -DN=2 -DROUNDS=2 -DFORGET_DEAF -DDEAF=1
 * Fails: -DN=2 -DROUNDS=2 -DPLAIN_ARRIVAL
 * Fails: -DN=2 -DROUNDS=3 -DEXACT_ROUND
 * Fails: -DN=2 -DROUNDS=3 -DONE_REFUSED
 * Fails: -DN=2 -DROUNDS=3 -DONE_COPY
 * Fails: -DN=2 -DROUNDS=4 -DNO_ROOM
 * Fails: -DN=2 -DROUNDS=4 -DSHORT_ROOM
 * Later fails: -DN=2 -DROUNDS=5 -DCOPIES=3 -DSHORT_ROOM
 * Fails: -DN=2 -DROUNDS=2 -DSILENT
 * Fails: -DN=3 -DROUNDS=1 -DSILENT_TELL
 * Fails: -DN=3 -DROUNDS=1 -DSILENT_REFUSAL
 * Fails: -DN=2 -DROUNDS=2 -DFREE_AT_ONCE
 * Fails: -DN=3 -DROUNDS=2 -DLINE=2 -DNO_SECOND_LOOK
 * Fails: -DN=3 -DROUNDS=2 -DLINE=2 -DPLAIN_BELL -DDEAF=3
 * Fails: -DN=3 -DROUNDS=2 -DLINE=2 -DPLAIN_COUNT
 * Fails: -DN=3 -DROUNDS=2 -DLINE=2 -DPLAIN_RELEASE
 * Fails: -DN=3 -DROUNDS=2 -DLINE=2 -DEARLY_RELEASE
 * Fails: -DN=3 -DROUNDS=2 -DLINE=2 -DPLAIN_WORD
 * Later fails: -DN=3 -DROUNDS=2 -DCOPIES=3 -DLINE=2 -DEXACT_GROUP -DFEW_KINDS -DNO_REFUSAL
 * Fails: -DN=3 -DROUNDS=2 -DLINE=2 -DSILENT
 * Fails: -DN=3 -DROUNDS=1 -DLINE=2 -DSILENT_TELL
 */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif
#ifndef COPIES
#define COPIES 2
#endif
#ifndef LINE
#define LINE 4
#endif
#ifndef DEGREE
#define DEGREE 2
#endif
#ifndef DEAF
#define DEAF 0
#endif
#ifndef WOKEN
#define WOKEN 1
#endif

#define PARENTS_OF(n) (((n) + DEGREE - 1) / DEGREE)
#define WORDS_N (2 * N) /* of the arrival tree, leaves first; an upper bound */

/* The area, and the members' doorbells. */
byte arrived[N], released, left;
byte arrival[N * COPIES], part[N * COPIES], refused[COPIES];
byte word[WORDS_N];
byte listeners, deaf;
bool doorbell[N], asleep[N], heedful[N] /* the eventcount wakes it */, unheard[N] /* no signal since it read the number */, freed;
bool heard; /* by all: all have the number of the last signal */
short awake = N;

/* The true state, for the assertions. */
byte entered[N];
bool was_refused[ROUNDS + 1];
byte followed; /* last round in which the second member waited for a root and returned */
byte gone; /* members that have ended */

/* The kind of a round; set by the first member that enters it. */
#define TURN 1
#define BCAST 2         /* BCAST + 1: the other root */
#define COLLECT 4
byte kind[ROUNDS + 1];
#define KIND kind[round]
#define IS_BCAST (KIND / 2 == BCAST / 2)
#define ROOT (KIND % 2 * (N - 1)) /* in a barrier: the member that has a part */
#define SHOWS(i) ((i == ROOT) == (KIND < COLLECT)) /* has a part that others read */

#define COPY(member, round) ((member) * COPIES + (round) % COPIES)
#ifdef ONE_REFUSED
#define REFUSED(round) refused[0]
#else
#define REFUSED(round) refused[(round) % COPIES]
#endif
#ifdef ONE_COPY
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

/* ---- store buffers, of one store each ---- */

byte arrival_late[N], released_late[N], word_late[N];
bool bell_late[N], listens_late[N];
#define DRAINED(me) (!arrival_late[me] && !word_late[me] && !released_late[me] && !bell_late[me] && !listens_late[me])

#if defined(PLAIN_WORD) || defined(PLAIN_ARRIVAL) || defined(PLAIN_RELEASE) || defined(PLAIN_BELL) || defined(PLAIN_COUNT)
#define BUFFERED
proctype memory(byte me) {
end:
  do
  :: atomic { arrival_late[me] -> arrival[COPY(me, arrival_late[me] / 2)] = arrival_late[me]; arrival_late[me] = 0 }
  :: atomic { word_late[me] -> word[me] = word_late[me]; word_late[me] = 0 }
  :: atomic { released_late[me] -> released = released_late[me]; released_late[me] = 0 }
  :: atomic { bell_late[me] -> doorbell[me] = true; bell_late[me] = false }
  :: atomic { listens_late[me] -> listeners++; listens_late[me] = false }
  od
}
#endif

/* ---- sleeping: base/wait.c ---- */

/* What a member waits for, if not for one member. */
#define ALL N
#define LEFT (N + 1)

#define WAITS_FOR_NEWS (who != LEFT)
#define HEARS (WAITS_FOR_NEWS && me >= DEAF)

inline set_bell() {
#ifdef PLAIN_BELL
  atomic { bell_late[me] = true; awake-- }
#else
  atomic { DRAINED(me) -> doorbell[me] = true; awake-- }
#endif
}

inline count_listener() {
#ifdef PLAIN_COUNT
  listens_late[me] = true
#else
  listeners++
#endif
}

/* No other process reads the doorbell of a member that listens to the eventcount, so its doorbell and its count are one step. */
inline begin_event_wait() {
  if
  :: HEARS -> atomic { set_bell(); count_listener() }
#ifndef STROKES_LATE
     unheard[me] = true
#endif
  :: !HEARS ->
     set_bell();
     atomic { DRAINED(me) || !WAITS_FOR_NEWS -> deaf = deaf + WAITS_FOR_NEWS }
  fi
}

/* The kernel compares under its lock. */
inline futex_wait() {
#ifdef STROKES_LATE
  unheard[me] = true;
#endif
  atomic {
    DRAINED(me);
    if
    :: doorbell[me] && (unheard[me] || !HEARS) -> asleep[me] = true; heedful[me] = HEARS
    :: else
    fi
  }
  !asleep[me]
}

inline end_event_wait() {
  DRAINED(me) ->
  awake = awake + doorbell[me];
  doorbell[me] = false;
  listeners = listeners - HEARS;
  deaf = deaf - (WAITS_FOR_NEWS && !HEARS);
  heedful[me] = false
}

/* After a full fence. One step: a check before the exchange is equivalent to the exchange alone. */
inline ring(who) {
  d_step {
    if
    :: doorbell[who] -> doorbell[who] = false; asleep[who] = false; awake++
    :: else
    fi
  }
}

inline strike() {
#ifndef NO_STROKE
  d_step {
    for (i : 0 .. N - 1) { unheard[i] = false }
    i = 0;
    heard = false
  };
#endif
  unheard[me] = true;
  wake_some()
}

/* After the sequence number was read: unheard[me]. */
inline wake_some() {
  atomic {
    do
    :: i < WOKEN ->
       if
       :: asleep[0] && heedful[0] -> asleep[0] = false
       :: asleep[1] && heedful[1] -> asleep[1] = false
#if N > 2
       :: asleep[2] && heedful[2] -> asleep[2] = false
#endif
#if N > 3
       :: asleep[3] && heedful[3] -> asleep[3] = false
#endif
       :: else -> break
       fi;
       i++
    :: else -> break
    od;
    few = i < WOKEN;
    i = 0
  };
  atomic {
#ifdef HEARD_TOO_MUCH
    heard = heard || few;
#else
    heard = (few -> unheard[me] : heard);
#endif
    few = false;
    unheard[me] = false
  }
}

inline ring_others() {
  i = 0;
  do
  :: i < N && i != me -> ring(i); i++
  :: i == me -> i++
  :: i == N -> break
  od;
  i = 0
}

inline wake_others() {
  assert(!freed);
  if
  :: listeners > 0 -> strike()
  :: else
  fi;
#if DEAF > 0 && !defined(FORGET_DEAF)
  if
  :: deaf > 0 -> ring_others()
  :: else
  fi
#endif
}

#ifdef ONLY_OF_OWN_STROKE
#define PASSES (!heard && !unheard[me])
#else
#define PASSES !heard
#endif

/* The model omits checks before the doorbell is set, which only save work. Clearing the doorbell before a check is harmless. */
inline wait_for(whom, which) {
  d_step { goal = which; who = whom; ready = false };
  do
  :: ready -> break
  :: !ready ->
     begin_event_wait();
#ifdef NO_SECOND_LOOK
     futex_wait();
#else
     look();
     if
     :: !ready -> futex_wait()
     :: else
     fi;
#endif
     atomic { end_event_wait(); few = HEARS && listeners > 0 && PASSES; unheard[me] = few; look() };
#ifndef KEEP_IT
     if
     :: few -> few = false; wake_some()
     :: else
     fi
#endif
  od
}

/* ---- the round: core/sync.c ---- */

#define CELL_REACHED(i) REACHED(arrival[COPY(i, goal)] / 2)
#if N <= LINE
#define HAS_REACHED(i) (i == me || REACHED(arrived[i]) || CELL_REACHED(i))
#else
#define HAS_REACHED(i) (i == me || REACHED(word[i]) || CELL_REACHED(i))
#endif

#if N <= LINE
inline look_at_all() {
  i = 0;
  do
  :: i < N && HAS_REACHED(i) -> i++
  :: else -> break
  od;
  ready = i == N;
  i = 0
}
#else
inline look_at_all() { ready = REACHED(released) }
#endif

/* One step: a condition that has become true remains true, so checking the words one by one finds nothing else. */
inline look() {
  d_step {
    assert(!freed);
    if
    :: who == LEFT -> ready = (left + 1 == N)
    :: else ->
       ready = false;
       if
       :: who < N -> ready = HAS_REACHED(who)
       :: else
       fi;
       if
       :: !ready -> look_at_all()
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

/* A member may write its part at any time before it publishes its arrival; this is the earliest. */
inline enter() {
  atomic {
    round++;
    if
    :: kind[round] == 0 ->
       if
       :: kind[round] = TURN
       :: kind[round] = BCAST
       :: kind[round] = COLLECT + 1
#ifndef FEW_KINDS
       :: kind[round] = BCAST + 1
       :: kind[round] = COLLECT
#endif
       fi
    :: else
    fi;
    entered[me] = round;
    if
#ifndef NO_REFUSAL
    :: me == 0 -> refuses = true; REFUSED(round) = round; was_refused[round] = true
#endif
    :: SHOWS(me) -> PART(me, round) = round
    :: !SHOWS(me)
    fi;
    forget()
  }
}

/* Merges states that differ only in rounds which all members have left. */
inline forget() {
  d_step {
    i = 0;
    do
    :: i < N && entered[i] >= round -> i++
    :: else -> break
    od;
    if
    :: i == N ->
       kind[round - 1] = 0;
       was_refused[round - 1] = false;
#ifndef EXACT_ROUND
       for (i : 0 .. N - 1) { arrived[i] = (arrived[i] < round -> round - 1 : arrived[i]) }
       for (i : 0 .. N * COPIES - 1) {
         arrival[i] = (arrival[i] < round * 2 -> 0 : arrival[i]);
         part[i] = (part[i] < round -> 0 : part[i])
       }
       for (i : 0 .. COPIES - 1) { refused[i] = (refused[i] < round -> 0 : refused[i]) }
#endif
    :: else
    fi;
    i = 0
  }
}

/* A member without a part: in a barrier any but the one that has it; in a collection the root. */
#define BARE (!refuses && !SHOWS(me) && !IS_BCAST)

inline publish() {
  assert(!freed);
  if
#if N <= LINE
  :: BARE -> arrived[me] = round
#else
  :: BARE -> skip
#endif
  :: else ->
#ifdef PLAIN_ARRIVAL
     arrival_late[me] = round * 2 + refuses
#else
     arrival[COPY(me, round)] = round * 2 + refuses
#endif
  fi;
#if N <= LINE
  if
  :: refuses -> arrived[me] = round
  :: else
  fi
#endif
}

/* Words are read one by one, but never go back, so reading them at once finds nothing else. */
#ifdef EXACT_GROUP
#define IN_GROUP(i) (word[i] == round)
#else
#define IN_GROUP(i) (word[i] >= round)
#endif
inline look_at_group() {
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
    n = PARENTS_OF(n)
  }
}

inline climb() {
  level = 0; index = me; n = N;
#ifdef PLAIN_WORD
  word_late[me] = round;
#else
  word[me] = round;
#endif
  do
  :: true ->
     look_at_group();
#ifdef EARLY_RELEASE
     break;
#endif
     if
     :: last && n > 1 -> atomic { assert(word[level + index] <= round); word[level + index] = round }
     :: else -> break
     fi
  od;
  level = 0; index = 0; n = 0
}

inline arrive() {
  publish();
#if N <= LINE
  atomic { goal = round; who = ALL; look(); last = ready };
#else
  climb();
  if
  :: last ->
#ifdef PLAIN_RELEASE
     released_late[me] = round
#else
     atomic { assert(released <= round); released = round }
#endif
  :: else
  fi;
#endif
#ifndef SILENT
  if
  :: last -> wake_others()
  :: else
  fi
#endif
}

/* Checked as late as possible, just before the next step: by then most can have changed. */
inline judge_turn() {
  d_step {
    assert((REFUSED(round) == round) == was_refused[round]);
    for (i : 0 .. N - 1) {
      assert(entered[i] >= round);
      assert(was_refused[round] || !SHOWS(i) || PART(i, round) == round)
    }
    i = 0
  }
}

inline judge_follow() {
  d_step {
    assert(entered[ROOT] >= round);
    assert(arrival[COPY(ROOT, round)] % 2 == (ROOT == 0 && was_refused[round]));
    assert((ROOT == 0 && was_refused[round]) || PART(ROOT, round) == round)
  }
}

/* The last member may delay a broadcast until the second one has left it. Then only the root can have rung the second one. */
#if N > 2
inline come() {
  if
  :: me == N - 1 && kind[round + 1] == BCAST -> followed > round
  :: true
  fi
}
#else
inline come() { skip }
#endif

inline step() {
  come();
  make_room();
  enter();
  arrive();
  if
  :: refuses ->
#ifndef SILENT_REFUSAL
     if
     :: !last -> wake_others()
     :: else
     fi;
#endif
     refuses = false
  :: !refuses && IS_BCAST && me == ROOT ->
#ifndef SILENT_TELL
     if
     :: !last -> wake_others()
     :: else
     fi
#endif
  :: !refuses && IS_BCAST && me != ROOT ->
     wait_for(ROOT, round);
     judge_follow();
     if
     :: N > 2 && me == 1 -> followed = round
     :: else
     fi
  :: !refuses && !IS_BCAST && (me == ROOT || KIND == TURN) ->
     if
     :: !last -> wait_for(ALL, round)
     :: else
     fi;
     settled = round;
     judge_turn()
  :: else /* continues without a wait */
  fi;
  d_step { last = false; ready = false; goal = 0; who = 0 }
}

/* ---- the end ---- */

inline detach() {
  if
  :: me == 0 ->
#ifndef FREE_AT_ONCE
     wait_for(LEFT, 0);
#endif
     freed = true
  :: else ->
     left++;
     ring(0)
  fi
}

proctype member(byte me) {
  byte round, settled, i, goal, who;
  bool ready, refuses, last, few;
#if N > LINE
  byte level, index, n;
#endif
  do
  :: round < ROUNDS -> step()
  :: else -> break
  od;
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
  assert(awake == N)
}
