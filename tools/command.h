/* Shared by all commands: their description, their arguments, and their failures. */
#ifndef STREW_TOOLS_COMMAND_H
#define STREW_TOOLS_COMMAND_H

#include <strew/strew.h>

#include "options.h"
#include "printf_like.h"

enum { EXIT_DONE = 0, EXIT_REFUSED = 1, EXIT_WRONG_COMMAND_LINE = 2 };

/* The words of a command line. */
typedef struct arguments {
    const char *operand;         /* NULL: not given */
    const char *option[OPTIONS]; /* the value of each; NULL: not given; "": given, and has no value */
} arguments;

/* Returns the exit status. */
typedef int command_function(const arguments *given);
command_function command_run, command_info, command_operators, command_tune;

typedef struct command {
    const char *name;
    unsigned bit; /* TAKEN_BY_*: its options */
    command_function *function;
    const char *operand;         /* the name of its operand in help; NULL if it has none */
    const char *operand_meaning; /* for help */
    const char *summary;         /* for help: half a line */
    const char *examples[3];     /* for help: whole command lines, NULL behind the last */
} command;

/* All commands; the last entry has no name. */
extern const command commands[];

const command *command_find(const char *name); /* NULL if there is none */
void names_of_commands(names *list);

/* Fills in *given from the words behind the command's name, argv[0]. Returns an exit status. */
int arguments_parse(const command *self, int argc, char **argv, arguments *given);
/* Whether -h or --help is among the arguments, at any place and even if others are wrong. */
bool arguments_ask_for_help(int argc, char **argv);
/* The names of the options that the holder of this bit takes. */
void names_of_options(names *list, unsigned taken_by);

/* Help on standard output: on strew, or on one command. */
void help_print(void);
void help_print_command(const command *self);

/* Prints "strew: error: STATUS: message" to standard error. Returns EXIT_REFUSED. */
int fail(strew_status status, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same for a call of the library that was refused. */
int fail_with(const strew_error *error);

/* The same for a wrong command line, with a hint. Returns EXIT_WRONG_COMMAND_LINE. */
int fail_usage(const char *command_name, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
