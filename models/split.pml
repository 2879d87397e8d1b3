/* Names of split-phase barriers (src/core/sync.c, src/coll/named.c), for spin. In each of ROUNDS rounds, each of N
 * members stores its name, then its arrival, both in the copy of the round's parity. It waits or polls until all have
 * arrived, and reads all names.
 *
 * Claims: a member that finds a round complete reads the names of that round, up to its next arrival.
 *
 * Holds: -DN=2 -DROUNDS=5
 * Holds: -DN=3 -DROUNDS=4
 * Fails: -DN=2 -DROUNDS=3 -DONE_COPY
 * Fails: -DN=2 -DROUNDS=3 -DLATE_NAME
 * Fails: -DN=2 -DROUNDS=3 -DANY_ROUND
 */
#ifdef ONE_COPY
#define AT(member, round) (member)
#else
#define AT(member, round) ((member) * 2 + (round) % 2)
#endif
#ifdef ANY_ROUND
#define REACHED(member, round) (arrived[AT(member, round)] > 0)
#else
#define REACHED(member, round) (arrived[AT(member, round)] >= (round))
#endif

byte name[2 * N], arrived[2 * N];

proctype member(byte me) {
  byte round = 1, i;
  do
  :: round <= ROUNDS ->
#ifdef LATE_NAME
     arrived[AT(me, round)] = round;
     name[AT(me, round)] = round;
#else
     name[AT(me, round)] = round;
     arrived[AT(me, round)] = round;
#endif
     i = 0;
     do
     :: i < N -> REACHED(i, round); i++
     :: else -> break
     od;
     i = 0;
     do
     :: i < N -> assert(name[AT(i, round)] == round); i++
     :: else -> break
     od;
     round++
  :: else -> break
  od
}

init {
  byte k;
  atomic {
    for (k : 0 .. N - 1) { run member(k) }
  }
}
