#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

atomic_int interrupted;

static void on_signal(int signal)
{
    (void)signal;
    atomic_store(&interrupted, 1);
}

void interrupt_catch(void)
{
    struct sigaction action = {0};
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
