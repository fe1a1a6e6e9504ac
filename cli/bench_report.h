/* What bench codec prints for people. */
#ifndef CLI_BENCH_REPORT_H
#define CLI_BENCH_REPORT_H

#include "bench_profile.h"

void report_codecs(struct text *out, const struct profile *profile);

#endif
