/* Registration and execution of handlers. */
#include <gex/am_calls.h>
#include <stdatomic.h>

#include "api/gasnet/am.h"
#include "api/gasnet/gasnet_api.h"

static struct handler {
  _Atomic bool is_there; /* partner of its store: the load in dispatch_message() */
  gex_AM_Entry_t entry;
} handlers[TSR_AM_HANDLERS_MAX];

static const char *const kinds[] = {"short", "medium", "long"};

/* ---- registration ---- */

static bool is_free(const gex_AM_Entry_t *table, size_t entries_n, unsigned index) {
  if (atomic_load(&handlers[index].is_there)) return false;
  for (size_t i = 0; i < entries_n; i++)
    if (table[i].gex_index == index) return false;
  return true;
}

/* Valid flags have one category or MEDLONG, and one direction or both. Entries of the legacy interface have all. */
static bool flags_fit(gex_Flags_t flags) {
  gex_Flags_t category = flags & (GEX_FLAG_AM_SHORT | GEX_FLAG_AM_MEDLONG);
  bool one = category && (!(category & (category - 1)) || category == GEX_FLAG_AM_MEDLONG);
  return flags == TSR_GEX_AM_ANY || (one && (flags & GEX_FLAG_AM_REQREP));
}

static int check_entry(const char *call, const gex_AM_Entry_t *table, size_t i) {
  const gex_AM_Entry_t *entry = &table[i];
  if (!entry->gex_fnptr) return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4019 %s: entry %zu has no function; set gex_fnptr", call, i);
  if (entry->gex_nargs > TSR_AM_ARGS_MAX && entry->gex_nargs != TSR_GEX_ARGS_ANY)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4020 %s: entry %zu has %u arguments; messages have %d at most",
                        call, i, entry->gex_nargs, TSR_AM_ARGS_MAX);
  if (tsr_config_check() && !flags_fit(entry->gex_flags))
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4021 %s: the flags 0x%x of entry %zu are not one GEX_FLAG_AM_ of SHORT, "
                        "MEDIUM, LONG, MEDLONG and one of REQUEST, REPLY, REQREP", call, (unsigned)entry->gex_flags, i);
  if (!entry->gex_index) return GASNET_OK;
  if (entry->gex_index < GEX_AM_INDEX_BASE)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG,
                        "TSR-4022 %s: the index %d of entry %zu is not 0, nor from %d to 255; pass 0 for an index of the library's "
                        "choice",
                        call, entry->gex_index, i, GEX_AM_INDEX_BASE);
  if (!is_free(table, i, entry->gex_index))
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4023 %s: the index %d of entry %zu is taken; pass 0 to get one that is free",
                        call, entry->gex_index, i);
  return GASNET_OK;
}

static void add_handler(const gex_AM_Entry_t *entry) {
  struct handler *handler = &handlers[entry->gex_index];
  handler->entry = *entry;
  atomic_store_explicit(&handler->is_there, true, memory_order_release);
}

int tsr_gex_register(const char *call, gex_AM_Entry_t *table, size_t entries_n) {
  if (entries_n && !table)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4024 %s: the table is NULL, with %zu entries; pass the table", call,
                        entries_n);
  size_t wanted_n = 0, free_n = 0;
  for (size_t i = 0; i < entries_n; i++) {
    int answer = check_entry(call, table, i);
    if (answer) return answer;
    wanted_n += !table[i].gex_index;
  }
  for (unsigned index = GEX_AM_INDEX_BASE; index < TSR_AM_HANDLERS_MAX; index++) free_n += is_free(table, entries_n, index);
  if (wanted_n > free_n)
    return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4025 %s: %zu handlers need an index, but %zu of %d are free; register fewer",
                        call, wanted_n, free_n, TSR_AM_HANDLERS_MAX - GEX_AM_INDEX_BASE);
  for (size_t i = 0; i < entries_n; i++)
    if (table[i].gex_index) add_handler(&table[i]);
  unsigned index = TSR_AM_HANDLERS_MAX - 1;
  for (size_t i = 0; i < entries_n; i++) {
    if (table[i].gex_index) continue;
    while (atomic_load(&handlers[index].is_there)) index--;
    table[i].gex_index = (gex_AM_Index_t)index;
    add_handler(&table[i]);
  }
  return GASNET_OK;
}

int gex_EP_RegisterHandlers(gex_EP_t ep, gex_AM_Entry_t *table, size_t numentries) {
  tsr_gex_check_up(__func__);
  if (ep != &tsr_gex_ep)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4026 %s: %p is no endpoint; pass the one that gex_Client_Init stored",
                        __func__, (void *)ep);
  return tsr_gex_register(__func__, table, numentries);
}

const gex_AM_Entry_t *tsr_gex_entry(const tsr_am_token *token) { return &handlers[token->handler].entry; }

/* ---- running ---- */

static const char *direction_of(const tsr_am_token *token) { return token->is_request ? "request" : "reply"; }
static const char *name_of(const gex_AM_Entry_t *entry) { return entry->gex_name ? entry->gex_name : "no name"; }

static void check_fits(const tsr_am_token *token, const gex_AM_Entry_t *entry) {
  gex_Flags_t category = (gex_Flags_t)GEX_FLAG_AM_SHORT << token->kind;
  gex_Flags_t way = token->is_request ? GEX_FLAG_AM_REQUEST : GEX_FLAG_AM_REPLY;
  if (!(entry->gex_flags & category) || !(entry->gex_flags & way))
    tsr_gex_die("TSR-4028 handler %d (%s) is not registered for a %s %s, which rank %d of the job sent to it; its flags are "
                "0x%x", token->handler, name_of(entry), kinds[token->kind], direction_of(token), token->source.id,
                (unsigned)entry->gex_flags);
  if (entry->gex_nargs != TSR_GEX_ARGS_ANY && entry->gex_nargs != token->args_n)
    tsr_gex_die("TSR-4029 handler %d (%s) is registered with %u arguments; rank %d of the job sent %d", token->handler,
                name_of(entry), entry->gex_nargs, token->source.id, token->args_n);
}

static void check_return(const tsr_am_token *token, const gex_AM_Entry_t *entry, const struct tsr_gex_thread *before) {
  if (tsr_gex_thread.held != before->held)
    tsr_gex_die("TSR-4030 handler %d (%s) returned without gex_HSL_Unlock; unlock it before the handler returns", token->handler,
                name_of(entry));
  if (tsr_gex_thread.prepared != before->prepared)
    tsr_gex_die("TSR-4031 handler %d (%s) returned after %s without its commit; commit or cancel it", token->handler,
                name_of(entry), tsr_gex_thread.prepared);
}

/* GEXI_PARAMETERS_n of gex/am_calls.h are the types of n arguments. */
#define VALUES_0
#define VALUES_1 , a[0]
#define VALUES_2 VALUES_1, a[1]
#define VALUES_3 VALUES_2, a[2]
#define VALUES_4 VALUES_3, a[3]
#define VALUES_5 VALUES_4, a[4]
#define VALUES_6 VALUES_5, a[5]
#define VALUES_7 VALUES_6, a[6]
#define VALUES_8 VALUES_7, a[7]
#define VALUES_9 VALUES_8, a[8]
#define VALUES_10 VALUES_9, a[9]
#define VALUES_11 VALUES_10, a[10]
#define VALUES_12 VALUES_11, a[11]
#define VALUES_13 VALUES_12, a[12]
#define VALUES_14 VALUES_13, a[13]
#define VALUES_15 VALUES_14, a[14]
#define VALUES_16 VALUES_15, a[15]
#define FOR_EACH_COUNT(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15) F(16)

#define SHORT(n) \
  case n: ((void (*)(gex_Token_t GEXI_PARAMETERS_##n))function)(token VALUES_##n); break;
static void run_short(gex_AM_Fn_t function, gex_Token_t token, const gex_AM_Arg_t *a, unsigned args_n) {
  switch (args_n) { FOR_EACH_COUNT(SHORT) }
}

#define WITH_DATA(n) \
  case n: ((void (*)(gex_Token_t, void *, size_t GEXI_PARAMETERS_##n))function)(token, data, bytes VALUES_##n); break;
static void run_with_data(gex_AM_Fn_t function, gex_Token_t token, void *data, size_t bytes, const gex_AM_Arg_t *a,
                          unsigned args_n) {
  switch (args_n) { FOR_EACH_COUNT(WITH_DATA) }
}

static void dispatch_message(tsr_am_token *message);

/* A message to an index that the program has not registered: TSR_GEX_AM_NOTIFY, or an error. */
static __attribute__((cold)) void dispatch_other(const tsr_am_token *message) {
  bool is_notice = message->handler == TSR_GEX_AM_NOTIFY && message->kind == TSR_AM_MEDIUM && message->args_n == 1;
  if (!is_notice || !message->args[0])
    tsr_gex_die("TSR-4027 no handler %d is registered here, for which rank %d of the job sent a %s %s with %d arguments; call "
                "gex_EP_RegisterHandlers in all processes, and a barrier, before the first message", message->handler,
                message->source.id, kinds[message->kind], direction_of(message), message->args_n);
  tsr_am_token reply = *message;
  reply.handler = (uint8_t)message->args[0];
  reply.args_n = 0;
  reply.is_request = false;
  dispatch_message(&reply);
}

static void dispatch_message(tsr_am_token *message) {
  const struct handler *handler = &handlers[message->handler];
  if (__builtin_expect(!atomic_load_explicit(&handler->is_there, memory_order_acquire), 0)) {
    dispatch_other(message);
    return;
  }
  const struct tsr_gex_thread before = tsr_gex_thread;
  if (__builtin_expect(tsr_config_check(), 0)) check_fits(message, &handler->entry);
  gex_Token_t token = (gex_Token_t)message;
  gex_AM_Fn_t function = handler->entry.gex_fnptr;
  if (message->kind == TSR_AM_SHORT) run_short(function, token, message->args, message->args_n);
  else run_with_data(function, token, message->data, message->bytes, message->args, message->args_n);
  if (__builtin_expect(tsr_config_check(), 0)) check_return(message, &handler->entry, &before);
}

__attribute__((constructor)) static void register_dispatch(void) { tsr_am_register(TSR_AM_GASNET, dispatch_message); }

void tsr_gex_am_stop(void) {
  for (int i = 0; i < TSR_AM_HANDLERS_MAX; i++) atomic_store(&handlers[i].is_there, false);
}
