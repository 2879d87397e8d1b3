/* The turn of a board (src/core/agree.c) with the sleep of its members (src/base/wait.h), for spin.
 *
 * N members take ROUNDS turns; up to LINE of them each have a word of one line, more arrive in a tree of degree DEGREE
 * whose last arriver releases all. Before a turn each writes its slot, and one may refuse the round. Claims, for all orders of
 * steps: nobody leaves a round that another has not entered; all then see the same refusal and what each has written for
 * that round; nobody sleeps for ever (spin calls that an invalid end state); at the end all are counted as awake.
 *
 * Memory is sequentially consistent, as between locked instructions. What is a plain store in a broken variant goes through
 * a store buffer, from which a process of its own takes it at any later time.
 *
 * Each line below is one run of `models/check`: broken variants have to fail.
 *
 * Holds: -DN=2 -DROUNDS=4
 * Holds: -DN=3 -DROUNDS=2
 * Holds: -DN=3 -DLINE=2 -DROUNDS=3
 * Holds: -DN=4 -DLINE=3 -DROUNDS=1
 * Fails: -DN=2 -DROUNDS=2 -DNO_SECOND_LOOK
 * Fails: -DN=2 -DROUNDS=2 -DPLAIN_BELL
 * Fails: -DN=2 -DROUNDS=2 -DPLAIN_ARRIVAL
 * Fails: -DN=2 -DROUNDS=2 -DEXACT_ROUND
 * Fails: -DN=2 -DROUNDS=2 -DONE_REFUSED
 * Fails: -DN=2 -DROUNDS=2 -DONE_COPY
 * Fails: -DN=2 -DROUNDS=2 -DSILENT
 * Fails: -DN=3 -DROUNDS=2 -DLINE=2 -DNO_SECOND_LOOK
 * Fails: -DN=3 -DROUNDS=2 -DLINE=2 -DPLAIN_BELL
 * Fails: -DN=3 -DROUNDS=2 -DLINE=2 -DPLAIN_RELEASE
 * Fails: -DN=3 -DROUNDS=2 -DLINE=2 -DEARLY_RELEASE
 * Fails: -DN=3 -DROUNDS=2 -DLINE=2 -DSILENT
 */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif
#ifndef LINE
#define LINE 4
#endif
#ifndef DEGREE
#define DEGREE 2
#endif

#define PARENTS_OF(n) (((n) + DEGREE - 1) / DEGREE)

/* The board, and the members' doorbells. */
byte arrived[N], released, refused[2], slot[2 * N];
byte counter[N]; /* of the arrival tree, leaves first */
bool bell[N], asleep[N];
short awake = N;

/* What is true, for the assertions. */
byte entered[N];
bool was_refused[ROUNDS + 1];
byte gone; /* members that are through */

#ifdef ONE_REFUSED
#define REFUSED(round) refused[0]
#else
#define REFUSED(round) refused[(round) & 1]
#endif
#ifdef ONE_COPY
#define SLOT(member, round) slot[member]
#else
#define SLOT(member, round) slot[2 * (member) + ((round) & 1)]
#endif
#ifdef EXACT_ROUND
#define REACHED(word) ((word) == round)
#else
#define REACHED(word) ((word) >= round)
#endif

/* ---- store buffers, of one store each ---- */

byte arrived_late[N], released_late[N];
bool bell_late[N];
#define DRAINED(me) (!arrived_late[me] && !released_late[me] && !bell_late[me])

#if defined(PLAIN_ARRIVAL) || defined(PLAIN_RELEASE) || defined(PLAIN_BELL)
#define BUFFERED
proctype memory(byte me) {
end:
  do
  :: atomic { arrived_late[me] -> arrived[me] = arrived_late[me]; arrived_late[me] = 0 }
  :: atomic { released_late[me] -> released = released_late[me]; released_late[me] = 0 }
  :: atomic { bell_late[me] -> bell[me] = true; bell_late[me] = false }
  od
}
#endif

/* ---- sleeping: base/wait.c ---- */

inline set_bell() {
#ifdef PLAIN_BELL
  atomic { bell_late[me] = true; awake-- }
#else
  atomic { DRAINED(me) -> bell[me] = true; awake-- }
#endif
}

/* The kernel compares under a lock. */
inline futex_wait() {
  atomic {
    DRAINED(me);
    if
    :: bell[me] -> asleep[me] = true
    :: else
    fi
  }
  !asleep[me]
}

inline clear_bell() {
  atomic {
    DRAINED(me) ->
    awake = awake + bell[me];
    bell[me] = false
  }
}

/* After a full fence. One step, as a look that is followed by the exchange comes to the same as the exchange alone. */
inline ring(who) {
  d_step {
    if
    :: bell[who] -> bell[who] = false; asleep[who] = false; awake++
    :: else
    fi
  }
}

inline ring_others() {
#ifndef SILENT
  i = 0;
  do
  :: i < N && i != me -> ring(i); i++
  :: i == me -> i++
  :: i == N -> break
  od;
#endif
  i = 0
}

inline wait_until_ready() {
  do
  :: look();
     if
     :: ready -> break
     :: else
     fi;
     set_bell();
#ifdef NO_SECOND_LOOK
     futex_wait();
#else
     look();
     if
     :: !ready -> futex_wait()
     :: else
     fi;
#endif
     clear_bell()
  od
}

/* ---- the turn: core/agree.c ---- */

#if N <= LINE

/* A member sees its own store before the others do. */
#define SEEN(i) (i == me && arrived_late[i] -> arrived_late[i] : arrived[i])

inline look() {
  i = 0;
  do
  :: i < N && REACHED(SEEN(i)) -> i++
  :: i < N && !REACHED(SEEN(i)) -> ready = false; break
  :: i == N -> ready = true; break
  od;
  i = 0
}

inline meet() {
#ifdef PLAIN_ARRIVAL
  arrived_late[me] = round;
#else
  arrived[me] = round;
#endif
  look();
  if
  :: ready -> ring_others()
  :: else -> wait_until_ready()
  fi
}

#else

inline look() { ready = REACHED(released) }

inline arrive() {
  level = 0; index = me; n = N; last = true;
  do
  :: n > 1 && last ->
     members = (n - index / DEGREE * DEGREE < DEGREE -> n - index / DEGREE * DEGREE : DEGREE);
     index = index / DEGREE;
     atomic { counter[level + index]++; last = counter[level + index] == members * round }
     level = level + PARENTS_OF(n);
     n = PARENTS_OF(n);
#ifdef EARLY_RELEASE
     break
#endif
  :: else -> break
  od;
  level = 0; index = 0; n = 0; members = 0
}

inline meet() {
  arrive();
  if
  :: last ->
#ifdef PLAIN_RELEASE
     released_late[me] = round;
#else
     released = round;
#endif
     ring_others()
  :: else -> wait_until_ready()
  fi
}

#endif

inline enter() {
  atomic { round++; entered[me] = round; SLOT(me, round) = round }
  if
  :: d_step { me == 0 -> REFUSED(round) = round; was_refused[round] = true }
  :: true
  fi
}

/* At any time before the next round, and the later it is, the more may have changed. */
inline judge() {
  d_step {
    assert((REFUSED(round) == round) == was_refused[round]);
    for (i : 0 .. N - 1) {
      assert(entered[i] >= round);
      assert(SLOT(i, round) == round)
    }
    i = 0;
    ready = false
  }
}

proctype member(byte me) {
  byte round, i;
  bool ready;
#if N > LINE
  byte level, index, n, members;
  bool last;
#endif
  do
  :: round < ROUNDS -> enter(); meet(); judge()
  :: else -> break
  od;
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
