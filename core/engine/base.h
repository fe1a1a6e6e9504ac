/* What every file of the core shares: the clock's unit and the promise of equal bytes.
 *
 * Time is an integer number of nanoseconds since the start of the run. Floating point is IEEE 754 double evaluated as
 * written: the build passes -ffp-contract=off, and the checks below refuse a compiler mode that would break the rule. */
#ifndef CC_ENGINE_BASE_H
#define CC_ENGINE_BASE_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __FAST_MATH__
#error "cachecast must not be built with -ffast-math: results would differ between machines"
#endif
_Static_assert(FLT_EVAL_METHOD == 0, "doubles must be evaluated as doubles (on 32-bit x86: -msse2 -mfpmath=sse)");

typedef uint64_t cc_time; /* nanoseconds since the start of the run */

#define CC_NEVER UINT64_MAX
#define CC_SECOND UINT64_C(1000000000)
#define CC_NONE UINT32_MAX /* no index */

__extension__ typedef unsigned __int128 cc_wide; /* sums of nanoseconds over many requests outgrow 64 bits */

#if defined(__GNUC__)
#define CC_RARE(condition) __builtin_expect(!!(condition), 0)
#define CC_HOT static inline __attribute__((always_inline))
#else
#define CC_RARE(condition) (condition)
#define CC_HOT static inline
#endif

/* A sentence for people. Of them, what is built without help keeps only that they are there. */
#ifdef CC_WITHOUT_HELP
typedef bool cc_help;
#else
typedef const char *cc_help;
#endif

static inline double cc_seconds(cc_time t) { return (double)t / 1e9; }

#endif
