/* Means of replications with their 95 % intervals. */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include <stddef.h>

struct stats {
    size_t count;      /* of the numbers that are not NaN */
    double mean;       /* NaN without numbers */
    double half_width; /* of the 95 % interval (Student's t); NaN with fewer than two numbers */
    double min, max;
};

struct stats stats_of(const double *numbers, size_t count);
/* The 97.5 % point of Student's t. */
double student_t(size_t degrees);

#endif
