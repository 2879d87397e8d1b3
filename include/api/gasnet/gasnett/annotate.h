/* GASNet tools: annotations of declarations for the compiler. Part of gasnet_tools.h and of gasnetex.h.
 *
 * Forms that end with P name a function for compilers that need pragmas; they are empty here. */
#ifndef TSR_GASNETT_ANNOTATE_H
#define TSR_GASNETT_ANNOTATE_H

#include <stddef.h>

/* ---- Likely and unlikely ----
 *
 * What the program knows, for the compiler: GASNETT_PREDICT_TRUE and GASNETT_PREDICT_FALSE return the condition, which is likely
 * to be so; if_pt and if_pf are `if` with such a condition. gasnett_constant_p returns whether the compiler knows the value of an
 * expression. gasnett_unreachable stands where the program never comes, and gasnett_assume has a condition that is always true. */

#define GASNETT_PREDICT_TRUE(condition) __builtin_expect(!!(condition), 1)
#define GASNETT_PREDICT_FALSE(condition) __builtin_expect(!!(condition), 0)
#ifndef if_pf
#define if_pf(condition) if (GASNETT_PREDICT_FALSE(condition))
#define if_pt(condition) if (GASNETT_PREDICT_TRUE(condition))
#endif
#define gasnett_constant_p(expression) __builtin_constant_p(expression)
#define gasnett_unreachable() __builtin_unreachable()
#define gasnett_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())

/* ---- Linkage ---- */

#ifdef __cplusplus
#define GASNETT_BEGIN_EXTERNC extern "C" {
#define GASNETT_END_EXTERNC }
#define GASNETT_EXTERNC extern "C"
#else
#define GASNETT_BEGIN_EXTERNC
#define GASNETT_END_EXTERNC
#define GASNETT_EXTERNC extern
#endif
#define GASNETT_TENTATIVE_EXTERN extern

/* ---- Functions ----
 *
 * Attributes in front of the declaration of a function. GASNETT_INLINE and GASNETT_NEVER_INLINE have the function's name, and the
 * latter also the declarator, which it returns. */

#define GASNETT_INLINE(name) static inline
#define GASNETT_NEVER_INLINE(name, declarator) __attribute__((__noinline__)) declarator
#define GASNETT_USED __attribute__((__used__))
#define GASNETT_UNUSED __attribute__((__unused__))
#define GASNETT_NORETURN __attribute__((__noreturn__))
#define GASNETT_NORETURNP(name)
#define GASNETT_WARN_UNUSED_RESULT __attribute__((__warn_unused_result__))
#define GASNETT_MALLOC __attribute__((__malloc__)) GASNETT_WARN_UNUSED_RESULT
#define GASNETT_MALLOCP(name)
#define GASNETT_PURE __attribute__((__pure__))
#define GASNETT_PUREP(name)
#define GASNETT_CONST __attribute__((__const__))
#define GASNETT_CONSTP(name)
#define GASNETT_HOT __attribute__((__hot__))
#define GASNETT_COLD __attribute__((__cold__))
#define GASNETT_DEPRECATED __attribute__((__deprecated__))

/* The compiler checks calls of the function as those of printf. `format` and `first` are the positions of the format and of its
 * first argument, from 1. */
#define GASNETT_FORMAT_PRINTF(name, format, first, declarator) \
  __attribute__((__format__(__printf__, format, first))) declarator
#define GASNETT_FORMAT_PRINTF_FUNCPTR(name, format, first, declarator) GASNETT_FORMAT_PRINTF(name, format, first, declarator)
#define GASNETT_FORMAT_PRINTF_FUNCPTR_ARG(name, format, first, declarator) \
  GASNETT_FORMAT_PRINTF(name, format, first, declarator)

/* ---- The rest ---- */

#define GASNETT_RESTRICT __restrict__
#define GASNETT_FALLTHROUGH __attribute__((__fallthrough__));
#define GASNETT_CURRENT_FUNCTION __func__

/* An expression without a value that evaluates its arguments, so that none of them counts as unused. */
#define GASNETT_UNUSED_ARGS1(a) ((void)(a))
#define GASNETT_UNUSED_ARGS2(a, b) (GASNETT_UNUSED_ARGS1(a), (void)(b))
#define GASNETT_UNUSED_ARGS3(a, b, c) (GASNETT_UNUSED_ARGS2(a, b), (void)(c))
#define GASNETT_UNUSED_ARGS4(a, b, c, d) (GASNETT_UNUSED_ARGS3(a, b, c), (void)(d))
#define GASNETT_UNUSED_ARGS5(a, b, c, d, e) (GASNETT_UNUSED_ARGS4(a, b, c, d), (void)(e))
#define GASNETT_UNUSED_ARGS6(a, b, c, d, e, f) (GASNETT_UNUSED_ARGS5(a, b, c, d, e), (void)(f))
#define GASNETT_UNUSED_ARGS7(a, b, c, d, e, f, g) (GASNETT_UNUSED_ARGS6(a, b, c, d, e, f), (void)(g))
#define GASNETT_UNUSED_ARGS8(a, b, c, d, e, f, g, h) (GASNETT_UNUSED_ARGS7(a, b, c, d, e, f, g), (void)(h))

/* A text in the binary; a semicolon follows. */
#define GASNETT_IDENT(name, text) static const char name[] __attribute__((__used__)) = text

/* Macros that are not part of the tools, but that programs use from GASNet's headers. */
#define gasneti_builtin_unreachable() __builtin_unreachable()
#define GASNETI_UNUSED GASNETT_UNUSED
#define GASNETI_INLINE GASNETT_INLINE
#define GASNETI_NORETURN GASNETT_NORETURN
#define GASNETI_FORMAT_PRINTF GASNETT_FORMAT_PRINTF

#endif
