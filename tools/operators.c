/* strew operators: every published version, with its inputs and attributes. */
#include "command.h"

#include <inttypes.h>
#include <stdio.h>

#include <strew/operators.h>

/* Dtypes that come and go together are shown as one. */
static void print_dtypes(uint32_t dtypes)
{
    const char *separator = "";
    for (strew_dtype dtype = STREW_DTYPE_NONE + 1; dtype < STREW_DTYPE_COUNT; dtype++)
        if (dtypes >> dtype & 1u) {
            printf("%s%s", separator, strew_dtype_name(dtype));
            separator = " ";
        }
}

/* Prints the inputs and attributes of operators that combine rows. */
static void print_segments(const strew_operator *op)
{
    const bool has_default = op->attributes & STREW_ATTRIBUTE_DEFAULT_INDEX;
    if (op->attributes & STREW_ATTRIBUTE_SEGMENTS)
        printf("  %-12s required, an input\n",
               op->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS ? "offsets" : "segment_ids");
    if (op->attributes & STREW_ATTRIBUTE_WEIGHTS)
        puts("  weights      an input, or none");
    if (op->attributes & STREW_ATTRIBUTE_SEGMENT_COUNT)
        printf("  segments     %s\n", op->kind == STREW_KIND_SEGMENT_REDUCE ? "default one more than the last named"
                                                                            : "required: --segments");
    if (has_default || op->attributes & STREW_ATTRIBUTE_EMPTY)
        printf("  empty        %s\n",
               has_default ? "zeros, or the row that --default-index names" : "required: --empty zero or lowest");
    if (op->rules & STREW_RULE_DROPS_BEYOND)
        puts("  beyond       dropped");
}

static void print_attributes(const strew_operator *op)
{
    if (op->attributes & STREW_ATTRIBUTE_AXIS)
        printf("  axis         %s\n", op->rules & STREW_RULE_AXIS_IS_INPUT
                                          ? "required, an input: a number or an array"
                                      : op->required & STREW_ATTRIBUTE_AXIS   ? "required"
                                      : op->kind == STREW_KIND_TENSOR_SCATTER ? "default -2"
                                                                              : "default 0");
    if (op->attributes & STREW_ATTRIBUTE_BATCH_DIMS)
        printf("  batch_dims   default 0%s\n",
               op->rules & STREW_RULE_FLATTENS_BATCH ? "; flattened into one in the output" : "");
    if (op->reductions) {
        printf("  reductions  ");
        for (unsigned r = 0; r < STREW_REDUCTION_COUNT; r++)
            if (op->reductions >> r & 1u)
                printf(" %s", strew_reduction_name((strew_reduction)r));
        putchar('\n');
    }
    if (op->attributes & STREW_ATTRIBUTE_CIRCULAR)
        puts("  circular     default false");
    if (op->attributes & STREW_ATTRIBUTE_SLICE)
        puts("  slice        required, as four inputs");
    print_segments(op);
    if (op->attributes & STREW_ATTRIBUTE_USE_INIT_VAL)
        puts("  init val     used; --no-init-val leaves it out");
}

static void print_indices(const strew_operator *op)
{
    printf("  negative     %s\n", op->rules & STREW_RULE_REFUSES_NEGATIVE ? "refused" : "counted from the end");
    if (op->rules & STREW_RULE_ZERO_OUTSIDE)
        puts("  outside      zeros, unless --bounds is given");
    printf("  %-12s ", op->kind == STREW_KIND_SEGMENT_REDUCE ? "segment_ids" : "indices");
    print_dtypes(op->index_dtypes);
    puts(op->kind == STREW_KIND_TENSOR_SCATTER ? ", or none" : "");
}

int command_operators(const arguments *given)
{
    (void)given;
    for (size_t i = 0; i < strew_operator_count(); i++) {
        const strew_operator *op = strew_operator_at(i);
        printf("%s (%s%s)\n", op->name, op->collection, op->rules & STREW_RULE_DEPRECATED ? ", deprecated" : "");
        print_attributes(op);
        if (op->kind != STREW_KIND_SLICE_SCATTER)
            print_indices(op);
        printf("  data         ");
        print_dtypes(op->data_dtypes);
        puts("");
    }
    return EXIT_DONE;
}
