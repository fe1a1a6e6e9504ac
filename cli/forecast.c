/* cachecast forecast: the cells of a benchmark that was not run, from a profile. */
#include "forecast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cachecast.h"
#include "commands.h"
#include "files.h"
#include "io/units.h"
#include "table.h"

#define OPERATIONS 8000u /* simulated for each cell */
#define SLICE 1000000u

static void write_scenario(struct text *text, const struct forecast_setting *setting)
{
    size_t each = OPERATIONS / setting->threads < 200 ? 200 : OPERATIONS / setting->threads;
    text_format(text,
                "{\"name\": \"forecast\", \"duration\": \"30d\", \"interval\": \"1h\", \"workload\": {\"arrivals\": "
                "{\"process\": \"closed\", \"clients\": %zu, \"requests_per_client\": %zu}, \"keys\": "
                "{\"popularity\": \"client\"}, \"operation\": \"put_get\", \"value_size\": %zu}, ",
                setting->threads, each, setting->bytes);
    text_format(text, "\"host\": {\"layout\": \"%s\", \"cores\": ", setting->apart ? "store_apart" : "one");
    if (setting->cores > 0)
        text_format(text, "%zu", setting->cores);
    else
        text_say(text, "null");
    text_format(text,
                "}, \"l2\": {\"ttl\": null, \"connection\": {\"mode\": \"%s\", \"count\": %zu, \"round_trip\": "
                "\"%lluns\", \"threshold\": %zu, \"bandwidth\": ",
                setting->pool ? "pool" : "shared", setting->connections, (unsigned long long)setting->round_trip,
                setting->threshold);
    if (setting->bandwidth > 0)
        text_format(text, "%.0f", setting->bandwidth);
    else
        text_say(text, "null");
    text_say(text, ", \"codec\": ");
    text_json_string(text, setting->codec);
    text_say(text, "}}}");
}

/* Errors within the profile name its file themselves, since that is where they were laid from. */
static _Noreturn void refuse(const char *file, const cc_error *error)
{
    enum exit_code code = error->status == CC_BAD_INPUT ? EXIT_BAD_INPUT : EXIT_TROUBLE;
    if (strncmp(error->message, file, strlen(file)) == 0)
        die(code, "%s", error->message);
    die(code, "%s: %s", file, error->message);
}

static double metric(const cc_run *run, const char *name) { return cc_run_metric(run, cc_metric_find(name), NULL); }

void forecast_run(const char *file, const struct text *profile, const struct forecast_setting *setting,
                  struct forecast *forecast)
{
    struct text text = {0};
    cc_error error = {0};
    write_scenario(&text, setting);
    const cc_override override = {.path = "profile", .value = profile->start, .origin = file};
    cc_scenario *scenario = cc_scenario_parse(text.start, text.length,
                                              &(cc_parse_options){.overrides = &override, .override_count = 1}, &error);
    if (scenario == NULL)
        refuse(file, &error);
    cc_run *run = cc_run_new(scenario, 0, &error);
    cc_status status = run != NULL ? CC_MORE : error.status;
    while (status == CC_MORE)
        status = cc_run_advance(run, SLICE, &error);
    if (status != CC_OK)
        refuse(file, &error);
    if (cc_run_progress(run) >= 1 && metric(run, "elapsed_s") >= 30 * 86400)
        die(EXIT_BAD_INPUT, "%s: at these costs %u operations take longer than 30 days", file, OPERATIONS);
    *forecast = (struct forecast){
        .p50 = 1e3 * metric(run, "latency.p50_ms"),
        .p95 = 1e3 * metric(run, "latency.p95_ms"),
        .p99 = 1e3 * metric(run, "latency.p99_ms"),
        .set_p50 = 1e3 * metric(run, "l2.set.p50_ms"),
        .get_p50 = 1e3 * metric(run, "l2.get.p50_ms"),
        .throughput = metric(run, "throughput_per_s"),
        .client_cpu = metric(run, "client.cpu_us_per_request"),
        .server_cpu = metric(run, "l2.cpu_us_per_request"),
        .codec_cpu = metric(run, "codec.cpu_us_per_request"),
        .stored = metric(run, "l2.stored_bytes"),
        .host = metric(run, "host.utilization"),
        .connection = metric(run, "connection.utilization"),
        .store = metric(run, "l2.utilization"),
    };
    cc_run_free(run);
    cc_scenario_free(scenario);
    text_free(&text);
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

static const char usage[] = "Usage: cachecast forecast --profile FILE [OPTION...]\n"
                            "\n"
                            "Simulates threads that SET and GET values over connections to a store, at the\n"
                            "costs of a measured profile (see \"cachecast bench redis --calibrate\"): latency of\n"
                            "set+get with any number of threads, link and codec.\n"
                            "\n"
                            "  --profile FILE      the profile\n"
                            "  --threads LIST      threads of the client (1,8,32)\n"
                            "  --sizes LIST        bytes of a value (1KiB,50KiB,500KiB)\n"
                            "  --codecs LIST       none or codecs of the profile (none,lz4,snappy)\n"
                            "  --connections LIST  connections (1)\n"
                            "  --mode MODE         shared (default) or pool\n"
                            "  --threshold BYTES   leave smaller values uncompressed (0)\n"
                            "  --round-trip TIME   the network's round trip (0s)\n"
                            "  --bandwidth BYTES   a second, each way (unlimited)\n"
                            "  --cores N           cores of the machine (those of the profile)\n"
                            "  --store-apart       the store has a machine of its own\n"
                            "      --json, --csv   for programs; times in microseconds\n"
                            "  -o, --output FILE   write there, in full or not at all\n"
                            "  -h, --help          this help\n"
                            "\n"
                            "Examples:\n"
                            "  cachecast forecast --profile here.json --threads 32\n"
                            "  cachecast forecast --profile here.json --sizes 50KiB --bandwidth 125MB\n";

static void fill(struct argument_list *list, size_t count, const size_t *values)
{
    if (list->count > 0)
        return;
    memcpy(list->values, values, count * sizeof *values);
    list->count = count;
}

static void heading(struct table *table)
{
    static const char *const names[] = {"size", "codec",  "threads", "conns", "p50 us",
                                        "p95",  "p99 us", "ops/s",   "CPU us"};
    table_start(table, sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        table_cell(table, "%s", names[i]);
}

static void write_row(struct table *table, const struct forecast_setting *setting, const struct forecast *f)
{
    char words[NUMBER_SIZE], size[CC_DURATION_TEXT];
    const double numbers[] = {f->p50, f->p95, f->p99, f->throughput, f->client_cpu + f->server_cpu};
    cc_bytes_text(setting->bytes, size);
    table_cell(table, "%s", size);
    table_cell(table, "%s", setting->codec);
    table_cell(table, "%zu", setting->threads);
    table_cell(table, "%zu", setting->connections);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        table_cell(table, "%s", number_text(words, numbers[i] >= 100 ? round(numbers[i]) : numbers[i]));
}

static void write_pair(struct text *out, const char *name, double number, bool json)
{
    if (json) {
        text_format(out, ", \"%s\": ", name);
        text_json_number(out, number);
    } else {
        text_say(out, ",");
        text_csv_number(out, number);
    }
}

static const char csv_heading[] = "bytes,codec,threads,connections,p50_us,p95_us,p99_us,set_p50_us,get_p50_us,"
                                  "operations_per_s,client_cpu_us,server_cpu_us,codec_cpu_us,stored_bytes,"
                                  "host_utilization,connection_utilization,store_utilization\n";

static void write_cell(struct text *out, const struct forecast_setting *setting, const struct forecast *f, bool json)
{
    const struct {
        const char *name;
        double number;
    } numbers[] = {
        {"p50_us", f->p50},
        {"p95_us", f->p95},
        {"p99_us", f->p99},
        {"set_p50_us", f->set_p50},
        {"get_p50_us", f->get_p50},
        {"operations_per_s", f->throughput},
        {"client_cpu_us", f->client_cpu},
        {"server_cpu_us", f->server_cpu},
        {"codec_cpu_us", f->codec_cpu},
        {"stored_bytes", f->stored},
        {"host_utilization", f->host},
        {"connection_utilization", f->connection},
        {"store_utilization", f->store},
    };
    text_format(out, json ? "  {\"bytes\": %zu, \"codec\": " : "%zu,", setting->bytes);
    if (json)
        text_json_string(out, setting->codec);
    else
        text_csv(out, setting->codec);
    text_format(out, json ? ", \"threads\": %zu, \"connections\": %zu" : ",%zu,%zu", setting->threads,
                setting->connections);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        write_pair(out, numbers[i].name, numbers[i].number, json);
    text_say(out, json ? "}" : "\n");
}

enum exit_code command_forecast(int count, char **arguments)
{
    static const char *const modes[] = {"shared", "pool", NULL};
    const char *file = NULL, *output = NULL;
    struct argument_list threads = {0}, sizes = {0}, connections = {0};
    struct argument_words codecs = {0};
    struct forecast_setting base = {0};
    unsigned mode = 0;
    size_t bandwidth = 0;
    bool json = false, csv = false;
    const struct argument table[] = {
        {"profile", 0, ARGUMENT_WORD, &file, 0, 0, NULL},
        {"threads", 0, ARGUMENT_COUNTS, &threads, 1, 10000, NULL},
        {"sizes", 0, ARGUMENT_SIZES, &sizes, 1, 1 << 30, NULL},
        {"codecs", 0, ARGUMENT_WORDS, &codecs, 0, 0, NULL},
        {"connections", 0, ARGUMENT_COUNTS, &connections, 1, 1024, NULL},
        {"mode", 0, ARGUMENT_CHOICE, &mode, 0, 0, modes},
        {"threshold", 0, ARGUMENT_BYTES, &base.threshold, 0, 1 << 30, NULL},
        {"round-trip", 0, ARGUMENT_DURATION, &base.round_trip, 0, 60e9, NULL},
        {"bandwidth", 0, ARGUMENT_BYTES, &bandwidth, 1, 1e15, NULL},
        {"cores", 0, ARGUMENT_COUNT, &base.cores, 1, 1024, NULL},
        {"store-apart", 0, ARGUMENT_FLAG, &base.apart, 0, 0, NULL},
        {"json", 0, ARGUMENT_FLAG, &json, 0, 0, NULL},
        {"csv", 0, ARGUMENT_FLAG, &csv, 0, 0, NULL},
        {"output", 'o', ARGUMENT_WORD, &output, 0, 0, NULL},
        {0},
    };
    if (arguments_parse("forecast", usage, table, count, arguments) > 0)
        die(EXIT_BAD_INPUT, "\"forecast\" takes options only, found \"%s\"", arguments[1]);
    if (file == NULL)
        die(EXIT_BAD_INPUT, "forecast needs --profile; see \"cachecast forecast --help\"");
    if (json && csv)
        die(EXIT_BAD_INPUT, "--json and --csv exclude each other");
    output_check(output);
    struct text profile = file_read(file), out = {.color = output_color(output)};
    fill(&threads, 3, (const size_t[]){1, 8, 32});
    fill(&sizes, 3, (const size_t[]){1 << 10, 50 << 10, 500 << 10});
    fill(&connections, 1, (const size_t[]){1});
    if (codecs.count == 0)
        codecs = (struct argument_words){{copy_text("none"), copy_text("lz4"), copy_text("snappy")}, 3};
    base.pool = mode == 1;
    base.bandwidth = (double)bandwidth;
    struct table rows;
    heading(&rows);
    text_say(&out, json ? "[\n" : csv ? csv_heading : "");
    bool first = true;
    for (size_t s = 0; s < sizes.count; s++)
        for (size_t k = 0; k < connections.count; k++)
            for (size_t c = 0; c < codecs.count; c++)
                for (size_t t = 0; t < threads.count; t++) {
                    struct forecast_setting setting = base;
                    struct forecast forecast;
                    setting.bytes = sizes.values[s];
                    setting.connections = connections.values[k];
                    setting.codec = codecs.words[c];
                    setting.threads = threads.values[t];
                    forecast_run(file, &profile, &setting, &forecast);
                    if (json && !first)
                        text_say(&out, ",\n");
                    first = false;
                    if (json || csv)
                        write_cell(&out, &setting, &forecast, json);
                    else
                        write_row(&rows, &setting, &forecast);
                }
    if (json)
        text_say(&out, "\n]\n");
    else if (!csv)
        table_print(&rows, &out, true);
    output_write(output, &out);
    for (size_t c = 0; c < codecs.count; c++)
        free(codecs.words[c]);
    text_free(&profile);
    text_free(&out);
    return EXIT_OK;
}
