/* Wall-clock time. */
#ifndef STREW_TOOLS_CLOCK_H
#define STREW_TOOLS_CLOCK_H

/* Seconds since some moment. */
double clock_seconds(void);

#endif
