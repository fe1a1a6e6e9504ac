/* cachecast link, and what run --link reads. */
#include "link.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "presets.h"

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static const char *find_preset(const char *name)
{
    struct text all = {0};
    for (size_t i = 0; preset_name(i) != NULL; i++) {
        if (strcmp(preset_name(i), name) == 0) {
            text_free(&all);
            return preset_text(i);
        }
        text_format(&all, "%s%s", i > 0 ? ", " : "", preset_name(i));
    }
    die(EXIT_BAD_INPUT, "--link: there is no experiment p=%s; there are %s", name, all.start);
}

static void add_values(struct link_side *side, json_t *set)
{
    const char *path;
    json_t *value;
    json_object_foreach(set, path, value)
    {
        struct text origin = {0};
        char *words = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        if (words == NULL)
            die(EXIT_TROUBLE, "out of memory");
        text_format(&origin, "--link %s", path);
        side->overrides = grow(side->overrides, side->count + 1, sizeof *side->overrides);
        side->overrides[side->count++] = (cc_override){.path = copy_text(path), .value = words, .origin = origin.start};
    }
}

void link_read(struct link *link, const char *words, const cc_override *more, size_t more_count)
{
    cc_error error = {0};
    char *text = cc_link_read(words, strlen(words), NULL, &error);
    if (text == NULL)
        die(error.status == CC_BAD_INPUT ? EXIT_BAD_INPUT : EXIT_TROUBLE, "--link: %s", error.message);
    json_t *state = json_loads(text, 0, NULL);
    cc_text_free(text, NULL);
    if (state == NULL)
        die(EXIT_TROUBLE, "out of memory");
    json_t *preset = json_object_get(state, "preset"), *b = json_object_get(state, "b");
    *link = (struct link){.text = preset ? find_preset(json_string_value(preset)) : "{}", .sides = b ? 2 : 1};
    size_t variants = cc_scenario_variants(link->text, strlen(link->text), NULL, &error);
    const char *digest = json_string_value(json_object_get(state, "digest"));
    for (size_t i = 0; i < link->sides; i++) {
        struct link_side *side = &link->side[i];
        side->variant = (size_t)json_integer_value(json_object_get(i == 0 ? state : b, "variant"));
        if (side->variant >= variants)
            die(EXIT_BAD_INPUT, "--link: %s=%zu: the experiment's configurations are numbered from 0 to %zu",
                i == 0 ? "n" : "b", side->variant, variants - 1);
        add_values(side, json_object_get(state, "set"));
        if (i == 1)
            add_values(side, json_object_get(b, "set"));
        for (size_t k = 0; k < more_count; k++) {
            side->overrides = grow(side->overrides, side->count + 1, sizeof *side->overrides);
            side->overrides[side->count++] = (cc_override){.path = copy_text(more[k].path),
                                                           .value = copy_text(more[k].value),
                                                           .origin = copy_text(more[k].origin)};
        }
        /* A value that was laid over says what it changed. */
        if (digest != NULL && more_count == 0 && strlen(digest) >= 9 * i + 8) {
            link->has_digest[i] = true;
            link->digest[i] = (uint32_t)strtoul(digest + 9 * i, NULL, 16);
        }
    }
    json_decref(state);
}

void link_free(struct link *link)
{
    for (size_t i = 0; i < link->sides; i++) {
        for (size_t k = 0; k < link->side[i].count; k++) {
            free((void *)link->side[i].overrides[k].path);
            free((void *)link->side[i].overrides[k].value);
            free((void *)link->side[i].overrides[k].origin);
        }
        free(link->side[i].overrides);
    }
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static json_t *whole(json_t *made)
{
    if (made == NULL)
        die(EXIT_TROUBLE, "out of memory");
    return made;
}

/* A value as --set takes it. */
static json_t *value_of(const char *words)
{
    json_t *value = json_loads(words, JSON_DECODE_ANY, NULL);
    return value != NULL ? value : whole(json_string(words));
}

static void lay_within(json_t *place, const char *path, json_t *value)
{
    char *copy = copy_text(path);
    for (char *step = copy, *next; step != NULL; step = next) {
        next = strchr(step, '.');
        if (next != NULL)
            *next++ = '\0';
        size_t index = (size_t)strtoul(step, NULL, 10);
        json_t *inner = json_is_array(place) ? json_array_get(place, index) : json_object_get(place, step);
        if (next == NULL || inner == NULL || json_is_null(inner)) {
            size_t digits = next != NULL ? strspn(next, "0123456789") : 0;
            bool in_array = digits > 0 && (next[digits] == '.' || next[digits] == '\0');
            inner = next == NULL ? json_incref(value) : whole(in_array ? json_array() : json_object());
            if (!json_is_array(place))
                json_object_set_new(place, step, inner);
            else if (index < json_array_size(place))
                json_array_set_new(place, index, inner);
            else
                json_array_append_new(place, inner);
        }
        place = inner;
    }
    free(copy);
}

/* Puts a value into an object of paths: within one that is there, or else behind all of them, in the place of what was
 * at its path or below it. A link has each path once. */
static void put(json_t *set, const char *path, json_t *value)
{
    size_t length = strlen(path);
    const char *key;
    json_t *other;
    void *next;
    json_object_foreach_safe(set, next, key, other)
    {
        size_t shared = strlen(key);
        if (shared < length && strncmp(key, path, shared) == 0 && path[shared] == '.' &&
            (json_is_object(other) || json_is_array(other))) {
            lay_within(other, path + shared + 1, value);
            return;
        }
        if (strncmp(key, path, length) == 0 && (key[length] == '\0' || key[length] == '.'))
            json_object_del(set, key);
    }
    if (json_object_set(set, path, value) != 0)
        die(EXIT_TROUBLE, "out of memory");
}

/* Lays a value over the document. The library has checked the path already. */
static void lay(json_t *document, const char *path, json_t *value)
{
    /* Values of a profile that is only named cannot lie within it: they stay paths behind the name. */
    bool below_name = strncmp(path, "profile.", 8) == 0 && json_is_string(json_object_get(document, "profile"));
    if (below_name || strcmp(path, "profile") == 0)
        put(document, path, value);
    else
        lay_within(document, path, value);
}

/* The experiment that the document is, or NULL. */
static const char *preset_of(json_t *document)
{
    json_t *bare = whole(json_copy(document));
    json_object_del(bare, "$schema");
    const char *found = NULL;
    for (size_t i = 0; preset_name(i) != NULL && found == NULL; i++) {
        json_t *preset = whole(json_loads(preset_text(i), 0, NULL));
        if (json_equal(preset, bare))
            found = preset_name(i);
        json_decref(preset);
    }
    json_decref(bare);
    return found;
}

static size_t variant_position(json_t *document, const char *name)
{
    size_t i;
    json_t *variant;
    json_array_foreach(json_object_get(document, "variants"), i, variant)
    {
        const char *words = json_string_value(json_object_get(variant, "name"));
        if (words != NULL && strcmp(words, name) == 0)
            return i;
    }
    return 0;
}

enum exit_code command_link(const struct options *options)
{
    struct options chosen = *options;
    if (chosen.variant == NULL)
        chosen.variant = "1";
    struct jobs jobs;
    jobs_load(&jobs, &chosen);
    jobs_run(&jobs, &chosen);
    if (jobs.interrupted) {
        jobs_free(&jobs);
        return EXIT_INTERRUPTED;
    }
    const struct text *file = &jobs.text;
    size_t mark = file->length >= 3 && memcmp(file->start, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    json_t *document = whole(json_loadb(file->start + mark, file->length - mark, 0, NULL));
    size_t variant = variant_position(document, cc_scenario_variant(jobs.items[0].scenario));
    const char *preset = preset_of(document);
    json_t *set = preset != NULL ? whole(json_object()) : json_incref(document);
    if (preset == NULL) {
        const char *path;
        json_t *value;
        json_t *laid = json_array_get(json_object_get(document, "variants"), variant);
        json_object_foreach(json_object_get(laid, "set"), path, value) { lay(document, path, value); }
    }
    for (size_t i = 0; i < options->override_count; i++) {
        json_t *value = value_of(options->overrides[i].value);
        if (preset != NULL)
            put(set, options->overrides[i].path, value);
        else
            lay(document, options->overrides[i].path, value);
        json_decref(value);
    }
    struct text digest = {0}, out = {0};
    text_format(&digest, "%08" PRIx32, jobs.results[jobs.items[0].first].digest);
    json_t *state = whole(json_pack("{s:s*,s:I,s:O,s:s}", "preset", preset, "variant",
                                    preset != NULL ? (json_int_t)variant : 0, "set", set, "digest", digest.start));
    char *words = json_dumps(state, JSON_COMPACT);
    cc_error error = {0};
    char *made = words != NULL ? cc_link_write(words, strlen(words), NULL, &error) : NULL;
    if (made == NULL)
        die(error.status == CC_BAD_INPUT ? EXIT_BAD_INPUT : EXIT_TROUBLE, "%s: %s", file_label(options->paths.names[0]),
            words != NULL ? error.message : "out of memory");
    text_say(&out, made);
    output_write(options->output, &out);
    cc_text_free(made, NULL);
    free(words);
    json_decref(state);
    json_decref(set);
    json_decref(document);
    text_free(&digest);
    text_free(&out);
    jobs_free(&jobs);
    return EXIT_OK;
}
