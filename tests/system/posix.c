#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, mkdtemp, posix_spawn, setenv, sigaction */

#include "system/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool system_set_variable(const char *name, const char *value)
{
    return (value ? setenv(name, value, true) : unsetenv(name)) == 0;
}

/* ---- Memory -------------------------------------------------------------------------------------- */

size_t system_page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

char *system_guarded_create(size_t bytes)
{
    const size_t page = system_page_bytes();
    char *const pages = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    if (mprotect(pages + page, bytes, PROT_READ | PROT_WRITE) == 0)
        return pages + page;
    munmap(pages, bytes + 2 * page);
    return NULL;
}

void system_guarded_destroy(char *memory, size_t bytes)
{
    const size_t page = system_page_bytes();
    if (memory)
        munmap(memory - page, bytes + 2 * page);
}

static sigjmp_buf before_fault;
static const char *volatile faulted_at;

static void on_fault(int number, siginfo_t *information, void *context)
{
    (void)number;
    (void)context;
    faulted_at = information->si_addr;
    siglongjmp(before_fault, 1);
}

bool system_run_guarded(system_task *task, void *context, const char **touched)
{
    /* The signal stays unblocked in the handler, because the jump out of it does not restore the mask. */
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    struct sigaction segv, bus;
    sigaction(SIGSEGV, &action, &segv);
    sigaction(SIGBUS, &action, &bus);
    const bool survived = sigsetjmp(before_fault, 0) == 0;
    if (survived)
        task(context);
    else
        *touched = faulted_at;
    sigaction(SIGSEGV, &segv, NULL);
    sigaction(SIGBUS, &bus, NULL);
    return survived;
}

/* ---- Painted stacks ------------------------------------------------------------------------------ */

enum { PAINT = 0xa5 };

typedef struct painted_run {
    system_task *task;
    void *context;
    const unsigned char *stack; /* its lowest byte */
    size_t used;
} painted_run;

/* Stacks grow downwards: the paint that is left is that of the lowest bytes. */
static void *run_painted(void *argument)
{
    painted_run *self = argument;
    unsigned char frame;
    const unsigned char *const top = &frame, *lowest = self->stack;
    self->task(self->context);
    while (*lowest == PAINT)
        lowest++;
    self->used = lowest < top ? (size_t)(top - lowest) : 0;
    return NULL;
}

size_t system_stack_used(system_task *task, void *context)
{
    void *const stack = mmap(NULL, SYSTEM_STACK_ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    painted_run run = {task, context, stack, 0};
    pthread_attr_t attributes;
    pthread_t thread;
    if (stack == MAP_FAILED)
        abort();
    memset(stack, PAINT, SYSTEM_STACK_ROOM);
    if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, stack, SYSTEM_STACK_ROOM) != 0 ||
        pthread_create(&thread, &attributes, run_painted, &run) != 0 || pthread_join(thread, NULL) != 0)
        abort();
    pthread_attr_destroy(&attributes);
    munmap(stack, SYSTEM_STACK_ROOM);
    return run.used;
}

/* ---- Programs and directories -------------------------------------------------------------------- */

int system_run_program(char *const *words, const char *output, const char *errors)
{
    pid_t child;
    int status;
    posix_spawn_file_actions_t streams;
    if (posix_spawn_file_actions_init(&streams) != 0)
        return -1;
    posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const bool runs = posix_spawnp(&child, words[0], &streams, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&streams);
    const bool ended = runs && waitpid(child, &status, 0) == child && WIFEXITED(status);
    return ended ? WEXITSTATUS(status) : -1;
}

const int system_directory_error = EISDIR;
const bool system_opens_directories = true;

static char directory[64];

bool system_enter_new_directory(const char *beginning)
{
    snprintf(directory, sizeof directory, "%s_XXXXXX", beginning);
    return mkdtemp(directory) && chdir(directory) == 0;
}

bool system_leave_directory(void)
{
    DIR *listing = opendir(".");
    if (!listing)
        return false;
    for (const struct dirent *entry = readdir(listing); entry; entry = readdir(listing))
        if (entry->d_name[0] != '.')
            remove(entry->d_name);
    closedir(listing);
    return chdir("..") == 0 && rmdir(directory) == 0;
}
