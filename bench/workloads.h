/*
 * What is measured. A Workload is one operator on one set of shapes; each is a row of the report for every
 * instruction set that is native here.
 */
#ifndef STREW_BENCH_WORKLOADS_H
#define STREW_BENCH_WORKLOADS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <strew/strew.h>

namespace bench
{

using Shape = std::vector<int64_t>;

enum class Output { separate, in_place };

struct Workload {
    std::string family;
    strew_kind kind;
    Output output;
    strew_dtype dtype;
    strew_reduction reduction;
    Shape data;
    Shape indices;
    int64_t axis;       /* of gather_elements and scatter_elements */
    int64_t batch_dims; /* of gather_nd */
};

/* All of them, in the order in which they run: rows that share tensors of one size stand together. */
std::vector<Workload> all_workloads();

/* family/operator/[reduction/]dtype/shape[/axis:N|/batch_dims:N]/isa/threads:1 */
std::string row_name(const Workload &workload, strew_isa isa);

bool is_gather(const Workload &workload);
bool addresses_elements(const Workload &workload);

size_t element_count(const Shape &shape);

/* The shape of what moves: a gather's output, a scatter's updates. */
Shape moved_shape(const Workload &workload);

/*
 * How the rows count, the same for every operator:
 *
 *   items    what is moved per entry of `indices` (elements) or per tuple of it (rows)
 *   payload  bytes of all items; a scatter into a separate output also copies the whole of data
 *   traffic  bytes read and written: twice the payload, as for a memcpy of it; three times for a reduction,
 *            which reads the update and the old value and writes the new one
 *
 * The indices themselves count as neither: the payload is what a caller wants moved, and memcpy, which has no
 * indices, is the limit.
 */
size_t item_count(const Workload &workload);
size_t payload_bytes(const Workload &workload);
size_t traffic_bytes(const Workload &workload);

} // namespace bench

#endif
