/*
 * The arguments of one small and valid call, in memory with known bytes: for tests that spoil an argument, and for
 * those that run every operator in turn.
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

/* offsets, segment_ids and targets share one place: a call has one of them. */
#define SEGMENTS STREW_OPERAND_SEGMENT_IDS
#define WEIGHTS STREW_OPERAND_WEIGHTS

/* The operands that are tensors index the arrays below: data, indices, updates, output, axis, segments, weights. */
enum { ARGUMENT_TENSORS = WEIGHTS + 1, ARGUMENT_ROOM = 512 };

/* The names of the unversioned calls, but for those of windows and slices; and of rows that are combined. */
extern const char *const kinds[6];
extern const char *const bag_kinds[5];

/* Room for the name of a version with its collection: "ONNX:Gather-1". */
enum { FULL_NAME_SIZE = 64 };
void full_name(const strew_operator *op, char name[FULL_NAME_SIZE]);

typedef struct arguments {
    const strew_operator *op; /* NULL: the unversioned call of `kind` */
    strew_kind kind;
    strew_attributes attributes;
    strew_slice slice;
    int64_t start, stop, step, sliced_axis;
    strew_tensor tensor[ARGUMENT_TENSORS];
    const strew_tensor *given[ARGUMENT_TENSORS]; /* the argument of the call: the tensor, or NULL */
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
 *   windows    indices int64 [2], updates [2, 2, 4], axis 1
 *   slices     updates [2, 2, 4], from 1 up to 3 of dimension 1
 *   bags       indices int64 [5], offsets int64 [3], which are 0, 1, 2; packed: indices [3, 2]
 *   segments   indices int64 [5], segment_ids int64 [5], which are 0 to 4; of rows that lie one after the other
 * [2], of 3 edges      updates [2, 3, 4], indices and targets int64 [5]
 *
 * Those of bags, segments and edges are sums, of a version its default, with a weight for each index. Every index
 * is 0 or 1, and some stand twice. It is not to be moved: it points into itself.
 */
void arguments_create(arguments *self, const char *name);

/* Gives the tensor explicit strides, equal to the default ones. */
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
