/* cachecast bench redis --calibrate: what a connection costs here, as a profile. */
#include "bench_redis.h"

#ifdef CACHECAST_MEASURES

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "clock.h"
#include "files.h"
#include "json.h"
#include "machine.h"
#include "progress.h"
#include "spawn.h"

static void set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        die(EXIT_TROUBLE, "out of memory");
}

static void append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        die(EXIT_TROUBLE, "out of memory");
}

static void costs(json_t *profile, const char *name, const struct redis_cost *list, size_t count)
{
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++)
        set(object, list[i].key, json_short(list[i].nanoseconds));
    set(profile, name, object);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void write_costs(json_t *profile, const struct calibration *c, unsigned cores)
{
    const struct redis_cost client[] = {{"submit_ns", c->client.submit}, {"signal_ns", c->client.signal},
                                        {"take_ns", c->client.take},     {"take_byte_ns", c->client.take_byte},
                                        {"turn_ns", c->client.turn},     {"write_ns", c->client.write},
                                        {"read_ns", c->client.read},     {"command_ns", c->client.command}};
    const struct redis_cost server[] = {{"turn_ns", c->server.turn},
                                        {"read_ns", c->server.read},
                                        {"write_ns", c->server.write},
                                        {"set_ns", c->server.set},
                                        {"get_ns", c->server.get}};
    const struct redis_cost host[] = {{"wake_ns", c->host.wake},        {"wake_cost_ns", c->host.wake_cost},
                                      {"switch_ns", c->host.turn_over}, {"slice_ns", c->host.slice},
                                      {"lead_ns", c->host.lead},        {"hot_ns", c->host.hot},
                                      {"spread", c->host.spread}};
    costs(profile, "client", client, COUNT(client));
    costs(profile, "server", server, COUNT(server));
    costs(profile, "host", host, COUNT(host));
    set(json_object_get(profile, "host"), "scan", json_boolean(c->host.scan));
    set(json_object_get(profile, "host"), "cores", json_integer((json_int_t)cores));
    json_t *bytes = json_array();
    for (uint32_t i = 0; i < c->byte_count; i++) {
        json_t *knot = json_object(), *depths = json_array();
        for (uint32_t j = 0; j < c->bytes[i].depth_count; j++) {
            const struct cc_byte_costs *b = &c->bytes[i].depths[j];
            json_t *depth = json_object();
            set(depth, "depth", json_short(b->depth));
            set(depth, "client_out_ns", json_short(b->client_out));
            set(depth, "client_in_ns", json_short(b->client_in));
            set(depth, "server_in_ns", json_short(b->server_in));
            set(depth, "server_out_ns", json_short(b->server_out));
            append(depths, depth);
        }
        set(knot, "bytes", json_short(c->bytes[i].bytes));
        set(knot, "depths", depths);
        append(bytes, knot);
    }
    set(profile, "bytes", bytes);
}

static json_t *measured(const struct calibration *c)
{
    json_t *object = json_object(), *samples = json_array();
    set(object, "server_version", json_string(c->server_version));
    set(object, "bound_to_one_core", json_boolean(c->one_core));
    set(object, "threads_bound", json_boolean(c->threads.pinned));
    set(object, "signal_busy_ns", json_short(c->threads.signal));
    set(object, "client_residual", json_short(c->client_residual));
    set(object, "server_residual", json_short(c->server_residual));
    set(object, "one_thread_p50_us", json_short(c->one_thread_p50));
    set(object, "one_thread_p95_us", json_short(c->one_thread_p95));
    for (size_t i = 0; i < c->sample_count; i++) {
        const struct calibration_sample *s = &c->samples[i];
        const struct redis_cost numbers[] = {
            {"wall_ns", s->wall},  {"caller_ns", s->caller}, {"io_ns", s->io},    {"server_ns", s->server},
            {"writes", s->writes}, {"reads", s->reads},      {"polls", s->polls}, {"server_reads", s->server_reads}};
        json_t *sample = json_object();
        set(sample, "command", json_string(s->set ? "SET" : "GET"));
        set(sample, "bytes", json_integer((json_int_t)s->bytes));
        set(sample, "depth", json_integer((json_int_t)s->depth));
        for (size_t j = 0; j < COUNT(numbers); j++)
            set(sample, numbers[j].key, json_short(numbers[j].nanoseconds));
        append(samples, sample);
    }
    set(object, "samples", samples);
    return object;
}

static void tell_machine(json_t *profile, const struct machine *machine)
{
    json_t *object = json_object();
    set(object, "cpu", json_string(machine->cpu));
    set(object, "cores", json_integer((json_int_t)machine->cores));
    set(object, "os", json_string(machine->os));
    set(object, "kernel", json_string(machine->kernel));
    set(object, "compiler", json_string(machine->compiler));
    set(object, "flags", json_string(machine->flags));
    set(object, "virtualisation", json_string(machine->virtualisation));
    set(object, "date", json_string(machine->date));
    set(profile, "machine", object);
}

/* The profile to add to, or a new one. */
static json_t *open_profile(const char *file, const struct machine *machine)
{
    json_t *profile;
    if (file == NULL) {
        profile = json_object();
        set(profile, "profile", json_integer(1));
        set(profile, "name", json_string(machine->cpu[0] != 0 ? machine->cpu : "this machine"));
        set(profile, "source", json_string("cachecast bench redis --calibrate"));
        tell_machine(profile, machine);
        set(profile, "codecs", json_array());
        return profile;
    }
    struct text text = file_read(file);
    json_error_t error;
    profile = json_loadb(text.start, text.length, JSON_REJECT_DUPLICATES, &error);
    text_free(&text);
    if (profile == NULL || !json_is_object(profile))
        die(EXIT_BAD_INPUT, "%s:%d:%d: %s", file, error.line, error.column,
            profile == NULL ? error.text : "a profile is a JSON object");
    if (json_integer_value(json_object_get(profile, "profile")) != 1 ||
        json_string_value(json_object_get(profile, "name")) == NULL)
        die(EXIT_BAD_INPUT, "%s: is no profile: \"profile\": 1 and \"name\" are needed", file);
    const char *cpu = json_string_value(json_object_get(json_object_get(profile, "machine"), "cpu"));
    if (cpu != NULL && strcmp(cpu, machine->cpu) != 0)
        die(EXIT_BAD_INPUT, "%s: was measured on \"%s\", this is \"%s\"; one profile is of one machine", file, cpu,
            machine->cpu);
    return profile;
}

struct shown {
    struct progress progress;
};

static void tick(void *context, double share)
{
    struct shown *shown = context;
    progress_say(&shown->progress, share, "one caller, pipelines");
}

static void summary(struct text *out, const struct calibration *c)
{
    text_format(out, "  caller      submit %.0f, signal %.0f, take %.0f ns\n", c->client.submit, c->client.signal,
                c->client.take);
    text_format(out, "  I/O thread  turn %.0f, write %.0f, read %.0f, command %.0f ns (residual %.1f %%)\n",
                c->client.turn, c->client.write, c->client.read, c->client.command, 100 * c->client_residual);
    text_format(out, "  server      turn %.0f, read %.0f, write %.0f, SET %.0f, GET %.0f ns (%.1f %%)\n",
                c->server.turn, c->server.read, c->server.write, c->server.set, c->server.get,
                100 * c->server_residual);
    text_format(out, "  threads     wake %.0f, its cost %.0f, change %.0f, lead %.0f ns\n", c->host.wake,
                c->host.wake_cost, c->host.turn_over, c->host.lead);
    text_format(out, "  one thread  set+get of 1 KiB: p50 %.1f, p95 %.1f us\n", c->one_thread_p50, c->one_thread_p95);
}

enum exit_code redis_calibrate(const struct redis_bench *bench, struct spawn *spawn, const atomic_int *stop)
{
    static struct calibration calibration;
    char problem[512] = "";
    struct machine machine;
    machine_read(&machine);
    json_t *profile = open_profile(bench->profile, &machine);
    struct shown shown = {0};
    progress_start(&shown.progress, bench->quiet);
    enum calibration_status status =
        calibrate(bench->host, (unsigned)bench->port, spawn != NULL ? spawn_process(spawn) : 0, stop, tick, &shown,
                  &calibration, problem, sizeof problem);
    progress_clear(&shown.progress);
    spawn_stop(spawn);
    if (status == CALIBRATION_FAILED && atomic_load(stop) == 0)
        die(EXIT_TROUBLE, "%s", problem);
    if (status != CALIBRATION_OK) {
        json_decref(profile);
        return EXIT_INTERRUPTED; /* half a calibration is none */
    }
    write_costs(profile, &calibration, machine.cores);
    json_t *notes = json_object_get(profile, "measured");
    if (!json_is_object(notes)) {
        set(profile, "measured", json_object());
        notes = json_object_get(profile, "measured");
    }
    set(notes, "redis", measured(&calibration));
    /* What was measured comes last, behind what is used. */
    json_incref(notes);
    json_object_del(profile, "measured");
    set(profile, "measured", notes);
    struct text out = {.color = output_color(bench->output)};
    if (bench->output == NULL && !bench->json) {
        summary(&out, &calibration);
    } else {
        text_json_value(&out, profile, 0);
        text_say(&out, "\n");
    }
    output_write(bench->output, &out);
    text_free(&out);
    json_decref(profile);
    return EXIT_OK;
}

#endif
