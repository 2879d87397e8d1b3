/* GASNet tools: macros for compiler and platform, and small macros that programs expect from GASNet's headers. Part
 * of gasnet_tools.h and of gasnetex.h; gasnet_portable_platform.h contains only this header. */
#ifndef TSR_GASNETT_PLATFORM_H
#define TSR_GASNETT_PLATFORM_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/param.h> /* defines MIN and MAX, too */

/* ---- Versions, for files that include only the headers of the tools ---- */

#define GASNET_RELEASE_VERSION_MAJOR 2025
#define GASNET_RELEASE_VERSION_MINOR 8
#define GASNET_RELEASE_VERSION_PATCH 0
#define GASNET_NDEBUG 1

/* ---- Tokens and numbers ---- */

#ifndef _STRINGIFY
#define _STRINGIFY_HELPER(text) #text
#define _STRINGIFY(text) _STRINGIFY_HELPER(text)
#endif
#ifndef _CONCAT
#define _CONCAT_HELPER(left, right) left##right
#define _CONCAT(left, right) _CONCAT_HELPER(left, right)
#endif
#ifndef MIN
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#endif
#ifndef MAX
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#endif

/* Formats of size_t. */
#ifndef PRIuSZ
#define PRIuSZ "zu"
#define PRIdSZ "zd"
#define PRIxSZ "zx"
#define PRIXSZ "zX"
#define SCNuSZ "zu"
#endif

/* Sizes of types, for the preprocessor. They are plain numbers, as in other headers. */
#if UINTPTR_MAX == UINT64_MAX && !defined(SIZEOF_INT)
#define SIZEOF_CHAR 1
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 8
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_PTRDIFF_T 8
#endif

/* ---- The compiler ---- */

/* Open MPI's header defines these two, too, with another spelling. */
#undef PLATFORM_COMPILER_VERSION
#undef PLATFORM_COMPILER_VERSION_STR
#if defined(__clang__)
#define PLATFORM_COMPILER_CLANG 1
#define PLATFORM_COMPILER_FAMILYNAME CLANG
#define PLATFORM_COMPILER_FAMILYID 19
#define PLATFORM_COMPILER_VERSION_NUM_(major, minor, patch) (((major) << 16) | ((minor) << 8) | (patch))
#define PLATFORM_COMPILER_VERSION PLATFORM_COMPILER_VERSION_NUM_(__clang_major__, __clang_minor__, __clang_patchlevel__)
#define PLATFORM_COMPILER_VERSION_STR \
  _STRINGIFY(__clang_major__) "." _STRINGIFY(__clang_minor__) "." _STRINGIFY(__clang_patchlevel__)
#else
#define PLATFORM_COMPILER_GNU 1
#define PLATFORM_COMPILER_FAMILYNAME GNU
#define PLATFORM_COMPILER_FAMILYID 1
#define PLATFORM_COMPILER_VERSION_NUM_(major, minor, patch) (((major) << 16) | ((minor) << 8) | (patch))
#define PLATFORM_COMPILER_VERSION PLATFORM_COMPILER_VERSION_NUM_(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#define PLATFORM_COMPILER_VERSION_STR \
  _STRINGIFY(__GNUC__) "." _STRINGIFY(__GNUC_MINOR__) "." _STRINGIFY(__GNUC_PATCHLEVEL__)
#endif

#ifdef __cplusplus
#define PLATFORM_COMPILER_CXX_LANGLVL __cplusplus
#ifdef PLATFORM_COMPILER_CLANG
#define PLATFORM_COMPILER_CLANG_CXX 1
#else
#define PLATFORM_COMPILER_GNU_CXX 1
#endif
#define PLATFORM_COMPILER_ID (10000 + PLATFORM_COMPILER_FAMILYID)
#else
#define PLATFORM_COMPILER_C_LANGLVL __STDC_VERSION__
#ifdef PLATFORM_COMPILER_CLANG
#define PLATFORM_COMPILER_CLANG_C 1
#else
#define PLATFORM_COMPILER_GNU_C 1
#endif
#define PLATFORM_COMPILER_ID PLATFORM_COMPILER_FAMILYID
#endif
#define PLATFORM_COMPILER_IDSTR "|COMPILER_FAMILY:" _STRINGIFY(PLATFORM_COMPILER_FAMILYNAME) "|" PLATFORM_COMPILER_VERSION_STR "|"

/* Whether the compiler's version is greater than, equal to or less than a given one. */
#define PLATFORM_COMPILER_VERSION_GT(major, minor, patch) \
  (PLATFORM_COMPILER_VERSION > PLATFORM_COMPILER_VERSION_NUM_(major, minor, patch))
#define PLATFORM_COMPILER_VERSION_GE(major, minor, patch) \
  (PLATFORM_COMPILER_VERSION >= PLATFORM_COMPILER_VERSION_NUM_(major, minor, patch))
#define PLATFORM_COMPILER_VERSION_EQ(major, minor, patch) \
  (PLATFORM_COMPILER_VERSION == PLATFORM_COMPILER_VERSION_NUM_(major, minor, patch))
#define PLATFORM_COMPILER_VERSION_LE(major, minor, patch) \
  (PLATFORM_COMPILER_VERSION <= PLATFORM_COMPILER_VERSION_NUM_(major, minor, patch))
#define PLATFORM_COMPILER_VERSION_LT(major, minor, patch) \
  (PLATFORM_COMPILER_VERSION < PLATFORM_COMPILER_VERSION_NUM_(major, minor, patch))

/* ---- The system and the machine ---- */

#define PLATFORM_OS_LINUX 1
#define PLATFORM_OS_FAMILYNAME LINUX

#if UINTPTR_MAX == UINT64_MAX
#define PLATFORM_ARCH_64 1
#else
#define PLATFORM_ARCH_32 1
#endif
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PLATFORM_ARCH_BIG_ENDIAN 1
#else
#define PLATFORM_ARCH_LITTLE_ENDIAN 1
#endif
#if defined(__x86_64__)
#define PLATFORM_ARCH_X86_64 1
#define PLATFORM_ARCH_FAMILYNAME X86_64
#define GASNETT_SYSTEM_TUPLE "x86_64-unknown-linux-gnu"
#elif defined(__aarch64__)
#define PLATFORM_ARCH_AARCH64 1
#define PLATFORM_ARCH_FAMILYNAME AARCH64
#define GASNETT_SYSTEM_TUPLE "aarch64-unknown-linux-gnu"
#else
#define PLATFORM_ARCH_FAMILYNAME UNKNOWN
#define GASNETT_SYSTEM_TUPLE "unknown-unknown-linux-gnu"
#endif

#ifndef HAVE_PTHREAD_H
#define HAVE_PTHREAD_H 1
#endif
#ifndef HAVE_MMAP
#define HAVE_MMAP 1
#endif

#endif
