/* Shared by the tests of .npy files: files made byte by byte, and assertions about them. */
#ifndef STREW_TESTS_NPY_FILE_H
#define STREW_TESTS_NPY_FILE_H

#include "directory.h"
#include "tools/npy.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define HOST ">"
#define FOREIGN "<"
#else
#define HOST "<"
#define FOREIGN ">"
#endif

#define PATH "test_npy.npy"

enum { FILE_ROOM = 4096, MAX_ELEMENT = 16, ELEMENTS = 6 };

struct file {
    unsigned char bytes[FILE_ROOM];
    size_t size;
};

/* Every descr that is not a string, without its byte order, and the bytes that its byte order applies to. */
struct element {
    const char *descr;
    strew_dtype dtype;
    size_t size, width;
};

enum { KINDS_OF_ELEMENTS = 17 };
extern const struct element elements[KINDS_OF_ELEMENTS];

/* A file of version `major`.0 with exactly this header, and `claimed` as its length. */
struct file craft_claiming(unsigned major, size_t claimed, const char *header, const void *data, size_t size);
struct file craft(const char *header, const void *data, size_t size);
/* A file of C order with this descr and shape. */
struct file craft_array(const char *descr, const char *shape, const void *data, size_t size);
/* Reads from an allocation of exactly this size, so that a sanitizer sees any byte read beyond it. */
strew_status read_exact(const unsigned char *bytes, size_t size, npy_array *array, npy_error *error);
npy_array read_file(const struct file *file);
/* The file is refused with this status and exactly this message after its name. */
void assert_refused(const struct file *file, strew_status status, const char *message);
/* The error is this one of the operating system's. */
void assert_io_error(const npy_error *error, const char *path, const char *what, int cause);
void assert_dimensions(const int64_t *found, size_t rank, const int64_t *expected);
void assert_strings(const npy_array *array, size_t count, const strew_string *expected);
/* Bytes of a period that divides no chunk and no element, so that any exchange of two of them shows. */
void fill(unsigned char *bytes, size_t size);
void reverse_each(unsigned char *bytes, size_t size, size_t width);

#endif
