/* Elementary functions with the same bits on every target.
 *
 * C libraries differ from each other (and glibc from itself, with and without FMA) in the last bit of log, exp and pow.
 * These use only + - * / and integer operations. Measured against long double over 10^5 arguments (tests/unit):
 * log and exp below 1 ulp, normal quantile below 1e-15 relative error; pow is exp(y log x) and its error
 * grows with |y log x|: below 64 ulp where |y log x| < 40, which is enough to weigh Zipf's ranks. */
#ifndef CC_ENGINE_EXACT_H
#define CC_ENGINE_EXACT_H

double cc_log(double x);           /* natural logarithm; x > 0 and finite, -inf at 0, NaN below */
double cc_exp(double x);           /* 0 below -745.2, +inf above 709.8 */
double cc_pow(double x, double y); /* x > 0 */
/* The standard normal quantile of p in (0, 1): Wichura, algorithm AS 241, Applied Statistics 37(3), 1988. */
double cc_normal_quantile(double p);

#endif
