/* Student-t intervals. The table's last steps are interpolated in 1/degrees, in which the quantile is almost linear. */
#include "stats.h"

#include <math.h>

double student_t(size_t degrees)
{
    static const double first[] = {12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600,
                                   2.26216, 2.22814, 2.20099, 2.17881, 2.16037, 2.14479, 2.13145, 2.11991,
                                   2.10982, 2.10092, 2.09302, 2.08596, 2.07961, 2.07387, 2.06866, 2.06390,
                                   2.05954, 2.05553, 2.05183, 2.04841, 2.04523, 2.04227};
    static const struct {
        double inverse, t;
    } last[] = {{1.0 / 30, 2.04227}, {1.0 / 40, 2.02108}, {1.0 / 60, 2.00030}, {1.0 / 120, 1.97993}, {0, 1.95996}};
    if (degrees == 0)
        return NAN;
    if (degrees <= 30)
        return first[degrees - 1];
    double inverse = 1.0 / (double)degrees;
    size_t step = 1;
    while (last[step].inverse > inverse)
        step++;
    double share = (inverse - last[step].inverse) / (last[step - 1].inverse - last[step].inverse);
    return last[step].t + share * (last[step - 1].t - last[step].t);
}

struct stats stats_of(const double *numbers, size_t count)
{
    struct stats stats = {.mean = NAN, .half_width = NAN, .min = NAN, .max = NAN};
    double mean = 0, squares = 0; /* Welford */
    for (size_t i = 0; i < count; i++) {
        double number = numbers[i];
        if (isnan(number))
            continue;
        stats.count++;
        double step = number - mean;
        mean += step / (double)stats.count;
        squares += step * (number - mean);
        if (stats.count == 1 || number < stats.min)
            stats.min = number;
        if (stats.count == 1 || number > stats.max)
            stats.max = number;
    }
    if (stats.count > 0)
        stats.mean = mean;
    if (stats.count > 1) {
        double n = (double)stats.count;
        stats.half_width = student_t(stats.count - 1) * sqrt(squares / (n - 1) / n);
    }
    return stats;
}
