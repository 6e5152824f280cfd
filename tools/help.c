/* The texts of --help, built from the lists of commands and options. */
#include <stdio.h>
#include <string.h>

#include "command.h"

/* Words that flow to the end of a line and on at this column of the next. */
typedef struct flow {
    size_t indent, column;
} flow;

enum { WIDTH = 80, MARGIN = 2, MEANINGS = 22 };

static void put(flow *self, const char *word, size_t length)
{
    const bool first = self->column == self->indent;
    if (!first && self->column + 1 + length > WIDTH) {
        printf("\n%*s", (int)self->indent, "");
        self->column = self->indent;
    } else if (!first) {
        putchar(' ');
        self->column++;
    }
    printf("%.*s", (int)length, word);
    self->column += length;
}

static void put_text(flow *self, const char *text)
{
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        const size_t length = strcspn(text, " ");
        put(self, text, length);
        text += length;
    }
}

/* ---- Usage --------------------------------------------------------------------------------------- */

/* Together with its value, and in brackets unless it is required. */
static void put_option(flow *self, const cli_option *option)
{
    char text[64];
    const char letter[] = {'-', option->letter, '\0'};
    const int length = snprintf(text, sizeof text, "%s%s%s%s%s", option->required ? "" : "[",
                                option->letter ? letter : option->name, option->value ? " " : "",
                                option->value ? option->value : "", option->required ? "" : "]");
    put(self, text, (size_t)length);
}

static void print_usage(const command *self)
{
    flow usage = {.indent = strlen("usage: strew ") + strlen(self->name) + 1};
    usage.column = usage.indent;
    printf("usage: strew %s ", self->name);
    if (self->operand)
        put_text(&usage, self->operand);
    for (size_t o = 0; o < OPTIONS; o++)
        if (cli_options[o].taken_by & self->bit)
            put_option(&usage, &cli_options[o]);
    puts("\n");
}

/* ---- Lists --------------------------------------------------------------------------------------- */

/* Begins an entry: its term to the left, the flow of its meaning to the right. */
static flow begin_entry(const char *term)
{
    const int length = printf("%*s%-*s", MARGIN, "", MEANINGS - 2 * MARGIN, term);
    if (length > MEANINGS - MARGIN)
        printf("\n%*s", MEANINGS, "");
    else
        printf("%*s", MARGIN, "");
    return (flow){MEANINGS, MEANINGS};
}

static void print_entry(const char *term, const char *meaning)
{
    flow text = begin_entry(term);
    put_text(&text, meaning);
    puts("");
}

static void print_option(const cli_option *option)
{
    char term[64], more[128];
    names accepted = {.count = 0};
    const char letter[] = {'-', option->letter, ',', ' ', '\0'};
    snprintf(term, sizeof term, "%s%s%s%s", option->letter ? letter : "", option->name, option->value ? " " : "",
             option->value ? option->value : "");
    flow text = begin_entry(term);
    put_text(&text, option->meaning);
    if (option->names) {
        option->names(&accepted);
        put_text(&text, "-");
        put_text(&text, names_join(&accepted, "or"));
    }
    snprintf(more, sizeof more, "%s%s%s",
             option->required    ? "(required"
             : option->otherwise ? "(default: "
                                 : "",
             option->otherwise ? option->otherwise : "", option->required || option->otherwise ? ")" : "");
    put_text(&text, more);
    puts("");
}

static void print_options(unsigned taken_by)
{
    puts("\noptions:");
    for (size_t o = 0; o < OPTIONS; o++)
        if (cli_options[o].taken_by & taken_by)
            print_option(&cli_options[o]);
}

static void print_exit_statuses(void)
{
    puts("\nexit status:");
    print_entry("0", "done");
    print_entry("1", "refused: files that do not fit, or that cannot be read or written");
    print_entry("2", "wrong command line");
}

/* ---- Help ---------------------------------------------------------------------------------------- */

void help_print_command(const command *self)
{
    print_usage(self);
    flow text = {0, 0};
    put_text(&text, self->summary);
    puts("");
    if (self->operand) {
        puts("");
        print_entry(self->operand, self->operand_meaning);
    }
    print_options(self->bit);
    puts("\nexamples:");
    for (const char *const *example = self->examples; *example; example++)
        printf("%*s%s\n", MARGIN, "", *example);
    print_exit_statuses();
}

void help_print(void)
{
    puts(
        "usage: strew COMMAND [ARGUMENTS]\n"
        "       strew COMMAND --help\n"
        "       strew help [COMMAND]\n"
        "       strew --version\n"
        "\n"
        "Scatters and gathers tensors, with the operators of OpenVINO and ONNX.\n"
        "\n"
        "commands:");
    for (const command *each = commands; each->name; each++)
        print_entry(each->name, each->summary);
    print_options(TAKEN_BY_STREW);
    print_exit_statuses();
}
