#include <stdarg.h>
#include <stdio.h>

#include "command.h"

__attribute__((format(printf, 2, 0))) static void print_line(strew_status status, const char *format,
                                                             va_list values)
{
    fprintf(stderr, "strew: error: %s: ", strew_status_name(status));
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
}

int fail(strew_status status, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_line(status, format, values);
    va_end(values);
    return EXIT_REFUSED;
}

int fail_with(const strew_error *error)
{
    char message[1024];
    strew_error_message(error, message, sizeof message);
    return fail(error->status, "%s", message);
}

int fail_usage(const char *command_name, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print_line(STREW_STATUS_INVALID_ARGUMENT, format, values);
    va_end(values);
    fprintf(stderr, "Try 'strew %s%s--help'.\n", command_name ? command_name : "", command_name ? " " : "");
    return EXIT_WRONG_COMMAND_LINE;
}
