/* cmocka with what it needs included before it; the blank line keeps the formatter from sorting it in. */
#ifndef CC_TESTS_UNIT_H
#define CC_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
