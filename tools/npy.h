/*
 * Reads and writes NumPy's .npy files, the arrays of the command line. The format is described in
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 *
 *   - Versions 1.0, 2.0 and 3.0, C and Fortran order and either byte order are read; 1.0 in the host's byte
 *     order is written. Bytes after the data are ignored, as NumPy ignores them.
 *   - Bool, integers, floats of 2, 4 and 8 bytes and complex numbers have their own dtypes. 'V8' is
 *     STREW_DTYPE_OPAQUE(8). Strings ('S' and 'U') are STREW_DTYPE_STRING.
 *   - A file is not trusted: whatever its bytes are, reading it gives an array or an error, and takes memory
 *     in proportion to the bytes that are there, not to the shape that the header claims.
 */
#ifndef STREW_TOOLS_NPY_H
#define STREW_TOOLS_NPY_H

#include <strew/strew.h>

/* Why a file was refused, in one line that begins with its name. Filled in on failure only. */
typedef struct npy_error {
    strew_status status;
    char message[1024];
} npy_error;

/*
 * An array in memory, dense in C or in Fortran order. The caller may give it another dtype of the same size:
 * bfloat16, which .npy lacks, is read as uint16 and written as uint16.
 */
typedef struct npy_array {
    strew_dtype dtype;
    int32_t rank;
    int64_t shape[STREW_MAX_RANK];
    int64_t strides[STREW_MAX_RANK]; /* in elements */
    bool fortran_order;              /* the first dimension is the innermost one */
    char string_kind;   /* for STREW_DTYPE_STRING: 'S' (bytes) or 'U' (UTF-32 in the host's byte order) */
    size_t string_size; /* for STREW_DTYPE_STRING: bytes of an element in the file */
    void *data;         /* owned: the elements; never NULL after success */
    void *text;         /* owned: the strings of an array that was read point into it */
} npy_array;

/* Called now and then during long reads and writes, with the bytes done so far. */
typedef void (*npy_progress)(void *context, size_t done, size_t total);

/*
 * Reads the file at `path`, or the `size` bytes of a file that stand at `bytes` and that messages call `name`.
 * A string ends before the NULs that pad its element. On failure *array owns nothing. progress may be NULL.
 *
 *   STREW_STATUS_IO_ERROR           the file cannot be read, is truncated or damaged
 *   STREW_STATUS_UNSUPPORTED_DTYPE  its elements are objects, dates, structures, long doubles, ...
 *   STREW_STATUS_INVALID_ARGUMENT   its rank is above STREW_MAX_RANK
 *   STREW_STATUS_OUT_OF_MEMORY
 */
strew_status npy_read(const char *path, npy_array *array, npy_progress progress, void *context, npy_error *error);
strew_status npy_read_memory(const char *name, const void *bytes, size_t size, npy_array *array, npy_error *error);

/*
 * Makes an array of this shape in C order with the dtype, string_kind and string_size of `like`; its elements
 * are zero. Strings put into it are views, which the array does not own. STREW_STATUS_OUT_OF_MEMORY if it is too
 * large.
 */
strew_status npy_create_like(npy_array *array, const npy_array *like, int32_t rank, const int64_t *shape,
                             npy_error *error);

/* The array as strew takes it: a view, valid as long as *array is neither freed nor moved. */
strew_tensor npy_tensor(const npy_array *array);

/*
 * Writes the array to a file at `path`, in the order of its data. Strings are padded with NULs to string_size,
 * which the caller sets to the largest of the arrays they come from; those arrays share one string_kind.
 * The file is there when all of it is written, and until then what was there before (output.h). progress may be
 * NULL.
 *
 *   STREW_STATUS_IO_ERROR          the file cannot be created or written
 *   STREW_STATUS_INVALID_ARGUMENT  a string is larger than string_size; nothing was created
 */
strew_status npy_write(const char *path, const npy_array *array, npy_progress progress, void *context,
                       npy_error *error);

/* Frees what the array owns and zeroes it. Does nothing to a zeroed array. */
void npy_free(npy_array *array);

#endif
