/* The scenario as JSON with every default filled in: the table of fields, walked over the struct. */
#include "io/fields.h"
#include "io/units.h"
#include "io/write.h"

#include <string.h>

static void explain_group(struct cc_text *text, const struct cc_group *group, const void *object);

static void explain_duration(struct cc_text *text, cc_time duration)
{
    char words[CC_DURATION_TEXT];
    cc_duration_text(duration, words);
    cc_json_string(text, words);
}

static bool explain_is_null(const struct cc_field *field, const void *object, const void *place)
{
    if (!field->nullable)
        return false;
    if (field->present)
        return !*((const bool *)object + field->present - 1);
    switch (field->kind) {
    case CC_FIELD_UINT32:
        return *(const uint32_t *)place == field->null_value;
    case CC_FIELD_UINT64:
    case CC_FIELD_BYTES:
    case CC_FIELD_DURATION:
        return *(const uint64_t *)place == 0;
    case CC_FIELD_STRING:
    case CC_FIELD_TOLERANCE:
        return !*(const char *const *)place;
    case CC_FIELD_NUMBERS:
    case CC_FIELD_DURATIONS:
        return *(const uint32_t *)((const char *)object + field->count) == 0;
    default:
        return false;
    }
}

static void explain_array(struct cc_text *text, const struct cc_field *field, const void *object)
{
    const char *items;
    uint32_t count;
    memcpy(&items, (const char *)object + field->offset, sizeof items);
    memcpy(&count, (const char *)object + field->count, sizeof count);
    if (field->kind == CC_FIELD_OBJECTS)
        cc_json_array(text);
    else
        cc_json_inline_array(text);
    for (uint32_t i = 0; i < count; i++) {
        if (field->kind == CC_FIELD_OBJECTS)
            explain_group(text, field->group, items + i * field->group->size);
        else if (field->kind == CC_FIELD_NUMBERS)
            cc_json_double(text, ((const double *)(const void *)items)[i]);
        else
            explain_duration(text, ((const cc_time *)(const void *)items)[i]);
    }
    cc_json_end_array(text);
}

static void explain_value(struct cc_text *text, const struct cc_field *field, const void *object)
{
    const void *place = (const char *)object + field->offset;
    const struct cc_duration_law *law = place;
    const char *words;
    if (explain_is_null(field, object, place)) {
        cc_json_null(text);
        return;
    }
    switch (field->kind) {
    case CC_FIELD_STRING:
        cc_json_string(text, *(const char *const *)place);
        break;
    case CC_FIELD_TOLERANCE:
        words = *(const char *const *)place;
        if (strchr(words, '%'))
            cc_json_string(text, words);
        else
            cc_json_raw(text, words);
        break;
    case CC_FIELD_UINT32:
        cc_json_uint(text, *(const uint32_t *)place);
        break;
    case CC_FIELD_UINT64:
    case CC_FIELD_BYTES:
        cc_json_uint(text, *(const uint64_t *)place);
        break;
    case CC_FIELD_BOOL:
        cc_json_bool(text, *(const bool *)place);
        break;
    case CC_FIELD_NUMBER:
        cc_json_double(text, *(const double *)place);
        break;
    case CC_FIELD_DURATION:
        explain_duration(text, *(const cc_time *)place);
        break;
    case CC_FIELD_LAW:
        if (law->kind == CC_CONSTANT)
            explain_duration(text, law->value);
        else
            explain_group(text, &cc_law_group, law);
        break;
    case CC_FIELD_ENUM:
        cc_json_string(text, field->choices[*(const uint32_t *)place]);
        break;
    case CC_FIELD_OBJECT:
    case CC_FIELD_PROFILE:
        explain_group(text, field->group, place);
        break;
    case CC_FIELD_OBJECTS:
    case CC_FIELD_NUMBERS:
    case CC_FIELD_DURATIONS:
        explain_array(text, field, object);
        break;
    default:
        cc_json_null(text);
    }
}

static void explain_group(struct cc_text *text, const struct cc_group *group, const void *object)
{
    if (group == &cc_law_group)
        cc_json_inline_object(text);
    else
        cc_json_object(text);
    for (size_t i = 0; i < group->count; i++) {
        const struct cc_field *field = &group->fields[i];
        bool elsewhere = field->kind == CC_FIELD_IGNORED || field->kind == CC_FIELD_ANY ||
                         field->kind == CC_FIELD_VARIANTS || field->beside_run;
        if (elsewhere || !cc_field_applies(group, field, object))
            continue;
        cc_json_key(text, field->key);
        explain_value(text, field, object);
    }
    cc_json_end_object(text);
}

char *cc_scenario_explain(const cc_scenario *scenario)
{
    struct cc_text text;
    cc_text_start(&text, &scenario->arena.allocator);
    explain_group(&text, &cc_scenario_group, scenario);
    return cc_text_take(&text);
}
