/* strew: scatter and gather on .npy files, and what this build of the library can do. */
#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name;
    command_function *function;
    const char *usage;
} commands[] = {
    {"run", command_run,
     "run OPERATOR --data d.npy --indices i.npy [--updates u.npy] [--axis N|axis.npy] [--batch-dims N]\n"
     "          [--reduction NAME] [--no-init-val] [--dtype NAME] [--isa NAME] [--threads N] [--in-place] -o "
     "out.npy"},
    {"info", command_info, "info [--json]"},
    {"operators", command_operators, "operators"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

__attribute__((format(printf, 2, 0))) static void print_line(strew_status status, const char *format,
                                                             va_list arguments)
{
    fprintf(stderr, "strew: error: %s: ", strew_status_name(status));
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int fail(strew_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(status, format, arguments);
    va_end(arguments);
    return EXIT_REFUSED;
}

int fail_with(const strew_error *error)
{
    char message[1024];
    strew_error_message(error, message, sizeof message);
    return fail(error->status, "%s", message);
}

int fail_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(STREW_STATUS_INVALID_ARGUMENT, format, arguments);
    va_end(arguments);
    fputs("Try 'strew --help'.\n", stderr);
    return EXIT_WRONG_COMMAND_LINE;
}

static int print_usage(void)
{
    for (size_t c = 0; c < COMMANDS; c++)
        printf("%s strew %s\n", c == 0 ? "usage:" : "      ", commands[c].usage);
    puts(
        "\n"
        "OPERATOR is a versioned name such as ScatterNDUpdate-15 ('strew operators' lists them all), or an\n"
        "unversioned one, which means the newest. Arrays are NumPy's .npy files. bfloat16, which .npy lacks, is a\n"
        "uint16 file with --dtype bfloat16. Exit status: 0 done, 1 refused, 2 wrong command line.");
    return EXIT_DONE;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return fail_usage("a command is needed: run, info or operators");
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return print_usage();
    if (strcmp(name, "--version") == 0) {
        printf("strew %s\n", strew_version());
        return EXIT_DONE;
    }
    for (size_t c = 0; c < COMMANDS; c++)
        if (strcmp(commands[c].name, name) == 0)
            return commands[c].function(argc - 1, argv + 1);
    return fail_usage("there is no command '%s'; there are run, info and operators", name);
}
