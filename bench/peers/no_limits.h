/* The limits of the machine, for peers that run files of tessera-perf which measure them: there are none beside a peer. */
const struct perf_op *limits_copy(const struct perf *p, enum limits_copy way, size_t bytes) {
  return (void)p, (void)way, (void)bytes, NULL;
}

const struct perf_op *limits_blocks(const struct perf *p, enum limits_copy way, const struct limits_blocks *blocks) {
  return (void)p, (void)way, (void)blocks, NULL;
}

const struct perf_op *limits_accumulate(const struct perf *p, size_t bytes) { return (void)p, (void)bytes, NULL; }
const struct perf_op *limits_fetch_add_own(const struct perf *p) { return (void)p, NULL; }
const struct perf_op *limits_fetch_add_hot(const struct perf *p) { return (void)p, NULL; }
const struct perf_op *limits_barrier(const struct perf *p) { return (void)p, NULL; }
const struct perf_op *limits_store(const struct perf *p, enum limits_copy way) { return (void)p, (void)way, NULL; }
const struct perf_op *limits_message(const struct perf *p) { return (void)p, NULL; }
