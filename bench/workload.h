/*
 * What is measured. A Workload is one operator on one set of shapes; each is a row of the report for every
 * instruction set that is native here, and for several numbers of threads.
 */
#ifndef STREW_BENCH_WORKLOAD_H
#define STREW_BENCH_WORKLOAD_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <strew/operators.h>

#include "distributions.h"

namespace bench
{

using Shape = std::vector<int64_t>;

struct Layout {
    Shape data;
    Shape indices;
    int64_t axis = 0;       /* of all but gather_nd and scatter_nd */
    int64_t batch_dims = 0; /* of gather_nd */
    int64_t window = 0;     /* of tensor_scatter and slice_scatter: how much of the axis is written */
    int64_t rows = 0;       /* of what combines rows that are gathered: those of the output */
    bool circular = false;  /* of tensor_scatter: whether windows go on at the beginning */
    bool weighted = false;  /* of what combines rows that are gathered: whether each is multiplied */
};

enum class Output { separate, in_place };

/* Whether a row calls the operator or runs a plan made before; named only where rows are about that. */
struct Call {
    std::string name;
    bool planned = true;
    bool full_scratch = true; /* what makes it fastest, not only what it needs */
    bool inspected = false;   /* whether the plan is of indices that were looked at before */
};

enum class Threads { one, any };

struct Workload {
    std::string family;
    strew_kind kind;
    Output output;
    strew_dtype dtype;
    strew_reduction reduction;
    Layout layout;
    strew_dtype index_dtype;
    Distribution distribution;
    Call call;
    Threads threads;
    strew_bounds bounds;
};

/*
 * family/operator/[reduction/]dtype/shape of data[/axis:N][/batch_dims:N][/indices:N][/window:N][/rows:N],
 * then what differs from the usual: [/circular][/weighted][/out_of_place][/i32_indices][/distribution][/policy] and
 * the call's name, then /how/threads:N, where `how` is an instruction set, or "moves" for the limit.
 */
std::string row_name(const Workload &workload, const std::string &how, size_t threads);

/*
 * What `indices` name: rows by tuples, elements, rows along an axis, where windows begin along it, or rows that go
 * into others, which segments name.
 */
enum class Addressing { tuples, elements, rows, windows, edges };
Addressing addressing_of(const Workload &workload);

bool is_gather(const Workload &workload);
/* Whether rows go where nothing was before; of other edges, to what the output holds. */
bool fills_bags(const Workload &workload);
/* Whether segments say into which row each goes, not where bags begin. */
bool names_targets(const Workload &workload);
/* A scatter into another tensor than data begins with a copy of the whole of data. */
bool copies_data(const Workload &workload);

size_t element_count(const Shape &shape);

/* The dimensions of data that an entry or a tuple of `indices` addresses; of a window, where it may begin. */
Shape addressed_dimensions(const Workload &workload);

/* How many entries or tuples there are. */
size_t entry_count(const Workload &workload);

/* The shape of what moves: a gather's output, a scatter's updates. Of edges, that of the output. */
Shape moved_shape(const Workload &workload);

/*
 * How the rows count, the same for every operator:
 *
 *   items    what is moved as one: an element, or a row, what follows the dimensions that are addressed
 *   payload  bytes of all items; a scatter into a separate output also copies the whole of data
 *   traffic  bytes read and written: twice the payload, as for a memcpy of it; three times for a reduction,
 *            which reads the update and the old value and writes the new one; of bags, the payload and the output
 *
 * The indices themselves count as neither: the payload is what a caller wants moved, and memcpy has no indices.
 */
size_t item_count(const Workload &workload);
size_t item_bytes(const Workload &workload);
size_t data_bytes(const Workload &workload);
size_t payload_bytes(const Workload &workload);
size_t traffic_bytes(const Workload &workload);

} // namespace bench

#endif
