/* The first SIGINT or SIGTERM asks long work to end and keep what is finished; the second ends the program at once. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdatomic.h>

extern atomic_int interrupted; /* not 0: asked */
void interrupt_catch(void);

#endif
