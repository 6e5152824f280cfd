/* What the commands of the command line share: how they are called, and how they fail. */
#ifndef STREW_TOOLS_COMMAND_H
#define STREW_TOOLS_COMMAND_H

#include <strew/strew.h>

enum { EXIT_DONE = 0, EXIT_REFUSED = 1, EXIT_WRONG_COMMAND_LINE = 2 };

/* A command gets its own name as argv[0], and returns the exit status. */
typedef int command_function(int argc, char **argv);
command_function command_run, command_info, command_operators;

/* Prints "strew: error: STATUS: message" to standard error. Returns EXIT_REFUSED. */
int fail(strew_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a call of the library that was refused. */
int fail_with(const strew_error *error);

/* The same for a wrong command line, with a hint. Returns EXIT_WRONG_COMMAND_LINE. */
int fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
