/*
 * The command line under faults outside of it: no memory, files that cannot be opened or read, a full disk, a
 * signal during a write. In each case the exit status is one of the manual page, an error gives the reason, and the
 * output is unchanged or complete. For POSIX, and a C library with fopencookie.
 */
#define _POSIX_C_SOURCE 200809L /* mkfifo, setrlimit, readlink */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "system/system.h"
#include "test.h"

/* ---- What is run --------------------------------------------------------------------------------- */

enum { ROWS = 200, WIDTH = 100, INDICES = 50, ROOM = 1 << 18 };

#define OUT " -o out.npy"
#define SCATTER "run ScatterNDUpdate-15 --data data.npy --indices tuples.npy --updates updates.npy"

/* Each line writes a file, whose name comes last. */
static const char *const lines[] = {
    SCATTER OUT,
    SCATTER " --in-place --reduction sum -o data.npy",
    "run ScatterElementsUpdate-12 --axis axis.npy --reduction mean --data data.npy --indices elements.npy "
    "--updates "
    "elements_updates.npy" OUT,
    "run Gather --bounds skip --fill fill.npy --data strings.npy --indices indices.npy" OUT,
    "run EmbeddingBagOffsets --data data.npy --indices indices.npy --offsets offsets.npy --weights weights.npy" OUT,
#ifdef STREW_WITH_PTHREADPOOL
    SCATTER " --threads 2" OUT,
#endif
};

static const char *const lines_without_output[] = {
    "help",
    "help run",
    "--version",
    "info",
    "info --json",
    "operators",
    "run --help",
    "tune --seconds 0 --memory 12",
    "run Nonsense --data data.npy -o out.npy",
};

static int write_inputs(void **state)
{
    static float data[ROWS * WIDTH], ones[INDICES];
    static int64_t indices[INDICES], elements[WIDTH];
    if (directory_enter(state) != 0)
        return -1;
    for (int i = 0; i < ROWS * WIDTH; i++)
        data[i] = (float)i;
    for (int i = 0; i < INDICES; i++) {
        indices[i] = i * 7 % ROWS;
        ones[i] = 1;
    }
    const strew_string strings[] = {{"one", 3}, {"two", 3}, {"three", 5}}, none = {"none", 4};
    cli_write("data.npy", STREW_DTYPE_FLOAT32, CLI_SHAPE(ROWS, WIDTH), data);
    cli_write("indices.npy", STREW_DTYPE_INT64, CLI_SHAPE(INDICES), indices);
    cli_write("tuples.npy", STREW_DTYPE_INT64, CLI_SHAPE(INDICES, 1), indices);
    cli_write("updates.npy", STREW_DTYPE_FLOAT32, CLI_SHAPE(INDICES, WIDTH), data);
    cli_write("elements.npy", STREW_DTYPE_INT64, CLI_SHAPE(1, WIDTH), elements);
    cli_write("elements_updates.npy", STREW_DTYPE_FLOAT32, CLI_SHAPE(1, WIDTH), data);
    cli_write("axis.npy", STREW_DTYPE_INT64, CLI_SCALAR, (int64_t[]){0});
    cli_write("offsets.npy", STREW_DTYPE_INT64, CLI_SHAPE(2), (int64_t[]){0, 20});
    cli_write("weights.npy", STREW_DTYPE_FLOAT32, CLI_SHAPE(INDICES), ones);
    cli_write_strings("strings.npy", 'S', 5, 3, strings);
    cli_write_strings("fill.npy", 'S', 4, 1, &none);
    return 0;
}

/* ---- Files --------------------------------------------------------------------------------------- */

typedef struct content {
    char bytes[ROOM];
    size_t size; /* 0: there is no file */
} content;

static void content_read(content *self, const char *path)
{
    FILE *file = fopen(path, "rb");
    self->size = file ? fread(self->bytes, 1, ROOM, file) : 0;
    assert_in_range(self->size, 0, ROOM - 1);
    if (file)
        fclose(file);
}

static void content_put(const content *self, const char *path)
{
    cli_remove(path);
    if (self->size > 0)
        cli_write_bytes(path, self->bytes, self->size);
}

static bool content_is(const content *self, const char *path)
{
    static content found;
    content_read(&found, path);
    return found.size == self->size && memcmp(found.bytes, self->bytes, self->size) == 0;
}

/* Counts and removes the temporary files that are left. */
static int remove_unfinished(void)
{
    int count = 0;
    DIR *const listing = opendir(".");
    assert_non_null(listing);
    for (const struct dirent *entry = readdir(listing); entry; entry = readdir(listing))
        if (strncmp(entry->d_name, ".strew-", 7) == 0) {
            count++;
            cli_remove(entry->d_name);
        }
    closedir(listing);
    return count;
}

static const char *output_of(const char *line)
{
    return strrchr(line, ' ') + 1;
}

/* ---- Faults -------------------------------------------------------------------------------------- */

static bool has_struck(void)
{
    return access("struck", F_OK) == 0;
}

static const cli_outcome *run_with_fault(const char *line, const char *name, int number, const char *more)
{
    char fault[64];
    snprintf(fault, sizeof fault, "%s:%d%s", name, number, more);
    cli_remove("struck");
    assert_true(system_set_variable("STREW_FAULT", fault));
    assert_true(system_set_variable("LD_PRELOAD", STREW_FAULTS));
    const cli_outcome *const outcome = cli_run(line);
    system_set_variable("LD_PRELOAD", NULL);
    return outcome;
}

/* A note of strew tune is no error. */
static const char *behind_note(const char *errors)
{
    const char *const end = strncmp(errors, "strew: note: ", 13) == 0 ? strchr(errors, '\n') : NULL;
    return end ? end + 1 : errors;
}

/* Whether there is one line with the reason, which is outside of the program. */
static bool says_why(const char *all_errors)
{
    const char *const errors = behind_note(all_errors);
    static const char *const beginnings[] = {"strew: error: out_of_memory: ", "strew: error: io_error: "};
    const char *const end = strchr(errors, '\n');
    for (size_t b = 0; b < COUNT(beginnings); b++)
        if (strncmp(errors, beginnings[b], strlen(beginnings[b])) == 0)
            return end && end[1] == '\0';
    return false;
}

static void fail_run(const char *line, const char *name, int number, const cli_outcome *outcome, const char *why)
{
    fail_msg("%s\n%s:%d: exit status %d, %s\n%s", line, name, number, outcome->exit_status, why, outcome->errors);
}

/* Every fault of this name, one after the other, until there are no more of them. Returns how many there were. */
static int check_faults(const char *line, const char *name, const char *more, const content *before,
                        const content *complete)
{
    enum { MOST = 10000 };
    const char *const output = output_of(line);
    for (int number = 1; number < MOST; number++) {
        content_put(before, output);
        const cli_outcome *const outcome = run_with_fault(line, name, number, more);
        if (!content_is(outcome->exit_status == 0 ? complete : before, output))
            fail_run(line, name, number, outcome, "and the output is another one");
        if (outcome->exit_status != 0 && (outcome->exit_status != 1 || !says_why(outcome->errors)))
            fail_run(line, name, number, outcome, "and not a word, or another one, about it");
        if (remove_unfinished() != 0)
            fail_run(line, name, number, outcome, "and a file is left beside the output");
        if (!has_struck()) {
            assert_int_equal(outcome->exit_status, 0);
            return number - 1;
        }
    }
    fail_msg("%s: %s without an end", line, name);
    return 0;
}

/* Runs each line once with an old output, and once without. */
static void check_all_lines(const char *name, const char *more)
{
    static content before, complete;
    for (size_t l = 0; l < COUNT(lines); l++)
        for (int is_there = 0; is_there <= 1; is_there++) {
            const char *const output = output_of(lines[l]);
            const bool is_input = strcmp(output, "data.npy") == 0;
            static content input;
            content_read(&input, "data.npy");
            assert_int_equal(cli_run(lines[l])->exit_status, 0);
            content_read(&complete, output);
            before = (content){"not an array", is_there ? 12 : 0};
            if (check_faults(lines[l], name, more, is_input ? &input : &before, &complete) == 0)
                fail_msg("%s: no %s that could fail", lines[l], name);
            content_put(&input, "data.npy");
        }
}

static void allocations_that_fail_leave_the_output_as_it_was(void **state)
{
    (void)state;
    check_all_lines("memory", "");
    check_all_lines("memory", "+");
}

static void files_that_cannot_be_opened_leave_the_output_as_it_was(void **state)
{
    (void)state;
    check_all_lines("open", "");
    check_all_lines("open", "+");
}

static void reads_that_fail_leave_the_output_as_it_was(void **state)
{
    (void)state;
    check_all_lines("read", "");
    check_all_lines("interrupted", "");
}

static void disks_that_are_full_leave_the_output_as_it_was(void **state)
{
    (void)state;
    check_all_lines("write", "");
    check_all_lines("write", "+");
    check_all_lines("close", "");
    check_all_lines("rename", "");
}

/* A pipe or a network may give less at a time than it is asked for. */
static void short_reads_are_no_faults(void **state)
{
    (void)state;
    static content complete;
    for (size_t l = 0; l < COUNT(lines); l++) {
        if (strcmp(output_of(lines[l]), "out.npy") != 0)
            continue;
        assert_int_equal(cli_run(lines[l])->exit_status, 0);
        content_read(&complete, "out.npy");
        cli_remove("out.npy");
        assert_int_equal(run_with_fault(lines[l], "short_read", 1, "+")->exit_status, 0);
        assert_true(has_struck());
        assert_true(content_is(&complete, "out.npy"));
    }
}

/* Commands that only print need little memory, and report it if it is missing. */
static void allocations_fail_without_an_output_too(void **state)
{
    (void)state;
    for (size_t l = 0; l < COUNT(lines_without_output); l++) {
        const int usual = cli_run(lines_without_output[l])->exit_status;
        const char *const modes[] = {"", "+"};
        for (size_t m = 0; m < COUNT(modes); m++) {
            int number = 0;
            do {
                const cli_outcome *const outcome =
                    run_with_fault(lines_without_output[l], "memory", ++number, modes[m]);
                if (outcome->exit_status != usual && (outcome->exit_status != 1 || !says_why(outcome->errors)))
                    fail_run(lines_without_output[l], "memory", number, outcome, "another one");
            } while (has_struck());
        }
    }
}

/* ---- Signals ------------------------------------------------------------------------------------- */

/* It is killed after half of the output. */
static void a_process_that_is_killed_leaves_the_output_as_it_was(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int beside; /* files that are left */
    } signals[] = {{"kill", 1}, {"term", 0}};
    static const content before = {"not an array", 12};
    for (size_t s = 0; s < COUNT(signals); s++)
        for (int number = 1; number <= 2; number++) {
            char fault[64];
            char *words[] = {STREW_CLI,    "run",       "ScatterNDUpdate-15", "--data", "data.npy", "--indices",
                             "tuples.npy", "--updates", "updates.npy",        "-o",     "out.npy",  NULL};
            snprintf(fault, sizeof fault, "%s:%d", signals[s].name, number);
            content_put(&before, "out.npy");
            cli_remove("struck");
            system_set_variable("STREW_FAULT", fault);
            system_set_variable("LD_PRELOAD", STREW_FAULTS);
            const int status = system_run_program(words, "stdout", "stderr");
            system_set_variable("LD_PRELOAD", NULL);
            assert_int_equal(status, -1); /* it has not ended by itself */
            assert_true(has_struck());
            assert_true(content_is(&before, "out.npy"));
            assert_int_equal(remove_unfinished(), signals[s].beside);
        }
}

/* ---- The system's own faults --------------------------------------------------------------------- */

/* A limit on the size of files: the system takes a part of a write, refuses the next, and would end the process. */
static void a_limit_on_files_is_an_error_as_any_other(void **state)
{
    (void)state;
    static const rlim_t room[] = {4096, 5000, 40000, ROWS * WIDTH * 4 + 127};
    static const content before = {"not an array", 12};
    struct rlimit unlimited;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    for (size_t i = 0; i < COUNT(room); i++) {
        const struct rlimit limited = {room[i], unlimited.rlim_max};
        content_put(&before, "out.npy");
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
        const cli_outcome *const outcome = cli_run(lines[0]);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
        assert_int_equal(outcome->exit_status, 1);
        assert_string_equal(outcome->errors, "strew: error: io_error: out.npy: cannot write: File too large\n");
        assert_true(content_is(&before, "out.npy"));
        assert_int_equal(remove_unfinished(), 0);
    }
}

/* The target of /dev/stdout: in /proc a faulty program replaces nothing, even if root runs the test. */
#define STANDARD_OUTPUT "/proc/self/fd/1"

static bool has_open_files(void)
{
    if (access(STANDARD_OUTPUT, F_OK) == 0)
        return true;
    print_message("skipped: there is no " STANDARD_OUTPUT " here\n");
    return false;
}

static bool has_full_device(void)
{
    struct stat status;
    if (stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode))
        return true;
    print_message("skipped: there is no /dev/full here\n");
    return false;
}

static void a_full_device_is_an_error(void **state)
{
    (void)state;
    if (!has_full_device() || !has_open_files())
        skip();
    const cli_outcome *const outcome = cli_run_to(SCATTER " -o " STANDARD_OUTPUT, "/dev/full");
    assert_int_equal(outcome->exit_status, 1);
    assert_string_equal(outcome->errors,
                        "strew: error: io_error: " STANDARD_OUTPUT ": cannot write: No space left on device\n");
}

static void a_standard_output_that_is_full_is_an_error(void **state)
{
    (void)state;
    if (!has_full_device())
        skip();
    for (size_t l = 0; l + 1 < COUNT(lines_without_output); l++) {
        const cli_outcome *const outcome = cli_run_to(lines_without_output[l], "/dev/full");
        assert_int_equal(outcome->exit_status, 1);
        assert_string_equal(behind_note(outcome->errors),
                            "strew: error: io_error: standard output: cannot write: No space left on device\n");
    }
}

/* ---- Outputs that are no files ------------------------------------------------------------------- */

typedef struct reader {
    size_t most; /* bytes that it takes before it goes */
    content found;
} reader;

static void *read_pipe(void *argument)
{
    reader *const self = argument;
    const int pipe = open("pipe", O_RDONLY);
    ssize_t size = 1;
    while (size > 0 && self->found.size < self->most) {
        size = read(pipe, self->found.bytes + self->found.size, self->most - self->found.size);
        self->found.size += size > 0 ? (size_t)size : 0;
    }
    close(pipe);
    return NULL;
}

static const cli_outcome *run_to_reader(reader *self, size_t most)
{
    pthread_t thread;
    self->most = most;
    self->found.size = 0;
    cli_remove("pipe");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, read_pipe, self), 0);
    const cli_outcome *const outcome = cli_run(SCATTER " -o pipe");
    assert_int_equal(pthread_join(thread, NULL), 0);
    return outcome;
}

static void a_pipe_gets_all_or_the_error_says_why(void **state)
{
    (void)state;
    static content complete;
    static reader other_end;
    assert_int_equal(cli_run(lines[0])->exit_status, 0);
    content_read(&complete, "out.npy");
    assert_int_equal(run_to_reader(&other_end, ROOM)->exit_status, 0);
    assert_int_equal(other_end.found.size, complete.size);
    assert_memory_equal(other_end.found.bytes, complete.bytes, complete.size);
    const cli_outcome *const outcome = run_to_reader(&other_end, 1);
    assert_int_equal(outcome->exit_status, 1);
    assert_string_equal(outcome->errors, "strew: error: io_error: pipe: cannot write: Broken pipe\n");
}

/* The test redirects it to a file, which must not be replaced. */
static void the_standard_output_can_be_the_output(void **state)
{
    (void)state;
    static content complete;
    if (!has_open_files())
        skip();
    assert_int_equal(cli_run(lines[0])->exit_status, 0);
    content_read(&complete, "out.npy");
    cli_write_bytes("redirected", "what was there", 14);
    struct stat before, after;
    assert_int_equal(stat("redirected", &before), 0);
    assert_int_equal(cli_run_to(SCATTER " -o " STANDARD_OUTPUT, "redirected")->exit_status, 0);
    assert_int_equal(stat("redirected", &after), 0);
    assert_true(content_is(&complete, "redirected"));
    assert_true(before.st_ino == after.st_ino);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_that_fail_leave_the_output_as_it_was),
        cmocka_unit_test(files_that_cannot_be_opened_leave_the_output_as_it_was),
        cmocka_unit_test(reads_that_fail_leave_the_output_as_it_was),
        cmocka_unit_test(disks_that_are_full_leave_the_output_as_it_was),
        cmocka_unit_test(short_reads_are_no_faults),
        cmocka_unit_test(allocations_fail_without_an_output_too),
        cmocka_unit_test(a_process_that_is_killed_leaves_the_output_as_it_was),
        cmocka_unit_test(a_limit_on_files_is_an_error_as_any_other),
        cmocka_unit_test(a_full_device_is_an_error),
        cmocka_unit_test(a_standard_output_that_is_full_is_an_error),
        cmocka_unit_test(a_pipe_gets_all_or_the_error_says_why),
        cmocka_unit_test(the_standard_output_can_be_the_output),
    };
    return cmocka_run_group_tests(tests, write_inputs, directory_leave);
}
