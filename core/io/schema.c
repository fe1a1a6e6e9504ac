/* The JSON Schema of the scenario format, made from the table of fields. It knows keys, types, choices and ranges of
 * numbers, and which keys go with which choice; ranges of durations and checks across fields are the parser's alone. */
#include "io/fields.h"
#include "io/write.h"

#include <math.h>
#include <string.h>

static void schema_group(struct cc_text *text, const struct cc_group *group);

static void schema_pair(struct cc_text *text, const char *key, const char *value)
{
    cc_json_key(text, key);
    cc_json_string(text, value);
}

static void schema_range(struct cc_text *text, const struct cc_field *field)
{
    if (field->min > -DBL_MAX) {
        cc_json_key(text, field->above_min ? "exclusiveMinimum" : "minimum");
        cc_json_double(text, field->min);
    }
    if (field->max >= 0x1p63 && field->max < DBL_MAX) {
        cc_json_key(text, "maximum");
        cc_json_uint(text, INT64_MAX);
    } else if (field->max < DBL_MAX) {
        cc_json_key(text, "maximum");
        cc_json_double(text, field->max);
    }
}

static void schema_array(struct cc_text *text, const struct cc_field *field)
{
    schema_pair(text, "type", "array");
    if (field->kind == CC_FIELD_NUMBERS || field->kind == CC_FIELD_DURATIONS) {
        cc_json_key(text, "minItems");
        cc_json_uint(text, 1);
    }
    cc_json_key(text, "maxItems");
    cc_json_uint(text, field->limit);
    cc_json_key(text, "items");
    cc_json_object(text);
    if (field->kind == CC_FIELD_NUMBERS) {
        schema_pair(text, "type", "number");
        schema_range(text, field);
    } else if (field->kind == CC_FIELD_DURATIONS) {
        schema_pair(text, "$ref", "#/$defs/duration");
    } else {
        schema_group(text, field->group);
    }
    cc_json_end_object(text);
}

/* What a value other than null must be. */
static void schema_type(struct cc_text *text, const struct cc_field *field)
{
    switch (field->kind) {
    case CC_FIELD_IGNORED:
    case CC_FIELD_STRING:
        schema_pair(text, "type", "string");
        if (field->required) {
            cc_json_key(text, "minLength");
            cc_json_uint(text, 1);
        }
        break;
    case CC_FIELD_UINT32:
    case CC_FIELD_UINT64:
        schema_pair(text, "type", "integer");
        schema_range(text, field);
        break;
    case CC_FIELD_NUMBER:
        schema_pair(text, "type", "number");
        schema_range(text, field);
        break;
    case CC_FIELD_BOOL:
        schema_pair(text, "type", "boolean");
        break;
    case CC_FIELD_BYTES:
        cc_json_key(text, "anyOf");
        cc_json_array(text);
        cc_json_object(text);
        schema_pair(text, "type", "integer");
        schema_range(text, field);
        cc_json_end_object(text);
        cc_json_object(text);
        schema_pair(text, "$ref", "#/$defs/size");
        cc_json_end_object(text);
        cc_json_end_array(text);
        break;
    case CC_FIELD_ANY:
        break;
    case CC_FIELD_PROFILE:
        cc_json_key(text, "anyOf");
        cc_json_array(text);
        cc_json_object(text);
        schema_pair(text, "type", "string");
        cc_json_end_object(text);
        cc_json_object(text);
        schema_group(text, field->group);
        cc_json_end_object(text);
        cc_json_end_array(text);
        break;
    case CC_FIELD_DURATION:
        schema_pair(text, "$ref", "#/$defs/duration");
        break;
    case CC_FIELD_LAW:
        schema_pair(text, "$ref", "#/$defs/law");
        break;
    case CC_FIELD_TOLERANCE:
        schema_pair(text, "$ref", "#/$defs/tolerance");
        break;
    case CC_FIELD_ENUM:
        cc_json_key(text, "enum");
        cc_json_inline_array(text);
        for (size_t i = 0; field->choices[i]; i++)
            cc_json_string(text, field->choices[i]);
        cc_json_end_array(text);
        break;
    case CC_FIELD_OBJECT:
        schema_group(text, field->group);
        break;
    case CC_FIELD_SET:
        schema_pair(text, "type", "object");
        break;
    case CC_FIELD_OBJECTS:
    case CC_FIELD_NUMBERS:
    case CC_FIELD_DURATIONS:
    case CC_FIELD_VARIANTS:
        schema_array(text, field);
        break;
    }
}

static void schema_field(struct cc_text *text, const struct cc_field *field)
{
    cc_json_key(text, field->key);
    cc_json_object(text);
    schema_pair(text, "description", field->help);
    if (field->fallback) {
        cc_json_key(text, "default");
        cc_json_raw(text, field->fallback);
    }
    if (field->nullable) {
        cc_json_key(text, "anyOf");
        cc_json_array(text);
        cc_json_object(text);
        schema_type(text, field);
        cc_json_end_object(text);
        cc_json_object(text);
        schema_pair(text, "type", "null");
        cc_json_end_object(text);
        cc_json_end_array(text);
    } else {
        schema_type(text, field);
    }
    cc_json_end_object(text);
}

/* An object whose fields need others, all defaults aside, cannot be left out. */
static bool schema_is_required(const struct cc_field *field)
{
    if (field->required)
        return true;
    if (field->kind != CC_FIELD_OBJECT || field->nullable)
        return false;
    const struct cc_group *group = field->group;
    const struct cc_field *tag = group->tag ? cc_group_field(group, group->tag) : NULL;
    for (size_t i = 0; i < group->count; i++) {
        const struct cc_field *inner = &group->fields[i];
        bool by_default = inner->only == 0 || (tag && (inner->only & 1u)); /* defaults of tags are their first choice */
        if (by_default && schema_is_required(inner))
            return true;
    }
    return false;
}

/* With one value of the tag: what must be there, what must not. */
static void schema_case(struct cc_text *text, const struct cc_group *group, const struct cc_field *tag, unsigned value)
{
    cc_json_object(text);
    cc_json_key(text, "if");
    cc_json_object(text);
    cc_json_key(text, "properties");
    cc_json_object(text);
    cc_json_key(text, tag->key);
    cc_json_inline_object(text);
    schema_pair(text, "const", tag->choices[value]);
    cc_json_end_object(text);
    cc_json_end_object(text);
    if (tag->required || value > 0) { /* the first choice is the default: absent means it */
        cc_json_key(text, "required");
        cc_json_inline_array(text);
        cc_json_string(text, tag->key);
        cc_json_end_array(text);
    }
    cc_json_end_object(text);
    cc_json_key(text, "then");
    cc_json_object(text);
    cc_json_key(text, "required");
    cc_json_inline_array(text);
    for (size_t i = 0; i < group->count; i++)
        if (group->fields[i].required && (group->fields[i].only >> value & 1))
            cc_json_string(text, group->fields[i].key);
    cc_json_end_array(text);
    cc_json_key(text, "properties");
    cc_json_object(text);
    for (size_t i = 0; i < group->count; i++) {
        if (group->fields[i].only == 0 || (group->fields[i].only >> value & 1))
            continue;
        cc_json_key(text, group->fields[i].key);
        cc_json_bool(text, false);
    }
    cc_json_end_object(text);
    cc_json_end_object(text);
    cc_json_end_object(text);
}

/* The members of an object's schema; the object itself is open. */
static void schema_group(struct cc_text *text, const struct cc_group *group)
{
    schema_pair(text, "type", "object");
    cc_json_key(text, "additionalProperties");
    cc_json_bool(text, false);
    cc_json_key(text, "required");
    cc_json_inline_array(text);
    /* A scenario's variants may bring what its common part lacks, and the text is valid then too. */
    for (size_t i = 0; i < group->count; i++)
        if (group->fields[i].only == 0 && schema_is_required(&group->fields[i]))
            cc_json_string(text, group->fields[i].key);
    cc_json_end_array(text);
    cc_json_key(text, "properties");
    cc_json_object(text);
    for (size_t i = 0; i < group->count; i++)
        schema_field(text, &group->fields[i]);
    cc_json_end_object(text);
    if (!group->tag)
        return;
    const struct cc_field *tag = cc_group_field(group, group->tag);
    cc_json_key(text, "allOf");
    cc_json_array(text);
    for (unsigned i = 0; tag->choices[i]; i++)
        schema_case(text, group, tag, i);
    cc_json_end_array(text);
}

char *cc_schema(void)
{
    struct cc_text text;
    cc_text_start(&text, NULL);
    cc_json_object(&text);
    schema_pair(&text, "$schema", "https://json-schema.org/draft/2020-12/schema");
    schema_pair(&text, "title", "cachecast scenario");
    schema_group(&text, &cc_scenario_group);
    cc_json_key(&text, "$defs");
    cc_json_object(&text);
    cc_json_key(&text, "duration");
    cc_json_object(&text);
    schema_pair(&text, "type", "string");
    schema_pair(&text, "pattern", "^[0-9]+(\\.[0-9]+)?(ns|us|\xc2\xb5s|\xce\xbcs|ms|s|m|h|d)$");
    schema_pair(&text, "description", "A number with a unit (ns, us, ms, s, m, h, d), such as \"2s\"; at most 30d.");
    cc_json_end_object(&text);
    cc_json_key(&text, "size");
    cc_json_object(&text);
    schema_pair(&text, "type", "string");
    schema_pair(&text, "pattern", "^[0-9]+(\\.[0-9]+)?(B|kB|MB|GB|KiB|MiB|GiB)?$");
    schema_pair(&text, "description", "Bytes with a unit (B, kB, MB, GB, KiB, MiB, GiB), such as \"1KiB\".");
    cc_json_end_object(&text);
    cc_json_key(&text, "tolerance");
    cc_json_object(&text);
    cc_json_key(&text, "anyOf");
    cc_json_array(&text);
    cc_json_object(&text);
    schema_pair(&text, "type", "string");
    schema_pair(&text, "pattern", "^[0-9]+(\\.[0-9]+)?%$");
    cc_json_end_object(&text);
    cc_json_object(&text);
    schema_pair(&text, "type", "number");
    cc_json_key(&text, "minimum");
    cc_json_uint(&text, 0);
    cc_json_end_object(&text);
    cc_json_end_array(&text);
    cc_json_end_object(&text);
    cc_json_key(&text, "law");
    cc_json_object(&text);
    cc_json_key(&text, "oneOf");
    cc_json_array(&text);
    cc_json_object(&text);
    schema_pair(&text, "$ref", "#/$defs/duration");
    cc_json_end_object(&text);
    cc_json_object(&text);
    schema_group(&text, &cc_law_group);
    cc_json_end_object(&text);
    cc_json_end_array(&text);
    cc_json_end_object(&text);
    cc_json_end_object(&text);
    cc_json_end_object(&text);
    return cc_text_take(&text);
}
