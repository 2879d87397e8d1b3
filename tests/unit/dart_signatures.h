/* The published signatures of DART's functions. A mismatch does not compile. */
#ifndef DART_SIGNATURES_H
#define DART_SIGNATURES_H

#include <dash/dart/if/dart.h>
#include <dash/dart/if/dart_locality.h>

#define SIGNATURE(result, name, ...) \
  static __attribute__((unused)) result (*const published_##name)(__VA_ARGS__) = name
#define CALL(name, ...) SIGNATURE(dart_ret_t, name, __VA_ARGS__)

CALL(dart_init, int *, char ***);
CALL(dart_init_thread, int *, char ***, dart_thread_support_level_t *);
CALL(dart_exit, void);
SIGNATURE(bool, dart_initialized, void);
SIGNATURE(void, dart_abort, int);
SIGNATURE(void, dart_config, dart_config_t **);

CALL(dart_group_create, dart_group_t *);
CALL(dart_group_destroy, dart_group_t *);
CALL(dart_group_clone, const dart_group_t, dart_group_t *);
CALL(dart_group_union, const dart_group_t, const dart_group_t, dart_group_t *);
CALL(dart_group_intersect, const dart_group_t, const dart_group_t, dart_group_t *);
CALL(dart_group_addmember, dart_group_t, dart_global_unit_t);
CALL(dart_group_delmember, dart_group_t, dart_global_unit_t);
CALL(dart_group_ismember, const dart_group_t, dart_global_unit_t, int32_t *);
CALL(dart_group_size, const dart_group_t, size_t *);
CALL(dart_group_getmembers, const dart_group_t, dart_global_unit_t *);
CALL(dart_group_split, const dart_group_t, size_t, size_t *, dart_group_t *);
CALL(dart_group_locality_split, const dart_group_t, dart_domain_locality_t *, dart_locality_scope_t, size_t, size_t *,
     dart_group_t *);

CALL(dart_team_get_group, dart_team_t, dart_group_t *);
CALL(dart_team_create, dart_team_t, const dart_group_t, dart_team_t *);
CALL(dart_team_destroy, dart_team_t *);
CALL(dart_team_clone, dart_team_t, dart_team_t *);
CALL(dart_team_myid, dart_team_t, dart_team_unit_t *);
CALL(dart_team_size, dart_team_t, size_t *);
CALL(dart_myid, dart_global_unit_t *);
CALL(dart_size, size_t *);
CALL(dart_team_unit_l2g, dart_team_t, dart_team_unit_t, dart_global_unit_t *);
CALL(dart_team_unit_g2l, dart_team_t, dart_global_unit_t, dart_team_unit_t *);

CALL(dart_gptr_getaddr, const dart_gptr_t, void **);
CALL(dart_gptr_setaddr, dart_gptr_t *, void *);
CALL(dart_gptr_incaddr, dart_gptr_t *, int64_t);
CALL(dart_gptr_setunit, dart_gptr_t *, dart_team_unit_t);
CALL(dart_gptr_getflags, dart_gptr_t, uint16_t *);
CALL(dart_gptr_setflags, dart_gptr_t *, uint16_t);

CALL(dart_memalloc, size_t, dart_datatype_t, dart_gptr_t *);
CALL(dart_memfree, dart_gptr_t);
CALL(dart_team_memalloc_aligned, dart_team_t, size_t, dart_datatype_t, dart_gptr_t *);
CALL(dart_team_memfree, dart_gptr_t);
CALL(dart_team_memregister_aligned, dart_team_t, size_t, dart_datatype_t, void *, dart_gptr_t *);
CALL(dart_team_memregister, dart_team_t, size_t, dart_datatype_t, void *, dart_gptr_t *);
CALL(dart_team_memderegister, dart_gptr_t);
CALL(dart_allocator_new, size_t, dart_team_t, dart_allocator_t *);
CALL(dart_allocator_alloc, size_t, dart_datatype_t, dart_gptr_t *, dart_allocator_t);
CALL(dart_allocator_free, dart_gptr_t *, dart_allocator_t);
CALL(dart_allocator_destroy, dart_allocator_t *);

CALL(dart_get, void *, dart_gptr_t, size_t, dart_datatype_t, dart_datatype_t);
CALL(dart_put, dart_gptr_t, const void *, size_t, dart_datatype_t, dart_datatype_t);
CALL(dart_get_handle, void *, dart_gptr_t, size_t, dart_datatype_t, dart_datatype_t, dart_handle_t *);
CALL(dart_put_handle, dart_gptr_t, const void *, size_t, dart_datatype_t, dart_datatype_t, dart_handle_t *);
CALL(dart_get_blocking, void *, dart_gptr_t, size_t, dart_datatype_t, dart_datatype_t);
CALL(dart_put_blocking, dart_gptr_t, const void *, size_t, dart_datatype_t, dart_datatype_t);
CALL(dart_flush, dart_gptr_t);
CALL(dart_flush_all, dart_gptr_t);
CALL(dart_flush_local, dart_gptr_t);
CALL(dart_flush_local_all, dart_gptr_t);
CALL(dart_wait, dart_handle_t *);
CALL(dart_waitall, dart_handle_t[], size_t);
CALL(dart_wait_local, dart_handle_t *);
CALL(dart_waitall_local, dart_handle_t[], size_t);
CALL(dart_test, dart_handle_t *, int32_t *);
CALL(dart_testall, dart_handle_t[], size_t, int32_t *);
CALL(dart_test_local, dart_handle_t *, int32_t *);
CALL(dart_testall_local, dart_handle_t[], size_t, int32_t *);
CALL(dart_handle_free, dart_handle_t *);

CALL(dart_accumulate, dart_gptr_t, const void *, size_t, dart_datatype_t, dart_operation_t);
CALL(dart_accumulate_blocking_local, dart_gptr_t, const void *, size_t, dart_datatype_t, dart_operation_t);
CALL(dart_fetch_and_op, dart_gptr_t, const void *, void *, dart_datatype_t, dart_operation_t);
CALL(dart_compare_and_swap, dart_gptr_t, const void *, const void *, void *, dart_datatype_t);

CALL(dart_type_create_strided, dart_datatype_t, size_t, size_t, dart_datatype_t *);
CALL(dart_type_create_indexed, dart_datatype_t, size_t, const size_t[], const size_t[], dart_datatype_t *);
CALL(dart_type_create_custom, size_t, dart_datatype_t *);
CALL(dart_type_destroy, dart_datatype_t *);
CALL(dart_op_create, void (*)(const void *, void *, size_t, void *), void *, bool, dart_datatype_t, bool,
     dart_operation_t *);
CALL(dart_op_destroy, dart_operation_t *);

CALL(dart_barrier, dart_team_t);
CALL(dart_bcast, void *, size_t, dart_datatype_t, dart_team_unit_t, dart_team_t);
CALL(dart_scatter, const void *, void *, size_t, dart_datatype_t, dart_team_unit_t, dart_team_t);
CALL(dart_gather, const void *, void *, size_t, dart_datatype_t, dart_team_unit_t, dart_team_t);
CALL(dart_allgather, const void *, void *, size_t, dart_datatype_t, dart_team_t);
CALL(dart_allgatherv, const void *, size_t, dart_datatype_t, void *, const size_t *, const size_t *, dart_team_t);
CALL(dart_allreduce, const void *, void *, size_t, dart_datatype_t, dart_operation_t, dart_team_t);
CALL(dart_reduce, const void *, void *, size_t, dart_datatype_t, dart_operation_t, dart_team_unit_t, dart_team_t);
CALL(dart_alltoall, const void *, void *, size_t, dart_datatype_t, dart_team_t);
CALL(dart_send, const void *, size_t, dart_datatype_t, int, dart_global_unit_t);
CALL(dart_recv, void *, size_t, dart_datatype_t, int, dart_global_unit_t);
CALL(dart_sendrecv, const void *, size_t, dart_datatype_t, int, dart_global_unit_t, void *, size_t, dart_datatype_t,
     int, dart_global_unit_t);

CALL(dart_team_lock_init, dart_team_t, dart_lock_t *);
CALL(dart_team_lock_destroy, dart_lock_t *);
CALL(dart_lock_acquire, dart_lock_t);
CALL(dart_lock_try_acquire, dart_lock_t, int32_t *);
CALL(dart_lock_release, dart_lock_t);
SIGNATURE(bool, dart_lock_initialized, const struct dart_lock_struct *);

CALL(dart_team_locality_init, dart_team_t);
CALL(dart_team_locality_finalize, dart_team_t);
CALL(dart_domain_team_locality, dart_team_t, const char *, dart_domain_locality_t **);
CALL(dart_domain_create, dart_domain_locality_t **);
CALL(dart_domain_clone, const dart_domain_locality_t *, dart_domain_locality_t **);
CALL(dart_domain_destroy, dart_domain_locality_t *);
CALL(dart_domain_assign, dart_domain_locality_t *, const dart_domain_locality_t *);
CALL(dart_domain_find, const dart_domain_locality_t *, const char *, dart_domain_locality_t **);
CALL(dart_domain_select, dart_domain_locality_t *, int, const char **);
CALL(dart_domain_exclude, dart_domain_locality_t *, int, const char **);
CALL(dart_domain_add_subdomain, dart_domain_locality_t *, dart_domain_locality_t *, int);
CALL(dart_domain_move_subdomain, dart_domain_locality_t *, dart_domain_locality_t *, int);
CALL(dart_domain_split_scope, const dart_domain_locality_t *, dart_locality_scope_t, int, dart_domain_locality_t *);
CALL(dart_domain_scope_tags, const dart_domain_locality_t *, dart_locality_scope_t, int *, char ***);
CALL(dart_domain_scope_domains, const dart_domain_locality_t *, dart_locality_scope_t, int *,
     dart_domain_locality_t ***);
CALL(dart_domain_group, dart_domain_locality_t *, int, const char **, char *);
CALL(dart_unit_locality, dart_team_t, dart_team_unit_t, dart_unit_locality_t **);

#undef CALL
#undef SIGNATURE

#endif
