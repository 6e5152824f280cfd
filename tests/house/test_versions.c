/* The tables of versions on the operator pages equal the catalogue. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <strew/operators.h>

#include "test.h"

/* A page of docs/operators/, the operators that are on it, and the columns of its table. */
static const struct page {
    const char *name;
    strew_kind first, last;
    const char *columns; /* a letter of `append_cell` for each */
} pages[] = {
    {"gather", STREW_KIND_GATHER, STREW_KIND_GATHER, "vanidr"},
    {"gather_nd", STREW_KIND_GATHER_ND, STREW_KIND_GATHER_ND, "vanidr"},
    {"gather_elements", STREW_KIND_GATHER_ELEMENTS, STREW_KIND_GATHER_ELEMENTS, "vanid"},
    {"scatter", STREW_KIND_SCATTER, STREW_KIND_SCATTER, "vacnid"},
    {"scatter_nd", STREW_KIND_SCATTER_ND, STREW_KIND_SCATTER_ND, "vcnidr"},
    {"scatter_elements", STREW_KIND_SCATTER_ELEMENTS, STREW_KIND_SCATTER_ELEMENTS, "vacnidr"},
    {"tensor_scatter", STREW_KIND_TENSOR_SCATTER, STREW_KIND_TENSOR_SCATTER, "vanid"},
    {"slice_scatter", STREW_KIND_SLICE_SCATTER, STREW_KIND_SLICE_SCATTER, "vad"},
    {"embedding_bags", STREW_KIND_EMBEDDING_BAG_OFFSETS, STREW_KIND_EMBEDDING_SEGMENTS, "vacnidr"},
    {"segment_reduce", STREW_KIND_SEGMENT_REDUCE, STREW_KIND_SEGMENT_REDUCE, "vacnidr"},
};

/* ---- A version's row ----------------------------------------------------------------------------- */

enum { ROOM = 1024 };

__attribute__((format(printf, 2, 3))) static void append(char text[ROOM], const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(text + length, ROOM - length, format, arguments);
    va_end(arguments);
    assert_in_range(written, 0, ROOM - length - 1);
}

/* Appends an item to a list with commas. */
static void append_item(char row[ROOM], const char *item)
{
    const bool is_first = row[strlen(row) - 2] == '|';
    append(row, "%s%s", is_first ? "" : ", ", item);
}

#define DTYPE(NAME) (1u << STREW_DTYPE_##NAME)
enum {
    INT32_INT64 = DTYPE(INT32) | DTYPE(INT64),
    INTEGERS =
        INT32_INT64 | DTYPE(INT8) | DTYPE(INT16) | DTYPE(UINT8) | DTYPE(UINT16) | DTYPE(UINT32) | DTYPE(UINT64),
    NUMERIC = INTEGERS | DTYPE(FLOAT16) | DTYPE(BFLOAT16) | DTYPE(FLOAT32) | DTYPE(FLOAT64) | DTYPE(COMPLEX64) |
              DTYPE(COMPLEX128),
    ANY = NUMERIC | DTYPE(BOOL) | DTYPE(STRING),
    FLOAT8_AND_4_BITS = DTYPE(FLOAT8E4M3FN) | DTYPE(FLOAT8E4M3FNUZ) | DTYPE(FLOAT8E5M2) | DTYPE(FLOAT8E5M2FNUZ) |
                        DTYPE(FLOAT8E8M0) | DTYPE(UINT4) | DTYPE(INT4) | DTYPE(FLOAT4E2M1)
};

/* The words of the pages for sets of dtypes. */
static const struct dtype_set {
    uint32_t dtypes;
    const char *words;
} dtype_sets[] = {
    {DTYPE(INT64), "int64"},
    {INT32_INT64, "int32, int64"},
    {INTEGERS, "any integer"},
    {NUMERIC, "numeric"},
    {NUMERIC | DTYPE(BOOL), "numeric, bool"},
    {ANY & ~DTYPE(BFLOAT16), "any but bfloat16"},
    {ANY, "any"},
    {ANY | FLOAT8_AND_4_BITS, "any; float8 and 4 bits"},
};

static const char *words_for(uint32_t dtypes)
{
    for (size_t s = 0; s < COUNT(dtype_sets); s++)
        if (dtype_sets[s].dtypes == dtypes)
            return dtype_sets[s].words;
    fail_msg("no words for the dtypes %#x", (unsigned)dtypes);
    return NULL;
}

static void append_attributes(char row[ROOM], const strew_operator *op)
{
    const bool needs_axis = op->required & STREW_ATTRIBUTE_AXIS;
    if (op->attributes & STREW_ATTRIBUTE_AXIS)
        append_item(row, op->rules & STREW_RULE_AXIS_IS_INPUT    ? "axis, an input"
                         : needs_axis                            ? "axis, required"
                         : op->kind == STREW_KIND_TENSOR_SCATTER ? "axis = -2"
                                                                 : "axis = 0");
    if (op->attributes & STREW_ATTRIBUTE_BATCH_DIMS)
        append_item(row, "batch_dims = 0");
    if (op->attributes & STREW_ATTRIBUTE_USE_INIT_VAL)
        append_item(row, "use_init_val = true");
    if (op->attributes & STREW_ATTRIBUTE_CIRCULAR)
        append_item(row, "mode = linear");
    if (op->attributes & STREW_ATTRIBUTE_SLICE)
        append_item(row, "slice, four inputs");
    if (op->attributes & STREW_ATTRIBUTE_SEGMENTS)
        append_item(row, op->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS ? "offsets" : "segment_ids");
    if (op->attributes & STREW_ATTRIBUTE_WEIGHTS)
        append_item(row, "weights");
    if (op->attributes & STREW_ATTRIBUTE_DEFAULT_INDEX)
        append_item(row, "default_index");
    if (op->attributes & STREW_ATTRIBUTE_SEGMENT_COUNT)
        append_item(row, "num_segments");
    if (op->attributes & STREW_ATTRIBUTE_EMPTY)
        append_item(row, "fill_mode, required");
}

static void append_reductions(char row[ROOM], const strew_operator *op)
{
    for (int r = 0; r < STREW_REDUCTION_COUNT; r++)
        if (op->reductions >> r & 1u)
            append_item(row, strew_reduction_name((strew_reduction)r));
}

static void append_rules(char row[ROOM], const strew_operator *op)
{
    if (op->rules & STREW_RULE_FLATTENS_BATCH)
        append_item(row, "flattens the batch");
    if (op->rules & STREW_RULE_ONE_ELEMENT_UPDATES)
        append_item(row, "updates of one element");
    if (op->rules & STREW_RULE_DEPRECATED)
        append_item(row, "deprecated");
    if (op->rules & STREW_RULE_ZERO_OUTSIDE)
        append_item(row, "zeros outside");
    if (op->rules & STREW_RULE_DROPS_BEYOND)
        append_item(row, "drops what is beyond");
    if (op->rules & STREW_RULE_NAMES_DEFAULT)
        append_item(row, "a default is a row");
}

static void append_cell(char row[ROOM], char column, const strew_operator *op)
{
    append(row, "| ");
    switch (column) {
    case 'v': append(row, "%s %s", op->collection, op->name); break;
    case 'a': append_attributes(row, op); break;
    case 'c': append_reductions(row, op); break;
    case 'n': append(row, "%s", op->rules & STREW_RULE_REFUSES_NEGATIVE ? "refused" : "count from the end"); break;
    case 'i': append(row, "%s", words_for(op->index_dtypes)); break;
    case 'd': append(row, "%s", words_for(op->data_dtypes)); break;
    case 'r': append_rules(row, op); break;
    default: fail();
    }
    append(row, row[strlen(row) - 2] == '|' ? "" : " ");
}

/* ---- A page -------------------------------------------------------------------------------------- */

static char *read_page(const char *name)
{
    enum { PAGE_ROOM = 1 << 20 };
    char path[1024];
    snprintf(path, sizeof path, "%s%s.md", PAGES, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(PAGE_ROOM, 1);
    assert_non_null(text);
    assert_in_range(fread(text, 1, PAGE_ROOM - 1, file), 1, PAGE_ROOM - 2);
    fclose(file);
    return text;
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *found = text; (found = strstr(found, part)); found++)
        count++;
    return count;
}

/* Returns how many versions it has. */
static size_t check_page(const struct page *page)
{
    char *text = read_page(page->name);
    size_t versions = 0;
    for (size_t i = 0; i < strew_operator_count(); i++) {
        const strew_operator *op = strew_operator_at(i);
        char row[ROOM] = "\n";
        if (op->kind < page->first || op->kind > page->last)
            continue;
        for (const char *column = page->columns; *column; column++)
            append_cell(row, *column, op);
        append(row, "|\n");
        if (!strstr(text, row))
            fail_msg("%s.md lacks the row%s", page->name, row);
        versions++;
    }
    assert_int_not_equal(versions, 0);
    assert_int_equal(occurrences(text, "\n| OpenVINO ") + occurrences(text, "\n| ONNX "), versions);
    free(text);
    return versions;
}

static void each_page_lists_the_versions_of_its_operator(void **state)
{
    (void)state;
    size_t versions = 0;
    for (size_t p = 0; p < COUNT(pages); p++)
        versions += check_page(&pages[p]);
    assert_int_equal(versions, strew_operator_count());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_page_lists_the_versions_of_its_operator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
