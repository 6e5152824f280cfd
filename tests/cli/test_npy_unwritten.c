/* The .npy files of the command line: how they come to their place, or fail to. For POSIX. */
#define _POSIX_C_SOURCE 200809L /* symlink, lstat, setrlimit */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "npy_file.h"
#include "test.h"

#define LINK_PATH "test_npy.link"

static npy_array create(const npy_array *like, int32_t rank, const int64_t *shape)
{
    npy_array array;
    npy_error error = {STREW_STATUS_OK, ""};
    assert_int_equal(npy_create_like(&array, like, rank, shape, &error), STREW_STATUS_OK);
    return array;
}

static strew_status write_number(const char *path, npy_error *error)
{
    npy_array like = {.dtype = STREW_DTYPE_INT8};
    npy_array array = create(&like, 0, NULL);
    const strew_status status = npy_write(path, &array, NULL, NULL, error);
    npy_free(&array);
    return status;
}

/* A limit on the size of files makes the disk full at any byte: in the header, in the data, at the very end. */
static void a_file_that_could_not_be_completed_is_removed(void **state)
{
    (void)state;
    static const int64_t shape[] = {10000};
    static const rlim_t room[] = {0, 100, 128, 5000, 10127};
    struct rlimit unlimited;
    npy_array like = {.dtype = STREW_DTYPE_INT8};
    npy_array array = create(&like, 1, shape);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    for (size_t i = 0; i < COUNT(room); i++) {
        struct rlimit limited = {room[i], unlimited.rlim_max};
        npy_error error;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
        strew_status status = npy_write(PATH, &array, NULL, NULL, &error);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
        assert_int_equal(status, STREW_STATUS_IO_ERROR);
        assert_io_error(&error, PATH, "cannot write", EFBIG);
        assert_int_not_equal(access(PATH, F_OK), 0);
    }
    npy_error error;
    assert_int_equal(npy_write(PATH, &array, NULL, NULL, &error), STREW_STATUS_OK);
    npy_free(&array);
    assert_int_equal(remove(PATH), 0);
}

/*
 * Links to a device that this process has opened, by way of /proc: there a faulty program replaces and removes
 * nothing, even if root runs the test. Returns false without such a device, and the test is skipped.
 */
static bool link_to_device(const char *device, int *opened)
{
    struct stat status;
    char target[64];
    *opened = open(device, O_WRONLY);
    snprintf(target, sizeof target, "/proc/self/fd/%d", *opened);
    remove(LINK_PATH);
    if (*opened >= 0 && stat(target, &status) == 0 && S_ISCHR(status.st_mode) && symlink(target, LINK_PATH) == 0)
        return true;
    print_message("skipped: there is no %s here, or no %s\n", device, target);
    return false;
}

static void what_is_no_regular_file_is_never_removed(void **state)
{
    (void)state;
    struct stat status;
    int device;
    npy_error error;
    if (!link_to_device("/dev/full", &device))
        skip();
    assert_int_equal(write_number(LINK_PATH, &error), STREW_STATUS_IO_ERROR);
    assert_io_error(&error, LINK_PATH, "cannot write", ENOSPC);
    assert_int_equal(lstat(LINK_PATH, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    close(device);
    remove(LINK_PATH);
}

/* ---- What there is before ------------------------------------------------------------------------ */

static void expect_number(const char *path)
{
    npy_error error = {STREW_STATUS_OK, ""};
    npy_array array;
    assert_int_equal(npy_read(path, &array, NULL, NULL, &error), STREW_STATUS_OK);
    assert_int_equal(array.rank, 0);
    npy_free(&array);
}

static mode_t permissions_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 0777;
}

static void a_new_file_has_the_permissions_of_new_files(void **state)
{
    (void)state;
    static const mode_t masks[] = {0022, 0077, 0};
    npy_error error;
    for (size_t m = 0; m < COUNT(masks); m++) {
        const mode_t before = umask(masks[m]);
        assert_int_equal(write_number(PATH, &error), STREW_STATUS_OK);
        umask(before);
        assert_int_equal(permissions_of(PATH), 0666 & ~masks[m]);
        assert_int_equal(remove(PATH), 0);
    }
}

static void a_file_that_is_replaced_keeps_its_permissions(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0666};
    npy_error error;
    for (size_t m = 0; m < COUNT(modes); m++) {
        assert_int_equal(write_number(PATH, &error), STREW_STATUS_OK);
        assert_int_equal(chmod(PATH, modes[m]), 0);
        assert_int_equal(write_number(PATH, &error), STREW_STATUS_OK);
        assert_int_equal(permissions_of(PATH), modes[m]);
        assert_int_equal(remove(PATH), 0);
    }
}

/* A reader of the old file can go on reading it. */
static void a_file_that_is_open_stays_as_it_was(void **state)
{
    (void)state;
    char found[5] = "";
    npy_error error;
    FILE *file = fopen(PATH, "wb+");
    assert_non_null(file);
    assert_int_equal(fwrite("data", 1, 4, file), 4);
    rewind(file);
    assert_int_equal(write_number(PATH, &error), STREW_STATUS_OK);
    assert_int_equal(fread(found, 1, sizeof found, file), 4);
    assert_string_equal(found, "data");
    fclose(file);
    expect_number(PATH);
    assert_int_equal(remove(PATH), 0);
}

static void what_may_not_be_written_is_not_replaced(void **state)
{
    (void)state;
    npy_error error;
    if (geteuid() == 0) {
        print_message("skipped: root may write everything\n");
        skip();
    }
    assert_int_equal(write_number(PATH, &error), STREW_STATUS_OK);
    assert_int_equal(chmod(PATH, 0400), 0);
    assert_int_equal(write_number(PATH, &error), STREW_STATUS_IO_ERROR);
    assert_io_error(&error, PATH, "cannot create", EACCES);
    assert_int_equal(remove(PATH), 0);
}

/* One link leads to the next, and that to a file in another directory, which exists or not. */
static void links_stay_and_what_they_lead_to_is_replaced(void **state)
{
    (void)state;
    struct stat status;
    npy_error error;
    mkdir("test_npy.directory", 0700);
    remove(LINK_PATH);
    assert_int_equal(symlink("test_npy.second", LINK_PATH), 0);
    assert_int_equal(symlink("test_npy.directory/third", "test_npy.second"), 0);
    assert_int_equal(symlink("file", "test_npy.directory/third"), 0);
    for (int repeat = 0; repeat < 2; repeat++) {
        assert_int_equal(write_number(LINK_PATH, &error), STREW_STATUS_OK);
        assert_int_equal(lstat(LINK_PATH, &status), 0);
        assert_true(S_ISLNK(status.st_mode));
        assert_int_equal(lstat("test_npy.directory/third", &status), 0);
        assert_true(S_ISLNK(status.st_mode));
        expect_number("test_npy.directory/file");
    }
    assert_int_equal(remove("test_npy.directory/file"), 0);
    assert_int_equal(remove("test_npy.directory/third"), 0);
    assert_int_equal(remove("test_npy.directory"), 0); /* nothing else is left in it */
    assert_int_equal(remove("test_npy.second"), 0);
    assert_int_equal(remove(LINK_PATH), 0);
}

static void links_in_a_circle_lead_nowhere(void **state)
{
    (void)state;
    npy_error error;
    remove(LINK_PATH);
    assert_int_equal(symlink(LINK_PATH, LINK_PATH), 0);
    assert_int_equal(write_number(LINK_PATH, &error), STREW_STATUS_IO_ERROR);
    assert_io_error(&error, LINK_PATH, "cannot create", ELOOP);
    assert_int_equal(remove(LINK_PATH), 0);
}

/* The name of the temporary file is not longer. */
static void a_name_may_be_as_long_as_names_are(void **state)
{
    (void)state;
    char name[256];
    npy_error error;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(write_number(name, &error), STREW_STATUS_OK);
    expect_number(name);
    assert_int_equal(remove(name), 0);
    char path[2 * 4096];
    memset(path, '/', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(write_number(path, &error), STREW_STATUS_IO_ERROR);
    assert_int_equal(write_number("", &error), STREW_STATUS_IO_ERROR);
    assert_io_error(&error, "", "cannot create", ENOENT);
}

/* A temporary file may be another process's, or the leftover of a process with the same number. */
static void what_is_beside_already_stays(void **state)
{
    (void)state;
    char beside[64];
    npy_error error;
    snprintf(beside, sizeof beside, ".strew-%ld-0", (long)getpid());
    assert_int_equal(symlink("nowhere", beside), 0);
    assert_int_equal(write_number(PATH, &error), STREW_STATUS_OK);
    expect_number(PATH);
    assert_int_equal(remove(PATH), 0);
    assert_int_equal(remove(beside), 0);
    assert_int_not_equal(access("nowhere", F_OK), 0);
}

/* ---- Signals ------------------------------------------------------------------------------------- */

static void handle(int number)
{
    (void)number;
}

static void signals_are_left_as_they_were(void **state)
{
    (void)state;
    static void (*const handlers[])(int) = {SIG_DFL, SIG_IGN, handle};
    npy_error error;
    int device;
    for (size_t h = 0; h < COUNT(handlers); h++) {
        signal(SIGTERM, handlers[h]);
        assert_int_equal(write_number(PATH, &error), STREW_STATUS_OK);
        assert_true(signal(SIGTERM, SIG_DFL) == handlers[h]);
        assert_int_equal(remove(PATH), 0);
    }
    if (!link_to_device("/dev/null", &device))
        skip();
    assert_int_equal(write_number(LINK_PATH, &error), STREW_STATUS_OK);
    assert_true(signal(SIGTERM, SIG_DFL) == SIG_DFL);
    close(device);
    remove(LINK_PATH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_could_not_be_completed_is_removed),
        cmocka_unit_test(what_is_no_regular_file_is_never_removed),
        cmocka_unit_test(a_new_file_has_the_permissions_of_new_files),
        cmocka_unit_test(a_file_that_is_replaced_keeps_its_permissions),
        cmocka_unit_test(a_file_that_is_open_stays_as_it_was),
        cmocka_unit_test(what_may_not_be_written_is_not_replaced),
        cmocka_unit_test(links_stay_and_what_they_lead_to_is_replaced),
        cmocka_unit_test(links_in_a_circle_lead_nowhere),
        cmocka_unit_test(a_name_may_be_as_long_as_names_are),
        cmocka_unit_test(what_is_beside_already_stays),
        cmocka_unit_test(signals_are_left_as_they_were),
    };
    return cmocka_run_group_tests_name("npy_unwritten", tests, directory_enter, directory_leave);
}
