#include <cachecast.h>
#include <stdio.h>

int main(void)
{
    puts(cc_version());
    return 0;
}
