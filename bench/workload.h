/*
 * A Workload is one operator on one set of shapes. It makes a row of the report for every native instruction set,
 * and for several numbers of threads.
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
    int64_t axis = 0;       /* all but gather_nd and scatter_nd */
    int64_t batch_dims = 0; /* gather_nd */
    int64_t window = 0;     /* tensor_scatter and slice_scatter: the written part of the axis */
    int64_t rows = 0;       /* operators that combine gathered rows: rows of the output */
    bool circular = false;  /* tensor_scatter: whether windows continue at the beginning */
    bool weighted = false;  /* operators that combine gathered rows: whether each has a weight */
};

enum class Output { separate, in_place };

/* Whether a row calls the operator or runs a plan made before; named only where rows are about that. */
struct Call {
    std::string name;
    bool planned = true;
    bool full_scratch = true; /* as much as makes it fastest, not the least */
    bool inspected = false;   /* whether the plan's indices are inspected */
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
 * family/operator/[reduction/]dtype/shape of data[/axis:N][/batch_dims:N][/indices:N][/window:N][/rows:N], then the
 * particulars: [/circular][/weighted][/out_of_place][/i32_indices][/distribution][/policy] and the call's name,
 * then /how/threads:N, where `how` is an instruction set, or "moves" for the limit.
 */
std::string row_name(const Workload &workload, const std::string &how, size_t threads);

/*
 * The meaning of `indices`: rows by tuples, elements, rows along an axis, begins of windows along it, or rows that
 * are combined into other rows, named by segments.
 */
enum class Addressing { tuples, elements, rows, windows, edges };
Addressing addressing_of(const Workload &workload);

bool is_gather(const Workload &workload);
/* Whether rows are combined into bags; other edges add to the output's old values. */
bool fills_bags(const Workload &workload);
/* Whether segments are the targets of rows, not the begins of bags. */
bool names_targets(const Workload &workload);
/* A scatter into another tensor than data begins with a copy of the whole of data. */
bool copies_data(const Workload &workload);

size_t element_count(const Shape &shape);

/* The dimensions of data that an entry or a tuple of `indices` addresses; for a window, its possible begins. */
Shape addressed_dimensions(const Workload &workload);

/* The number of entries or tuples. */
size_t entry_count(const Workload &workload);

/* The shape that moves: a gather's output, a scatter's updates, or the output of edges. */
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
