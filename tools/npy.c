/* Reads and writes NumPy's .npy files: see npy.h. */
#include "npy.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "printf_like.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { HOST_ORDER = '>', FOREIGN_ORDER = '<' };
#else
enum { HOST_ORDER = '<', FOREIGN_ORDER = '>' };
#endif

#define MAGIC "\x93NUMPY"

enum {
    MAGIC_SIZE = sizeof(MAGIC) - 1,
    VERSION_SIZE = 2,
    PREAMBLE_SIZE = MAGIC_SIZE + VERSION_SIZE + 2, /* in version 1.0: includes the length of the header */
    HEADER_SIZE = 1024,                            /* enough for the longest header of STREW_MAX_RANK dimensions */
    ALIGNMENT = 64,  /* data starts at a multiple of this in files that NumPy writes */
    CODE_POINT = 4,  /* bytes of a code point of 'U' */
    CHUNK = 1 << 20, /* bytes that are read or written between two reports of progress */

    /* Strings of no bytes take memory but no room in the file, so the size of the file does not limit their
     * number. */
    MAX_EMPTY_STRINGS = 1 << 20
};

/* The format of an element, from the descr of the file. */
struct format {
    strew_dtype dtype;
    char kind;
    size_t size;  /* in bytes */
    bool swapped; /* not in the host's byte order */
};

/* The kind of each number; with its size it makes a descr. 'u2' is read as uint16, which comes before bfloat16. */
static const struct {
    strew_dtype dtype;
    char kind;
} numbers[] = {
    {STREW_DTYPE_BOOL, 'b'},      {STREW_DTYPE_INT8, 'i'},       {STREW_DTYPE_INT16, 'i'},
    {STREW_DTYPE_INT32, 'i'},     {STREW_DTYPE_INT64, 'i'},      {STREW_DTYPE_UINT8, 'u'},
    {STREW_DTYPE_UINT16, 'u'},    {STREW_DTYPE_UINT32, 'u'},     {STREW_DTYPE_UINT64, 'u'},
    {STREW_DTYPE_FLOAT16, 'f'},   {STREW_DTYPE_FLOAT32, 'f'},    {STREW_DTYPE_FLOAT64, 'f'},
    {STREW_DTYPE_COMPLEX64, 'c'}, {STREW_DTYPE_COMPLEX128, 'c'}, {STREW_DTYPE_BFLOAT16, 'u'},
};
enum { NUMBER_COUNT = sizeof(numbers) / sizeof(numbers[0]) };

PRINTF_LIKE(3, 4) static strew_status fail(npy_error *error, strew_status status, const char *message, ...)
{
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(error->message, sizeof(error->message), message, arguments);
    va_end(arguments);
    error->status = status;
    return status;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void report(npy_progress progress, void *context, size_t done, size_t total)
{
    if (progress != NULL)
        progress(context, done, total);
}

/* ---- Elements and shapes ------------------------------------------------------------------------- */

/* The bytes that a byte order applies to: a part of a complex number, a code point, or the whole element. */
static size_t swap_width(const struct format *format)
{
    switch (format->kind) {
    case 'c': return format->size / 2;
    case 'U': return CODE_POINT;
    case 'S':
    case 'V': return 1;
    default: return format->size;
    }
}

static strew_dtype find_dtype(char kind, size_t size)
{
    if (kind == 'S' || kind == 'U')
        return STREW_DTYPE_STRING;
    if (kind == 'V' && size > 0)
        return STREW_DTYPE_OPAQUE(size);
    for (size_t i = 0; i < NUMBER_COUNT; i++)
        if (numbers[i].kind == kind && strew_dtype_size(numbers[i].dtype) == size)
            return numbers[i].dtype;
    return STREW_DTYPE_NONE;
}

static struct format format_of(const npy_array *array)
{
    struct format format = {.dtype = array->dtype, .kind = 'V', .size = strew_dtype_size(array->dtype)};
    if (array->dtype == STREW_DTYPE_STRING) {
        format.kind = array->string_kind;
        format.size = array->string_size;
    }
    for (size_t i = 0; i < NUMBER_COUNT; i++)
        if (numbers[i].dtype == array->dtype)
            format.kind = numbers[i].kind;
    return format;
}

/* Counts the elements; false if the dimensions, zeros left out, make more bytes than strew addresses. */
static bool count_elements(int32_t rank, const int64_t *shape, size_t element_size, size_t *count)
{
    int64_t limit = PTRDIFF_MAX / (ptrdiff_t)element_size;
    int64_t product = 1;
    bool empty = false;
    for (int32_t i = 0; i < rank; i++) {
        if (shape[i] == 0)
            empty = true;
        else if (product > limit / shape[i])
            return false;
        else
            product *= shape[i];
    }
    *count = empty ? 0 : (size_t)product;
    return true;
}

static void set_strides(npy_array *array)
{
    int64_t stride = 1;
    for (int32_t i = 0; i < array->rank; i++) {
        int32_t dimension = array->fortran_order ? i : array->rank - 1 - i;
        array->strides[dimension] = stride;
        if (array->shape[dimension] > 0)
            stride *= array->shape[dimension];
    }
}

strew_status npy_create_like(npy_array *array, const npy_array *like, int32_t rank, const int64_t *shape,
                             npy_error *error)
{
    *array = (npy_array){
        .dtype = like->dtype, .rank = rank, .string_kind = like->string_kind, .string_size = like->string_size};
    size_t element_size = strew_dtype_size(like->dtype);
    size_t count = 0;
    if (count_elements(rank, shape, element_size, &count))
        array->data = calloc(larger(count, 1), element_size);
    if (array->data == NULL)
        return fail(error, STREW_STATUS_OUT_OF_MEMORY, "there is not enough memory for the output");

    for (int32_t i = 0; i < rank; i++)
        array->shape[i] = shape[i];
    set_strides(array);
    return STREW_STATUS_OK;
}

strew_tensor npy_tensor(const npy_array *array)
{
    return (strew_tensor){array->data, array->dtype, array->rank, array->shape, array->strides};
}

void npy_free(npy_array *array)
{
    free(array->data);
    free(array->text);
    *array = (npy_array){0};
}

/* ---- Reading bytes ------------------------------------------------------------------------------- */

/* The source of a file's bytes: an open file, or memory. */
struct source {
    const char *name;
    FILE *file; /* NULL for memory */
    const unsigned char *bytes;
    size_t size;
    npy_progress progress;
    void *context;
    npy_error *error;
};

static size_t read_some(struct source *source, void *into, size_t size)
{
    if (source->file != NULL)
        return fread(into, 1, size, source->file);

    size_t taken = smaller(size, source->size);
    if (taken > 0) {
        memcpy(into, source->bytes, taken);
        source->bytes += taken;
        source->size -= taken;
    }
    return taken;
}

static strew_status fail_short(const struct source *source, const char *part, size_t expected, size_t found)
{
    if (source->file != NULL && ferror(source->file))
        return fail(source->error, STREW_STATUS_IO_ERROR, "%s: cannot read: %s", source->name, strerror(errno));
    return fail(source->error, STREW_STATUS_IO_ERROR, "%s: truncated: %zu bytes of %s expected, %zu found",
                source->name, expected, part, found);
}

/* Enlarges a buffer, for `size` bytes in the end, no faster than they turn up: `size` is but a file's claim. */
static bool grow(char **bytes, size_t *capacity, size_t size)
{
    size_t grown_capacity = smaller(size, larger(2 * *capacity, CHUNK));
    char *grown = realloc(*bytes, grown_capacity + 1);
    if (grown == NULL)
        return false;
    *bytes = grown;
    *capacity = grown_capacity;
    return true;
}

/* Reads the next `size` bytes into *bytes, which the caller frees. A NUL follows them. */
static strew_status read_part(struct source *source, const char *part, size_t size, char **bytes)
{
    size_t capacity = 0;
    size_t done = 0;
    *bytes = NULL;
    do {
        if (done == capacity && !grow(bytes, &capacity, size))
            return fail(source->error, STREW_STATUS_OUT_OF_MEMORY, "%s: there is not enough memory for its %s",
                        source->name, part);
        size_t wanted = smaller(capacity - done, CHUNK);
        size_t found = read_some(source, *bytes + done, wanted);
        done += found;
        if (found < wanted)
            return fail_short(source, part, size, done);
        if (size > CHUNK)
            report(source->progress, source->context, done, size);
    } while (done < size);
    (*bytes)[size] = '\0';
    return STREW_STATUS_OK;
}

/* ---- The header: a Python dictionary ------------------------------------------------------------- */

/* The text ends in a NUL, which no Python literal contains: parsing stops there without comparing with the end. */
struct parser {
    const struct source *source;
    char *text, *cursor, *end;
    size_t offset; /* in the text in the file */
    npy_array *array;
    struct format *format;
};

static strew_status expected(const struct parser *parser, const char *what)
{
    return fail(parser->source->error, STREW_STATUS_IO_ERROR, "%s: damaged header: %s expected at byte %zu",
                parser->source->name, what, parser->offset + (size_t)(parser->cursor - parser->text));
}

static char peek(struct parser *parser)
{
    parser->cursor += strspn(parser->cursor, " \t\r\n\f");
    return *parser->cursor;
}

static bool take(struct parser *parser, char wanted)
{
    if (peek(parser) != wanted)
        return false;
    parser->cursor++;
    return true;
}

static bool take_word(struct parser *parser, const char *word)
{
    peek(parser);
    if (strncmp(parser->cursor, word, strlen(word)) != 0)
        return false;
    parser->cursor += strlen(word);
    return true;
}

/* Takes a quoted string and ends it at its closing quote. The strings in headers need no escapes. */
static char *take_string(struct parser *parser)
{
    char quote = peek(parser);
    if (quote != '\'' && quote != '"')
        return NULL;
    char *string = parser->cursor + 1;
    char *close = strchr(string, quote);
    if (close == NULL)
        return NULL;
    *close = '\0';
    parser->cursor = close + 1;
    return string;
}

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

/* Takes a number from 0 to 2^63 - 1. Python refuses leading zeros. */
static bool take_number(char **cursor, int64_t *number)
{
    char *digit = *cursor;
    if (!is_digit(*digit) || (*digit == '0' && is_digit(digit[1])))
        return false;

    int64_t value = 0;
    for (; is_digit(*digit); digit++) {
        int64_t units = *digit - '0';
        if (value > (INT64_MAX - units) / 10)
            return false;
        value = value * 10 + units;
    }
    *cursor = digit;
    *number = value;
    return true;
}

static strew_status fail_dtype(const struct parser *parser, const char *descr, size_t length)
{
    char printable[80];
    size_t shown = smaller(length, sizeof(printable) - 1);
    for (size_t i = 0; i < shown; i++)
        printable[i] = descr[i] >= ' ' && descr[i] <= '~' ? descr[i] : '?';
    printable[shown] = '\0';
    return fail(parser->source->error, STREW_STATUS_UNSUPPORTED_DTYPE, "%s: its dtype %s is none that strew has",
                parser->source->name, printable);
}

/* The length of a list or tuple with all that is nested in it. */
static size_t nested_length(const char *text)
{
    size_t length = 0;
    int depth = 0;
    do {
        char character = text[length++];
        depth += (character == '[' || character == '(') - (character == ']' || character == ')');
    } while (depth > 0 && text[length] != '\0');
    return length;
}

static bool decode_descr(char *descr, struct format *format)
{
    char order = HOST_ORDER;
    if (*descr != '\0' && strchr("<>=|", *descr) != NULL)
        order = *descr++;
    if (strcmp(descr, "?") == 0) {
        *format = (struct format){STREW_DTYPE_BOOL, 'b', 1, false};
        return true;
    }
    if (*descr == '\0')
        return false;

    char kind = *descr++;
    int64_t unit = kind == 'U' ? CODE_POINT : 1;
    int64_t count;
    if (!take_number(&descr, &count) || *descr != '\0' || count > INT32_MAX / unit)
        return false;

    size_t size = (size_t)(count * unit);
    *format = (struct format){find_dtype(kind, size), kind, size, order == FOREIGN_ORDER};
    return format->dtype != STREW_DTYPE_NONE;
}

static strew_status parse_descr(struct parser *parser)
{
    char first = peek(parser);
    if (first == '[' || first == '(')
        return fail_dtype(parser, parser->cursor, nested_length(parser->cursor));
    char *descr = take_string(parser);
    if (descr == NULL)
        return expected(parser, "a dtype in quotes");
    if (!decode_descr(descr, parser->format))
        return fail_dtype(parser, descr, strlen(descr));
    return STREW_STATUS_OK;
}

static strew_status parse_fortran_order(struct parser *parser)
{
    parser->array->fortran_order = take_word(parser, "True");
    if (parser->array->fortran_order || take_word(parser, "False"))
        return STREW_STATUS_OK;
    return expected(parser, "True or False");
}

static strew_status parse_dimension(struct parser *parser)
{
    npy_array *array = parser->array;
    if (array->rank == STREW_MAX_RANK)
        return fail(parser->source->error, STREW_STATUS_INVALID_ARGUMENT,
                    "%s: its shape has more than the %d dimensions that strew takes", parser->source->name,
                    STREW_MAX_RANK);
    peek(parser);
    if (!take_number(&parser->cursor, &array->shape[array->rank]))
        return expected(parser, "a size from 0 to 2^63 - 1");
    array->rank++;
    if (*parser->cursor == 'L') /* as Python 2 wrote large integers */
        parser->cursor++;
    return STREW_STATUS_OK;
}

static strew_status parse_shape(struct parser *parser)
{
    if (!take(parser, '('))
        return expected(parser, "'('");
    while (!take(parser, ')')) {
        strew_status status = parse_dimension(parser);
        if (status != STREW_STATUS_OK)
            return status;
        bool comma = take(parser, ',');
        if (!comma && (parser->array->rank == 1 || peek(parser) != ')'))
            return expected(parser, "','");
    }
    return STREW_STATUS_OK;
}

static const struct key {
    const char *name;
    strew_status (*parse)(struct parser *parser);
} keys[] = {
    {"descr", parse_descr},
    {"fortran_order", parse_fortran_order},
    {"shape", parse_shape},
};
enum { KEY_COUNT = sizeof(keys) / sizeof(keys[0]) };

static strew_status parse_entry(struct parser *parser, bool seen[KEY_COUNT])
{
    peek(parser);
    char *start = parser->cursor;
    const char *name = take_string(parser);
    size_t key = 0;
    while (name != NULL && key < KEY_COUNT && strcmp(name, keys[key].name) != 0)
        key++;
    if (name == NULL || key == KEY_COUNT) {
        parser->cursor = start;
        return expected(parser, "'descr', 'fortran_order' or 'shape'");
    }
    if (seen[key])
        return fail(parser->source->error, STREW_STATUS_IO_ERROR, "%s: damaged header: '%s' stands there twice",
                    parser->source->name, name);
    seen[key] = true;
    return take(parser, ':') ? keys[key].parse(parser) : expected(parser, "':'");
}

static strew_status parse_header(struct parser *parser)
{
    bool seen[KEY_COUNT] = {false};
    if (!take(parser, '{'))
        return expected(parser, "'{'");
    while (!take(parser, '}')) {
        strew_status status = parse_entry(parser, seen);
        if (status != STREW_STATUS_OK)
            return status;
        if (!take(parser, ',') && peek(parser) != '}')
            return expected(parser, "',' or '}'");
    }
    peek(parser);
    if (parser->cursor != parser->end)
        return expected(parser, "its end");
    for (size_t key = 0; key < KEY_COUNT; key++)
        if (!seen[key])
            return fail(parser->source->error, STREW_STATUS_IO_ERROR, "%s: damaged header: '%s' is missing",
                        parser->source->name, keys[key].name);
    return STREW_STATUS_OK;
}

/* ---- Reading ------------------------------------------------------------------------------------- */

/* Reads the preamble: its size, and the length of the header. */
static strew_status read_preamble(struct source *source, size_t *preamble_size, size_t *header_size)
{
    unsigned char preamble[MAGIC_SIZE + VERSION_SIZE] = {0};
    size_t found = read_some(source, preamble, sizeof(preamble));
    if (memcmp(preamble, MAGIC, smaller(found, MAGIC_SIZE)) != 0)
        return fail(source->error, STREW_STATUS_IO_ERROR, "%s: not a .npy file: it does not begin with \\x93NUMPY",
                    source->name);
    if (found < sizeof(preamble))
        return fail_short(source, "magic and version", sizeof(preamble), found);

    unsigned major = preamble[MAGIC_SIZE];
    unsigned minor = preamble[MAGIC_SIZE + 1];
    if (major < 1 || major > 3 || minor != 0)
        return fail(source->error, STREW_STATUS_IO_ERROR, "%s: version %u.%u is not 1.0, 2.0 or 3.0", source->name,
                    major, minor);

    unsigned char length[4] = {0};
    size_t length_size = major == 1 ? 2 : 4;
    found = read_some(source, length, length_size);
    if (found < length_size)
        return fail_short(source, "header length", length_size, found);
    *header_size = length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
    *preamble_size = sizeof(preamble) + length_size;
    return STREW_STATUS_OK;
}

static strew_status read_header(struct source *source, npy_array *array, struct format *format)
{
    size_t preamble_size = 0;
    size_t size = 0;
    strew_status status = read_preamble(source, &preamble_size, &size);
    if (status != STREW_STATUS_OK)
        return status;

    char *text;
    status = read_part(source, "header", size, &text);
    if (status == STREW_STATUS_OK) {
        struct parser parser = {source, text, text, text + size, preamble_size, array, format};
        status = parse_header(&parser);
    }
    free(text);
    return status;
}

static void swap_bytes(char *bytes, size_t size, size_t width)
{
    for (char *element = bytes; element < bytes + size; element += width)
        for (size_t low = 0, high = width - 1; low < high; low++, high--) {
            char byte = element[low];
            element[low] = element[high];
            element[high] = byte;
        }
}

/* The size of a string without the NULs that pad it. */
static size_t string_length(const char *string, size_t size, size_t unit)
{
    static const char nul[CODE_POINT] = {0};
    while (size > 0 && memcmp(string + size - unit, nul, unit) == 0)
        size -= unit;
    return size;
}

static strew_string *view_strings(const char *text, const struct format *format, size_t count)
{
    strew_string *strings = malloc(larger(count, 1) * sizeof(*strings));
    if (strings == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const char *string = text + i * format->size;
        strings[i] = (strew_string){string, string_length(string, format->size, swap_width(format))};
    }
    return strings;
}

/* Counts the elements that a header claims, if they are not too many to be true. */
static strew_status count_claimed(const struct source *source, const npy_array *array, const struct format *format,
                                  size_t *count)
{
    size_t element_size = larger(format->size, strew_dtype_size(format->dtype));
    if (!count_elements(array->rank, array->shape, element_size, count))
        return fail(source->error, STREW_STATUS_IO_ERROR,
                    "%s: damaged header: its shape makes more bytes than can be addressed", source->name);
    if (format->size == 0 && *count > MAX_EMPTY_STRINGS)
        return fail(source->error, STREW_STATUS_IO_ERROR,
                    "%s: damaged header: %zu strings of no bytes, where %d are the most", source->name, *count,
                    MAX_EMPTY_STRINGS);
    return STREW_STATUS_OK;
}

static strew_status read_data(struct source *source, npy_array *array, const struct format *format)
{
    size_t count = 0;
    strew_status status = count_claimed(source, array, format, &count);
    if (status != STREW_STATUS_OK)
        return status;
    array->dtype = format->dtype;
    set_strides(array);

    char *bytes;
    status = read_part(source, "data", count * format->size, &bytes);
    bool is_string = format->dtype == STREW_DTYPE_STRING;
    *(is_string ? &array->text : &array->data) = bytes;
    if (status != STREW_STATUS_OK)
        return status;
    if (format->swapped)
        swap_bytes(bytes, count * format->size, swap_width(format));
    if (!is_string)
        return STREW_STATUS_OK;

    array->string_kind = format->kind;
    array->string_size = format->size;
    array->data = view_strings(bytes, format, count);
    if (array->data == NULL)
        return fail(source->error, STREW_STATUS_OUT_OF_MEMORY, "%s: there is not enough memory for its strings",
                    source->name);
    return STREW_STATUS_OK;
}

static strew_status read_array(struct source *source, npy_array *array)
{
    struct format format;
    *array = (npy_array){0};
    strew_status status = read_header(source, array, &format);
    if (status == STREW_STATUS_OK)
        status = read_data(source, array, &format);
    if (status != STREW_STATUS_OK)
        npy_free(array);
    return status;
}

strew_status npy_read(const char *path, npy_array *array, npy_progress progress, void *context, npy_error *error)
{
    *array = (npy_array){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fail(error, STREW_STATUS_IO_ERROR, "%s: cannot open: %s", path, strerror(errno));
    struct source source = {.name = path, .file = file, .progress = progress, .context = context, .error = error};
    strew_status status = read_array(&source, array);
    fclose(file);
    return status;
}

strew_status npy_read_memory(const char *name, const void *bytes, size_t size, npy_array *array, npy_error *error)
{
    struct source source = {.name = name, .bytes = bytes, .size = size, .error = error};
    return read_array(&source, array);
}

/* ---- Writing ------------------------------------------------------------------------------------- */

/* A preamble and header under construction, `length` bytes so far. */
struct header {
    char text[HEADER_SIZE];
    size_t length;
};

PRINTF_LIKE(2, 3) static void append(struct header *header, const char *text, ...)
{
    size_t room = sizeof(header->text) - header->length;
    va_list arguments;
    va_start(arguments, text);
    int length = vsnprintf(header->text + header->length, room, text, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < room);
    header->length += (size_t)length;
}

/* Appends the dictionary, letter by letter as NumPy writes it. */
static void append_dictionary(struct header *header, const npy_array *array)
{
    struct format format = format_of(array);
    char order = swap_width(&format) == 1 ? '|' : HOST_ORDER;
    size_t unit = format.kind == 'U' ? CODE_POINT : 1;
    append(header, "{'descr': '%c%c%zu', 'fortran_order': %s, 'shape': (", order, format.kind, format.size / unit,
           array->fortran_order ? "True" : "False");
    for (int32_t i = 0; i < array->rank; i++)
        append(header, i == 0 ? "%lld" : ", %lld", (long long)array->shape[i]);
    append(header, array->rank == 1 ? ",), }" : "), }");
}

/* STREW_MAX_RANK dimensions fit in the 65535 bytes of version 1.0, so no other is ever written. */
static bool write_header(FILE *file, const npy_array *array)
{
    struct header header = {.length = PREAMBLE_SIZE};
    append_dictionary(&header, array);
    size_t padding = ALIGNMENT - 1 - header.length % ALIGNMENT;
    append(&header, "%*s\n", (int)padding, "");

    size_t dictionary_size = header.length - PREAMBLE_SIZE;
    memcpy(header.text, MAGIC "\x01", MAGIC_SIZE + VERSION_SIZE);
    header.text[PREAMBLE_SIZE - 2] = (char)(dictionary_size & 0xff);
    header.text[PREAMBLE_SIZE - 1] = (char)(dictionary_size >> 8);
    return fwrite(header.text, 1, header.length, file) == header.length;
}

static bool strings_fit(const npy_array *array, size_t count)
{
    const strew_string *strings = array->data;
    for (size_t i = 0; i < count; i++)
        if (strings[i].size > array->string_size)
            return false;
    return true;
}

static bool write_strings(FILE *file, const strew_string *strings, size_t count, size_t string_size)
{
    for (size_t i = 0; i < count; i++) {
        if (strings[i].size > 0 && fwrite(strings[i].data, strings[i].size, 1, file) != 1)
            return false;
        for (size_t size = strings[i].size; size < string_size; size++)
            if (putc('\0', file) == EOF)
                return false;
    }
    return true;
}

static bool write_elements(FILE *file, const npy_array *array, size_t first, size_t count)
{
    if (array->dtype == STREW_DTYPE_STRING)
        return write_strings(file, (const strew_string *)array->data + first, count, array->string_size);
    size_t size = strew_dtype_size(array->dtype);
    return fwrite((const char *)array->data + first * size, size, count, file) == count;
}

static bool write_data(FILE *file, const npy_array *array, size_t count, npy_progress progress, void *context)
{
    size_t step = larger(CHUNK / larger(format_of(array).size, 1), 1);
    for (size_t first = 0; first < count; first += step) {
        size_t portion = smaller(step, count - first);
        if (!write_elements(file, array, first, portion))
            return false;
        if (count > step)
            report(progress, context, first + portion, count);
    }
    return true;
}

strew_status npy_write(const char *path, const npy_array *array, npy_progress progress, void *context,
                       npy_error *error)
{
    size_t count = 0;
    count_elements(array->rank, array->shape, strew_dtype_size(array->dtype), &count);
    if (array->dtype == STREW_DTYPE_STRING && !strings_fit(array, count))
        return fail(error, STREW_STATUS_INVALID_ARGUMENT,
                    "%s: a string is larger than the %zu bytes of its elements", path, array->string_size);

    output_file file;
    if (!output_open(&file, path))
        return fail(error, STREW_STATUS_IO_ERROR, "%s: cannot create: %s", path, strerror(errno));
    const bool written =
        write_header(file.stream, array) && write_data(file.stream, array, count, progress, context);
    if (!output_close(&file, written))
        return fail(error, STREW_STATUS_IO_ERROR, "%s: cannot write: %s", path, strerror(errno));
    return STREW_STATUS_OK;
}
