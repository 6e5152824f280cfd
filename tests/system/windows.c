#include "system/system.h"

#include <direct.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

bool system_set_variable(const char *name, const char *value)
{
    return _putenv_s(name, value ? value : "") == 0; /* an empty value removes the variable */
}

/* ---- Memory -------------------------------------------------------------------------------------- */

size_t system_page_bytes(void)
{
    SYSTEM_INFO information;
    GetSystemInfo(&information);
    return information.dwPageSize;
}

char *system_guarded_create(size_t bytes)
{
    const size_t page = system_page_bytes();
    char *const pages = VirtualAlloc(NULL, bytes + 2 * page, MEM_RESERVE, PAGE_NOACCESS);
    if (!pages)
        return NULL;
    if (VirtualAlloc(pages + page, bytes, MEM_COMMIT, PAGE_READWRITE))
        return pages + page;
    VirtualFree(pages, 0, MEM_RELEASE);
    return NULL;
}

void system_guarded_destroy(char *memory, size_t bytes)
{
    (void)bytes;
    if (memory)
        VirtualFree(memory - system_page_bytes(), 0, MEM_RELEASE);
}

/* The compiler's own jump, because that of the C library unwinds the frames between. */
static void *before_fault[5];
static const char *volatile faulted_at;

__attribute__((noreturn)) static void leave_task(void)
{
    __builtin_longjmp(before_fault, 1);
}

/* After a fault, execution continues in leave_task, on the same stack, aligned as after a call. */
static LONG CALLBACK on_fault(EXCEPTION_POINTERS *fault)
{
    const EXCEPTION_RECORD *record = fault->ExceptionRecord;
    if (record->ExceptionCode != EXCEPTION_ACCESS_VIOLATION)
        return EXCEPTION_CONTINUE_SEARCH;
    faulted_at = (const char *)record->ExceptionInformation[1];
    fault->ContextRecord->Rip = (DWORD64)(uintptr_t)leave_task;
    fault->ContextRecord->Rsp = (fault->ContextRecord->Rsp & ~(DWORD64)15) - 8;
    return EXCEPTION_CONTINUE_EXECUTION;
}

bool system_run_guarded(system_task *task, void *context, const char **touched)
{
    void *const handler = AddVectoredExceptionHandler(1, on_fault);
    volatile bool survived = false;
    if (__builtin_setjmp(before_fault) == 0) {
        task(context);
        survived = true;
    } else {
        *touched = faulted_at;
    }
    RemoveVectoredExceptionHandler(handler);
    return survived;
}

/* ---- Painted stacks ------------------------------------------------------------------------------ */

/* The frames below the painting one belong to its own calls. */
enum { PAINT = 0xa5, STACK_OF_THE_SYSTEM = 1 << 16, OWN_FRAME = 256 };

typedef struct painted_run {
    system_task *task;
    void *context;
    size_t used;
} painted_run;

/*
 * The system makes the stack, which grows page by page from its top downwards. The remaining paint is that of the
 * lowest bytes.
 */
static unsigned __stdcall run_painted(void *argument)
{
    painted_run *self = argument;
    const uintptr_t top = (uintptr_t)__builtin_alloca(16), bottom = top - SYSTEM_STACK_ROOM;
    for (uintptr_t place = top - OWN_FRAME; place >= bottom; place--)
        *(volatile unsigned char *)place = PAINT;
    self->task(self->context);
    uintptr_t lowest = bottom;
    while (lowest < top && *(volatile unsigned char *)lowest == PAINT)
        lowest++;
    self->used = top - lowest;
    return 0;
}

size_t system_stack_used(system_task *task, void *context)
{
    painted_run run = {task, context, 0};
    const unsigned room = SYSTEM_STACK_ROOM + STACK_OF_THE_SYSTEM;
    const HANDLE thread =
        (HANDLE)_beginthreadex(NULL, room, run_painted, &run, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    if (!thread || WaitForSingleObject(thread, INFINITE) != WAIT_OBJECT_0)
        abort();
    CloseHandle(thread);
    return run.used;
}

/* ---- Programs and directories -------------------------------------------------------------------- */

/* Redirects a stream of this process to a file. Returns the old one, to restore it. */
static int redirect(int stream, const char *path)
{
    const int before = _dup(stream);
    const int file = _open(path, _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY, _S_IREAD | _S_IWRITE);
    _dup2(file, stream);
    _close(file);
    return before;
}

static void put_back(int stream, int before)
{
    _dup2(before, stream);
    _close(before);
}

int system_run_program(char *const *words, const char *output, const char *errors)
{
    fflush(stdout);
    fflush(stderr);
    const int stdout_before = redirect(1, output), stderr_before = redirect(2, errors);
    const intptr_t status = _spawnvp(_P_WAIT, words[0], (const char *const *)words);
    put_back(1, stdout_before);
    put_back(2, stderr_before);
    return (int)status;
}

const int system_directory_error = EACCES;
const bool system_opens_directories = false;

static char directory[64];

bool system_enter_new_directory(const char *beginning)
{
    snprintf(directory, sizeof directory, "%s_%d", beginning, _getpid());
    return _mkdir(directory) == 0 && _chdir(directory) == 0;
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
    return _chdir("..") == 0 && _rmdir(directory) == 0;
}
