/* strew: scatter and gather on .npy files, and information about this build of the library. */
#define _POSIX_C_SOURCE 200809L /* SIGPIPE, SIGXFSZ */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

const command commands[] = {
    {.name = "run",
     .bit = TAKEN_BY_RUN,
     .function = command_run,
     .operand = "OPERATOR",
     .operand_meaning = "a version, such as ScatterNDUpdate-15, or a name without a number for the newest; ONNX: "
                        "or OpenVINO: may precede it; 'strew operators' lists them all",
     .summary = "Runs an operator on tensors in .npy files of NumPy, and writes the result to another file.",
     .examples = {"strew run ScatterNDUpdate-15 --data d.npy --indices i.npy --updates u.npy -o out.npy",
                  "strew run GatherND --data d.npy --indices i.npy --batch-dims 1 -o out.npy"}},
    {.name = "info",
     .bit = TAKEN_BY_INFO,
     .function = command_info,
     .summary = "Shows the CPU, its instruction sets, and the kernels picked for each operation.",
     .examples = {"strew info", "strew info --json"}},
    {.name = "operators",
     .bit = TAKEN_BY_OPERATORS,
     .function = command_operators,
     .summary = "Lists every version of every operator, its attributes and its dtypes.",
     .examples = {"strew operators"}},
    {.name = "tune",
     .bit = TAKEN_BY_TUNE,
     .function = command_tune,
     .summary = "Measures which ways of moving memory suit this machine, and writes the value of STREW_TUNING "
                "for the environment.",
     .examples = {"strew tune", "strew tune --source"}},
    {.name = NULL},
};

const command *command_find(const char *name)
{
    for (const command *each = commands; each->name; each++)
        if (strcmp(each->name, name) == 0)
            return each;
    return NULL;
}

void names_of_commands(names *list)
{
    for (const command *each = commands; each->name; each++)
        names_add(list, each->name, strlen(each->name));
}

static int fail_unknown(const char *name)
{
    names existing = {.count = 0}, options = {.count = 0};
    names_of_commands(&existing);
    names_of_options(&options, TAKEN_BY_STREW);
    if (name[0] == '-')
        return fail_usage(NULL, "strew has no option %s; it takes %s, or a command: %s", name,
                          names_join(&options, "and"), names_join(&existing, "or"));
    return fail_usage(NULL, "there is no command '%s'; there are %s", name, names_join(&existing, "and"));
}

/* Handles the words behind "help" or "--help": none, or a command. */
static int help(int argc, char **argv)
{
    const command *const about = argc > 0 ? command_find(argv[0]) : NULL;
    if (argc > 1)
        return fail_usage(NULL, "help takes one command, and got '%s' and '%s'", argv[0], argv[1]);
    if (argc > 0 && !about)
        return fail_unknown(argv[0]);
    if (about)
        help_print_command(about);
    else
        help_print();
    return EXIT_DONE;
}

static int run_command(const command *self, int argc, char **argv)
{
    arguments given = {.operand = NULL};
    if (arguments_ask_for_help(argc, argv)) {
        help_print_command(self);
        return EXIT_DONE;
    }
    const int result = arguments_parse(self, argc, argv, &given);
    return result == EXIT_DONE ? self->function(&given) : result;
}

static int run_line(int argc, char **argv)
{
    names existing = {.count = 0};
    names_of_commands(&existing);
    if (argc < 2)
        return fail_usage(NULL, "a command is needed: %s", names_join(&existing, "or"));
    if (strcmp(argv[1], "help") == 0 || arguments_ask_for_help(2, argv))
        return help(argc - 2, argv + 2);
    if (strcmp(argv[1], cli_options[OPTION_VERSION].name) == 0) {
        if (argc > 2)
            return fail_usage(NULL, "%s takes nothing more, and got '%s'", argv[1], argv[2]);
        printf("strew %s\n", strew_version());
        return EXIT_DONE;
    }
    const command *const self = command_find(argv[1]);
    return self ? run_command(self, argc - 1, argv + 1) : fail_unknown(argv[1]);
}

/* A file at its limit and a pipe without a reader are then writes that fail, as others do. */
static void ignore_signals_of_writing(void)
{
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN);
#endif
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN);
#endif
}

int main(int argc, char **argv)
{
    ignore_signals_of_writing();
    const int result = run_line(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout))
        return fail(STREW_STATUS_IO_ERROR, "standard output: cannot write: %s", strerror(errno));
    return result;
}
