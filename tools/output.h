/*
 * An output file that appears as a whole or not at all: it is written to a temporary file beside its place, and
 * moved there once it is complete.
 *
 *   - An old file stays as it is until then. The new one has its permissions, or else the system's default ones.
 *   - Links are followed: the file that they lead to is replaced, and they stay.
 *   - Devices and pipes, and links in /dev and /proc such as /dev/stdout, are written directly.
 *   - SIGHUP, SIGINT and SIGTERM remove the temporary file before they end the process, unless the process handles
 *     them itself. On Windows it stays.
 */
#ifndef STREW_TOOLS_OUTPUT_H
#define STREW_TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

enum { OUTPUT_PATH_ROOM = 4096 };

typedef struct output_file {
    FILE *stream;
    char path[OUTPUT_PATH_ROOM];   /* the target of links */
    char beside[OUTPUT_PATH_ROOM]; /* the temporary file; "" if it is written directly */
} output_file;

/* Both return false, with errno, if the file cannot be opened or written. One at a time is open. */
bool output_open(output_file *self, const char *path);
/* The caller says whether it has written everything; if not, errno stays as it is, and so does the old file. */
bool output_close(output_file *self, bool complete);

#endif
