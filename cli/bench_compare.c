/* cachecast bench compare: the cells of two profiles side by side. */
#include "bench.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "bench_profile.h"
#include "files.h"
#include "table.h"

static const char help[] = "Usage: cachecast bench compare [OPTION...] A.json B.json\n"
                           "\n"
                           "Two profiles of \"cachecast bench codec\" side by side: what each call costs, and\n"
                           "the ratio. \"differs\" says that the 95 % intervals have nothing in common;\n"
                           "without it the difference may be chance. Only equal payloads are compared.\n"
                           "\n"
                           "      --force        compare sizes within 10 % although the payloads differ\n"
                           "      --csv          codec,direction,bytes,mode,threads,a_ns,b_ns,ratio,differs\n"
                           "  -o, --output FILE  write there, in full or not at all\n"
                           "  -h, --help         this help\n"
                           "\n"
                           "Example:\n"
                           "  cachecast bench compare before.json after.json\n";

#define FORCED_NEAR 0.1

/* One profile. The pieces of a cell are looked up when needed: there are some hundreds. */
struct side {
    const char *path;
    json_t *root, *cells, *sets;
};

static _Noreturn void not_a_profile(const struct side *side, const char *what)
{
    die(EXIT_BAD_INPUT, "%s: not a profile of \"cachecast bench codec\": %s", file_label(side->path), what);
}

static double number_of(const struct side *side, const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_number(value) && !json_is_null(value))
        not_a_profile(side, "a cell or payload set lacks a number");
    double number = json_is_null(value) ? NAN : json_number_value(value);
    if (number < 0 || number > 1e15)
        not_a_profile(side, "a cell or payload set has a number out of range");
    return number;
}

static const char *word_of(const struct side *side, const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    if (value == NULL)
        not_a_profile(side, "a cell or payload set lacks a name");
    if (value[strcspn(value, ",\"")] != '\0' || strlen(value) > 100)
        not_a_profile(side, "a cell has a name that is none");
    for (const char *at = value; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            not_a_profile(side, "a cell has a name that is none");
    return value;
}

static struct side read_side(const char *path)
{
    struct side side = {.path = path};
    struct text text = file_read(path);
    json_error_t error;
    side.root = json_loadb(text.start, text.length, JSON_REJECT_DUPLICATES, &error);
    text_free(&text);
    if (side.root == NULL)
        die(EXIT_BAD_INPUT, "%s:%d:%d: %s", file_label(path), error.line, error.column, error.text);
    if (json_integer_value(json_object_get(side.root, "profile")) != 1)
        not_a_profile(&side, "\"profile\" is not 1");
    const json_t *measured = json_object_get(side.root, "measured");
    side.cells = json_object_get(measured, "cells");
    side.sets = json_object_get(json_object_get(measured, "payloads"), "sets");
    if (json_array_size(side.cells) == 0 || json_array_size(side.sets) == 0)
        not_a_profile(&side, "\"measured\" has no cells or no payloads");
    return side;
}

/* The SHA-256 of the payloads of so many bytes. */
static const char *fingerprint(const struct side *side, double bytes)
{
    for (size_t i = 0; i < json_array_size(side->sets); i++) {
        const json_t *set = json_array_get(side->sets, i);
        double here = number_of(side, set, "bytes");
        if (!(here < bytes) && !(here > bytes))
            return word_of(side, set, "sha256");
    }
    not_a_profile(side, "a cell has payloads that are not listed");
}

static bool same_word(const struct side *a, const json_t *one, const struct side *b, const json_t *other,
                      const char *name)
{
    return strcmp(word_of(a, one, name), word_of(b, other, name)) == 0;
}

/* How far apart the cells' sizes are, as a share; infinity where they are not of the same call on the same payloads. */
static double apart(const struct side *a, const json_t *one, const struct side *b, const json_t *other, bool force)
{
    double bytes = number_of(a, one, "bytes"), others = number_of(b, other, "bytes");
    bool match = same_word(a, one, b, other, "codec") && same_word(a, one, b, other, "direction") &&
                 same_word(a, one, b, other, "mode") &&
                 fabs(number_of(a, one, "threads") - number_of(b, other, "threads")) < 0.5;
    if (!match)
        return INFINITY;
    if (strcmp(fingerprint(a, bytes), fingerprint(b, others)) == 0)
        return 0;
    double share = fabs(bytes - others) / fmax(bytes, others);
    return force && share <= FORCED_NEAR ? share : INFINITY;
}

/* The cell of `b` that goes with `one` of `a`, or NULL. */
static const json_t *partner(const struct side *a, const json_t *one, const struct side *b, bool force)
{
    const json_t *best = NULL;
    double nearest = INFINITY;
    for (size_t i = 0; i < json_array_size(b->cells); i++) {
        const json_t *other = json_array_get(b->cells, i);
        double distance = apart(a, one, b, other, force);
        if (distance < nearest) {
            nearest = distance;
            best = other;
        }
    }
    return best;
}

/* Equal sizes of other content: the figures would tell of the payloads, not of the machines. */
static void refuse_other_payloads(const struct side *a, const struct side *b)
{
    size_t common = 0;
    for (size_t i = 0; i < json_array_size(a->sets); i++)
        for (size_t j = 0; j < json_array_size(b->sets); j++)
            common += strcmp(word_of(a, json_array_get(a->sets, i), "sha256"),
                             word_of(b, json_array_get(b->sets, j), "sha256")) == 0;
    if (common == 0)
        die(EXIT_BAD_INPUT,
            "%s and %s have no payloads in common (their fingerprints differ), so that their costs cannot be compared; "
            "--force compares similar sizes all the same",
            file_label(a->path), file_label(b->path));
}

struct tally {
    size_t cells, differ, left_out;
};

static void add_row(struct table *table, struct text *csv, const struct side *a, const json_t *one,
                    const struct side *b, const json_t *other, struct tally *tally)
{
    double left = number_of(a, one, "median_ns"), right = number_of(b, other, "median_ns");
    bool differs = number_of(a, one, "low_ns") > number_of(b, other, "high_ns") ||
                   number_of(a, one, "high_ns") < number_of(b, other, "low_ns");
    double bytes = number_of(a, one, "bytes"), threads = number_of(a, one, "threads");
    bool cold = strcmp(word_of(a, one, "mode"), "cold") == 0;
    char words[NUMBER_SIZE];
    tally->cells++;
    tally->differ += differs;
    if (csv != NULL) {
        text_csv(csv, word_of(a, one, "codec"));
        text_format(csv, ",%s,%.6g,%s,%.0f,", word_of(a, one, "direction"), bytes, word_of(a, one, "mode"), threads);
        text_csv_number(csv, left);
        text_say(csv, ",");
        text_csv_number(csv, right);
        text_say(csv, ",");
        text_csv_number(csv, left > 0 ? round(1e6 * right / left) / 1e6 : NAN);
        text_format(csv, ",%s\n", differs ? "true" : "false");
        return;
    }
    table_cell(table, "%s %s%s", word_of(a, one, "codec"), word_of(a, one, "direction"), cold ? ", cold" : "");
    table_cell(table, "%s", number_text(words, round(bytes)));
    table_cell(table, "%s", number_text(words, left < 100 ? round(10 * left) / 10 : round(left)));
    table_cell(table, "%s", number_text(words, right < 100 ? round(10 * right) / 10 : round(right)));
    if (left > 0 && isfinite(right))
        table_cell(table, "%.3f", right / left);
    else
        table_cell(table, "-");
    table_cell(table, "%s", differs ? "differs" : "");
}

static void heading(struct text *out, char letter, const struct side *side)
{
    const json_t *measured = json_object_get(side->root, "measured");
    const json_t *machine = json_object_get(side->root, "machine");
    const char *name = json_string_value(json_object_get(side->root, "name"));
    const char *date = json_string_value(json_object_get(machine, "date"));
    const char *quality = json_string_value(json_object_get(measured, "quality"));
    struct text line = {0};
    text_format(&line, "%c  %s: %s%s%s%s%s%s", letter, file_label(side->path), name != NULL ? name : "",
                date != NULL ? ", " : "", date != NULL ? date : "", quality != NULL ? ", quality " : "",
                quality != NULL ? quality : "",
                json_is_false(json_object_get(measured, "complete")) ? ", interrupted" : "");
    text_tame(line.start);
    text_wrap(out, line.start, 0);
    text_free(&line);
}

static void compare(struct text *out, const struct side *a, const struct side *b, bool force, bool csv)
{
    static const char *const headings[] = {"call", "bytes", "A ns", "B ns", "B / A", ""};
    struct table table;
    struct tally tally = {0, 0, 0};
    table_start(&table, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        table_cell(&table, "%s", headings[i]);
    if (csv) {
        text_say(out, "codec,direction,bytes,mode,threads,a_ns,b_ns,ratio,differs\n");
    } else {
        heading(out, 'A', a);
        heading(out, 'B', b);
        text_say(out, "\n");
    }
    for (size_t i = 0; i < json_array_size(a->cells); i++) {
        const json_t *one = json_array_get(a->cells, i), *other = partner(a, one, b, force);
        if (other != NULL)
            add_row(&table, csv ? out : NULL, a, one, b, other, &tally);
        else
            tally.left_out++;
    }
    if (tally.cells == 0)
        die(EXIT_BAD_INPUT, "%s and %s have no codec and size in common", file_label(a->path), file_label(b->path));
    struct text unused = {0};
    table_print(&table, csv ? &unused : out, true);
    text_free(&unused);
    if (csv)
        return;
    text_format(out, "\n%zu of %zu differ.", tally.differ, tally.cells);
    if (tally.left_out > 0)
        text_format(out, " %zu of A are not in B.", tally.left_out);
    text_say(out, "\n");
}

enum exit_code bench_compare(int count, char **arguments)
{
    bool force = false, csv = false;
    const char *output = NULL;
    const struct argument table[] = {
        {"force", 0, ARGUMENT_FLAG, &force, 0, 0, NULL},
        {"csv", 0, ARGUMENT_FLAG, &csv, 0, 0, NULL},
        {"output", 'o', ARGUMENT_WORD, &output, 0, 0, NULL},
        {NULL, 0, ARGUMENT_FLAG, NULL, 0, 0, NULL},
    };
    size_t words = arguments_parse("bench compare", help, table, count, arguments);
    if (words != 2)
        die(EXIT_BAD_INPUT, "bench compare takes two profiles, found %zu; see \"cachecast bench compare --help\"",
            words);
    if (strcmp(arguments[1], "-") == 0 && strcmp(arguments[2], "-") == 0)
        die(EXIT_BAD_INPUT, "\"-\" (standard input) can be read only once");
    output_check(output);
    struct side a = read_side(arguments[1]), b = read_side(arguments[2]);
    if (!force)
        refuse_other_payloads(&a, &b);
    struct text out = {.color = output_color(output)};
    compare(&out, &a, &b, force, csv);
    output_write(output, &out);
    text_free(&out);
    json_decref(a.root);
    json_decref(b.root);
    return EXIT_OK;
}
