/* From the scenario's text to the checked scenario: JSON, then the variant's and the caller's values laid over it, then
 * the table of fields, then the checks across fields. */
#include "io/locate.h"
#include "io/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT_LARGEST (16u << 20)
#define PATH_STEPS_MAX 64u

static void parse_start(struct cc_reader *reader, const char *text, size_t length, const cc_allocator *allocator,
                        cc_error *error)
{
    memset(reader, 0, sizeof *reader);
    reader->error = error;
    reader->text = text ? text : "";
    reader->length = text ? length : 0;
    reader->common_expect = SIZE_MAX;
    cc_arena_start(&reader->scratch, allocator);
    if (error)
        memset(error, 0, sizeof *error);
    /* An editor's byte order mark is no part of the JSON. */
    if (reader->length >= 3 && memcmp(reader->text, "\xef\xbb\xbf", 3) == 0) {
        reader->text += 3;
        reader->length -= 3;
    }
}

/* Where the token that ends before `end` starts. */
static size_t parse_token_start(const char *text, size_t end)
{
    size_t at = end > 0 ? end - 1 : 0;
    if (end > 1 && text[at] == '"') {
        while (at > 0) {
            size_t slashes = 0;
            if (text[--at] != '"')
                continue;
            while (slashes < at && text[at - 1 - slashes] == '\\')
                slashes++;
            if (slashes % 2 == 0)
                return at;
        }
    }
    while (at > 0 && text[at - 1] &&
           (strchr("+-._", text[at - 1]) || (text[at - 1] >= '0' && text[at - 1] <= '9') ||
            ((text[at - 1] | 32) >= 'a' && (text[at - 1] | 32) <= 'z')))
        at--;
    return at;
}

static void parse_json_error(struct cc_reader *reader, json_error_t *found)
{
    enum json_error_code code = json_error_code(found);
    if (code == json_error_out_of_memory) {
        cc_reader_no_memory(reader);
        return;
    }
    size_t end = found->position > 0 ? (size_t)found->position : 0;
    if (end > reader->length)
        end = reader->length;
    size_t start = parse_token_start(reader->text, end);
    char token[48], cut[sizeof token + 8];
    size_t length = end - start < sizeof cut - 1 ? end - start : sizeof cut - 1;
    memcpy(cut, reader->text + start, length);
    cut[length] = 0;
    cc_one_line(token, sizeof token, cut);
    switch (code) {
    case json_error_stack_overflow:
        cc_reader_fail(reader, false, "nested too deeply; at most 2048 levels are read");
        break;
    case json_error_duplicate_key:
        cc_reader_fail(reader, false, "the key %s stands twice in one object", token);
        break;
    case json_error_invalid_utf8:
        cc_reader_fail(reader, false, "the text is not valid UTF-8");
        start = end;
        break;
    case json_error_numeric_overflow:
        cc_reader_fail(reader, false, "the number %s is too large", token);
        break;
    case json_error_null_character:
    case json_error_null_byte_in_key:
        cc_reader_fail(reader, false, "a text holds the character \\u0000, which is not allowed");
        break;
    case json_error_premature_end_of_input:
        cc_reader_fail(reader, false, "the JSON text ends too early");
        start = reader->length;
        break;
    case json_error_end_of_input_expected:
        cc_reader_fail(reader, false, "there is more text after the end of the JSON%s%s", token[0] ? ", near " : "",
                       token);
        break;
    default:
        cc_reader_fail(reader, false, "not valid JSON near %s", token[0] ? token : "the start");
    }
    if (reader->error)
        cc_locate_byte(reader->text, reader->length, start, &reader->error->line, &reader->error->column);
}

/* The document, an object whose variants have the right form, or NULL. */
static json_t *parse_document(struct cc_reader *reader)
{
    bool blank = true;
    for (size_t i = 0; i < reader->length && blank; i++)
        blank = reader->text[i] == ' ' || reader->text[i] == '\t' || reader->text[i] == '\n' || reader->text[i] == '\r';
    if (reader->length > TEXT_LARGEST || blank) {
        if (blank)
            cc_reader_fail(reader, false, "the text is empty; a JSON object is needed");
        else
            cc_reader_fail(reader, false, "the text has %zu bytes; allowed: at most 16 MiB", reader->length);
        if (reader->error)
            reader->error->line = reader->error->column = 1;
        return NULL;
    }
    /* jansson would seed its hash tables from the clock; the core reads none. The first seed of a process stays. */
    json_object_seed(CC_HASH_SEED);
    json_error_t found;
    memset(&found, 0, sizeof found);
    json_t *root = json_loadb(reader->text, reader->length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &found);
    if (!root) {
        parse_json_error(reader, &found);
        return NULL;
    }
    if (!json_is_object(root)) {
        cc_reader_fail(reader, false, "the text is not a JSON object; an object with the scenario is needed");
        json_decref(root);
        return NULL;
    }
    return root;
}

static bool parse_variants(struct cc_reader *reader, json_t *root, size_t *count)
{
    json_t *variants = json_object_get(root, "variants");
    *count = json_array_size(variants);
    size_t back = cc_reader_enter(reader, "variants");
    uint32_t limit = cc_group_field(&cc_scenario_group, "variants")->limit;
    if (variants && !json_is_array(variants))
        return cc_reader_fail(reader, false, "an array of objects is needed");
    if (*count > limit)
        return cc_reader_fail(reader, false, "%zu elements; allowed: at most %u", *count, (unsigned)limit);
    json_t *names = *count > 0 ? json_object() : NULL;
    if (*count > 0 && !names)
        return cc_reader_no_memory(reader);
    bool good = true;
    for (size_t i = 0; i < *count && good; i++) {
        size_t inner = cc_reader_enter_index(reader, i);
        json_t *variant = json_array_get(variants, i);
        good = cc_read_keys(reader, &cc_variant_group, variant);
        if (!good)
            break;
        json_t *name = json_object_get(variant, "name");
        cc_reader_enter(reader, "name");
        if (json_string_length(name) == 0)
            good = cc_reader_fail(reader, false, "the text is empty; at least one character is needed");
        else if (json_object_get(names, json_string_value(name)))
            good = cc_reader_fail(reader, false, "another variant has this name; names must differ");
        else if (json_object_set(names, json_string_value(name), name) != 0)
            good = cc_reader_no_memory(reader);
        cc_reader_back(reader, inner);
    }
    json_decref(names);
    if (good)
        cc_reader_back(reader, back);
    if (*count == 0)
        *count = 1;
    return good;
}

size_t cc_scenario_variants(const char *text, size_t length, const cc_allocator *allocator, cc_error *error)
{
    struct cc_reader reader;
    size_t count = 0;
    parse_start(&reader, text, length, allocator, error);
    json_t *root = parse_document(&reader);
    if (root && !parse_variants(&reader, root, &count))
        count = 0;
    json_decref(root);
    cc_arena_end(&reader.scratch);
    return count;
}

static bool parse_index(const char *step, size_t *index)
{
    *index = 0;
    for (const char *c = step; *c; c++) {
        if (*c < '0' || *c > '9' || *index > TEXT_LARGEST || (*step == '0' && step[1]))
            return false;
        *index = *index * 10 + (size_t)(*c - '0');
    }
    return *step != 0;
}

/* The first `steps` + 1 steps of a pointer. */
static char *parse_prefix(struct cc_reader *reader, const char *pointer, size_t steps)
{
    const char *end = strchr(pointer + 1, '/');
    while (end && steps-- > 0)
        end = strchr(end + 1, '/');
    return cc_arena_text(&reader->scratch, pointer, end ? (size_t)(end - pointer) : strlen(pointer));
}

/* Lays one value over the document. reader->at names the target while it works. */
static bool parse_lay(struct cc_reader *reader, json_t *root, char *path, json_t *value)
{
    struct cc_laid *laid = &reader->laid[reader->laid_count - 1];
    size_t depth = 0;
    json_t *place = root;
    for (char *step = path, *next; step; step = next, depth++) {
        if (depth == PATH_STEPS_MAX)
            return cc_reader_fail(reader, true, "the path has more than %u steps", PATH_STEPS_MAX);
        next = strchr(step, '.');
        if (next)
            *next++ = 0;
        json_t *inner = NULL;
        size_t index = 0;
        bool array = json_is_array(place);
        if (array) {
            if (!parse_index(step, &index) || index > json_array_size(place))
                return cc_reader_fail(reader, true, "\"%.60s\" is no position in an array of %zu elements", step,
                                      json_array_size(place));
            inner = json_array_get(place, index);
        } else {
            inner = json_object_get(place, step);
        }
        if (next && (!inner || json_is_null(inner))) {
            if (!laid->made)
                laid->made = parse_prefix(reader, laid->target, depth);
            /* Positions lie in arrays: no object of the format has keys that are numbers. */
            size_t position;
            char after[24];
            snprintf(after, sizeof after, "%.*s", (int)(strcspn(next, ".") < 23 ? strcspn(next, ".") : 23), next);
            inner = !laid->made ? NULL : parse_index(after, &position) ? json_array() : json_object();
            if (!inner)
                return cc_reader_no_memory(reader);
        } else if (next) {
            if (!json_is_object(inner) && !json_is_array(inner))
                return cc_reader_fail(reader, true, "\"%.60s\" is neither an object nor an array: nothing lies in it",
                                      step);
            place = inner;
            continue;
        } else {
            inner = json_incref(value);
        }
        int wrong = !array                            ? json_object_set_new(place, step, inner)
                    : index == json_array_size(place) ? json_array_append_new(place, inner)
                                                      : json_array_set_new(place, index, inner);
        if (wrong)
            return cc_reader_no_memory(reader);
        place = inner;
    }
    return true;
}

/* Notes where the value comes from, then lays it. */
static bool parse_override(struct cc_reader *reader, json_t *root, const char *path, json_t *value, const char *origin,
                           const char *source)
{
    char *copy = cc_arena_text(&reader->scratch, path, strlen(path));
    char *steps = cc_arena_text(&reader->scratch, path, strlen(path));
    if (!copy || !steps)
        return cc_reader_no_memory(reader);
    cc_reader_back(reader, 0);
    for (char *step = steps, *next; step; step = next) {
        next = strchr(step, '.');
        if (next)
            *next++ = 0;
        cc_reader_enter(reader, step);
    }
    char *target = cc_arena_text(&reader->scratch, reader->at, reader->at_length);
    if (!target)
        return cc_reader_no_memory(reader);
    reader->laid[reader->laid_count++] = (struct cc_laid){target, source, origin, NULL};
    if (!cc_is_utf8(path))
        return cc_reader_fail(reader, true, "the path is not valid UTF-8");
    if (strncmp(path, "variants", 8) == 0 && (path[8] == 0 || path[8] == '.'))
        return cc_reader_fail(reader, true, "variants cannot be changed by a value laid over the scenario");
    bool good = parse_lay(reader, root, copy, value);
    if (good)
        cc_reader_back(reader, 0);
    return good;
}

/* Puts the profile that the scenario names in the place of its name. */
static bool parse_profile(struct cc_reader *reader, json_t *root, const cc_parse_options *options)
{
    json_t *named = json_object_get(root, "profile");
    if (!json_is_string(named))
        return true;
    const char *name = json_string_value(named), *text = NULL;
    size_t length = 0;
    char shown[80];
    cc_one_line(shown, sizeof shown, name);
    for (size_t i = 0; cc_profile_name(i) && !text; i++)
        if (strcmp(cc_profile_name(i), name) == 0) {
            text = cc_profile_text(i);
            length = strlen(text);
        }
    if (!text && options->find_profile)
        text = options->find_profile(options->context, name, &length);
    if (!text) {
        char all[256] = "";
        for (size_t i = 0; cc_profile_name(i); i++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", cc_profile_name(i));
        return cc_reader_fail_at(reader, "/profile",
                                 "there is no profile \"%s\": no file of that name beside the scenario; built in: %s",
                                 shown, all);
    }
    json_error_t found;
    memset(&found, 0, sizeof found);
    json_t *profile = json_loadb(text, length, JSON_REJECT_DUPLICATES, &found);
    if (!profile && json_error_code(&found) == json_error_out_of_memory)
        return cc_reader_no_memory(reader);
    if (!profile || !json_is_object(profile)) {
        json_decref(profile);
        return cc_reader_fail_at(reader, "/profile", "\"%s\" is no valid JSON object (line %d)", shown, found.line);
    }
    return json_object_set_new(root, "profile", profile) == 0 || cc_reader_no_memory(reader);
}

/* A path into the profile needs it in place. */
static bool parse_profile_before(struct cc_reader *reader, json_t *root, const cc_parse_options *options,
                                 const char *path)
{
    return !path || strncmp(path, "profile.", 8) != 0 || parse_profile(reader, root, options);
}

static bool parse_apply_variant(struct cc_reader *reader, json_t *root, json_t *variant,
                                const cc_parse_options *options)
{
    const char *path;
    json_t *value;
    json_object_foreach(json_object_get(variant, "set"), path, value)
    {
        cc_reader_back(reader, 0);
        cc_reader_enter(reader, "variants");
        cc_reader_enter_index(reader, reader->variant);
        cc_reader_enter(reader, "set");
        cc_reader_enter(reader, path);
        char *source = cc_arena_text(&reader->scratch, reader->at, reader->at_length);
        /* A copy: later values may change what lies within. */
        json_t *copy = json_deep_copy(value);
        bool good = source && copy ? parse_profile_before(reader, root, options, path) &&
                                         parse_override(reader, root, path, copy, NULL, source)
                                   : cc_reader_no_memory(reader);
        json_decref(copy);
        if (!good)
            return false;
    }
    json_t *more = json_object_get(variant, "expect"), *common = json_object_get(root, "expect");
    if (json_array_size(more) == 0)
        return true;
    if (!common) {
        common = json_array();
        if (!common || json_object_set_new(root, "expect", common) != 0)
            return cc_reader_no_memory(reader);
    }
    if (!json_is_array(common))
        return true; /* reading will complain */
    reader->common_expect = json_array_size(common);
    return json_array_extend(common, more) == 0 || cc_reader_no_memory(reader);
}

static bool parse_apply_outside(struct cc_reader *reader, json_t *root, const cc_override *override)
{
    const char *words = override->value ? override->value : "", *path = override->path ? override->path : "";
    const char *origin = override->origin ? override->origin : path;
    json_error_t found;
    memset(&found, 0, sizeof found);
    json_t *value = json_loads(words, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &found);
    if (!value && json_error_code(&found) == json_error_out_of_memory)
        return cc_reader_no_memory(reader);
    bool value_is_json = value != NULL;
    /* A plain word is a string; what opens like JSON was meant as JSON. */
    const char *wrong = NULL;
    if (!cc_is_utf8(words))
        wrong = "the value is not valid UTF-8";
    else if (!value && json_error_code(&found) == json_error_numeric_overflow)
        wrong = "the number is too large";
    else if (!value && (words[0] == '{' || words[0] == '[' || words[0] == '"'))
        wrong = "the value is not valid JSON";
    if (!value)
        value = wrong ? json_null() : json_string(words);
    if (!value)
        return cc_reader_no_memory(reader);
    bool good = parse_override(reader, root, path, value, origin, NULL);
    if (good && wrong) {
        const struct cc_laid *laid = &reader->laid[reader->laid_count - 1];
        /* A file laid over the text has lines to look at. */
        if (!value_is_json && (strchr(words, '\n') || strlen(words) > 200))
            good = cc_reader_fail_at(reader, laid->target, "%s; line %d: %s", wrong, found.line, found.text);
        else
            good = cc_reader_fail_at(reader, laid->target, "%s", wrong);
    }
    json_decref(value);
    return good;
}

static bool parse_scenario(struct cc_reader *reader, json_t *root, const cc_parse_options *options)
{
    struct cc_scenario *scenario = reader->scenario;
    size_t count;
    if (!parse_variants(reader, root, &count))
        return false;
    if (reader->variant >= count)
        return cc_reader_fail_at(reader, "/variants", "there is no variant %zu; the scenario has %zu", reader->variant,
                                 count);
    reader->variant_count = json_array_size(json_object_get(root, "variants"));
    json_t *variant = json_array_get(json_object_get(root, "variants"), reader->variant);
    reader->laid =
        cc_arena_take(&reader->scratch, json_object_size(json_object_get(variant, "set")) + options->override_count,
                      sizeof *reader->laid);
    if (!reader->laid)
        return cc_reader_no_memory(reader);
    if (variant && !parse_apply_variant(reader, root, variant, options))
        return false;
    /* The profile's name may be laid over the text, and then values of it over the profile. */
    for (size_t i = 0; i < options->override_count; i++)
        if (!parse_profile_before(reader, root, options, options->overrides[i].path) ||
            !parse_apply_outside(reader, root, &options->overrides[i]))
            return false;
    cc_reader_back(reader, 0);
    if (!parse_profile(reader, root, options))
        return false;
    const char *name = variant ? json_string_value(json_object_get(variant, "name")) : "";
    scenario->variant = cc_arena_text(&scenario->arena, name, strlen(name));
    if (!scenario->variant)
        return cc_reader_no_memory(reader);
    return cc_read_group(reader, &cc_scenario_group, root, scenario) && cc_check_scenario(reader);
}

cc_scenario *cc_scenario_parse(const char *text, size_t length, const cc_parse_options *options, cc_error *error)
{
    static const cc_parse_options defaults;
    struct cc_reader reader;
    if (!options)
        options = &defaults;
    parse_start(&reader, text, length, options->allocator, error);
    reader.variant = options->variant;
    cc_allocator owner = cc_allocator_or_default(options->allocator);
    json_t *root = parse_document(&reader);
    struct cc_scenario *scenario = root ? cc_resize(&owner, NULL, 0, 1, sizeof *scenario) : NULL;
    if (scenario) {
        memset(scenario, 0, sizeof *scenario);
        cc_arena_start(&scenario->arena, &owner);
        reader.scenario = scenario;
        if (!parse_scenario(&reader, root, options)) {
            cc_scenario_free(scenario);
            scenario = NULL;
        }
    } else if (root) {
        cc_reader_no_memory(&reader);
    }
    json_decref(root);
    cc_arena_end(&reader.scratch);
    return scenario;
}

void cc_scenario_free(cc_scenario *scenario)
{
    if (!scenario)
        return;
    cc_allocator owner = scenario->arena.allocator;
    cc_arena_end(&scenario->arena);
    cc_release(&owner, scenario, 1, sizeof *scenario);
}

const char *cc_scenario_name(const cc_scenario *scenario) { return scenario->name; }
const char *cc_scenario_variant(const cc_scenario *scenario) { return scenario->variant; }
unsigned cc_scenario_replications(const cc_scenario *scenario) { return scenario->replications; }
size_t cc_expectation_count(const cc_scenario *scenario) { return scenario->expect_count; }

void cc_expectation_get(const cc_scenario *scenario, size_t index, cc_expectation *expectation)
{
    const struct cc_expect_line *line = &scenario->expect[index];
    expectation->metric = line->metric;
    expectation->phase = line->phase;
    expectation->value = line->value_present ? line->value : (double)NAN;
    expectation->low = line->low;
    expectation->high = line->high;
    expectation->tolerance = line->tolerance ? line->tolerance : "";
    expectation->source = line->source;
}

#undef TEXT_LARGEST
#undef PATH_STEPS_MAX
