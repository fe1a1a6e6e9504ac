/* Links: a scenario, what is laid over it and how to look at it, as the fragment of an address that people can read:
 *
 *     v=1&p=four-configurations.table&n=3&l1.ttl=5s&b=4&b.l2.ttl=9s&~chart=loads&h=1a2b3c4d
 *
 * The format is public: docs/links.md. Values are those of --set; a comma that stands raw separates the elements of a
 * list. Whether a path exists is not looked at here: whoever reads the scenario finds out. */
#include "cachecast.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/reader.h"
#include "io/write.h"

#define LINK_VERSION 1
#define LINK_LARGEST 65536u
#define LINK_PARTS_MAX 1000u
#define LINK_VARIANT_LARGEST 9999
#define LINK_DEPTH_MAX 32u
#define LINK_PATH_MAX 512u

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static bool
link_fail(cc_error *error, cc_status status, const char *format, ...)
{
    if (error && error->status == CC_OK) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        error->status = status;
    }
    return false;
}

static bool link_no_memory(cc_error *error) { return link_fail(error, CC_OUT_OF_MEMORY, "out of memory"); }

/* ---- what both directions hold true ------------------------------------------------------------------------------- */

static bool link_is_letter_or_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Steps that would reach what is not data in the languages that read links. */
static bool link_is_forbidden_step(const char *step, size_t length)
{
    static const char *const forbidden[] = {"__proto__", "constructor", "prototype"};
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        if (strlen(forbidden[i]) == length && memcmp(forbidden[i], step, length) == 0)
            return true;
    return false;
}

/* Of values laid over a scenario. */
static bool link_check_path(const char *path, cc_error *error)
{
    char shown[60];
    cc_one_line(shown, sizeof shown, path);
    /* The link's own keys. */
    if (path[0] && strchr("vpnbh~", path[0]) && (path[0] == '~' || path[1] == 0 || path[1] == '.'))
        return link_fail(error, CC_BAD_INPUT, "the key \"%s\" is no path of a scenario, such as l1.ttl", shown);
    for (const char *step = path;; step++) {
        size_t length = strcspn(step, ".");
        if (length == 0 || link_is_forbidden_step(step, length))
            return link_fail(error, CC_BAD_INPUT, "the key \"%s\" is no path of a scenario, such as l1.ttl", shown);
        for (size_t i = 0; i < length; i++)
            if ((unsigned char)step[i] < 32 || step[i] == 127)
                return link_fail(error, CC_BAD_INPUT, "the key \"%s\" holds a control character", shown);
        step += length;
        if (*step == 0)
            return true;
    }
}

static bool link_is_preset(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!link_is_letter_or_digit(name[i]) && name[i] != '-' && name[i] != '.')
            return false;
    return length > 0 && length <= 100;
}

/* Eight hexadecimal digits for A, and behind a dot those for B. */
static bool link_is_digest(const char *digest)
{
    size_t length = strlen(digest);
    if (length != 8 && length != 17)
        return false;
    for (size_t i = 0; i < length; i++)
        if (i == 8 ? digest[i] != '.' : !strchr("0123456789abcdef", digest[i]))
            return false;
    return true;
}

static bool link_is_view_name(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!link_is_letter_or_digit(name[i]) || (name[i] >= '0' && name[i] <= '9'))
            return false;
    return length > 0 && length <= 20;
}

/* What an error is about. */
#define LINK_WHERE 80
static void link_where(char out[LINK_WHERE], const char *key)
{
    char shown[60];
    cc_one_line(shown, sizeof shown, key ? key : "");
    snprintf(out, LINK_WHERE, key ? "the value of \"%s\"" : "a key", shown);
}

/* Values too may bring what scripts take for more than data. */
static bool link_check_value(const char *key, const json_t *value, cc_error *error)
{
    const char *inner;
    json_t *element;
    size_t i;
    if (json_is_object(value)) {
        json_object_foreach((json_t *)value, inner, element)
        {
            if (link_is_forbidden_step(inner, strlen(inner))) {
                char where[LINK_WHERE];
                link_where(where, key);
                return link_fail(error, CC_BAD_INPUT, "%s holds the key \"%s\", which no scenario has", where, inner);
            }
            if (!link_check_value(key, element, error))
                return false;
        }
    }
    json_array_foreach(value, i, element)
    {
        if (!link_check_value(key, element, error))
            return false;
    }
    return true;
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

/* Undoes the percent codes of [from, from + length) in place. The length that is left, or SIZE_MAX. `key`: whose value
 * that is; NULL: it is a key itself. */
static size_t link_decode(char *from, size_t length, const char *key, cc_error *error)
{
    char where[LINK_WHERE];
    size_t out = 0;
    for (size_t i = 0; i < length; i++, out++) {
        from[out] = from[i];
        if (from[i] != '%')
            continue;
        unsigned value = 0;
        for (size_t k = 1; k <= 2; k++) {
            char c = i + k < length ? from[i + k] : 0;
            char lower = (char)(c | 32);
            unsigned digit = c >= '0' && c <= '9'           ? (unsigned)(c - '0')
                             : lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a' + 10)
                                                            : 16u;
            if (digit == 16 || (k == 2 && value * 16 + digit == 0)) {
                char cut[16], shown[60];
                snprintf(cut, sizeof cut, "%.*s", (int)(length - i < 3 ? length - i : 3), from + i);
                cc_one_line(shown, sizeof shown, cut);
                link_where(where, key);
                link_fail(error, CC_BAD_INPUT,
                          "%s holds \"%s\": a %% stands without two hexadecimal digits of a character behind it; the "
                          "link was cut or changed",
                          where, shown);
                return SIZE_MAX;
            }
            value = value * 16 + digit;
        }
        from[out] = (char)value;
        i += 2;
    }
    return out;
}

/* A value as --set takes it: JSON, or else a string. */
static json_t *link_value_of(const char *words, size_t length)
{
    json_error_t found;
    json_t *value = json_loadb(words, length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &found);
    return value ? value : json_stringn(words, length);
}

/* The value between '=' and '&': a list where a comma stands raw. */
static json_t *link_read_value(const char *key, char *words, size_t length, cc_error *error)
{
    char where[LINK_WHERE];
    json_t *list = NULL;
    for (size_t start = 0; start <= length;) {
        const char *comma = memchr(words + start, ',', length - start);
        size_t end = comma ? (size_t)(comma - words) : length;
        size_t decoded = link_decode(words + start, end - start, key, error);
        if (decoded == SIZE_MAX) {
            json_decref(list);
            return NULL;
        }
        json_t *value = link_value_of(words + start, decoded);
        if (!value) {
            json_decref(list);
            link_where(where, key);
            link_fail(error, CC_BAD_INPUT, "%s is not valid UTF-8", where);
            return NULL;
        }
        if (!comma && !list)
            return value;
        if (!list)
            list = json_array();
        if (!list || json_array_append_new(list, value) != 0) {
            json_decref(list);
            link_no_memory(error);
            return NULL;
        }
        start = end + 1;
    }
    return list;
}

struct link_parts {
    json_t *set, *b_set, *view;
    json_t *preset, *digest;
    json_int_t variant, b_variant;
    bool has_variant, has_b;
};

static bool link_keep(json_t *object, const char *key, json_t *value, cc_error *error)
{
    if (json_object_get(object, key)) {
        char shown[60];
        cc_one_line(shown, sizeof shown, key);
        json_decref(value);
        return link_fail(error, CC_BAD_INPUT, "the key \"%s\" stands twice", shown);
    }
    return json_object_set_new(object, key, value) == 0 || link_no_memory(error);
}

/* A value as errors show it. */
static void link_show(char *out, size_t size, const json_t *value)
{
    char *words = json_is_string(value) ? NULL : json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    cc_one_line(out, size, words ? words : json_is_string(value) ? json_string_value(value) : "");
    free(words);
}

static bool link_read_variant(const char *key, json_t *value, bool *has, json_int_t *variant, cc_error *error)
{
    char shown[60];
    link_show(shown, sizeof shown, value);
    bool good =
        json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) <= LINK_VARIANT_LARGEST;
    if (good && *has)
        good = link_fail(error, CC_BAD_INPUT, "the key \"%s\" stands twice", key);
    else if (good)
        *variant = json_integer_value(value);
    else
        link_fail(error, CC_BAD_INPUT, "%s=%s: %s is a variant's position: a whole number from 0 to %d", key, shown,
                  key, LINK_VARIANT_LARGEST);
    *has = true;
    json_decref(value);
    return good;
}

static bool link_read_word(const char *key, json_t *value, json_t **place, bool (*check)(const char *),
                           const char *what, cc_error *error)
{
    char shown[60];
    link_show(shown, sizeof shown, value);
    bool good = json_is_string(value) && check(json_string_value(value));
    if (good && *place)
        good = link_fail(error, CC_BAD_INPUT, "the key \"%s\" stands twice", key);
    else if (!good)
        link_fail(error, CC_BAD_INPUT, "%s=%s: %s is not %s", key, shown, key, what);
    if (good)
        *place = value;
    else
        json_decref(value);
    return good;
}

static bool link_read_part(struct link_parts *parts, char *part, size_t length, bool first, cc_error *error)
{
    const char *equals = memchr(part, '=', length);
    if (!equals) {
        char shown[60], raw[80];
        snprintf(raw, sizeof raw, "%.*s", (int)(length < 79 ? length : 79), part);
        cc_one_line(shown, sizeof shown, raw);
        return link_fail(error, CC_BAD_INPUT, "\"%s\" has no value: the link was cut or changed", shown);
    }
    size_t key_length = (size_t)(equals - part);
    char *words = part + key_length + 1;
    size_t words_length = length - key_length - 1;
    key_length = link_decode(part, key_length, NULL, error);
    if (key_length == SIZE_MAX)
        return false;
    part[key_length] = 0;
    if (!cc_is_utf8(part))
        return link_fail(error, CC_BAD_INPUT, "a key is not valid UTF-8");
    if (first != (strcmp(part, "v") == 0))
        return link_fail(error, CC_BAD_INPUT, "a link starts with v=%d, the version of its format, once", LINK_VERSION);
    bool is_word = strcmp(part, "p") == 0 || strcmp(part, "h") == 0 || part[0] == '~';
    json_t *value;
    if (is_word) {
        /* Words are never JSON. */
        words_length = link_decode(words, words_length, part, error);
        if (words_length == SIZE_MAX)
            return false;
        value = json_stringn(words, words_length);
        if (!value || strlen(json_string_value(value)) != words_length) {
            char where[LINK_WHERE];
            link_where(where, part);
            json_decref(value);
            return link_fail(error, CC_BAD_INPUT, "%s is not valid UTF-8", where);
        }
    } else {
        value = link_read_value(part, words, words_length, error);
        if (!value)
            return false;
        if (!link_check_value(part, value, error)) {
            json_decref(value);
            return false;
        }
    }
    if (first) {
        bool good = json_is_integer(value) && json_integer_value(value) == LINK_VERSION;
        bool newer = json_is_integer(value) && json_integer_value(value) > LINK_VERSION;
        char shown[60];
        link_show(shown, sizeof shown, value);
        json_decref(value);
        return good || link_fail(error, CC_BAD_INPUT,
                                 newer ? "v=%s: the link was made by a newer cachecast; this one reads v=%d"
                                       : "v=%s: v is the version of the link's format: v=%d",
                                 shown, LINK_VERSION);
    }
    if (strcmp(part, "p") == 0)
        return link_read_word("p", value, &parts->preset, link_is_preset,
                              "the name of an experiment: letters, digits, - and .", error);
    if (strcmp(part, "h") == 0)
        return link_read_word("h", value, &parts->digest, link_is_digest,
                              "a digest of 8 hexadecimal digits, or two with a dot", error);
    if (strcmp(part, "n") == 0)
        return link_read_variant("n", value, &parts->has_variant, &parts->variant, error);
    if (strcmp(part, "b") == 0)
        return link_read_variant("b", value, &parts->has_b, &parts->b_variant, error);
    if (part[0] == '~') {
        if (link_is_view_name(part + 1))
            return link_keep(parts->view, part + 1, value, error);
        char shown[60];
        cc_one_line(shown, sizeof shown, part);
        json_decref(value);
        return link_fail(error, CC_BAD_INPUT, "\"%s\": the name of a view setting behind ~ is 1 to 20 letters", shown);
    }
    bool b = strncmp(part, "b.", 2) == 0;
    if (!link_check_path(b ? part + 2 : part, error)) {
        json_decref(value);
        return false;
    }
    return link_keep(b ? parts->b_set : parts->set, b ? part + 2 : part, value, error);
}

static bool link_state_add(json_t *state, const char *key, json_t *value, cc_error *error)
{
    return json_object_set_new(state, key, value) == 0 || link_no_memory(error);
}

static json_t *link_state_of(struct link_parts *parts, cc_error *error)
{
    if (!parts->has_b && json_object_size(parts->b_set) > 0) {
        link_fail(error, CC_BAD_INPUT, "values of B (b.%s) stand without b=, B's variant",
                  json_object_iter_key(json_object_iter(parts->b_set)));
        return NULL;
    }
    json_t *state = json_object();
    bool good = state != NULL || link_no_memory(error);
    if (good && parts->preset)
        good = link_state_add(state, "preset", json_incref(parts->preset), error);
    good = good && link_state_add(state, "variant", json_integer(parts->variant), error) &&
           link_state_add(state, "set", json_incref(parts->set), error);
    if (good && parts->has_b) {
        json_t *b = json_object();
        good = link_state_add(state, "b", b, error) &&
               link_state_add(b, "variant", json_integer(parts->b_variant), error) &&
               link_state_add(b, "set", json_incref(parts->b_set), error);
    }
    good = good && link_state_add(state, "view", json_incref(parts->view), error);
    if (good && parts->digest)
        good = link_state_add(state, "digest", json_incref(parts->digest), error);
    if (good)
        return state;
    json_decref(state);
    return NULL;
}

static char *link_dump(json_t *json, const cc_allocator *allocator, cc_error *error)
{
    struct cc_text text;
    cc_text_start(&text, allocator);
    char *words = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    if (words)
        cc_text_say(&text, words);
    else
        text.failed = true;
    char *taken = cc_text_take(&text);
    free(words);
    if (!taken)
        link_no_memory(error);
    return taken;
}

char *cc_link_read(const char *link, size_t length, const cc_allocator *allocator, cc_error *error)
{
    cc_error unused;
    if (!error)
        error = &unused;
    memset(error, 0, sizeof *error);
    json_object_seed(CC_HASH_SEED);
    /* Of a whole address the fragment counts. */
    const char *hash = length > 0 ? memchr(link, '#', length) : NULL;
    if (hash) {
        length -= (size_t)(hash + 1 - link);
        link = hash + 1;
    }
    /* What comes along when a link is copied. */
    while (length > 0 && strchr(" \t\r\n", link[length - 1]) && link[length - 1])
        length--;
    if (length > LINK_LARGEST) {
        link_fail(error, CC_BAD_INPUT, "the link has %zu bytes; at most %u are read", length, LINK_LARGEST);
        return NULL;
    }
    char *copy = malloc(length + 1);
    struct link_parts parts = {.set = json_object(), .b_set = json_object(), .view = json_object()};
    char *text = NULL;
    bool good = copy && parts.set && parts.b_set && parts.view;
    if (!good) {
        link_no_memory(error);
    } else {
        memcpy(copy, link, length);
        copy[length] = 0;
        if (strlen(copy) != length)
            good = link_fail(error, CC_BAD_INPUT, "the link holds a zero byte");
    }
    size_t count = 0;
    for (char *part = copy, *next; good && part; part = next, count++) {
        next = strchr(part, '&');
        size_t part_length = next ? (size_t)(next++ - part) : strlen(part);
        good = count < LINK_PARTS_MAX
                   ? link_read_part(&parts, part, part_length, count == 0, error)
                   : link_fail(error, CC_BAD_INPUT, "the link has more than %u parts", LINK_PARTS_MAX);
    }
    if (good) {
        json_t *state = link_state_of(&parts, error);
        text = state ? link_dump(state, allocator, error) : NULL;
        json_decref(state);
    }
    json_decref(parts.set);
    json_decref(parts.b_set);
    json_decref(parts.view);
    json_decref(parts.preset);
    json_decref(parts.digest);
    free(copy);
    return text;
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

/* Only what no chat program and no mail reader changes stays raw. */
static void link_encode(struct cc_text *text, const char *words, size_t length)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)words[i];
        char code[3] = {'%', digits[c >> 4], digits[c & 15]};
        if (link_is_letter_or_digit((char)c) || c == '.' || c == '-')
            cc_text_add(text, words + i, 1);
        else
            cc_text_add(text, code, sizeof code);
    }
}

static bool link_encode_json(struct cc_text *text, const json_t *value, cc_error *error)
{
    char *words = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    if (json_is_real(value) && words) {
        char shortest[CC_DOUBLE_TEXT];
        size_t length = cc_double_text(json_real_value(value), shortest);
        link_encode(text, shortest, length);
        /* -0 would read as a whole number, which has no such zero. */
        if (strcmp(shortest, "-0") == 0)
            cc_text_say(text, ".0");
    } else if (words) {
        link_encode(text, words, strlen(words));
    }
    free(words);
    return words || link_no_memory(error);
}

/* A scalar: a string goes without quotes where it would not read as JSON. */
static bool link_write_scalar(struct cc_text *text, const json_t *value, cc_error *error)
{
    if (!json_is_string(value))
        return link_encode_json(text, value, error);
    const char *words = json_string_value(value);
    json_error_t found;
    json_t *read = json_loadb(words, json_string_length(value), JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &found);
    if (read) {
        json_decref(read);
        return link_encode_json(text, value, error);
    }
    link_encode(text, words, json_string_length(value));
    return true;
}

static bool link_is_scalar_list(const json_t *list)
{
    size_t i;
    const json_t *element;
    json_array_foreach(list, i, element)
    {
        if (json_is_object(element) || json_is_array(element))
            return false;
    }
    return true;
}

/* Whether an object can be taken apart: a key with a dot would come back as two steps. */
static bool link_is_apart(const json_t *object)
{
    const char *key;
    json_t *element;
    json_object_foreach((json_t *)object, key, element)
    {
        (void)element;
        if (*key == 0 || strchr(key, '.'))
            return false;
    }
    return json_object_size(object) > 0;
}

static bool link_is_object_list(const json_t *list)
{
    size_t i;
    const json_t *element;
    json_array_foreach(list, i, element)
    {
        if (!link_is_apart(element))
            return false;
    }
    return json_array_size(list) > 0;
}

struct link_writer {
    struct cc_text *text;
    cc_error *error;
    bool clears;     /* what lies below a path that is taken apart may be there already */
    json_t *written; /* the keys so far: objects that are taken apart may bring one again */
};

static bool link_write_key(struct link_writer *writer, const char *prefix, const char *path)
{
    char key[LINK_PATH_MAX + 4];
    snprintf(key, sizeof key, "%s%s", prefix, path);
    if (json_object_get(writer->written, key)) {
        char shown[60];
        cc_one_line(shown, sizeof shown, key);
        return link_fail(writer->error, CC_BAD_INPUT, "the state has two values for \"%s\"", shown);
    }
    if (json_object_set_new(writer->written, key, json_null()) != 0)
        return link_no_memory(writer->error);
    /* The version is a part too. */
    if (json_object_size(writer->written) >= LINK_PARTS_MAX)
        return link_fail(writer->error, CC_BAD_INPUT, "a link holds at most %u parts; keep this scenario as a file",
                         LINK_PARTS_MAX);
    cc_text_say(writer->text, "&");
    cc_text_say(writer->text, prefix);
    link_encode(writer->text, path, strlen(path));
    cc_text_say(writer->text, "=");
    return true;
}

/* Objects are taken apart, so that each value has a path of its own; empty ones and mixed lists stay JSON. */
static bool link_write_value(struct link_writer *writer, const char *prefix, const char *path, const json_t *value,
                             unsigned depth)
{
    char inner[LINK_PATH_MAX];
    if (depth > LINK_DEPTH_MAX)
        return link_fail(writer->error, CC_BAD_INPUT, "nested too deeply for a link");
    bool objects = json_is_array(value) && link_is_object_list(value);
    if (objects || link_is_apart(value)) {
        /* An object takes the place of what was there, and paths alone would lie over it. */
        if (depth == 0 && (writer->clears || strchr(path, '.'))) {
            if (!link_write_key(writer, prefix, path))
                return false;
            link_encode(writer->text, objects ? "[]" : "{}", 2);
        }
        const char *key;
        json_t *element;
        if (json_is_object(value)) {
            json_object_foreach((json_t *)value, key, element)
            {
                int length = snprintf(inner, sizeof inner, "%s.%s", path, key);
                if (length < 0 || (size_t)length >= sizeof inner || !link_check_path(inner, writer->error))
                    return link_fail(writer->error, CC_BAD_INPUT, "a path is too long for a link");
                if (!link_write_value(writer, prefix, inner, element, depth + 1))
                    return false;
            }
            return true;
        }
        for (size_t i = 0; i < json_array_size(value); i++) {
            int length = snprintf(inner, sizeof inner, "%s.%zu", path, i);
            if (length < 0 || (size_t)length >= sizeof inner)
                return link_fail(writer->error, CC_BAD_INPUT, "a path is too long for a link");
            if (!link_write_value(writer, prefix, inner, json_array_get(value, i), depth + 1))
                return false;
        }
        return true;
    }
    if (!link_write_key(writer, prefix, path))
        return false;
    /* A list of one has no comma to tell it by. */
    if (json_array_size(value) == 1 && link_is_scalar_list(value)) {
        link_encode(writer->text, "[", 1);
        if (!link_encode_json(writer->text, json_array_get(value, 0), writer->error))
            return false;
        link_encode(writer->text, "]", 1);
        return true;
    }
    if (!json_is_array(value) || json_array_size(value) < 2 || !link_is_scalar_list(value))
        return json_is_array(value) || json_is_object(value) ? link_encode_json(writer->text, value, writer->error)
                                                             : link_write_scalar(writer->text, value, writer->error);
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (i > 0)
            cc_text_say(writer->text, ",");
        if (!link_write_scalar(writer->text, json_array_get(value, i), writer->error))
            return false;
    }
    return true;
}

/* What a link leaves out of a scenario that it carries whole: it does not influence a run. */
static bool link_is_left_out(const char *key)
{
    static const char *const keys[] = {"$schema", "expect", "playground", "variants", "notes"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static bool link_write_set(struct link_writer *writer, const char *prefix, json_t *set, bool whole, bool clears)
{
    writer->clears = clears;
    const char *path;
    json_t *value;
    json_object_foreach(set, path, value)
    {
        if (whole && link_is_left_out(path))
            continue;
        if (strlen(path) >= LINK_PATH_MAX)
            return link_fail(writer->error, CC_BAD_INPUT, "a path is too long for a link");
        if (!link_check_path(path, writer->error) || !link_check_value(path, value, writer->error) ||
            !link_write_value(writer, prefix, path, value, 0))
            return false;
        if (strchr(path, '.'))
            writer->clears = true;
    }
    return true;
}

static bool link_write_variant(struct link_writer *writer, const char *key, json_t *value, bool always)
{
    json_int_t variant = json_integer_value(value);
    if (value && (!json_is_integer(value) || variant < 0 || variant > LINK_VARIANT_LARGEST))
        return link_fail(writer->error, CC_BAD_INPUT, "a variant's position is a whole number from 0 to %d",
                         LINK_VARIANT_LARGEST);
    if (variant == 0 && !always)
        return true;
    char words[24];
    snprintf(words, sizeof words, "%d", (int)variant);
    if (!link_write_key(writer, "", key))
        return false;
    cc_text_say(writer->text, words);
    return true;
}

static bool link_write_word(struct link_writer *writer, const char *prefix, const char *key, json_t *value,
                            bool (*check)(const char *))
{
    if (!value)
        return true;
    if (!json_is_string(value) || (check && !check(json_string_value(value))))
        return link_fail(writer->error, CC_BAD_INPUT, "the state's \"%s\" is not one that a link can hold", key);
    if (!link_write_key(writer, prefix, key))
        return false;
    link_encode(writer->text, json_string_value(value), json_string_length(value));
    return true;
}

static bool link_is_object(json_t *state, const char *key, cc_error *error)
{
    json_t *value = json_object_get(state, key);
    return !value || json_is_object(value) ||
           link_fail(error, CC_BAD_INPUT, "the state's \"%s\" is not an object", key);
}

static bool link_write_state(struct link_writer *writer, json_t *state)
{
    json_t *b = json_object_get(state, "b"), *preset = json_object_get(state, "preset");
    if (!link_is_object(state, "set", writer->error) || !link_is_object(state, "b", writer->error) ||
        !link_is_object(b, "set", writer->error) || !link_is_object(state, "view", writer->error))
        return false;
    char version[8];
    snprintf(version, sizeof version, "v=%d", LINK_VERSION);
    cc_text_say(writer->text, version);
    if (!link_write_word(writer, "", "p", preset, link_is_preset) ||
        !link_write_variant(writer, "n", json_object_get(state, "variant"), false) ||
        !link_write_set(writer, "", json_object_get(state, "set"), !preset, preset != NULL))
        return false;
    if (b && (!link_write_variant(writer, "b", json_object_get(b, "variant"), true) ||
              !link_write_set(writer, "b.", json_object_get(b, "set"), !preset, true)))
        return false;
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(state, "view"), name, value)
    {
        if (!link_is_view_name(name) || !link_write_word(writer, "~", name, value, NULL))
            return link_fail(writer->error, CC_BAD_INPUT, "a view setting is a name of letters with a text");
    }
    return link_write_word(writer, "", "h", json_object_get(state, "digest"), link_is_digest);
}

char *cc_link_write(const char *state, size_t length, const cc_allocator *allocator, cc_error *error)
{
    cc_error unused;
    if (!error)
        error = &unused;
    memset(error, 0, sizeof *error);
    json_object_seed(CC_HASH_SEED);
    json_error_t found;
    json_t *json = json_loadb(state, length, JSON_REJECT_DUPLICATES, &found);
    if (!json_is_object(json)) {
        json_decref(json);
        link_fail(error, CC_BAD_INPUT, "the state of a link is a JSON object");
        return NULL;
    }
    struct cc_text text;
    cc_text_start(&text, allocator);
    struct link_writer writer = {.text = &text, .error = error, .written = json_object()};
    bool good = writer.written ? link_write_state(&writer, json) : link_no_memory(error);
    json_decref(writer.written);
    if (good && !text.failed && text.length > LINK_LARGEST)
        good = link_fail(error, CC_BAD_INPUT, "the link would have %zu bytes; at most %u are read: keep this as a file",
                         text.length, LINK_LARGEST);
    json_decref(json);
    if (!good) {
        cc_text_drop(&text);
        return NULL;
    }
    char *taken = cc_text_take(&text);
    if (!taken)
        link_no_memory(error);
    return taken;
}
