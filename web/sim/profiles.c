/* The built-in profiles, which JavaScript has in a file of their own: few scenarios name one. */
#include "cachecast.h"

#define IMPORT(name) __attribute__((import_module("env"), import_name(name)))

IMPORT("profile_name") const char *profile_name(size_t index);
IMPORT("profile_text") const char *profile_text(size_t index);

const char *cc_profile_name(size_t index) { return profile_name(index); }
const char *cc_profile_text(size_t index) { return profile_text(index); }
