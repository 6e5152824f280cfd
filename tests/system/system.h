/* Functions for the tests that C11 lacks: posix.c implements them for POSIX, windows.c for Windows. */
#ifndef STREW_TESTS_SYSTEM_H
#define STREW_TESTS_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Sets a variable of the environment, of this process and of those that it runs, or removes it if value is NULL. */
bool system_set_variable(const char *name, const char *value);

/*
 * Zeroed memory between two guard pages; bytes is a multiple of the size of a page. NULL if there is none.
 * Destroying NULL does nothing.
 */
char *system_guarded_create(size_t bytes);
void system_guarded_destroy(char *memory, size_t bytes);
size_t system_page_bytes(void);

typedef void system_task(void *context);

/* Runs task(context). If it faults, returns false, and *touched is the address that it should have left. */
bool system_run_guarded(system_task *task, void *context, const char **touched);

/*
 * Runs task(context) on a thread with a painted stack, and returns how many bytes of the stack have lost their
 * paint, at most SYSTEM_STACK_ROOM. If it fails, it ends the process: its callers cannot use cmocka.
 */
enum { SYSTEM_STACK_ROOM = 1 << 20 };
size_t system_stack_used(system_task *task, void *context);

/* Runs a program with these words (a NULL ends them) and both streams in files; its exit status, or -1 without one.
 */
int system_run_program(char *const *words, const char *output, const char *errors);

/* Makes a directory whose name has this beginning, and changes to it. */
bool system_enter_new_directory(const char *beginning);
/* Removes the directory and the files in it, and goes back. */
bool system_leave_directory(void);

/* The error of writing to a directory as a file, and whether one can be opened for reading and fails only then. */
extern const int system_directory_error;
extern const bool system_opens_directories;

#endif
