#define _POSIX_C_SOURCE 200809L

#include "clock.h"

#include <time.h>
#ifdef _WIN32
#include <windows.h>
#endif

double clock_seconds(void)
{
#ifdef _WIN32
    LARGE_INTEGER ticks, ticks_a_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&ticks_a_second);
    return (double)ticks.QuadPart / (double)ticks_a_second.QuadPart;
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
#endif
}
