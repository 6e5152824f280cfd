/*
 * Makes faults outside of a program: a library that is loaded before the C library, and makes one of its calls
 * fail. STREW_FAULT names the call, as NAME:N for the Nth of its kind, or NAME:N+ for that and all that follow:
 *
 *     memory       an allocation                    there is none left
 *     open         a file that is opened            too many are
 *     read         a read of a stream               an error of the device
 *     short_read   likewise                         one byte comes at a time, which is no fault
 *     interrupted  a read or a write of a stream    by a signal
 *     write        a write of a stream              half of it is written, then the disk is full
 *     close        a stream that is closed          what was written before is lost
 *     rename       a file that is renamed           an error of the device
 *     kill, term   a write of a stream              half of it is written, then the process gets SIGKILL, SIGTERM
 *
 * When it strikes, it leaves a file named "struck" in the program's working directory.
 */
#define _GNU_SOURCE /* fopencookie, RTLD_NEXT */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

/* ---- Which --------------------------------------------------------------------------------------- */

static char wanted[16]; /* "": nothing fails yet, while the process starts */
static long left;       /* how many of them before the one */
static bool goes_on;

__attribute__((constructor)) static void take_fault(void)
{
    const char *const text = getenv("STREW_FAULT"), *const colon = text ? strchr(text, ':') : NULL;
    if (!colon || (size_t)(colon - text) >= sizeof wanted)
        return;
    char *end;
    left = strtol(colon + 1, &end, 10);
    goes_on = *end == '+';
    memcpy(wanted, text, (size_t)(colon - text));
}

/* Counts one that could fail. Several threads may count at once: then the number is about that one. */
static bool strikes(const char *name)
{
    if (strcmp(name, wanted) != 0)
        return false;
    const long before = __atomic_sub_fetch(&left, 1, __ATOMIC_RELAXED);
    if (goes_on ? before > 0 : before != 0)
        return false;
    const int mark = openat(AT_FDCWD, "struck", O_WRONLY | O_CREAT, 0600);
    if (mark >= 0)
        close(mark);
    return true;
}

/* Calls the next function of this name. POSIX allows the conversion of dlsym's pointer to a function. */
#define NEXT(name, ...)                            \
    static __typeof__(&(name)) next;               \
    if (!next)                                     \
        *(void **)&next = dlsym(RTLD_NEXT, #name); \
    return next(__VA_ARGS__)

/* ---- Memory -------------------------------------------------------------------------------------- */

static bool lacks_memory(void)
{
    if (!strikes("memory"))
        return false;
    errno = ENOMEM;
    return true;
}

EXPORTED void *malloc(size_t size)
{
    if (lacks_memory())
        return NULL;
    NEXT(malloc, size);
}

EXPORTED void *calloc(size_t count, size_t size)
{
    if (lacks_memory())
        return NULL;
    NEXT(calloc, count, size);
}

EXPORTED void *realloc(void *memory, size_t size)
{
    if (lacks_memory())
        return NULL;
    NEXT(realloc, memory, size);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
    if (lacks_memory())
        return NULL;
    NEXT(aligned_alloc, alignment, size);
}

EXPORTED int posix_memalign(void **memory, size_t alignment, size_t size)
{
    if (lacks_memory())
        return ENOMEM;
    NEXT(posix_memalign, memory, alignment, size);
}

/* ---- Streams ------------------------------------------------------------------------------------- */

static int file_of(void *cookie)
{
    return (int)(intptr_t)cookie;
}

static ssize_t fail_with(int cause)
{
    errno = cause;
    return -1;
}

static ssize_t read_file(void *cookie, char *bytes, size_t size)
{
    if (strikes("read"))
        return fail_with(EIO);
    if (strikes("interrupted"))
        return fail_with(EINTR);
    return read(file_of(cookie), bytes, strikes("short_read") && size > 1 ? 1 : size);
}

/* The result with which a stream's function reports an error: in glibc any short count, elsewhere a negative
 * one. */
#ifdef __GLIBC__
enum { NOT_WRITTEN = 0 };
#else
enum { NOT_WRITTEN = -1 };
#endif

static void write_half(void *cookie, const char *bytes, size_t size)
{
    if (write(file_of(cookie), bytes, size / 2) < 0)
        abort();
}

static ssize_t write_file(void *cookie, const char *bytes, size_t size)
{
    static const struct {
        const char *name;
        int signal, cause;
    } faults[] = {{"write", 0, ENOSPC}, {"interrupted", 0, EINTR}, {"kill", SIGKILL, 0}, {"term", SIGTERM, 0}};
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
        if (strikes(faults[f].name)) {
            write_half(cookie, bytes, size);
            raise(faults[f].signal); /* 0 means none */
            errno = faults[f].cause;
            return NOT_WRITTEN;
        }
    return write(file_of(cookie), bytes, size);
}

static int close_file(void *cookie)
{
    const int result = close(file_of(cookie));
    return strikes("close") ? (int)fail_with(EIO) : result;
}

EXPORTED FILE *fdopen(int file, const char *mode)
{
    const cookie_io_functions_t functions = {.read = read_file, .write = write_file, .close = close_file};
    return fopencookie((void *)(intptr_t)file, mode, functions);
}

/* ---- Files --------------------------------------------------------------------------------------- */

EXPORTED int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = flags & O_CREAT ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    return strikes("open") ? (int)fail_with(EMFILE) : openat(AT_FDCWD, path, flags, mode);
}

/* Only for reading: output files come from open and fdopen. */
EXPORTED FILE *fopen(const char *path, const char *mode)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    FILE *const stream = file >= 0 ? fdopen(file, mode) : NULL;
    if (file >= 0 && !stream)
        close(file);
    return stream;
}

EXPORTED int rename(const char *from, const char *to)
{
    if (strikes("rename"))
        return (int)fail_with(EIO);
    NEXT(rename, from, to);
}
