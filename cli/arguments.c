/* A table of options read by getopt_long. */
#include "arguments.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cachecast.h"
#include "files.h"
#include "io/units.h"
#include "options.h"

#define OPTIONS_MAX 48u
#define LONG_ONLY 256 /* getopt_long's value of an option: its place behind this */

static _Noreturn void refuse(const struct argument *argument, const char *allowed, const char *found)
{
    die(EXIT_BAD_INPUT, "--%s: expected %s, found \"%s\"", argument->name, allowed, found);
}

static size_t read_count(const struct argument *argument, const char *words)
{
    char allowed[96];
    snprintf(allowed, sizeof allowed, "a whole number from %.0f to %.0f", argument->low, argument->high);
    char *end;
    errno = 0;
    unsigned long long value = strtoull(words, &end, 10);
    if (*words < '0' || *words > '9' || *end != '\0' || errno != 0 || (double)value < argument->low ||
        (double)value > argument->high)
        refuse(argument, allowed, words);
    return (size_t)value;
}

static size_t read_bytes(const struct argument *argument, const char *words)
{
    char low[CC_DURATION_TEXT], high[CC_DURATION_TEXT], allowed[128];
    cc_bytes_text((uint64_t)argument->low, low);
    cc_bytes_text((uint64_t)argument->high, high);
    snprintf(allowed, sizeof allowed, "bytes as in 1000, 1kB or 1KiB, from %s to %s", low, high);
    uint64_t value;
    if (cc_bytes_parse(words, &value) != CC_UNIT_OK || (double)value < argument->low || (double)value > argument->high)
        refuse(argument, allowed, words);
    return (size_t)value;
}

static uint64_t read_duration(const struct argument *argument, const char *words)
{
    char low[CC_DURATION_TEXT], high[CC_DURATION_TEXT], allowed[128];
    cc_duration_text((cc_time)argument->low, low);
    cc_duration_text((cc_time)argument->high, high);
    snprintf(allowed, sizeof allowed, "a duration as in 2s, 150ms or 40us, from %s to %s", low, high);
    cc_time value;
    if (cc_duration_parse(words, &value) != CC_UNIT_OK || (double)value < argument->low ||
        (double)value > argument->high)
        refuse(argument, allowed, words);
    return value;
}

static double read_number(const struct argument *argument, const char *words)
{
    char allowed[96], *end;
    snprintf(allowed, sizeof allowed, "a number from %g to %g", argument->low, argument->high);
    double value = strtod(words, &end);
    if (end == words || *end != '\0' || !isfinite(value) || value < argument->low || value > argument->high)
        refuse(argument, allowed, words);
    return value;
}

static unsigned read_choice(const struct argument *argument, const char *words)
{
    struct text allowed = {0};
    for (unsigned i = 0; argument->choices[i] != NULL; i++) {
        if (strcmp(argument->choices[i], words) == 0) {
            text_free(&allowed);
            return i;
        }
        text_format(&allowed, "%s%s",
                    i == 0                             ? ""
                    : argument->choices[i + 1] == NULL ? " or "
                                                       : ", ",
                    argument->choices[i]);
    }
    refuse(argument, allowed.start, words);
}

static void read_list(const struct argument *argument, const char *words)
{
    struct argument_list *list = argument->place;
    struct argument_words *strings = argument->place;
    bool plain = argument->kind == ARGUMENT_WORDS;
    size_t count = 0;
    char *copy = copy_text(words);
    for (char *at = copy, *comma; at != NULL; at = comma) {
        comma = strchr(at, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (count == ARGUMENT_LIST_MAX)
            die(EXIT_BAD_INPUT, "--%s: at most %u values are allowed", argument->name, ARGUMENT_LIST_MAX);
        if (*at == '\0')
            refuse(argument, "values separated by commas", words);
        if (plain)
            strings->words[count++] = copy_text(at);
        else
            list->values[count++] =
                argument->kind == ARGUMENT_COUNTS ? read_count(argument, at) : read_bytes(argument, at);
    }
    free(copy);
    if (plain)
        strings->count = count;
    else
        list->count = count;
}

static void read_value(const struct argument *argument, const char *words)
{
    switch (argument->kind) {
    case ARGUMENT_FLAG:
        *(bool *)argument->place = true;
        break;
    case ARGUMENT_COUNT:
        *(size_t *)argument->place = read_count(argument, words);
        break;
    case ARGUMENT_NUMBER:
        *(double *)argument->place = read_number(argument, words);
        break;
    case ARGUMENT_WORD:
        *(const char **)argument->place = words;
        break;
    case ARGUMENT_CHOICE:
        *(unsigned *)argument->place = read_choice(argument, words);
        break;
    case ARGUMENT_DURATION:
        *(uint64_t *)argument->place = read_duration(argument, words);
        break;
    case ARGUMENT_BYTES:
        *(size_t *)argument->place = read_bytes(argument, words);
        break;
    case ARGUMENT_COUNTS:
    case ARGUMENT_SIZES:
    case ARGUMENT_WORDS:
        read_list(argument, words);
        break;
    }
}

static _Noreturn void unknown(const char *command, const struct argument *table, const char *option)
{
    const char *names[OPTIONS_MAX];
    size_t count = 0;
    char word[40];
    for (; table[count].name != NULL; count++)
        names[count] = table[count].name;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(option + 2, "="), option + 2);
    const char *near = nearest(word, names, count);
    if (near != NULL && strcmp(near, word) != 0)
        die(EXIT_BAD_INPUT, "unknown option --%s; did you mean --%s?", word, near);
    die(EXIT_BAD_INPUT, "unknown option --%s; see \"cachecast %s --help\"", word, command);
}

size_t arguments_parse(const char *command, const char *help, const struct argument *table, int count, char **arguments)
{
    struct option longs[OPTIONS_MAX + 2] = {{0}};
    char letters[2 * OPTIONS_MAX + 4] = ":h";
    size_t options = 0;
    for (; table[options].name != NULL; options++) {
        bool valued = table[options].kind != ARGUMENT_FLAG;
        longs[options] = (struct option){table[options].name, valued ? required_argument : no_argument, NULL,
                                         LONG_ONLY + (int)options};
        if (table[options].letter != 0) {
            size_t end = strlen(letters);
            letters[end] = table[options].letter;
            letters[end + 1] = valued ? ':' : '\0';
            letters[end + 2] = '\0';
        }
    }
    longs[options] = (struct option){"help", no_argument, NULL, 'h'};
    opterr = 0;
    optind = 1;
    for (int found; (found = getopt_long(count, arguments, letters, longs, NULL)) != -1;) {
        const char *word = optind > 0 && optind <= count ? arguments[optind - 1] : "";
        bool is_long = strncmp(word, "--", 2) == 0 && word[2] != '\0';
        if (found == ':')
            die(EXIT_BAD_INPUT, "option %s needs a value; see \"cachecast %s --help\"", word, command);
        if (found == '?' && is_long && optopt != 0)
            die(EXIT_BAD_INPUT, "option %.*s takes no value", (int)strcspn(word, "="), word);
        if (found == '?' && is_long)
            unknown(command, table, word);
        if (found == '?')
            die(EXIT_BAD_INPUT, "unknown option -%c; see \"cachecast %s --help\"", optopt, command);
        if (found == 'h') {
            struct text out = {0};
            text_say(&out, help);
            output_write(NULL, &out);
            exit(EXIT_OK);
        }
        for (size_t i = 0; i < options; i++)
            if (found == LONG_ONLY + (int)i || (found < LONG_ONLY && found == table[i].letter))
                read_value(&table[i], optarg);
    }
    size_t words = 0;
    for (int i = optind; i < count; i++)
        arguments[1 + words++] = arguments[i];
    return words;
}
