/* Exits with 1 if this CPU lacks the instruction set that is asked for. */
#include "dispatch/cpu.h"

int main(void)
{
    return (strew_cpu_features() & STREW_ASKED) == 0;
}
