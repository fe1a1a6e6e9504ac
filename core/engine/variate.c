#include "engine/variate.h"

double cc_exponential_edge(struct cc_random *random, uint32_t layer, uint64_t position)
{
    for (;;) {
        if (layer == 0) /* beyond r the law is the same again, r further out */
            return 0x1.ec9d9297ebb83p+2 + cc_exponential(random);
        double x = (double)position * cc_ziggurat_scale[layer];
        double low = cc_ziggurat_height[layer - 1], high = cc_ziggurat_height[layer];
        if (low + (high - low) * cc_random_unit(random) < cc_exp(-x))
            return x;
        uint64_t bits = cc_random_next(random);
        position = bits >> 11;
        layer = (uint32_t)bits & 255;
        if (position < cc_ziggurat_accept[layer])
            return (double)position * cc_ziggurat_scale[layer];
    }
}

struct cc_variate cc_variate_lognormal(double mean, double scv)
{
    double sigma2 = cc_log(1 + scv);
    return (struct cc_variate){.kind = CC_LOGNORMAL, .a = cc_log(mean) - sigma2 / 2, .b = __builtin_sqrt(sigma2)};
}

cc_time cc_variate_draw_other(const struct cc_variate *variate, struct cc_random *random)
{
    double sum = 0;
    switch (variate->kind) {
    case CC_LOGNORMAL:
        return cc_nearest_time(cc_exp(variate->a + variate->b * cc_normal_quantile(cc_random_open(random))));
    case CC_ERLANG:
        for (uint32_t i = 0; i < variate->shape; i++)
            sum += cc_exponential(random);
        return cc_nearest_time(variate->a * sum);
    case CC_HYPEREXPONENTIAL: {
        double mean = cc_random_unit(random) < variate->a ? variate->b : variate->c;
        return cc_nearest_time(mean * cc_exponential(random));
    }
    case CC_EMPIRICAL:
        return variate->values[cc_alias_draw(&variate->weights, random)];
    default:
        return cc_variate_draw(variate, random);
    }
}
