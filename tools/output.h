/*
 * A file that is there as a whole or not at all: it is written beside its place, and put there once it is complete.
 *
 *   - What is there before stays as it is until then. The new file has its permissions, or where there was none
 *     those that the system gives to new files.
 *   - Links are followed: the file that they lead to is replaced, and they stay.
 *   - Devices and pipes, and links in /dev and /proc such as /dev/stdout, are written as they are.
 *   - SIGHUP, SIGINT and SIGTERM remove what is beside before they end the process, unless it has other plans for
 *     them. On Windows it stays.
 */
#ifndef STREW_TOOLS_OUTPUT_H
#define STREW_TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

enum { OUTPUT_PATH_ROOM = 4096 };

typedef struct output_file {
    FILE *stream;
    char path[OUTPUT_PATH_ROOM];   /* where links lead to */
    char beside[OUTPUT_PATH_ROOM]; /* where it is until it is complete; "" if it is written as it is */
} output_file;

/* Both return false, with errno, if the file cannot be had; one at a time is open. */
bool output_open(output_file *self, const char *path);
/* The caller says whether all has been written; if not, errno stays as it is. The file is there, or as it was. */
bool output_close(output_file *self, bool complete);

#endif
