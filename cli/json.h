/* JSON values as indented text. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>

#include "text.h"

/* In the order of their keys as made or read, with what lies within indented by two more spaces. */
void text_json_value(struct text *text, const json_t *value, size_t indent);
/* A real number of at most six significant digits. Never NULL. */
json_t *json_short(double number);

#endif
