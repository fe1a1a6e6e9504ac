#include "engine/exact.h"

#include "engine/base.h"

#include <math.h>
#include <string.h>

static const double LN2_HIGH = 0x1.62e42feep-1;      /* 21 zero bits at the end: k * LN2_HIGH is exact */
static const double LN2_LOW = 0x1.a39ef35793c76p-33; /* ln 2 - LN2_HIGH */
static const double ONE_OVER_LN2 = 1.4426950408889634074;

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double cc_log(double x)
{
    if (!(x > 0))
        return x == 0 ? -HUGE_VAL : (double)NAN;
    if (x > DBL_MAX)
        return x;
    int exponent = 0;
    if (x < DBL_MIN) {
        x *= 0x1p54;
        exponent = -54;
    }
    /* x = m 2^exponent with m in [sqrt(1/2), sqrt(2)) */
    uint64_t bits = bits_of(x);
    exponent += (int)(bits >> 52) - 1023;
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    if (fraction >= UINT64_C(0x6a09e667f3bcd)) {
        exponent++;
        bits = UINT64_C(1022) << 52 | fraction;
    } else {
        bits = UINT64_C(1023) << 52 | fraction;
    }
    double f = from_bits(bits) - 1.0;
    /* log(1+f) = 2 artanh(s) = 2s + s R(s^2) with s = f/(2+f); 2s = f - s f keeps the leading term exact. */
    double s = f / (2.0 + f), z = s * s;
    double r = 2.0 / 23;
    r = r * z + 2.0 / 21;
    r = r * z + 2.0 / 19;
    r = r * z + 2.0 / 17;
    r = r * z + 2.0 / 15;
    r = r * z + 2.0 / 13;
    r = r * z + 2.0 / 11;
    r = r * z + 2.0 / 9;
    r = r * z + 2.0 / 7;
    r = r * z + 2.0 / 5;
    r = r * z + 2.0 / 3;
    r = r * z;
    double k = (double)exponent;
    return k * LN2_HIGH + (f - (s * (f - r) - k * LN2_LOW));
}

double cc_exp(double x)
{
    if (x != x)
        return x;
    if (x > 709.782712893384)
        return HUGE_VAL;
    if (x < -745.2)
        return 0;
    int k = (int)(x * ONE_OVER_LN2 + (x < 0 ? -0.5 : 0.5));
    double r = (x - k * LN2_HIGH) - k * LN2_LOW; /* |r| <= ln(2)/2 */
    double p = 1.0 / 6227020800;                 /* 1/13! */
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    double y = 1.0 + (r + r * r * p);
    if (k > 1023) /* two factors, as 2^k alone would overflow or be subnormal */
        return y * 2.0 * from_bits((uint64_t)(k - 1 + 1023) << 52);
    if (k < -1022)
        return y * 0x1p-1000 * from_bits((uint64_t)(k + 1000 + 1023) << 52);
    return y * from_bits((uint64_t)(k + 1023) << 52);
}

double cc_pow(double x, double y) { return cc_exp(y * cc_log(x)); }

/* A rational function of degree 7 over 7, coefficients from the constant term up. */
static double ratio(const double *a, const double *b, double x)
{
    double top = a[7], bottom = b[7];
    for (int i = 6; i >= 0; i--) {
        top = top * x + a[i];
        bottom = bottom * x + b[i];
    }
    return top / bottom;
}

double cc_normal_quantile(double p)
{
    static const double A[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static const double B[8] = {1.0,
                                4.2313330701600911252e+1,
                                6.8718700749205790830e+2,
                                5.3941960214247511077e+3,
                                2.1213794301586595867e+4,
                                3.9307895800092710610e+4,
                                2.8729085735721942674e+4,
                                5.2264952788528545610e+3};
    static const double C[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double D[8] = {1.0,
                                2.05319162663775882187e0,
                                1.67638483018380384940e0,
                                6.89767334985100004550e-1,
                                1.48103976427480074590e-1,
                                1.51986665636164571966e-2,
                                5.47593808499534494600e-4,
                                1.05075007164441684324e-9};
    static const double E[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double F[8] = {1.0,
                                5.99832206555887937690e-1,
                                1.36929880922735805310e-1,
                                1.48753612908506148525e-2,
                                7.86869131145613259100e-4,
                                1.84631831751005468180e-5,
                                1.42151175831644588870e-7,
                                2.04426310338993978564e-15};
    double q = p - 0.5;
    if (q >= -0.425 && q <= 0.425)
        return q * ratio(A, B, 0.180625 - q * q);
    double r = sqrt(-cc_log(q < 0 ? p : 1.0 - p));
    double x = r <= 5 ? ratio(C, D, r - 1.6) : ratio(E, F, r - 5);
    return q < 0 ? -x : x;
}
