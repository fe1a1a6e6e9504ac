/* bench codec --self-check: its figures against a plain loop. */
#ifndef CLI_BENCH_CHECK_H
#define CLI_BENCH_CHECK_H

#include "codec_rounds.h"
#include "text.h"

/* Samples as the rounds take them and passes of the plain loop in turn. EXIT_EXPECTATION when sizes are not equal or speeds
 * are more than 5 % apart, EXIT_INTERRUPTED when the plan was stopped. */
enum exit_code check_codecs(struct text *out, struct codec_bench *bench);

#endif
