/*
 * C functions that Python needs besides strew itself. They describe calls by numbers and strings, so that Python
 * declares no structure of strew.h, and time many runs without Python's own time.
 */
#ifndef STREW_BENCH_PEERS_SHIM_H
#define STREW_BENCH_PEERS_SHIM_H

#include <strew/strew.h>

/* One call of an operator: its tensors, then its plan. NULL without memory. */
typedef struct strew_peers_call strew_peers_call;
strew_peers_call *strew_peers_make_call(void);
void strew_peers_free_call(strew_peers_call *call);

/* A tensor of it: data, indices, updates, output, segments (offsets, segment_ids or targets) or weights. The
 * elements stay the caller's; shape and strides, in elements, are copied. false for one of another name, or an
 * impossible rank. */
bool strew_peers_set_tensor(strew_peers_call *call, const char *name, void *elements, const char *dtype,
                            int32_t rank, const int64_t *shape, const int64_t *strides);

/* An attribute of it: axis, batch_dims; or where a slice of the axis begins and ends. false for any other. */
bool strew_peers_set_attribute(strew_peers_call *call, const char *name, int64_t value);

/* Sets the operator, after all tensors and attributes; each operator reads those that it has. false if strew has
 * no such name. */
bool strew_peers_describe(strew_peers_call *call, const char *operator_name, const char *reduction,
                          const char *bounds);

/* Writes the right output, by the loops of tests/oracle, which share no code with the library. false if an index
 * is refused. */
bool strew_peers_expect(strew_peers_call *call);

/* Has strew run the call: plans it for so many threads. */
strew_status strew_peers_plan(strew_peers_call *call, size_t threads);

/* Makes plain loops run the call. false if there are none for it. */
bool strew_peers_use_loops(strew_peers_call *call);

/* Makes ONNX Runtime's C API run the call: the library in that file, and a model of one node whose inputs have the
 * names of the tensors. false if it refuses; the reason is in the buffer. */
bool strew_peers_use_onnxruntime(strew_peers_call *call, const char *library, const void *model, size_t model_size,
                                 size_t threads, char *reason, size_t reason_size);

/* Gives it the scratch with which it runs fastest; returns its bytes, 0 if there is no use for it, or no memory. */
size_t strew_peers_give_scratch(strew_peers_call *call);

/* Makes a plan with inspected indices run the call; the indices must stay as they are. */
strew_status strew_peers_inspect(strew_peers_call *call);

/*
 * Runs the calls one after the other, so many times, on a pool of so many threads, which the next turn has too; one
 * turn at a time. Returns the seconds, after an untimed round if `warm_up`. The first refused run ends it, and
 * leaves its message in the call.
 */
strew_status strew_peers_time(strew_peers_call *const *calls, size_t count, size_t threads, bool warm_up,
                              size_t repetitions, uint64_t *nanoseconds);

/* Why a call was refused, as strew_error_message writes it. */
size_t strew_peers_message(const strew_peers_call *call, char *buffer, size_t size);

#endif
