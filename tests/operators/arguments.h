/*
 * The arguments of one small and valid call, in memory whose every byte is known: for tests that spoil an
 * argument, and for those that run every operator in turn.
 */
#ifndef STREW_TESTS_ARGUMENTS_H
#define STREW_TESTS_ARGUMENTS_H

#include "call.h"

/* Operands by short names, for tables and subscripts. */
#define DATA STREW_OPERAND_DATA
#define INDICES STREW_OPERAND_INDICES
#define UPDATES STREW_OPERAND_UPDATES
#define OUTPUT STREW_OPERAND_OUTPUT
#define AXIS STREW_OPERAND_AXIS
#define BATCH_DIMS STREW_OPERAND_BATCH_DIMS
#define REDUCTION STREW_OPERAND_REDUCTION
#define USE_INIT_VAL STREW_OPERAND_USE_INIT_VAL
#define OPTIONS STREW_OPERAND_OPTIONS
#define PARALLEL STREW_OPERAND_PARALLEL
#define SCRATCH STREW_OPERAND_SCRATCH

/* The operands that are tensors: data, indices, updates, output and axis index the arrays below. */
enum { ARGUMENT_TENSORS = AXIS + 1, ARGUMENT_ROOM = 512 };

/* The names of the unversioned calls. */
extern const char *const kinds[6];

/* Room for the name of a version, with whose it is: "ONNX:Gather-1". */
enum { FULL_NAME_SIZE = 64 };
void full_name(const strew_operator *op, char name[FULL_NAME_SIZE]);

typedef struct arguments {
    const strew_operator *op; /* NULL: the unversioned call of `kind` */
    strew_kind kind;
    strew_attributes attributes;
    strew_tensor tensor[ARGUMENT_TENSORS];
    const strew_tensor *given[ARGUMENT_TENSORS]; /* what the call gets: the tensor, or NULL */
    int64_t shape[ARGUMENT_TENSORS][STREW_MAX_RANK];
    int64_t strides[ARGUMENT_TENSORS][STREW_MAX_RANK]; /* row-major; no tensor points here at first */
    unsigned char memory[ARGUMENT_TENSORS][ARGUMENT_ROOM];
    strew_options options;
    strew_parallel parallel;
    strew_error error;
} arguments;

/*
 * Fills in a call of the unversioned "gather_nd" and so on, or of a version such as "ScatterND-18" or
 * "ONNX:Gather-1":
 *
 *   data       float32 [2, 3, 4]
 *   rows       indices int64 [2, 2, 1] with batch_dims 1 to gather; [5, 2] to scatter
 *   elements   indices int64 [2, 5, 4], axis 1
 *   axis       indices int64 [2, 5] with batch_dims 1, axis 1; [5] where a version has no batch_dims
 *
 * Every index is 0 or 1, and some stand twice. It is not to be moved: it points into itself.
 */
void arguments_create(arguments *self, const char *name);

/* Gives the tensor strides of its own, which are the same as none. */
void arguments_use_strides(arguments *self, strew_operand operand);

/* Makes data the output as well. */
void arguments_in_place(arguments *self);

strew_status arguments_run(const arguments *self);
strew_status arguments_plan(const arguments *self, strew_plan *plan);
strew_status arguments_run_plan(const arguments *self, const strew_plan *plan, const strew_buffers *buffers);
strew_buffers arguments_buffers(const arguments *self);

/* The same call for the oracle. */
operator_call arguments_call(const arguments *self);

#endif
