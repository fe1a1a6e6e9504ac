/* The commands. Each returns the exit code. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "jobs.h"

enum exit_code command_run(const struct options *options);
enum exit_code command_compare(const struct options *options);
enum exit_code command_verify(const struct options *options);
enum exit_code command_explain(const struct options *options);
enum exit_code command_link(const struct options *options);
enum exit_code command_schema(const struct options *options);
/* With options of their own; arguments[0] is the command. */
enum exit_code command_bench(int count, char **arguments);
enum exit_code command_forecast(int count, char **arguments);
enum exit_code command_advise(int count, char **arguments);

#endif
