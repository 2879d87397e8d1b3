/* The inbound ring of a unit (src/node/ring.c), the waits for room in it (core/post.c, core/progress.c) and for its
 * records (base/wait.c), for spin.
 *
 * One producer sends MESSAGES records, the others OTHERS each, of one slot or of a run of two, through a ring of SLOTS.
 * Claims, for all orders of steps: the consumer gets each record once and complete, and those of one producer in order.
 * No part of a payload is taken for a header. No process sleeps for ever (spin reports an invalid end state), neither
 * for a record nor for room.
 *
 * Memory is sequentially consistent. A plain store in a broken variant goes through a store buffer, which a separate
 * process empties at any later time.
 *
 * Each line below is one run of `models/check`. Broken variants must fail.
 *
 * Holds: -DPRODUCERS=2 -DMESSAGES=2 -DOTHERS=1
 * Holds: -DPRODUCERS=1 -DMESSAGES=4
 * Fails: -DPRODUCERS=1 -DMESSAGES=4 -DNO_CLEAR
 * Fails: -DPRODUCERS=1 -DMESSAGES=2 -DPLAIN_PUBLISH
 * Fails: -DPRODUCERS=1 -DMESSAGES=4 -DPLAIN_HEAD
 * Fails: -DPRODUCERS=1 -DMESSAGES=2 -DNO_SECOND_LOOK
 * Fails: -DPRODUCERS=1 -DMESSAGES=4 -DNO_SECOND_QUESTION
 * Fails: -DPRODUCERS=1 -DMESSAGES=4 -DSILENT
 * Fails: -DPRODUCERS=2 -DMESSAGES=2 -DPLAIN_RESERVE
 * Fails: -DPRODUCERS=1 -DMESSAGES=4 -DEARLY_HEAD
 */
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#define SLOTS 3 /* a run of two, and a filler before it */
#define CONSUMER PRODUCERS
#ifndef OTHERS
#define OTHERS MESSAGES
#endif
#define ALL_N (MESSAGES + (PRODUCERS - 1) * OTHERS)

#define STAMP_OF(position) ((position) / SLOTS * 2 + 1)
#define REST_OF_ROUND(position) (SLOTS - (position) % SLOTS)

/* The ring. A word is a header if its stamp is right. It holds the number of slots, or FILLER, and, for the assertions,
 * the producer and the number. */
#define FILLER 7
typedef word {
  byte stamp, need, from, number
}
word slot[SLOTS];
byte tail, seen_head, head;
byte waiters; /* a bit for each producer */

/* The owner of the second slot of a run, for the assertions. */
byte payload_from[SLOTS], payload_number[SLOTS];

bool doorbell[PRODUCERS + 1], asleep[PRODUCERS + 1];

/* ---- store buffers, of one store each ---- */

bool publish_late[PRODUCERS];
byte late_at[PRODUCERS];
word late_word[PRODUCERS];
byte head_late;
#define DRAINED(me) (me == CONSUMER -> !head_late : !publish_late[me])

inline copy_word(to, stamp_, need_, from_, number_) {
  to.stamp = stamp_;
  to.need = need_;
  to.from = from_;
  to.number = number_
}

#ifdef PLAIN_PUBLISH
active [PRODUCERS] proctype memory_of_producer() {
end:
  do
  :: d_step {
       publish_late[_pid] ->
       copy_word(slot[late_at[_pid]], late_word[_pid].stamp, late_word[_pid].need, late_word[_pid].from,
                 late_word[_pid].number);
       publish_late[_pid] = false
     }
  od
}
#endif
#ifdef PLAIN_HEAD
active proctype memory_of_consumer() {
end:
  do
  :: atomic { head_late -> head = head_late; head_late = 0 }
  od
}
#endif

/* ---- sleeping: base/wait.c ---- */

inline set_bell() {
  atomic { DRAINED(me) -> doorbell[me] = true }
}

/* The kernel compares under its lock. */
inline futex_wait() {
  atomic {
    DRAINED(me);
    if
    :: doorbell[me] -> asleep[me] = true
    :: else
    fi
  }
  !asleep[me]
}

inline clear_bell() {
  atomic { DRAINED(me) -> doorbell[me] = false }
}

/* After a full fence. One step: a check before the exchange is equivalent to the exchange alone. */
inline ring_bell(who) {
  d_step {
    if
    :: doorbell[who] -> doorbell[who] = false; asleep[who] = false
    :: else
    fi
  }
}

/* ---- producers ---- */

inline load_tail() {
  atomic { at = tail; filler = (REST_OF_ROUND(at) < need -> REST_OF_ROUND(at) : 0) }
}

inline reserve() {
  seen = seen_head;
  load_tail();
  do
  :: at + filler + need - seen > SLOTS ->
     now = head;
     if
     :: now == seen -> reserved = false; break
     :: else -> seen = now; seen_head = seen; load_tail()
     fi
  :: else ->
#ifdef PLAIN_RESERVE
     tail = at + filler + need; reserved = true; break
#else
     atomic {
       if
       :: tail == at -> tail = at + filler + need; reserved = true; break
       :: else -> load_tail()
       fi
     }
#endif
  od;
  if
  :: reserved && filler -> d_step { copy_word(slot[at % SLOTS], STAMP_OF(at), FILLER, me, 0); at = at + filler }
  :: else
  fi;
  d_step { seen = 0; now = 0; filler = 0 }
}

/* The payload of a run may look like anything, or leave the old content. With one producer, all contents that could
 * matter are tried. */
inline write_payload() {
  d_step { payload_from[(at + 1) % SLOTS] = me; payload_number[(at + 1) % SLOTS] = sent }
  if
  :: d_step { copy_word(slot[(at + 1) % SLOTS], STAMP_OF(at + 1 + SLOTS), 1, me, 0) }
#if PRODUCERS == 1
  :: d_step { copy_word(slot[(at + 1) % SLOTS], STAMP_OF(at + 1 + 2 * SLOTS), FILLER, me, 0) }
  :: true
#endif
  fi
}

inline publish() {
#ifdef PLAIN_PUBLISH
  d_step {
    publish_late[me] = true;
    late_at[me] = at % SLOTS;
    copy_word(late_word[me], STAMP_OF(at), need, me, sent)
  }
#else
  d_step { copy_word(slot[at % SLOTS], STAMP_OF(at), need, me, sent) }
#endif
}

/* The head is read before the tail. */
inline fits() {
  now = head;
  load_tail();
  d_step { ready = at + filler + need - now <= SLOTS; now = 0; at = 0; filler = 0 }
}

inline has_room() {
  fits();
  if
  :: ready
  :: else ->
     if
     :: !(waiters & (1 << me)) -> waiters = waiters | (1 << me)
     :: else
     fi;
#ifndef NO_SECOND_QUESTION
     fits()
#endif
  fi
}

inline wait_for_room() {
  do
  :: has_room();
     if
     :: ready -> break
     :: else
     fi;
     set_bell();
#ifdef NO_SECOND_LOOK
     ready = false;
#else
     has_room();
#endif
     if
     :: !ready -> futex_wait()
     :: else
     fi;
     clear_bell()
  od;
  ready = false
}

proctype producer(byte me) {
  byte sent, need, at, filler, seen, now;
  bool reserved, ready;
  do
  :: sent < (me == 0 -> MESSAGES : OTHERS) ->
     if
     :: need = 1
     :: need = 2
     fi;
     do
     :: reserve();
        if
        :: reserved -> break
        :: else -> wait_for_room()
        fi
     od;
     if
     :: need == 2 -> write_payload()
     :: else
     fi;
     publish();
     ring_bell(CONSUMER);
     d_step { sent++; at = 0; need = 0; reserved = false }
  :: else -> break
  od
}

/* ---- the consumer ---- */

byte got_n, got[PRODUCERS];

#define IS_STAMPED(position) (slot[(position) % SLOTS].stamp == STAMP_OF(position))

/* Finds the oldest record; `at` is its place. */
inline peek() {
  atomic { at = first; found = IS_STAMPED(at) }
  if
  :: found && slot[at % SLOTS].need == FILLER -> atomic { at = at + REST_OF_ROUND(at); found = IS_STAMPED(at) }
  :: else
  fi
}

inline take() {
  d_step {
    assert(slot[at % SLOTS].need == 1 || slot[at % SLOTS].need == 2);
    assert(slot[at % SLOTS].number == got[slot[at % SLOTS].from]);
    got[slot[at % SLOTS].from]++;
    got_n++
  }
  d_step {
    need = slot[at % SLOTS].need;
    if
    :: need == 2 ->
       assert(payload_from[(at + 1) % SLOTS] == slot[at % SLOTS].from);
       assert(payload_number[(at + 1) % SLOTS] == slot[at % SLOTS].number)
    :: else
    fi
  }
}

inline store_head() {
#ifdef PLAIN_HEAD
  atomic { !head_late -> head_late = end_at }
#else
  head = end_at
#endif
}

inline release() {
  end_at = at + need;
#ifdef EARLY_HEAD
  store_head();
#endif
  do
  :: first < end_at ->
     d_step {
#ifndef NO_CLEAR
       if
       :: IS_STAMPED(first + SLOTS) -> slot[first % SLOTS].stamp = 0
       :: else
       fi;
#endif
       first++
     }
  :: else -> break
  od;
#ifndef EARLY_HEAD
  store_head();
#endif
  atomic { at = 0; need = 0; end_at = 0; found = false }
}

/* After a full fence. */
inline call_waiters() {
#ifdef SILENT
  skip
#else
  if
  :: waiters ->
     d_step { called = waiters; waiters = 0 }
     do
     :: i < PRODUCERS ->
        if
        :: called & (1 << i) -> ring_bell(i)
        :: else
        fi;
        i++
     :: else -> break
     od;
     atomic { i = 0; called = 0 }
  :: else
  fi
#endif
}

/* Takes some records, then wakes the producers that wait for room, until nothing is left. */
inline drain() {
  peek();
  do
  :: found ->
     take();
     release();
     peek();
     if
     :: found
     :: true ->
#ifndef PLAIN_HEAD
        DRAINED(me);
#endif
        call_waiters();
        peek()
     fi
  :: else -> break
  od
}

proctype consumer(byte me) {
  byte first, at, need, end_at, before, i, called;
  bool found;
  do
  :: got_n < ALL_N ->
     drain();
     set_bell();
     before = got_n;
#ifndef NO_SECOND_LOOK
     drain();
#endif
     if
     :: got_n == before && got_n < ALL_N -> futex_wait()
     :: else
     fi;
     before = 0;
     clear_bell()
  :: else -> break
  od
}

init {
  byte k;
  atomic {
    for (k : 0 .. PRODUCERS - 1) {
      run producer(k)
    }
    run consumer(CONSUMER)
  }
}
