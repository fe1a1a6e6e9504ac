/* cachecast advise codec: from which size of value compression pays, and with which codec, on a measured machine. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "files.h"
#include "forecast.h"
#include "io/units.h"
#include "json.h"
#include "table.h"
#ifdef CACHECAST_MEASURES
#include "codec.h"
#include "payload.h"
#endif

#define CLASSES 8u
#define CODECS 16u
#define BETTER 0.99 /* a codec that gains less than 1 % is not worth its code */

enum objective { MINIMISE_P95, MINIMISE_CPU, MINIMISE_BYTES };
static const char *const objectives[] = {"p95", "cpu", "bytes", NULL};
static const char *const units[] = {"us", "us", "B"};

struct size_class {
    size_t bytes;
    double share;          /* of the values */
    double stored[CODECS]; /* measured on the user's payloads; NaN: what the profile says */
};

struct advice {
    const char *file;
    struct text text; /* the profile's */
    json_t *profile;
    const char *codecs[CODECS]; /* [0] is none */
    size_t codec_count;
    struct size_class classes[CLASSES];
    size_t class_count;
    struct forecast_setting setting;
    unsigned objective;
};

struct decision {
    size_t codec;     /* 0: none */
    size_t threshold; /* the class from which it is used */
    double gain;      /* objective with it over that without, both averaged over the values */
};

static const char usage[] = "Usage: cachecast advise codec --profile FILE [OPTION...]\n"
                            "\n"
                            "From which size compression pays, and with which codec: forecasts set+get for each\n"
                            "codec of a measured profile and size of value, and takes what minimises the\n"
                            "objective over all values. Shows the table behind it and what would change it.\n"
                            "\n"
                            "  --profile FILE      the profile (cachecast bench codec, bench redis --calibrate)\n"
                            "  --minimise WHAT     p95 (default), cpu (processor time) or bytes (memory, link)\n"
                            "  --threads N         threads of the client (32)\n"
                            "  --connections N     connections that they share (1)\n"
                            "  --round-trip TIME   the network's round trip (0s)\n"
                            "  --bandwidth BYTES   a second, each way (unlimited)\n"
                            "  --cores N           cores of the machine (those of the profile)\n"
                            "  --store-apart       the store has a machine of its own\n"
                            "  --sizes LIST        bytes of the values, equally frequent (256,1KiB,4KiB,16KiB,\n"
                            "                      64KiB,256KiB)\n"
                            "  --payloads DIR      your own values: their sizes, and what the codecs make of them\n"
                            "      --json          for programs\n"
                            "  -o, --output FILE   write there, in full or not at all\n"
                            "  -h, --help          this help\n"
                            "\n"
                            "Examples:\n"
                            "  cachecast advise codec --profile here.json --threads 32 --bandwidth 125MB\n"
                            "  cachecast advise codec --profile here.json --payloads values/ --minimise cpu\n";

static void read_profile(struct advice *advice)
{
    json_error_t error;
    advice->text = file_read(advice->file);
    advice->profile = json_loadb(advice->text.start, advice->text.length, JSON_REJECT_DUPLICATES, &error);
    if (advice->profile == NULL)
        die(EXIT_BAD_INPUT, "%s:%d:%d: %s", advice->file, error.line, error.column, error.text);
    advice->codecs[advice->codec_count++] = "none";
    size_t i;
    json_t *codec;
    json_array_foreach(json_object_get(advice->profile, "codecs"), i, codec)
    {
        const char *name = json_string_value(json_object_get(codec, "name"));
        if (name != NULL && strcmp(name, "none") != 0 && advice->codec_count < CODECS)
            advice->codecs[advice->codec_count++] = name;
    }
    if (advice->codec_count == 1)
        die(EXIT_BAD_INPUT, "%s: /codecs: has no codec besides none; measure some with \"cachecast bench codec\"",
            advice->file);
}

static void take_sizes(struct advice *advice, const struct argument_list *sizes)
{
    if (sizes->count > CLASSES)
        die(EXIT_BAD_INPUT, "--sizes: at most %u sizes are allowed", CLASSES);
    for (size_t i = 0; i < sizes->count; i++) {
        struct size_class *class = &advice->classes[advice->class_count++];
        class->bytes = sizes->values[i];
        class->share = 1 / (double)sizes->count;
        for (size_t c = 0; c < CODECS; c++)
            class->stored[c] = NAN;
    }
    for (size_t i = 1; i < advice->class_count; i++)
        if (advice->classes[i].bytes <= advice->classes[i - 1].bytes)
            die(EXIT_BAD_INPUT, "--sizes: must ascend");
}

#ifdef CACHECAST_MEASURES
static double mean_stored(const struct payload_set *set, const char *name)
{
    const struct codec *codec = codec_find(name);
    if (codec == NULL)
        return NAN; /* a profile may hold codecs that this build has not */
    struct codec_state *state = codec_state_new(codec);
    size_t room = codec_bound(codec, set->most);
    unsigned char *out = grow(NULL, room, 1);
    double sum = 0;
    for (size_t i = 0; i < set->count && state != NULL; i++)
        sum += (double)codec_compress(state, set->items[i].bytes, set->items[i].size, out, room);
    if (state == NULL)
        die(EXIT_TROUBLE, "out of memory");
    codec_state_free(state);
    free(out);
    return sum / (double)set->count;
}

static void take_payloads(struct advice *advice, const char *directory)
{
    char problem[512];
    struct payload_set all, classes[CLASSES];
    if (!payload_set_read(&all, directory, problem, sizeof problem))
        die(EXIT_BAD_INPUT, "--payloads: %s", problem);
    advice->class_count = payload_set_classes(&all, classes, CLASSES);
    if (advice->class_count == 0)
        die(EXIT_TROUBLE, "out of memory");
    for (size_t i = 0; i < advice->class_count; i++) {
        struct size_class *class = &advice->classes[i];
        class->bytes = classes[i].total / classes[i].count;
        class->share = (double)classes[i].count / (double)all.count;
        for (size_t c = 1; c < advice->codec_count; c++)
            class->stored[c] = mean_stored(&classes[i], advice->codecs[c]);
        payload_set_free(&classes[i]);
    }
    payload_set_free(&all);
}
#endif

/* The profile with what the codec stores multiplied by `factor`. */
static struct text with_ratio(const struct advice *advice, const char *name, double factor)
{
    struct text text = {0};
    json_t *copy = json_deep_copy(advice->profile), *codec, *knot;
    size_t i, j;
    if (copy == NULL)
        die(EXIT_TROUBLE, "out of memory");
    json_array_foreach(json_object_get(copy, "codecs"), i, codec)
    {
        const char *found = json_string_value(json_object_get(codec, "name"));
        if (found == NULL || strcmp(found, name) != 0)
            continue;
        json_array_foreach(json_object_get(codec, "knots"), j, knot) json_object_set_new(
            knot, "stored", json_short(factor * json_number_value(json_object_get(knot, "stored"))));
    }
    text_json_value(&text, copy, 0);
    json_decref(copy);
    return text;
}

static struct forecast one(const struct advice *advice, const struct forecast_setting *base, size_t class, size_t codec)
{
    struct forecast_setting setting = *base;
    struct forecast forecast;
    setting.bytes = advice->classes[class].bytes;
    setting.codec = advice->codecs[codec];
    forecast_run(advice->file, &advice->text, &setting, &forecast);
    double wanted = advice->classes[class].stored[codec];
    if (codec > 0 && isfinite(wanted) && forecast.stored > 0) {
        struct text text = with_ratio(advice, advice->codecs[codec], wanted / forecast.stored);
        forecast_run(advice->file, &text, &setting, &forecast);
        text_free(&text);
    }
    return forecast;
}

static double objective_of(const struct forecast *forecast, unsigned objective)
{
    return objective == MINIMISE_P95   ? forecast->p95
           : objective == MINIMISE_CPU ? forecast->client_cpu + forecast->server_cpu
                                       : forecast->stored;
}

static void forecast_all(const struct advice *advice, const struct forecast_setting *setting,
                         struct forecast table[CLASSES][CODECS])
{
    for (size_t i = 0; i < advice->class_count; i++)
        for (size_t c = 0; c < advice->codec_count; c++)
            table[i][c] = one(advice, setting, i, c);
}

/* Averages the objective over the values relative to no codec, so that large values do not decide alone. */
static struct decision decide(const struct advice *advice, struct forecast table[CLASSES][CODECS])
{
    struct decision best = {.threshold = advice->class_count, .gain = 1};
    for (size_t c = 1; c < advice->codec_count; c++) {
        double gain = 1, sum = 0;
        size_t threshold = advice->class_count;
        for (size_t i = advice->class_count; i-- > 0;) {
            double ratio =
                objective_of(&table[i][c], advice->objective) / objective_of(&table[i][0], advice->objective);
            if (!(ratio < BETTER))
                break;
            sum += advice->classes[i].share * log(ratio);
            gain = exp(sum);
            threshold = i;
        }
        if (gain < best.gain)
            best = (struct decision){c, threshold, gain};
    }
    return best;
}

static void say(struct text *out, const struct advice *advice, const struct decision *decision)
{
    char size[CC_DURATION_TEXT];
    if (decision->codec == 0) {
        text_say(out, "no compression");
        return;
    }
    cc_bytes_text(advice->classes[decision->threshold].bytes, size);
    text_format(out, "%s from %s on", advice->codecs[decision->codec], size);
    text_format(out, " (%s %.0f %% lower on average)", objectives[advice->objective], 100 * (1 - decision->gain));
}

/* ---- what would change it ----------------------------------------------------------------------------------------- */

struct change {
    const char *words;
    struct forecast_setting setting;
};

static size_t changes(const struct advice *advice, struct change *list)
{
    const struct forecast_setting *base = &advice->setting;
    size_t count = 0;
    struct change change = {"with one thread", *base};
    if (base->threads > 1) {
        change.setting.threads = 1;
        list[count++] = change;
    }
    change = (struct change){"with four times the threads", *base};
    change.setting.threads = base->threads * 4;
    list[count++] = change;
    change = (struct change){"with 8 times the cores", *base};
    change.setting.cores = 8 * base->cores;
    if (base->cores > 0)
        list[count++] = change;
    change = (struct change){"with a link of 1 Gbit/s", *base};
    change.setting.bandwidth = 125e6;
    if (base->bandwidth <= 0 || base->bandwidth > 125e6)
        list[count++] = change;
    change = (struct change){"with a link of 200 Mbit/s", *base};
    change.setting.bandwidth = 25e6;
    if (base->bandwidth <= 0 || base->bandwidth > 25e6)
        list[count++] = change;
    change = (struct change){"without a limit of the link", *base};
    change.setting.bandwidth = 0;
    if (base->bandwidth > 0)
        list[count++] = change;
    change = (struct change){"with four times the connections", *base};
    change.setting.connections = base->connections * 4;
    list[count++] = change;
    change = (struct change){"with the store on a machine of its own", *base};
    change.setting.apart = true;
    if (!base->apart)
        list[count++] = change;
    return count;
}

static void write_table(struct text *out, const struct advice *advice, struct forecast rows[CLASSES][CODECS])
{
    struct table table;
    char words[NUMBER_SIZE], size[CC_DURATION_TEXT];
    table_start(&table, 2 + advice->codec_count);
    table_cell(&table, "%s of set+get, %s", objectives[advice->objective], units[advice->objective]);
    table_cell(&table, "share");
    for (size_t c = 0; c < advice->codec_count; c++)
        table_cell(&table, "%s", advice->codecs[c]);
    for (size_t i = 0; i < advice->class_count; i++) {
        cc_bytes_text(advice->classes[i].bytes, size);
        table_cell(&table, "%s", size);
        table_cell(&table, "%.0f %%", 100 * advice->classes[i].share);
        size_t least = 0;
        for (size_t c = 1; c < advice->codec_count; c++)
            if (objective_of(&rows[i][c], advice->objective) < objective_of(&rows[i][least], advice->objective))
                least = c;
        for (size_t c = 0; c < advice->codec_count; c++) {
            double value = objective_of(&rows[i][c], advice->objective);
            table_cell(&table, "%s%s", c == least ? "*" : "", number_text(words, value >= 100 ? round(value) : value));
        }
    }
    table_print(&table, out, true);
}

static void write_json(struct text *out, const struct advice *advice, struct forecast rows[CLASSES][CODECS],
                       const struct decision *decision)
{
    text_format(out, "{\n  \"minimise\": \"%s\",\n  \"codec\": ", objectives[advice->objective]);
    text_json_string(out, advice->codecs[decision->codec]);
    text_say(out, ",\n  \"threshold\": ");
    if (decision->codec == 0)
        text_say(out, "null");
    else
        text_format(out, "%zu", advice->classes[decision->threshold].bytes);
    text_say(out, ",\n  \"relative\": ");
    text_json_number(out, decision->gain);
    text_say(out, ",\n  \"table\": [");
    for (size_t i = 0; i < advice->class_count; i++)
        for (size_t c = 0; c < advice->codec_count; c++) {
            const struct forecast *f = &rows[i][c];
            text_format(out, "%s\n    {\"bytes\": %zu, \"share\": ", i + c > 0 ? "," : "", advice->classes[i].bytes);
            text_json_number(out, advice->classes[i].share);
            text_say(out, ", \"codec\": ");
            text_json_string(out, advice->codecs[c]);
            const struct {
                const char *name;
                double number;
            } numbers[] = {{"p50_us", f->p50},
                           {"p95_us", f->p95},
                           {"cpu_us", f->client_cpu + f->server_cpu},
                           {"stored_bytes", f->stored}};
            for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
                text_format(out, ", \"%s\": ", numbers[n].name);
                text_json_number(out, numbers[n].number);
            }
            text_say(out, "}");
        }
    text_say(out, "\n  ]\n}\n");
}

static void read_options(struct advice *advice, const char **output, bool *json, int count, char **arguments)
{
    const char *directory = NULL;
    struct argument_list sizes = {0};
    size_t bandwidth = 0;
    advice->setting = (struct forecast_setting){.threads = 32, .connections = 1};
    const struct argument table[] = {
        {"profile", 0, ARGUMENT_WORD, &advice->file, 0, 0, NULL},
        {"minimise", 0, ARGUMENT_CHOICE, &advice->objective, 0, 0, objectives},
        {"threads", 0, ARGUMENT_COUNT, &advice->setting.threads, 1, 10000, NULL},
        {"connections", 0, ARGUMENT_COUNT, &advice->setting.connections, 1, 1024, NULL},
        {"round-trip", 0, ARGUMENT_DURATION, &advice->setting.round_trip, 0, 60e9, NULL},
        {"bandwidth", 0, ARGUMENT_BYTES, &bandwidth, 1, 1e15, NULL},
        {"cores", 0, ARGUMENT_COUNT, &advice->setting.cores, 1, 128, NULL},
        {"store-apart", 0, ARGUMENT_FLAG, &advice->setting.apart, 0, 0, NULL},
        {"sizes", 0, ARGUMENT_SIZES, &sizes, 1, 1 << 30, NULL},
        {"payloads", 0, ARGUMENT_WORD, &directory, 0, 0, NULL},
        {"json", 0, ARGUMENT_FLAG, json, 0, 0, NULL},
        {"output", 'o', ARGUMENT_WORD, output, 0, 0, NULL},
        {0},
    };
    if (arguments_parse("advise codec", usage, table, count, arguments) > 0)
        die(EXIT_BAD_INPUT, "\"advise codec\" takes options only, found \"%s\"", arguments[1]);
    if (advice->file == NULL)
        die(EXIT_BAD_INPUT, "advise codec needs --profile; see \"cachecast advise codec --help\"");
    if (directory != NULL && sizes.count > 0)
        die(EXIT_BAD_INPUT, "--payloads and --sizes exclude each other");
    output_check(*output);
    advice->setting.bandwidth = (double)bandwidth;
    read_profile(advice);
    /* For what would change with more of them, the profile's number has to be known. */
    if (advice->setting.cores == 0)
        advice->setting.cores =
            (size_t)json_integer_value(json_object_get(json_object_get(advice->profile, "host"), "cores"));
    if (sizes.count == 0)
        sizes = (struct argument_list){{256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10}, 6};
    if (directory == NULL)
        take_sizes(advice, &sizes);
#ifdef CACHECAST_MEASURES
    else
        take_payloads(advice, directory);
#else
    else
        die(EXIT_BAD_INPUT, "--payloads: this build has no codecs to try on them; give --sizes");
#endif
}

enum exit_code command_advise(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "", *output = NULL;
    bool json = false;
    static struct advice advice;
    static struct forecast rows[CLASSES][CODECS], other[CLASSES][CODECS];
    if (strcmp(what, "codec") != 0 && strcmp(what, "-h") != 0 && strcmp(what, "--help") != 0)
        die(EXIT_BAD_INPUT, "advise: expected codec, found \"%s\"; see \"cachecast advise codec --help\"", what);
    if (strcmp(what, "codec") == 0) {
        count--;
        arguments++;
    }
    read_options(&advice, &output, &json, count, arguments);
    struct text out = {.color = output_color(output)};
    forecast_all(&advice, &advice.setting, rows);
    struct decision decision = decide(&advice, rows);
    if (json) {
        write_json(&out, &advice, rows, &decision);
    } else {
        write_table(&out, &advice, rows);
        text_format(&out, "\n%sAdvice: ", style_bold(&out));
        say(&out, &advice, &decision);
        text_format(&out, "%s\n\nWhat would change it:\n", style_end(&out));
        struct change list[10];
        size_t changes_count = changes(&advice, list), told = 0;
        for (size_t i = 0; i < changes_count; i++) {
            forecast_all(&advice, &list[i].setting, other);
            struct decision then = decide(&advice, other);
            if (then.codec == decision.codec && then.threshold == decision.threshold)
                continue;
            text_format(&out, "  %s: ", list[i].words);
            say(&out, &advice, &then);
            text_say(&out, "\n");
            told++;
        }
        if (told == 0)
            text_say(&out, "  nothing of what was tried: more or fewer threads, connections, cores, less bandwidth\n");
    }
    output_write(output, &out);
    text_free(&out);
    text_free(&advice.text);
    json_decref(advice.profile);
    return EXIT_OK;
}
