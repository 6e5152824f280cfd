/* The .npy files of the command line: what becomes of those that cannot be written to their end. For POSIX. */
#define _POSIX_C_SOURCE 200809L /* symlink, lstat, setrlimit */

#include <errno.h>
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

/* The link stands for the device: a mistake would remove only the link. */
static void what_is_no_regular_file_is_never_removed(void **state)
{
    (void)state;
    struct stat status;
    if (stat("/dev/full", &status) != 0 || !S_ISCHR(status.st_mode)) {
        print_message("skipped: there is no /dev/full here\n");
        skip();
    }
    npy_array like = {.dtype = STREW_DTYPE_INT8};
    npy_array array = create(&like, 0, NULL);
    npy_error error;
    remove(LINK_PATH);
    assert_int_equal(symlink("/dev/full", LINK_PATH), 0);
    assert_int_equal(npy_write(LINK_PATH, &array, NULL, NULL, &error), STREW_STATUS_IO_ERROR);
    assert_io_error(&error, LINK_PATH, "cannot write", ENOSPC);
    assert_int_equal(lstat(LINK_PATH, &status), 0);
    npy_free(&array);
    remove(LINK_PATH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_could_not_be_completed_is_removed),
        cmocka_unit_test(what_is_no_regular_file_is_never_removed),
    };
    return cmocka_run_group_tests_name("npy_unwritten", tests, NULL, NULL);
}
