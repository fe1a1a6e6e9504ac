/* Fills structs from JSON by the table of fields. */
#include "io/reader.h"
#include "io/units.h"
#include "io/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 96

/* A value as errors show it. */
static void read_show(const json_t *json, char out[SHOWN])
{
    char line[SHOWN - 16], number[CC_DOUBLE_TEXT];
    switch (json_typeof(json)) {
    case JSON_STRING:
        cc_one_line(line, sizeof line, json_string_value(json));
        snprintf(out, SHOWN, "\"%s%s\"", line, json_string_length(json) >= sizeof line ? "..." : "");
        break;
    case JSON_INTEGER:
        snprintf(out, SHOWN, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
        break;
    case JSON_REAL:
        cc_double_text(json_real_value(json), number);
        snprintf(out, SHOWN, "%s", number);
        break;
    case JSON_OBJECT:
        snprintf(out, SHOWN, "{...}");
        break;
    case JSON_ARRAY:
        snprintf(out, SHOWN, "[...]");
        break;
    default:
        snprintf(out, SHOWN, "%s", json_is_true(json) ? "true" : json_is_false(json) ? "false" : "null");
    }
}

static void read_join(char *out, size_t size, const char *separator, const char *word)
{
    size_t length = strlen(out);
    snprintf(out + length, size - length, "%s%s", length > 0 ? separator : "", word);
}

static void read_choices(const struct cc_field *field, char *out, size_t size)
{
    *out = '\0';
    for (size_t i = 0; field->choices[i]; i++)
        read_join(out, size, ", ", field->choices[i]);
}

static const char *read_type(enum cc_field_kind kind)
{
    switch (kind) {
    case CC_FIELD_UINT32:
    case CC_FIELD_UINT64:
        return "a whole number";
    case CC_FIELD_NUMBER:
        return "a number";
    case CC_FIELD_BOOL:
        return "true or false";
    case CC_FIELD_BYTES:
        return "a number of bytes, or a size such as \"1KiB\",";
    case CC_FIELD_PROFILE:
        return "an object, or a profile's name,";
    case CC_FIELD_DURATION:
        return "a duration such as \"2s\"";
    case CC_FIELD_LAW:
        return "a duration such as \"2s\", or an object with \"dist\",";
    case CC_FIELD_TOLERANCE:
        return "a percentage such as \"8%\", or a number,";
    case CC_FIELD_OBJECT:
    case CC_FIELD_SET:
        return "an object";
    case CC_FIELD_OBJECTS:
    case CC_FIELD_VARIANTS:
        return "an array of objects";
    case CC_FIELD_NUMBERS:
        return "an array of numbers";
    case CC_FIELD_DURATIONS:
        return "an array of durations";
    default:
        return "a string";
    }
}

/* What a field takes, of the kind that is wanted at this place of it: "one of lru, fifo is needed". */
static void read_needed(const struct cc_field *field, enum cc_field_kind kind, char *out, size_t size)
{
    char all[256];
    const char *or_null = field && field->nullable ? " (or null)" : "";
    if (kind == CC_FIELD_ENUM) {
        read_choices(field, all, sizeof all);
        snprintf(out, size, "one of %s is needed%s", all, or_null);
    } else {
        snprintf(out, size, "%s is needed%s", read_type(kind), or_null);
    }
}

static bool read_wrong_type(struct cc_reader *reader, const struct cc_field *field, enum cc_field_kind kind,
                            const json_t *json)
{
    static const char *const types[] = {"an object", "an array",  "a string", "a number",
                                        "a number",  "a boolean", "a boolean"};
    char shown[SHOWN], needed[320];
    read_show(json, shown);
    read_needed(field, kind, needed, sizeof needed);
    if (json_is_null(json))
        return cc_reader_fail(reader, false, "null is not allowed; %s", needed);
    return cc_reader_fail(reader, false, "%s is %s; %s", shown, types[json_typeof(json)], needed);
}

static void read_limit(double limit, bool duration, char out[CC_DOUBLE_TEXT])
{
    if (duration && limit >= (double)CC_DURATION_MAX)
        snprintf(out, CC_DOUBLE_TEXT, "30d");
    else if (duration)
        cc_duration_text((cc_time)limit, out);
    else if (limit >= 0x1p63)
        snprintf(out, CC_DOUBLE_TEXT, "%" PRId64, INT64_MAX);
    else
        cc_double_text(limit, out);
}

static bool read_out_of_range(struct cc_reader *reader, const struct cc_field *field, const json_t *json)
{
    char shown[SHOWN], low[CC_DOUBLE_TEXT], high[CC_DOUBLE_TEXT];
    bool duration = field->kind == CC_FIELD_DURATION || field->kind == CC_FIELD_DURATIONS;
    read_show(json, shown);
    read_limit(field->min, duration, low);
    read_limit(field->max, duration, high);
    const char *or_null = field->nullable ? ", or null" : "";
    if (field->max >= DBL_MAX)
        return cc_reader_fail(reader, false, "%s is out of range; allowed: %s or more%s", shown, low, or_null);
    return cc_reader_fail(reader, false, "%s is out of range; allowed: %s%s to %s%s", shown,
                          field->above_min ? "above " : "", low, high, or_null);
}

static bool read_duration(struct cc_reader *reader, const struct cc_field *field, json_t *json, cc_time *duration)
{
    if (!json_is_string(json))
        return read_wrong_type(reader, field, field->kind == CC_FIELD_LAW ? CC_FIELD_LAW : CC_FIELD_DURATION, json);
    char shown[SHOWN];
    read_show(json, shown);
    switch (cc_duration_parse(json_string_value(json), duration)) {
    case CC_UNIT_OK:
        break;
    case CC_UNIT_TOO_FINE:
        return cc_reader_fail(reader, false, "%s is finer than a nanosecond; durations are whole nanoseconds", shown);
    case CC_UNIT_TOO_LARGE:
        return cc_reader_fail(reader, false, "%s is out of range; allowed: at most 30d", shown);
    default:
        return cc_reader_fail(reader, false,
                              "%s is not a duration; give a number with a unit (ns, us, ms, s, m, h, d), such as "
                              "\"2s\"",
                              shown);
    }
    if (field->kind == CC_FIELD_LAW)
        return true;
    if ((double)*duration < field->min || (double)*duration > field->max)
        return read_out_of_range(reader, field, json);
    return true;
}

static bool read_number(struct cc_reader *reader, const struct cc_field *field, json_t *json, double *number)
{
    if (!json_is_number(json))
        return read_wrong_type(reader, field, field->kind == CC_FIELD_TOLERANCE ? field->kind : CC_FIELD_NUMBER, json);
    *number = json_number_value(json);
    if (*number < field->min || *number > field->max || (field->above_min && *number <= field->min))
        return read_out_of_range(reader, field, json);
    return true;
}

static bool read_integer(struct cc_reader *reader, const struct cc_field *field, json_t *json, uint64_t *number)
{
    char shown[SHOWN];
    if (!json_is_number(json))
        return read_wrong_type(reader, field, field->kind, json);
    double value = json_number_value(json);
    if (json_is_integer(json)) {
        if (json_integer_value(json) < 0 || value < field->min || value > field->max)
            return read_out_of_range(reader, field, json);
        *number = (uint64_t)json_integer_value(json);
        return true;
    }
    /* 1e6 is a whole number too. */
    if (value < field->min || value > field->max || value >= 0x1p53)
        return read_out_of_range(reader, field, json);
    *number = (uint64_t)value;
    if ((double)*number < value || (double)*number > value) {
        read_show(json, shown);
        return cc_reader_fail(reader, false, "%s is not a whole number", shown);
    }
    return true;
}

static bool read_bytes(struct cc_reader *reader, const struct cc_field *field, json_t *json, uint64_t *bytes)
{
    if (json_is_number(json))
        return read_integer(reader, field, json, bytes);
    if (!json_is_string(json))
        return read_wrong_type(reader, field, CC_FIELD_BYTES, json);
    char shown[SHOWN];
    read_show(json, shown);
    enum cc_unit_error problem = cc_bytes_parse(json_string_value(json), bytes);
    if (problem == CC_UNIT_SYNTAX)
        return cc_reader_fail(
            reader, false,
            "%s is not a size; give a number of bytes, alone or with a unit (B, kB, MB, GB, KiB, MiB, "
            "GiB)",
            shown);
    if (problem == CC_UNIT_TOO_FINE)
        return cc_reader_fail(reader, false, "%s is not a whole number of bytes", shown);
    if (problem == CC_UNIT_TOO_LARGE || (double)*bytes < field->min || (double)*bytes > field->max)
        return read_out_of_range(reader, field, json);
    return true;
}

static const char *read_choice_name(const void *context, size_t index) { return ((const char *const *)context)[index]; }

static const char *read_key_name(const void *context, size_t index)
{
    return ((const struct cc_group *)context)->fields[index].key;
}

static bool read_enum(struct cc_reader *reader, const struct cc_field *field, json_t *json, uint32_t *value)
{
    if (!json_is_string(json))
        return read_wrong_type(reader, field, CC_FIELD_ENUM, json);
    uint32_t count = 0;
    for (; field->choices[count]; count++) {
        if (strcmp(field->choices[count], json_string_value(json)) == 0) {
            *value = count;
            return true;
        }
    }
    char all[256], shown[SHOWN];
    read_choices(field, all, sizeof all);
    const char *nearest = cc_nearest_name(json_string_value(json), read_choice_name, field->choices, count);
    read_show(json, shown);
    if (nearest)
        return cc_reader_fail(reader, false, "%s is unknown; did you mean \"%s\"? allowed: %s", shown, nearest, all);
    return cc_reader_fail(reader, false, "%s is unknown; allowed: %s", shown, all);
}

/* ---- laws ---- */

static bool read_compile(struct cc_reader *reader, struct cc_duration_law *law)
{
    struct cc_variate *variate = &law->variate;
    variate->kind = law->kind;
    switch (law->kind) {
    case CC_CONSTANT:
        variate->a = (double)law->value;
        return true;
    case CC_UNIFORM:
        if (law->high < law->low)
            return cc_reader_fail(reader, false, "\"high\" is less than \"low\"; it must be at least as long");
        variate->a = (double)law->low;
        variate->b = (double)(law->high - law->low);
        return true;
    case CC_EXPONENTIAL:
        variate->a = (double)law->mean;
        return true;
    case CC_LOGNORMAL:
        *variate = cc_variate_lognormal((double)law->mean, law->scv);
        return true;
    case CC_ERLANG:
        variate->shape = law->k;
        variate->a = (double)law->mean / law->k;
        return true;
    case CC_HYPEREXPONENTIAL:
        variate->a = law->share;
        variate->b = (double)law->mean;
        variate->c = (double)law->mean_b;
        return true;
    case CC_EMPIRICAL:
        break;
    }
    if (law->weight_count > 0 && law->weight_count != law->value_count)
        return cc_reader_fail(reader, false, "%u weights for %u values; as many are needed, or none",
                              (unsigned)law->weight_count, (unsigned)law->value_count);
    struct cc_arena *arena = &reader->scenario->arena;
    double *work = cc_resize(&arena->allocator, NULL, 0, law->value_count, sizeof *work);
    if (!work)
        return cc_reader_no_memory(reader);
    for (uint32_t i = 0; i < law->value_count; i++)
        work[i] = law->weight_count > 0 ? law->weights[i] : 1;
    bool built = cc_alias_build(&variate->weights, work, law->value_count, arena);
    cc_release(&arena->allocator, work, law->value_count, sizeof *work);
    variate->values = law->values;
    return built || cc_reader_no_memory(reader);
}

static bool read_law(struct cc_reader *reader, const struct cc_field *field, json_t *json, struct cc_duration_law *law)
{
    if (json_is_object(json)) {
        if (!cc_read_group(reader, &cc_law_group, json, law))
            return false;
    } else {
        law->kind = CC_CONSTANT;
        if (!read_duration(reader, field, json, &law->value))
            return false;
    }
    return read_compile(reader, law);
}

/* ---- arrays ---- */

static bool read_array(struct cc_reader *reader, const struct cc_field *field, json_t *json, void *object)
{
    if (!json_is_array(json))
        return read_wrong_type(reader, field, field->kind, json);
    size_t count = json_array_size(json), size = field->kind == CC_FIELD_OBJECTS   ? field->group->size
                                                 : field->kind == CC_FIELD_NUMBERS ? sizeof(double)
                                                                                   : sizeof(cc_time);
    bool empty_allowed = field->kind == CC_FIELD_OBJECTS;
    if (count > field->limit || (count == 0 && !empty_allowed))
        return cc_reader_fail(reader, false, "%zu elements; allowed: %s%u", count, empty_allowed ? "at most " : "1 to ",
                              (unsigned)field->limit);
    char *items = cc_arena_take(&reader->scenario->arena, count, size);
    if (!items)
        return cc_reader_no_memory(reader);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        size_t back = cc_reader_enter_index(reader, i);
        json_t *element = json_array_get(json, i);
        void *item = items + i * size;
        bool good;
        if (field->kind == CC_FIELD_OBJECTS)
            good = cc_read_group(reader, field->group, element, item);
        else if (field->kind == CC_FIELD_DURATIONS)
            good = read_duration(reader, field, element, item);
        else if ((good = read_number(reader, field, element, item)))
            sum += *(double *)item;
        if (!good)
            return false;
        cc_reader_back(reader, back);
    }
    if (field->kind == CC_FIELD_NUMBERS && sum <= 0)
        return cc_reader_fail(reader, false, "all weights are 0; their sum must be above 0");
    memcpy((char *)object + field->offset, &items, sizeof items);
    uint32_t stored = (uint32_t)count;
    memcpy((char *)object + field->count, &stored, sizeof stored);
    return true;
}

/* ---- fields ---- */

static bool read_text(struct cc_reader *reader, const struct cc_field *field, json_t *json, void *place)
{
    char number[CC_DOUBLE_TEXT];
    const char *words = number;
    size_t length;
    if (field->kind == CC_FIELD_TOLERANCE && json_is_number(json)) {
        double value;
        if (!read_number(reader, field, json, &value))
            return false;
        length = cc_double_text(value, number);
    } else {
        if (!json_is_string(json))
            return read_wrong_type(reader, field, field->kind, json);
        words = json_string_value(json);
        length = json_string_length(json);
        double percent;
        char shown[SHOWN];
        read_show(json, shown);
        enum cc_unit_error problem = field->kind == CC_FIELD_TOLERANCE ? cc_percent_parse(words, &percent) : CC_UNIT_OK;
        if (problem == CC_UNIT_TOO_LARGE)
            return cc_reader_fail(reader, false, "%s is out of range; allowed: at most 1000000%%", shown);
        if (problem != CC_UNIT_OK)
            return cc_reader_fail(reader, false,
                                  "%s is not a tolerance; give a percentage such as \"8%%\", or a number", shown);
        if (field->required && length == 0)
            return cc_reader_fail(reader, false, "the text is empty; at least one character is needed");
    }
    char *copy = cc_arena_text(&reader->scenario->arena, words, length);
    if (!copy)
        return cc_reader_no_memory(reader);
    memcpy(place, &copy, sizeof copy);
    return true;
}

static bool read_value(struct cc_reader *reader, const struct cc_field *field, json_t *json, void *object)
{
    void *place = (char *)object + field->offset;
    uint64_t number;
    if (json_is_null(json) && field->nullable) {
        if (field->kind == CC_FIELD_UINT32)
            memcpy(place, &field->null_value, sizeof field->null_value);
        return true;
    }
    if (field->present)
        *((bool *)object + field->present - 1) = true;
    switch (field->kind) {
    case CC_FIELD_STRING:
    case CC_FIELD_TOLERANCE:
        return read_text(reader, field, json, place);
    case CC_FIELD_UINT32:
        if (!read_integer(reader, field, json, &number))
            return false;
        *(uint32_t *)place = (uint32_t)number;
        return true;
    case CC_FIELD_UINT64:
        return read_integer(reader, field, json, place);
    case CC_FIELD_NUMBER:
        return read_number(reader, field, json, place);
    case CC_FIELD_BOOL:
        if (!json_is_boolean(json))
            return read_wrong_type(reader, field, CC_FIELD_BOOL, json);
        *(bool *)place = json_is_true(json);
        return true;
    case CC_FIELD_BYTES:
        return read_bytes(reader, field, json, place);
    case CC_FIELD_DURATION:
        return read_duration(reader, field, json, place);
    case CC_FIELD_LAW:
        return read_law(reader, field, json, place);
    case CC_FIELD_ENUM:
        return read_enum(reader, field, json, place);
    case CC_FIELD_OBJECT:
    case CC_FIELD_PROFILE:
        if (!json_is_object(json))
            return read_wrong_type(reader, field, field->kind, json);
        return cc_read_group(reader, field->group, json, place);
    case CC_FIELD_OBJECTS:
    case CC_FIELD_NUMBERS:
    case CC_FIELD_DURATIONS:
        return read_array(reader, field, json, object);
    case CC_FIELD_IGNORED:
        return json_is_string(json) || read_wrong_type(reader, field, CC_FIELD_STRING, json);
    case CC_FIELD_VARIANTS:
    case CC_FIELD_SET:
    case CC_FIELD_ANY:
        break;
    }
    return true;
}

static bool read_unknown(struct cc_reader *reader, const struct cc_group *group, const char *key)
{
    char all[512] = "";
    const char *nearest = cc_nearest_name(key, read_key_name, group, group->count);
    cc_reader_enter(reader, key);
    if (nearest)
        return cc_reader_fail(reader, true, "unknown key; did you mean \"%s\"?", nearest);
    for (size_t i = 0; i < group->count; i++)
        read_join(all, sizeof all, ", ", group->fields[i].key);
    return cc_reader_fail(reader, true, "unknown key; allowed: %s", all);
}

static bool read_misplaced(struct cc_reader *reader, const struct cc_group *group, const struct cc_field *field)
{
    char which[256] = "";
    const struct cc_field *tag = cc_group_field(group, group->tag);
    for (unsigned i = 0; tag->choices[i]; i++)
        if (field->only >> i & 1)
            read_join(which, sizeof which, ", ", tag->choices[i]);
    cc_reader_enter(reader, field->key);
    return cc_reader_fail(reader, true, "only for %s %s", tag->key, which);
}

static bool read_missing(struct cc_reader *reader, const struct cc_field *field)
{
    char needed[320];
    cc_reader_enter(reader, field->key);
    read_needed(field, field->kind, needed, sizeof needed);
    return cc_reader_fail(reader, false, "missing; %s", needed);
}

static bool read_field(struct cc_reader *reader, const struct cc_field *field, json_t *json, void *object)
{
    size_t back = cc_reader_enter(reader, field->key);
    json_t *fallback = NULL;
    if (!json && field->fallback) {
        json = fallback = json_loads(field->fallback, JSON_DECODE_ANY, NULL);
        if (!json)
            return cc_reader_no_memory(reader);
    }
    bool good = !json || read_value(reader, field, json, object);
    json_decref(fallback);
    if (good)
        cc_reader_back(reader, back);
    return good;
}

bool cc_read_group(struct cc_reader *reader, const struct cc_group *group, json_t *json, void *object)
{
    if (!json_is_object(json))
        return read_wrong_type(reader, NULL, CC_FIELD_OBJECT, json);
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value) if (!cc_group_field(group, key)) return read_unknown(reader, group, key);
    const struct cc_field *tag = group->tag ? cc_group_field(group, group->tag) : NULL;
    if (tag) {
        json_t *written = json_object_get(json, tag->key);
        if (!written && tag->required)
            return read_missing(reader, tag);
        if (!read_field(reader, tag, written, object))
            return false;
        json_object_foreach(json, key, value)
        {
            const struct cc_field *field = cc_group_field(group, key);
            if (!cc_field_applies(group, field, object))
                return read_misplaced(reader, group, field);
        }
    }
    for (size_t i = 0; i < group->count; i++) {
        const struct cc_field *field = &group->fields[i];
        if (field == tag)
            continue;
        json_t *written = json_object_get(json, field->key);
        if (!written && field->required && cc_field_applies(group, field, object))
            return read_missing(reader, field);
        if (!read_field(reader, field, written, object))
            return false;
    }
    return true;
}

bool cc_read_keys(struct cc_reader *reader, const struct cc_group *group, json_t *json)
{
    if (!json_is_object(json))
        return read_wrong_type(reader, NULL, CC_FIELD_OBJECT, json);
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value)
    {
        const struct cc_field *field = cc_group_field(group, key);
        if (!field)
            return read_unknown(reader, group, key);
        size_t back = cc_reader_enter(reader, key);
        bool fits = field->kind == CC_FIELD_STRING ? json_is_string(value)
                    : field->kind == CC_FIELD_SET  ? json_is_object(value)
                                                   : json_is_array(value);
        if (!fits)
            return read_wrong_type(reader, field, field->kind, value);
        if (field->kind == CC_FIELD_OBJECTS && json_array_size(value) > field->limit)
            return cc_reader_fail(reader, false, "%zu elements; allowed: at most %u", json_array_size(value),
                                  (unsigned)field->limit);
        cc_reader_back(reader, back);
    }
    for (size_t i = 0; i < group->count; i++)
        if (group->fields[i].required && !json_object_get(json, group->fields[i].key))
            return read_missing(reader, &group->fields[i]);
    return true;
}

#undef SHOWN
