/* Writes a temporary file beside its place and moves it there: see output.h. */
#define _POSIX_C_SOURCE 200809L /* readlink, fchmod, sigaction */

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32
#include <windows.h>
#define O_NOCTTY 0
#define O_CLOEXEC 0
#define SEPARATORS "/\\:"
#else
#include <signal.h>
#include <stdatomic.h>
#define O_BINARY 0
#define SEPARATORS "/"
#endif

enum { MOST_LINKS = 40, MOST_ATTEMPTS = 100 };

/* ---- Paths --------------------------------------------------------------------------------------- */

/* The bytes before the last name of a path. */
static size_t directory_length(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && !strchr(SEPARATORS, path[length - 1]))
        length--;
    return length;
}

/* The first bytes of one path, and a name behind them. */
static bool make_path(char to[OUTPUT_PATH_ROOM], const char *from, size_t length, const char *name)
{
    const int written = snprintf(to, OUTPUT_PATH_ROOM, "%.*s%s", (int)length, from, name);
    if (written >= 0 && written < OUTPUT_PATH_ROOM)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

#ifdef _WIN32 /* where links are rare */
static bool follow_links(char path[OUTPUT_PATH_ROOM], bool *is_stream)
{
    (void)path;
    *is_stream = false;
    return true;
}
#else
/* Links in /dev and /proc lead to open files, which may have no path. */
static bool follow_links(char path[OUTPUT_PATH_ROOM], bool *is_stream)
{
    char link[OUTPUT_PATH_ROOM], target[OUTPUT_PATH_ROOM];
    *is_stream = false;
    for (int links = 0; links < MOST_LINKS; links++) {
        const ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0)
            return true;
        if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0) {
            *is_stream = true;
            return true;
        }
        target[length] = '\0';
        memcpy(link, path, strlen(path) + 1);
        if (!make_path(path, link, target[0] == '/' ? 0 : directory_length(link), target))
            return false;
    }
    errno = ELOOP;
    return false;
}
#endif

/* ---- Signals ------------------------------------------------------------------------------------- */

#ifdef _WIN32
static void guard(const char *beside)
{
    (void)beside;
}
#else
static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
static _Atomic(const char *) unfinished; /* NULL: nothing */

/* The signal's default action follows as soon as this returns. */
static void remove_unfinished(int number)
{
    const char *const beside = atomic_load(&unfinished);
    if (beside)
        unlink(beside);
    signal(number, SIG_DFL);
    raise(number);
}

static void exchange_handler(int number, void (*before)(int), void (*after)(int))
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler != before)
        return;
    action.sa_handler = after;
    sigaction(number, &action, NULL);
}

/* Has a file removed if a signal ends the process; NULL ends that. */
static void guard(const char *beside)
{
    atomic_store(&unfinished, beside);
    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++)
        exchange_handler(signals[s], beside ? SIG_DFL : remove_unfinished, beside ? remove_unfinished : SIG_DFL);
}
#endif

/* ---- Files --------------------------------------------------------------------------------------- */

static int create_beside(output_file *self, int permissions)
{
    const size_t length = directory_length(self->path);
    if (self->path[length] == '\0') { /* no name */
        errno = ENOENT;
        return -1;
    }
    for (unsigned attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        char name[64];
        snprintf(name, sizeof name, ".strew-%ld-%u", (long)getpid(), attempt);
        if (!make_path(self->beside, self->path, length, name))
            return -1;
        const int file = open(self->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_BINARY, permissions);
        if (file >= 0)
            guard(self->beside);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

static bool put_in_place(const output_file *self)
{
#ifdef _WIN32
    const bool moved = MoveFileExA(self->beside, self->path, MOVEFILE_REPLACE_EXISTING);
    errno = moved ? errno : EACCES;
    return moved;
#else
    return rename(self->beside, self->path) == 0;
#endif
}

/* Returns -1, with the errno that was before. */
static int close_failed(int file)
{
    const int cause = errno;
    close(file);
    errno = cause;
    return -1;
}

/* Opens a device or stream directly, and a file beside any other. Returns the file, or -1. */
static int open_or_replace(output_file *self, bool is_stream)
{
    struct stat status;
    self->beside[0] = '\0';
    const int there = open(self->path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_BINARY);
    if (there < 0)
        return errno == ENOENT ? create_beside(self, 0666) : -1;
    const bool is_regular = fstat(there, &status) == 0 && S_ISREG(status.st_mode);
    if (!is_regular)
        return there;
    if (is_stream)
        return ftruncate(there, 0) == 0 ? there : close_failed(there);
    close(there);
    const int permissions = (int)(status.st_mode & 0777), file = create_beside(self, permissions);
#ifndef _WIN32
    if (file >= 0)
        (void)fchmod(file, (mode_t)permissions); /* the permissions that the process's mask has removed */
#endif
    return file;
}

/* Leaves errno as it is. */
static void discard(const output_file *self)
{
    const int cause = errno;
    if (self->beside[0])
        remove(self->beside);
    guard(NULL);
    errno = cause;
}

bool output_open(output_file *self, const char *path)
{
    bool is_stream;
    if (!make_path(self->path, path, 0, path) || !follow_links(self->path, &is_stream))
        return false;
    const int file = open_or_replace(self, is_stream);
    self->stream = file >= 0 ? fdopen(file, "wb") : NULL;
    if (!self->stream && file >= 0) {
        close_failed(file);
        discard(self);
    }
    return self->stream;
}

bool output_close(output_file *self, bool complete)
{
    const int cause = errno;
    const bool closed = fclose(self->stream) == 0;
    if (!complete)
        errno = cause;
    if (complete && closed && (!self->beside[0] || put_in_place(self))) {
        guard(NULL);
        return true;
    }
    discard(self);
    return false;
}
