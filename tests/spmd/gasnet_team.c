/* GASNet-EX: teams by splitting and by lists, pairs, translations, scratch memory, and transfers by team ranks.
 * Group: gasnet_calls
 */
#include "gasnet_check.h"

enum { WORD = 8 };

/* Each member writes its job rank to every other member, by team ranks. */
static void talk(gex_TM_t team) {
  gex_Rank_t n = gex_TM_QuerySize(team), rank = gex_TM_QueryRank(team);
  uint64_t *mine = (uint64_t *)gex_Segment_QueryAddr(segment);
  memset(mine, 0xff, units_n * WORD);
  barrier_of(team);
  for (gex_Rank_t to = 0; to < n; to++) gex_RMA_PutBlockingVal(team, to, base_of(team, to) + rank * WORD, self, WORD, 0);
  barrier_of(team);
  for (gex_Rank_t from = 0; from < n; from++) CHECK_EQ(mine[from], gex_TM_TranslateRankToJobrank(team, from));
  barrier_of(team);
}

static void translate(gex_TM_t team) {
  gex_Rank_t n = gex_TM_QuerySize(team), members = 0;
  CHECK_EQ(gex_TM_TranslateRankToJobrank(team, gex_TM_QueryRank(team)), self);
  for (gex_Rank_t job = 0; job < units_n; job++) {
    gex_Rank_t rank = gex_TM_TranslateJobrankToRank(team, job);
    if (rank == GEX_RANK_INVALID) continue;
    members++;
    CHECK(rank < n);
    CHECK_EQ(gex_TM_TranslateRankToJobrank(team, rank), job);
    gex_EP_Location_t at = gex_TM_TranslateRankToEP(team, rank, 0);
    CHECK_EQ(at.gex_rank, job);
    CHECK_EQ(at.gex_ep_index, 0);
  }
  CHECK_EQ(members, n);
}

/* A caller that does not ask for scratch memory is not told that there is some. */
static void end_unasked(void) {
  gex_TM_t team = GEX_TM_INVALID;
  gex_TM_Split(&team, tm, 0, 0, gex_Segment_QueryAddr(segment), WORD, 0);
  CHECK_EQ(gex_TM_Destroy(team, NULL, 0), 0);
}

static void end(gex_TM_t team, const void *scratch, size_t bytes) {
  gex_Memvec_t back = {NULL, 0};
  int handed = gex_TM_Destroy(team, &back, 0);
  CHECK_EQ(handed, scratch != NULL);
  CHECK(back.gex_addr == scratch);
  CHECK_EQ(back.gex_len, scratch ? bytes : 0);
}

/* Odd and even units, in reverse; multiples of four stay out. */
static void split(void) {
  gex_TM_t team = GEX_TM_INVALID;
  bool out = self % 4 == 3;
  int color = (int)(self & 1), key = -(int)self;
  size_t bytes = gex_TM_Split(out ? NULL : &team, tm, color, key, NULL, 0, GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED);
  CHECK(out ? bytes == 0 : bytes > 0);
  CHECK(team == GEX_TM_INVALID);
  char *scratch = (char *)gex_Segment_QueryAddr(segment) + units_n * WORD;
  gex_TM_Split(out ? NULL : &team, tm, color, key, scratch, bytes, 0);
  if (out) {
    CHECK(team == GEX_TM_INVALID);
    return;
  }
  gex_Rank_t n = 0;
  for (gex_Rank_t rank = 0; rank < units_n; rank++) n += (rank & 1) == (self & 1) && rank % 4 != 3;
  CHECK_EQ(gex_TM_QuerySize(team), n);
  for (gex_Rank_t i = 1; i < n; i++)
    CHECK(gex_TM_TranslateRankToJobrank(team, i - 1) > gex_TM_TranslateRankToJobrank(team, i));
  CHECK(gex_TM_QueryClient(team) == client && gex_TM_QueryEP(team) == ep);
  translate(team);
  talk(team);
  end(team, scratch, bytes);
}

/* Equal keys: by rank in the parent, which is in reverse order. */
static void split_again(void) {
  gex_TM_t back = GEX_TM_INVALID, same = GEX_TM_INVALID;
  gex_TM_Split(&back, tm, 0, -(int)self, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  gex_TM_Split(&same, back, 5, 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  CHECK_EQ(gex_TM_QueryRank(back), units_n - 1 - self);
  CHECK_EQ(gex_TM_QueryRank(same), gex_TM_QueryRank(back));
  CHECK_EQ(gex_TM_QueryFlags(same), GEX_FLAG_TM_NO_SCRATCH);
  talk(same);
  end(back, NULL, 0);
  talk(same);
  end(same, NULL, 0);
}

/* All members except the last, starting in the middle, of the reversed team: by its ranks, or by job ranks. */
static void create(gex_Flags_t flags) {
  gex_TM_t parent = GEX_TM_INVALID, team = GEX_TM_INVALID;
  gex_TM_Split(&parent, tm, 0, -(int)self, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  gex_Rank_t n = units_n > 1 ? units_n - 1 : 1;
  bool in = self < n;
  gex_EP_Location_t *list = (gex_EP_Location_t *)take(n * sizeof *list);
  for (gex_Rank_t i = 0; i < n; i++) {
    gex_Rank_t job = (i + n / 2) % n;
    list[i].gex_rank = flags & GEX_FLAG_RANK_IS_JOBRANK ? job : gex_TM_TranslateJobrankToRank(parent, job);
    list[i].gex_ep_index = 0;
  }
  CHECK((gex_TM_Create(NULL, in, parent, list, n, NULL, 0, GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED) > 0) == in);
  gex_Addr_t scratch = (char *)gex_Segment_QueryAddr(segment) + units_n * WORD;
  gex_TM_Create(&team, in, parent, list, in ? n : 0, &scratch, 4096, flags | GEX_FLAG_TM_LOCAL_SCRATCH);
  CHECK((team != GEX_TM_INVALID) == in);
  if (in) {
    CHECK_EQ(gex_TM_QuerySize(team), n);
    CHECK_EQ(gex_TM_TranslateRankToJobrank(team, 0), n / 2);
    translate(team);
    talk(team);
    end(team, scratch, 4096);
  }
  free(list);
  end(parent, NULL, 0);
}

static void pairs(void) {
  gex_TM_t pair = gex_TM_Pair(ep, 0);
  CHECK(pair == gex_TM_Pair(ep, 0));
  CHECK(pair != GEX_TM_INVALID && pair != tm);
  CHECK(gex_TM_QueryEP(pair) == ep);
  CHECK_EQ(gex_TM_TranslateRankToJobrank(pair, self), self);
  uint64_t got = 0, sent = 77 + self;
  gex_RMA_PutBlocking(pair, right_of(self), base_of(pair, right_of(self)), &sent, WORD, 0);
  gex_RMA_GetBlocking(pair, &got, right_of(self), base_of(pair, right_of(self)), WORD, 0);
  CHECK_EQ(got, sent);
  barrier();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  gex_TM_t early = GEX_TM_INVALID; /* queried before there was a segment */
  gex_TM_Split(&early, tm, 0, -(int)self, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  attach(1 << 16);
  translate(tm);
  talk(tm);
  talk(early);
  for (int i = 0; i < 300; i++) {
    if (i % 100 == 0) split();
    if (i % 100 == 0) split_again();
    gex_TM_t brief = GEX_TM_INVALID;
    gex_TM_Split(&brief, tm, (int)(self % 2), 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
    end(brief, NULL, 0);
  }
  create(0);
  create(GEX_FLAG_RANK_IS_JOBRANK);
  pairs();
  end_unasked();
  return finish();
}
