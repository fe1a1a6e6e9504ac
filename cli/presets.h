/* The scenarios of sims/published and sims/start, which links name: made by cmake/Profiles.cmake. */
#ifndef CLI_PRESETS_H
#define CLI_PRESETS_H

#include <stddef.h>

/* "four-configurations.table" and its JSON text; NULL behind the last. */
const char *preset_name(size_t index);
const char *preset_text(size_t index);

#endif
