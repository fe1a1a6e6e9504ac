/* The scenario format as data: one table of fields for each group. The parser, `explain` and the JSON Schema all walk
 * it, so that none of them can know a key, a default or a limit that another does not. */
#ifndef CC_IO_FIELDS_H
#define CC_IO_FIELDS_H

#include "model/scenario.h"

enum cc_field_kind {
    CC_FIELD_IGNORED,   /* a string for other tools */
    CC_FIELD_STRING,    /* const char * */
    CC_FIELD_UINT32,    /* uint32_t */
    CC_FIELD_UINT64,    /* uint64_t */
    CC_FIELD_NUMBER,    /* double */
    CC_FIELD_BOOL,      /* bool */
    CC_FIELD_BYTES,     /* uint64_t: a number, or with a unit */
    CC_FIELD_DURATION,  /* cc_time */
    CC_FIELD_LAW,       /* struct cc_duration_law */
    CC_FIELD_ENUM,      /* an enum: the position among the choices */
    CC_FIELD_TOLERANCE, /* const char *: "8%" or a number, as written */
    CC_FIELD_OBJECT,    /* a struct, described by `group` */
    CC_FIELD_OBJECTS,   /* an array of them: pointer, and count at `count` */
    CC_FIELD_NUMBERS,   /* double *, and count */
    CC_FIELD_DURATIONS, /* cc_time *, and count */
    CC_FIELD_VARIANTS,  /* an array of variants: resolved before the rest is read */
    CC_FIELD_SET,       /* a variant's overrides */
    CC_FIELD_ANY,       /* anything, for other tools */
    CC_FIELD_PROFILE,   /* an object, or the name of one */
};

struct cc_group;

struct cc_field {
    const char *key;
    enum cc_field_kind kind;
    size_t offset;
    const char *fallback; /* JSON text; NULL: none, the struct keeps zeros */
    double min, max;      /* numbers; durations in ns; arrays: elements of numbers */
    bool above_min;       /* min itself is not allowed */
    bool required, nullable;
    bool beside_run;              /* no run depends on it, and it names variants: explain leaves out both */
    uint32_t null_value;          /* a nullable count: what null is */
    size_t present;               /* 1 + offset of the bool that says whether it is there, or 0 */
    size_t count;                 /* arrays: offset of the uint32_t count */
    uint32_t limit;               /* arrays: most elements */
    unsigned only;                /* bit i: for value i of the group's tag; 0: for all */
    const char *const *choices;   /* enums: NULL at the end */
    const struct cc_group *group; /* objects */
    cc_help help;
};

struct cc_group {
    const struct cc_field *fields;
    size_t count, size;
    const char *tag; /* the key that decides which others apply, or NULL */
};

extern const struct cc_group cc_scenario_group, cc_law_group, cc_variant_group;

const struct cc_field *cc_group_field(const struct cc_group *group, const char *key);
/* Whether the field applies, given the struct with its tag read. */
bool cc_field_applies(const struct cc_group *group, const struct cc_field *field, const void *object);

#endif
