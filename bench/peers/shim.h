/*
 * What Python needs beside strew itself: calls that are described by numbers and strings alone, so that Python
 * declares no structure of strew.h; and a clock around many runs of them, which leaves Python's own time out.
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

/* Says which operator it is, once all tensors and attributes are there; each operator looks at its own. false for
 * a name that strew does not have. */
bool strew_peers_describe(strew_peers_call *call, const char *operator_name, const char *reduction,
                          const char *bounds);

/* Writes the right output, by the loops of tests/oracle, which share nothing with the library. false if an index is
 * refused. */
bool strew_peers_expect(strew_peers_call *call);

/* Has strew run the call: plans it for so many threads. */
strew_status strew_peers_plan(strew_peers_call *call, size_t threads);

/* Has plain loops run the call. false if there is none for it. */
bool strew_peers_use_loops(strew_peers_call *call);

/* Has ONNX Runtime's C API run the call: the library in that file, and a model of one node whose inputs have the
 * names of the tensors. false if it refuses; the reason is in the buffer. */
bool strew_peers_use_onnxruntime(strew_peers_call *call, const char *library, const void *model, size_t model_size,
                                 size_t threads, char *reason, size_t reason_size);

/* Gives it the scratch with which it runs fastest; returns its bytes, 0 if there is no use for it, or no memory. */
size_t strew_peers_give_scratch(strew_peers_call *call);

/* Has it run by a plan that has looked at its indices, which must stay as they are. */
strew_status strew_peers_inspect(strew_peers_call *call);

/*
 * Runs calls one after the other, that many times, on so many threads, which the next turn has too: one turn at a
 * time. Says how long this took, after one round that is not timed if it says so. The first run that is refused
 * ends it: its message is at the call.
 */
strew_status strew_peers_time(strew_peers_call *const *calls, size_t count, size_t threads, bool warm_up,
                              size_t repetitions, uint64_t *nanoseconds);

/* Why a call was refused, as strew_error_message writes it. */
size_t strew_peers_message(const strew_peers_call *call, char *buffer, size_t size);

#endif
