/* In the place of core/engine/ziggurat.c: tables that ziggurat.mjs fills before the first call. Here and not in shim.c,
 * so that no compiler takes them for the zeros that they begin as. */
#include "engine/variate.h"

#define EXPORT(name) __attribute__((export_name(name)))

EXPORT("sim_ziggurat_accept") const uint64_t *sim_ziggurat_accept(void);
EXPORT("sim_ziggurat_scale") const double *sim_ziggurat_scale(void);
EXPORT("sim_ziggurat_height") const double *sim_ziggurat_height(void);

const uint64_t cc_ziggurat_accept[256];
const double cc_ziggurat_scale[256];
const double cc_ziggurat_height[256];

const uint64_t *sim_ziggurat_accept(void) { return cc_ziggurat_accept; }
const double *sim_ziggurat_scale(void) { return cc_ziggurat_scale; }
const double *sim_ziggurat_height(void) { return cc_ziggurat_height; }
