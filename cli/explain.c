/* cachecast explain and cachecast schema: texts that the library makes. */
#include <string.h>

#include "commands.h"

static enum exit_code print(const struct options *options, char *made)
{
    if (made == NULL)
        die(EXIT_TROUBLE, "out of memory");
    struct text out = {0};
    text_say(&out, made);
    if (out.length > 0 && out.start[out.length - 1] != '\n')
        text_say(&out, "\n");
    cc_text_free(made, NULL);
    output_write(options->output, &out);
    text_free(&out);
    return EXIT_OK;
}

enum exit_code command_explain(const struct options *options)
{
    cc_scenario *scenario = scenario_load(options->paths.names[0], options);
    enum exit_code code = print(options, cc_scenario_explain(scenario));
    cc_scenario_free(scenario);
    return code;
}

enum exit_code command_schema(const struct options *options) { return print(options, cc_schema()); }
