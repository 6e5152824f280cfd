/* Parses the words of a command line into the options of the list. */
#include <getopt.h>
#include <string.h>

#include "command.h"

/* getopt_long gives a long option as this plus its place in the list, so that it is no letter's. */
enum { BEYOND_LETTERS = 256 };

void names_of_options(names *list, unsigned taken_by)
{
    for (size_t o = 0; o < OPTIONS; o++)
        if (cli_options[o].taken_by & taken_by)
            names_add(list, cli_options[o].name, strlen(cli_options[o].name));
}

/* Accepts every abbreviation that getopt_long accepts: "-h", "--h", "--help". */
static bool asks_for_help(const char *word)
{
    const cli_option *help = &cli_options[OPTION_HELP];
    const bool is_long = strlen(word) > strlen("--") && strncmp(help->name, word, strlen(word)) == 0;
    return is_long || (word[0] == '-' && word[1] == help->letter);
}

bool arguments_ask_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (asks_for_help(argv[i]))
            return true;
    return false;
}

/* The options of one command, as getopt_long takes them. */
static void list_for_getopt(unsigned taken_by, struct option long_options[OPTIONS + 1],
                            char letters[2 * OPTIONS + 2])
{
    *letters++ = ':'; /* tells missing values from unknown options */
    for (int o = 0; o < OPTIONS; o++) {
        const cli_option *option = &cli_options[o];
        if (!(option->taken_by & taken_by))
            continue;
        *long_options++ = (struct option){
            option->name + strlen("--"), option->value ? required_argument : no_argument, NULL, BEYOND_LETTERS + o};
        if (option->letter)
            *letters++ = option->letter;
        if (option->letter && option->value)
            *letters++ = ':';
    }
    *long_options = (struct option){NULL, 0, NULL, 0};
    *letters = '\0';
}

/* The option that getopt_long means; OPTIONS if it means none. */
static size_t find_option(unsigned taken_by, int meant)
{
    if (meant >= BEYOND_LETTERS)
        return (size_t)(meant - BEYOND_LETTERS);
    size_t o = 0;
    while (o < OPTIONS && !(cli_options[o].letter == meant && meant && cli_options[o].taken_by & taken_by))
        o++;
    return o;
}

/* Tells an ambiguous abbreviation from an unknown option. */
static int fail_unknown(const command *self, const char *word)
{
    const size_t length = strcspn(word, "=");
    names all = {.count = 0}, meant = {.count = 0};
    names_of_options(&all, self->bit);
    for (size_t i = 0; i < all.count; i++)
        if (strncmp(all.name[i], word, length) == 0)
            names_add(&meant, all.name[i], strlen(all.name[i]));
    if (meant.count > 1)
        return fail_usage(self->name, "%.*s may be %s", (int)length, word, names_join(&meant, "or"));
    return fail_usage(self->name, "%s has no option %.*s; it takes %s", self->name, (int)length, word,
                      names_join(&all, "and"));
}

/* getopt_long gives the number or letter of an option that lacks a value or takes none; 0 for an unknown last
 * word. */
static int fail_option(const command *self, char **argv)
{
    const size_t o = find_option(self->bit, optopt);
    const char letter[] = {'-', (char)optopt, '\0'};
    if (o == OPTIONS)
        return fail_unknown(self, optopt ? letter : argv[optind - 1]);
    const cli_option *option = &cli_options[o];
    if (!option->value)
        return fail_usage(self->name, "%s takes no value", option->name);
    return fail_usage(self->name, "%s lacks its value (%s)", option->name, option->value);
}

/* A value that is the name of an option was meant as one; a file of that name is ./--name. */
static bool is_option(const command *self, const char *value)
{
    for (size_t o = 0; o < OPTIONS; o++)
        if (cli_options[o].taken_by & self->bit && strcmp(cli_options[o].name, value) == 0)
            return true;
    return false;
}

static int take_option(const command *self, size_t o, arguments *given)
{
    const cli_option *option = &cli_options[o];
    const char *const value = option->value ? optarg : NULL;
    const char *const earlier = given->option[o];
    if (value && is_option(self, value))
        return fail_usage(self->name, "%s lacks its value (%s) before %s", option->name, option->value, value);
    if (earlier && option->value)
        return fail_usage(self->name, "%s takes one value, and got '%s' and '%s'", option->name, earlier, value);
    if (earlier)
        return fail_usage(self->name, "%s was given twice", option->name);
    given->option[o] = value ? value : "";
    return EXIT_DONE;
}

static int take_operand(const command *self, int argc, char **argv, arguments *given)
{
    if (argc > 0 && !self->operand)
        return fail_usage(self->name, "%s takes no operand, and got '%s'", self->name, argv[0]);
    if (argc > 1)
        return fail_usage(self->name, "%s takes one %s, and got '%s' and '%s'", self->name, self->operand, argv[0],
                          argv[1]);
    given->operand = argc > 0 ? argv[0] : NULL;
    return EXIT_DONE;
}

static int check_required(const command *self, const arguments *given)
{
    names missing = {.count = 0};
    if (self->operand && !given->operand)
        names_add(&missing, self->operand, strlen(self->operand));
    for (size_t o = 0; o < OPTIONS; o++)
        if (cli_options[o].taken_by & self->bit && cli_options[o].required && !given->option[o])
            names_add(&missing, cli_options[o].name, strlen(cli_options[o].name));
    return missing.count == 0 ? EXIT_DONE
                              : fail_usage(self->name, "%s needs %s", self->name, names_join(&missing, "and"));
}

int arguments_parse(const command *self, int argc, char **argv, arguments *given)
{
    struct option long_options[OPTIONS + 1];
    char letters[2 * OPTIONS + 2];
    list_for_getopt(self->bit, long_options, letters);
    int result = EXIT_DONE;
    opterr = 0;
    for (int meant; (meant = getopt_long(argc, argv, letters, long_options, NULL)) != -1;) {
        const bool refused = meant == '?' || meant == ':';
        result = refused ? fail_option(self, argv) : take_option(self, find_option(self->bit, meant), given);
        if (result != EXIT_DONE)
            return result;
    }
    result = take_operand(self, argc - optind, argv + optind, given);
    return result == EXIT_DONE ? check_required(self, given) : result;
}
