/* The internals of a call, for the files of this folder: its tensors, and the code that runs it. */
#ifndef STREW_BENCH_PEERS_CALL_PARTS_H
#define STREW_BENCH_PEERS_CALL_PARTS_H

#include <strew/operators.h>

#include "shim.h"

enum { DATA, INDICES, UPDATES, OUTPUT, SEGMENTS, WEIGHTS, TENSORS };
enum { AXIS, BATCH_DIMS, BEGIN, END, ATTRIBUTES };

typedef struct strew_peers_session strew_peers_session; /* ONNX Runtime's */

struct strew_peers_call {
    strew_tensor tensors[TENSORS];
    int64_t shapes[TENSORS][STREW_MAX_RANK];
    int64_t strides[TENSORS][STREW_MAX_RANK];
    int64_t attributes[ATTRIBUTES];
    size_t operator_place;
    strew_kind kind;
    strew_reduction reduction;
    strew_bounds bounds;
    strew_status (*run)(strew_peers_call *call, const strew_parallel *parallel);
    strew_plan plan;
    void *inspection;
    void *scratch;
    size_t scratch_size;
    size_t threads;
    strew_peers_session *session;
    strew_error error;
};

strew_status strew_peers_run_strew(strew_peers_call *call, const strew_parallel *parallel);
void strew_peers_free_session(strew_peers_session *session);

#endif
