#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void line(struct text *text, size_t indent)
{
    text_say(text, "\n");
    text_spaces(text, indent);
}

/* Arrays of plain values and small objects stand in one line. */
static bool is_plain(const json_t *value)
{
    const char *key;
    json_t *item;
    size_t i;
    if (json_is_array(value)) {
        json_array_foreach(value, i, item) if (json_is_array(item) || json_is_object(item)) return false;
        return true;
    }
    if (json_object_size(value) > 6)
        return false;
    json_object_foreach((json_t *)value, key, item) if (json_is_array(item) || json_is_object(item)) return false;
    return true;
}

void text_json_value(struct text *text, const json_t *value, size_t indent)
{
    const char *key;
    json_t *item;
    size_t i, count = 0;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
    case JSON_ARRAY: {
        bool object = json_is_object(value), plain = is_plain(value);
        text_say(text, object ? "{" : "[");
        if (object) {
            json_object_foreach((json_t *)value, key, item)
            {
                text_say(text, count++ > 0 ? plain ? ", " : "," : "");
                if (!plain)
                    line(text, indent + 2);
                text_json_string(text, key);
                text_say(text, ": ");
                text_json_value(text, item, indent + 2);
            }
        } else {
            json_array_foreach(value, i, item)
            {
                text_say(text, count++ > 0 ? plain ? ", " : "," : "");
                if (!plain)
                    line(text, indent + 2);
                text_json_value(text, item, indent + 2);
            }
        }
        if (!plain && count > 0)
            line(text, indent);
        text_say(text, object ? "}" : "]");
        break;
    }
    case JSON_STRING:
        text_json_string(text, json_string_value(value));
        break;
    case JSON_INTEGER:
        text_format(text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        text_json_number(text, json_real_value(value));
        break;
    default:
        text_say(text, json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
    }
}

json_t *json_short(double number)
{
    char words[40];
    if (!isfinite(number))
        return json_null();
    snprintf(words, sizeof words, "%.6g", number);
    json_t *value = json_real(strtod(words, NULL));
    if (value == NULL)
        die(EXIT_TROUBLE, "out of memory");
    return value;
}
