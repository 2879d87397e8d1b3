/* The end of what shmem/push_names.h begins. */
#ifdef SHMEMI_NAMES_ARE_HIDDEN
#undef SHMEMI_NAMES_ARE_HIDDEN
#pragma pop_macro("schar")
#pragma pop_macro("longlong")
#pragma pop_macro("longdouble")
#pragma pop_macro("uchar")
#pragma pop_macro("ushort")
#pragma pop_macro("uint")
#pragma pop_macro("ulong")
#pragma pop_macro("ulonglong")
#pragma pop_macro("int8")
#pragma pop_macro("int16")
#pragma pop_macro("int32")
#pragma pop_macro("int64")
#pragma pop_macro("uint8")
#pragma pop_macro("uint16")
#pragma pop_macro("uint32")
#pragma pop_macro("uint64")
#pragma pop_macro("size")
#pragma pop_macro("ptrdiff")
#pragma pop_macro("complexd")
#pragma pop_macro("complexf")
#endif
