"""Faults made by hand, for tests to catch: one change of one place each.

To each file of the sources: which tests are run first, as a regular expression of ctest's, and its faults. A fault is a
text that stands in the file once, and what stands in its place. A third text is the reason why no test of this build can
catch it: "the same", if the program does what it did, or "only ...", if it differs where this build does not look.
"""

from __future__ import annotations

BASE = "^(errors|indices|shapes|empty_tensors|accidents|small_worlds|plans)$"
OPERATORS = "^(errors|plans|operators|operator_rules|axis_versions|bag_versions|seed_examples|shapes)$"
WALK = "^(random|small_worlds|plans|seed_layers)$"
BOUNDS = "^(bounds|bounds_edges|promises)$"
THREADS = "^(random|promises|plans|bags|fills)$"
BAGS = "^(bags_edges|bags|bag_versions|errors|inspection|promises|plans)$"
MEANS = "^(reductions|random|promises|bags|plans)$"
# These before `kernels`, which takes half a minute.
KERNELS = "^((reductions|bags|random)/(scalar|avx2)|kernels)$"
NPY = "^(npy_.*|cli.*)$"

SAME = "the same: "
SPEED = "only speed: "
ELSEWHERE = "only elsewhere: "

# Each file to the tests that are run first, and its faults.
FAULTS: dict[str, tuple[str, list[tuple[str, ...]]]] = {
    "src/base/layout.c": (
        BASE,
        [
            ("if (size < 0)", "if (size < -1)"),
            ("size > 0 && !multiply(bytes, size, &bytes)", "false"),
            ("strew_multiply(a, b, product) && *product <= PTRDIFF_MAX", "strew_multiply(a, b, product)",
             ELSEWHERE + "pointers of 32 bits; make proof finds it"),
            ("if (layout->count == 0)\n        forget_strides(layout);", ""),
            ("layout->size[d] > 1 ? layout->size[d] - 1 : 0;", "layout->size[d] > 1 ? layout->size[d] : 0;"),
            ("distance < 0 ? &extent.low : &extent.high", "&extent.high"),
            ("tensor->rank > STREW_MAX_RANK", "tensor->rank >= STREW_MAX_RANK"),
            ("tensor->rank > 0 && !tensor->shape", "false"),
            ("if (bits == 0)", "if (false)"),
            ("if (stride < covered)", "if (stride <= covered)"),
            ("covered += stride * (layout->size[d] - 1);", "covered += stride;"),
            ("magnitude(layout->stride[d]) < magnitude(layout->stride[best])",
             "layout->stride[d] < layout->stride[best]"),
            ("a->size[d] > 1 && a->stride[d] != b->stride[d]", "a->size[d] > 2 && a->stride[d] != b->stride[d]"),
        ],
    ),
    "src/base/integer.c": (BASE, [("dtype <= STREW_DTYPE_UINT64", "dtype <= STREW_DTYPE_UINT32")]),
    "src/base/error.c": (
        "^(error_message|errors)$",
        [
            ("        error->status = status;\n", ""),
            ("message->length < message->size", "message->length <= message->size", SAME + "a size of 0 is left either way"),
            ("if (error->value_is_unsigned)", "if (false)"),
            ("field - 1);", "field);"),
            ("reason < COUNT(reasons) ?", "reason <= COUNT(reasons) ?"),
        ],
    ),
    "src/base/options.c": (
        "^(option_sizes|errors)$",
        [
            ("flags & ~(uint32_t)KNOWN_FLAGS", "flags & 0u"),
            ("(uint32_t)bounds < STREW_BOUNDS_COUNT", "(uint32_t)bounds <= STREW_BOUNDS_COUNT"),
            ("parallel->run && parallel->threads > 0", "parallel->run"),
            ("given_size != size && given_size != size_in_0_2", "given_size > size"),
            ("options->parallel ? options->parallel->threads : 1", "1",
             SPEED + "the run makes a schedule of its own"),
        ],
    ),
    "src/base/names.c": ("^(operators|errors|shapes)$", [("return 8 * (uint64_t)(dtype", "return (uint64_t)(dtype")]),
    "src/base/float_state.h": (
        "^(float_state)$",
        [("(state & ~(strew_float_state)STREW_FLOAT_SETTINGS) | STREW_FLOAT_DEFAULTS)", "state)")],
    ),
    "src/operators/operator.c": (
        OPERATORS,
        [
            ("    if (unknown)\n", "    if (false)\n"),
            ("(attributes->given & bit) && !(call->rules->attributes & bit)", "false"),
            ("!(attributes->given & bit) && (call->rules->required & bit)", "false"),
            ("attributes->use_init_val : true", "attributes->use_init_val : false"),
            ("attributes->default_index : -1", "attributes->default_index : 0"),
            ("attributes->segment_count : -1", "attributes->segment_count : 0",
             SAME + "that none was given is asked of the bits"),
            ("if (dtype_bit(layout->dtype) & taken)", "if (taken)"),
            ("if (layout->dtype == data->dtype)", "if (true)"),
            ("!strew_reduction_supports(reduction, dtype)", "false"),
            ("layout->rank >= least", "layout->rank + 1 >= least"),
            ("is_default && (call->rules->rules & STREW_RULE_ZERO_OUTSIDE)", "false"),
            ("!(call->rules->rules & STREW_RULE_REFUSES_NEGATIVE) && ", ""),
            ("!(call->flags & STREW_FLAG_REFUSE_NEGATIVE_INDICES)", "true"),
            ("d == shape->dim_at_most && layout->size[d] > shape->size[d]", "false"),
            ("if (updates->count != 1)", "if (updates->count == 0)"),
            ("flat->size[0] *= rows->size[d];", "flat->size[0] = rows->size[d];"),
            ("flat.stride[d - batch_dims + 1]", "flat.stride[d - batch_dims]"),
            ("stride = (int64_t)((uint64_t)stride * (uint64_t)rows->size[d]);", ";"),
            ("    if (call->output->strides)\n", "    if (false)\n"),
            ("call->output->data != call->data->data", "false"),
            ("gathers(call->rules) && call->updates", "false"),
            ("body->made = 0;", ";"),
        ],
    ),
    "src/operators/shape_rules.c": (
        "^(shapes|errors|axis|tensor_scatter|operators)$",
        [
            ("batch_dims < least || ", ""),
            ("form->indices.size[d] != form->data.size[d]", "form->indices.size[d] < form->data.size[d]"),
            ("lesser(data->rank, indices->rank) - 1", "lesser(data->rank, indices->rank)"),
            ("if (coordinates > selectable)", "if (coordinates > selectable + 1)"),
            ("dense->rank <= STREW_MAX_RANK", "dense->rank <= STREW_MAX_RANK + 1"),
            ("axis < -rank || axis >= rank", "axis < -rank - 1 || axis >= rank"),
            ("axis < 0 ? axis + rank : axis", "axis < 0 ? -axis - 1 : axis"),
            ("d != form->axis && indices->size[d] > data->size[d]", "false"),
            ("lesser(form->axis, indices->rank)", "form->axis"),
            ("if (form->axis == 0)", "if (false)"),
            ("indices->size[0] != data->size[0]", "indices->size[0] < data->size[0]"),
            ("form->wrap = false;", ""),
            ("dense->dim_at_most = form->axis;", ""),
        ],
    ),
    "src/operators/axis.c": (
        "^(axis|axis_versions|operators|errors|operator_rules)$",
        [("value < 0 ? INT64_MAX : value", "false ? INT64_MAX : value"), ("layout.count != 1", "layout.count == 0")],
    ),
    "src/operators/slice.c": (
        "^(slice_scatter|errors|packed)$",
        [
            ("clamped(from_start, -1, size - 1)", "clamped(from_start, 0, size - 1)"),
            ("*taken |= UINT32_C(1) << *axis;", ""),
            ("slice->count > rank", "slice->count > rank + 1",
             SAME + "the axis that is too many is refused by itself"),
            ("((uint64_t)distance - 1) / by", "(uint64_t)distance / by"),
            ("if (step == 0)", "if (false)"),
            ("sliced->step[d] == 1 && ", ""),
            ("sliced->length[d] > 1 ? form->output.stride[d]", "true ? form->output.stride[d]",
             ELSEWHERE + "a product that overflows, and is not used: make proof and UBSan find it"),
        ],
    ),
    "src/operators/packed.c": (
        "^(packed|errors)$",
        [
            ("    if (unit.elements % in_byte(form) != 0)\n", "    if (false)\n"),
            ("stride != adjoining", "false"),
            ("stride % in_byte(form) != 0", "false"),
            ("form->fill_bytes = 1;", "", SAME + "packed elements count as a byte before that too"),
            ("layout->stride[d] /= elements_in_byte;", ";"),
        ],
    ),
    "src/operators/bags.c": (
        "^(bags|bag_versions|errors)$",
        [
            ("layout->size[d] != form->indices.size[d]", "layout->size[d] < form->indices.size[d]"),
            ("if (form->reduction == STREW_REDUCTION_MEAN)", "if (false)"),
            ("form->weights.dtype != form->data.dtype", "false"),
            ("attributes->default_index >= form->data.size[0]", "attributes->default_index > form->data.size[0]"),
            ("attributes->default_index < (names ? 0 : -1)", "attributes->default_index < -1"),
            ("else if (*count < 0)", "else if (false)"),
            ("(unsigned)attributes->empty >= STREW_EMPTY_COUNT", "(unsigned)attributes->empty > STREW_EMPTY_COUNT"),
            ("dense->dim_at_most = scatters ? 0 : -1;", "dense->dim_at_most = -1;"),
        ],
    ),
    "src/operators/catalogue.c": (
        "^(versions|operator_rules|operators|bag_versions|errors)$",
        [
            ("OF_BAGS = WITH_MEAN & ~ASSIGN", "OF_BAGS = WITH_MEAN"),
            ("INT32_AND_INT64, NON_NEGATIVE | ONE_ELEMENT}", "INT32_AND_INT64, ONE_ELEMENT}"),
        ],
    ),
    "src/engine/form.c": (
        "^(packed|random|small_worlds|axis|tensor_scatter|bounds|bounds_edges|inspection)$",
        [
            ("is_dim_of_addressed ? addressed->stride[d] : 0", "0"),
            ("form->axis + d - form->batch_dims : d", "form->axis + d : d"),
            ("const int64_t last = size - form->dense.size[d];", "const int64_t last = size - 1;"),
            ("form->circular || last == INT64_MAX", "form->circular",
             ELSEWHERE + "a sum that overflows to what happens to be right: make proof and UBSan find it"),
            ("coordinate_size(form, d) == 0 && form->bounds != STREW_BOUNDS_SKIP", "false"),
            ("return has_empty_rows(form) || ", "return "),
            ("walk->element_bytes = form->fill_bytes;", ""),
            ("walk->coordinates.wrap = form->wrap;", "walk->coordinates.wrap = true;"),
            ("strew_form_addressed(form)->size[d] != 1", "false"),
            ("goes_along(form, d) ? along : lanes", "goes_along(form, d) ? lanes : along"),
            ("walk->dim[form->axis - form->batch_dims].size = length;", ""),
        ],
    ),
    "src/engine/walk/walk.c": (
        WALK,
        [
            ("!strew_multiply(last->size, coordinate.size, &size) || size > INT32_MAX",
             "!strew_multiply(last->size, coordinate.size, &size)", SPEED + "one number of 64 bits in the place of two of 32"),
            ("last->size == 1 || strew_is_multiple(last->stride", "strew_is_multiple(last->stride",
             SAME + "what is not joined stays two coordinates, whose numbers take more room"),
            ("if (dim.size == 1)", "if (dim.size <= 1)"),
            ("strew_is_multiple(outer->base_step, inner->size, inner->base_step)", "true"),
            ("inner->base_step != walk->row_bytes)", "false)"),
            ("inner->index_step != 0 || ", ""),
            ("if (walk->dim[d].size == 0)", "if (walk->dim[d].size < 0)"),
            ("dim.index_step == 0 ? 1 : dim.size", "dim.size", SPEED + "indices that repeat are checked again"),
            ("if (!check_from(walk, d + 1, indices + i * dim->index_step))", "if (!check_from(walk, d + 1, indices))"),
        ],
    ),
    "src/engine/walk/tiles.c": (
        "^(random|random/xeon,.*|bounds|bounds_edges|partition|seed_layers)$",
        [
            ("(uint64_t)segment * (uint64_t)base_step", "(uint64_t)base_step"),
            ("1 - outer->size)", "-outer->size)"),
            ("done - tiles->split.size)", "-tiles->split.size)"),
            ("tiles->segments = at_most(tiles->left, tiles->most_segments);",
             "tiles->segments = tiles->left > 0 ? tiles->most_segments : 0;"),
            ("offsets[i] - bases[i] + bases[s * spans.positions + i]", "offsets[i]"),
            ("if (bounds != STREW_BOUNDS_REFUSE)\n        resolve_spans", "if (bounds == STREW_BOUNDS_SKIP)\n        resolve_spans"),
            ("tiles->has_bases ? tiles->bases : no_bases", "no_bases"),
            ("while (d > 0 && walk->dim[d].size == 1)\n        d--;", "", SPEED + "tiles of shards are shorter"),
            ("tiles->steps[d] = 0;\n    }\n}", "}\n}"),
            ("count <= strew_tile_spans(tiles, tiles->even_indices, 0).positions &&", "true &&",
             ELSEWHERE + "a read beyond the indices that changes no result: make test-sanitize"),
        ],
    ),
    "src/engine/walk/run.c": (
        "^(random|random/xeon,.*|bounds|bounds_edges|small_worlds)$",
        [
            ("&& tiles->pointers.indices == tile->indices", ""),
            ("positions <= tile->positions && ", "tile->positions > 0 && ",
             SAME + "no tile is longer than an earlier one of the same indices"),
            ("if (tiles->walk->bounds == STREW_BOUNDS_STOP)", "if (false)"),
            ("if (resolved == STREW_ROWS_GAPS)", "if (false)"),
            ("before);\n            strew_tiles_next(&behind);", "before);"),
            ("return before != STREW_WRONG;", "return true;"),
        ],
    ),
    "src/engine/walk/gaps.c": (
        BOUNDS,
        [
            ("if (gaps[g] + 1 == left)", "if (false)"),
            ("rows[gaps[g]] = rows[gaps[g] + 1];", "rows[gaps[g]] = rows[0];"),
            ("gaps[g] % spans.positions * tiles->dense_step", "gaps[g] * tiles->dense_step"),
            ("rows += offsets[i] != STREW_NO_ROW;", "rows++;"),
            ("if (mover->direction == STREW_GATHERS)\n            fill_gaps", "if (false)\n            fill_gaps"),
            ("end == begin + 8 && !may_have_gaps(offsets + begin)", "false", SPEED + "every position is looked at"),
        ],
    ),
    "src/engine/walk/tables.c": (
        "^(tables|random|bounds|shapes|seed_layers|moments)$",
        [
            ("walk->bounds == STREW_BOUNDS_REFUSE", "true"),
            ("strew_walk_positions(walk) > STREW_TILE_POSITIONS", "true"),
            ("tables->combines && repeats_elements(tiles, tables)", "false", SPEED + "elements that repeat are put as well"),
            ("tiles->dense_step == walk->row_bytes", "true"),
            ("walk->dim[d].base_step != 0 && walk->dim[d].size > 1", "false"),
            ("each[0].stride == walk->row_bytes", "true"),
            ("tiles->index_step == index_bytes", "true"),
            ("walk->bounds != STREW_BOUNDS_STOP", "true"),
        ],
    ),
    "src/engine/walk/join.c": (
        "^(tables|random|bounds|large_results|partition|seed_layers|shapes)$",
        [
            ("(end - begin) * (size_t)walk->row_bytes", "(size_t)walk->row_bytes"),
            ("found > ROWS_TOO_MANY + begin / least", "false", SPEED + "it is given up later"),
            ("dense + (int64_t)begin * walk->row_bytes", "dense"),
            ("whole - 1, MERGED_BYTES", "whole - 2, MERGED_BYTES"),
            ("left > LEFT_UPDATES * row_bytes", "left >= LEFT_UPDATES * row_bytes", SPEED + "eight are left"),
            ("rows->dense + whole * MERGED_BYTES, rest", "rows->dense + whole * MERGED_BYTES, 0"),
        ],
    ),
    "src/engine/walk/mover.c": (
        "^(float_state.*|tables|random|random/xeon,.*|fills|reductions)$",
        [
            ("direction == STREW_GATHERS ? walk->kernels->gather", "direction == STREW_SCATTERS ? walk->kernels->gather"),
            ("dtype >= STREW_DTYPE_FLOAT16 &&", "dtype > STREW_DTYPE_FLOAT16 &&"),
            ("dtype <= STREW_DTYPE_COMPLEX128", "dtype < STREW_DTYPE_COMPLEX128"),
            ("if (walk->row_bytes != walk->element_bytes)", "if (false)"),
            ("mover->join = mover->merge = NULL;", ""),
            ("dtype >= STREW_DTYPE_INT8 && dtype <= STREW_DTYPE_UINT64", "true"),
            ("combined == STREW_REDUCTION_SUB ? STREW_REDUCTION_SUM : combined", "combined"),
            ("reduction == STREW_REDUCTION_MEAN ? STREW_REDUCTION_SUM", "reduction == STREW_REDUCTION_MEAN ? STREW_REDUCTION_SUB"),
            ("bytes >= distance->shortest && ", "", SPEED + "shorter rows are prefetched as well"),
        ],
    ),
    "src/engine/walk/picked.c": (
        "^(random|random/xeon,.*|promises|bounds|inspection)$",
        [
            ("if (!mover->constant_row)", "if (true)", SPEED + "rows are collected that nobody reads"),
            ("pointers->addressed, picked->offsets + i, count, rows", "pointers->addressed, picked->offsets, count, rows"),
            ("pointers->dense + picked->dense_offsets[i], 0", "pointers->dense, 0"),
        ],
    ),
    "src/engine/share/cut.c": (
        THREADS,
        [
            ("if (step == 0)", "if (false)"),
            ("use == STREW_WRITES && walk->coordinates.count > 0", "walk->coordinates.count > 0"),
            ("walk->bounds != STREW_BOUNDS_SKIP || ", "true || "),
            ("default: return llabs(dim->base_step);", "default: return llabs(dim->dense_step);"),
            ("pieces / shards + (pieces % shards != 0)", "pieces / shards + 1", SPEED + "another cut is chosen"),
        ],
    ),
    "src/engine/share/owners.c": (
        "^(random|random/xeon,.*|promises|inspection|plans)$",
        [
            ("return bounds[0] <= bounds[1] && bounds[1] <= positions;", "return true;"),
            ("picked->count += tiles->walk", "picked->count = tiles->walk"),
            ("list->places + i * size", "list->places"),
            ("if (walk->shares == ownership.count)", "if (walk->shares > 0)"),
            ("reach >> (bits + 1) >= BLOCKS_EACH", "reach >> bits >= BLOCKS_EACH", SPEED + "blocks are larger"),
        ],
    ),
    "src/engine/share/shard.c": (
        "^(random|float_state|promises|bounds|large_results)$",
        [
            ("begin + each + (i < rest)", "begin + each"),
            ("(last ? walk.row_bytes : range.end * STREW_ROW_GRAIN)", "(range.end * STREW_ROW_GRAIN)"),
            ("    pointers.dense += begin;\n", ""),
            ("    if (!run_part(shards, index))\n", "    if (!run_part(shards, index) && index > 1000)\n"),
            ("    strew_floats_leave(state);\n", ""),
            ("    pointers.addressed += begin;\n", ""),
        ],
    ),
    "src/engine/partition/buckets.c": (
        "^(partition|random|random/xeon,.*|promises)$",
        [
            ("last >> buckets.bits >= STREW_MOST_BUCKETS", "last >> buckets.bits > STREW_MOST_BUCKETS",
             SPEED + "one bucket more than is best"),
            ("if ((uintptr_t)end % BUFFER_BYTES == 0)", "if ((uintptr_t)end % BUFFER_BYTES == 8)"),
            ("if (writer->ends[b] > writer->buffers + b * BUFFER_BYTES)", "if (false)"),
            ("entries->page == queue.last ? queue.in_last : PAGE_BYTES", "PAGE_BYTES"),
            ("    writer->next[page] = NO_PAGE;\n", ""),
            ("base - writer->buckets->low", "base"),
            ("    atomic_thread_fence(memory_order_seq_cst);", "", ELSEWHERE + "CPUs whose stores past caches another "
             "core sees late; no test can wait for that"),
            ("queue->in_last += (uint32_t)bytes;", ""),
        ],
    ),
    "src/engine/partition/partition.c": (
        "^(partition|random|random/xeon,.*|promises|errors)$",
        [
            ("extent > 0 && extent <= STREW_BUCKETS_EXTENT && ", "extent > 0 && ",
             ELSEWHERE + "tensors larger than the memory of a machine that tests"),
            ("run->pointers->addressed + bucket.buckets->low + (", "run->pointers->addressed + ("),
            ("(-(uintptr_t)scratch & (STREW_BUCKETS_ALIGNMENT - 1))", "0"),
            ("if (atomic_load_explicit(&run.failed, memory_order_relaxed))", "if (false)"),
            ("tiles.pointers.addressed - run->pointers->addressed", "0"),
            ("run->task_scratch + index * partition->task_bytes", "run->task_scratch"),
        ],
    ),
    "src/engine/mean.c": (
        MEANS,
        [
            ("work->form.use_init_val ? 1 : 0", "0"),
            ("(lanes->inner.size - 1) / lanes->in_group + 1", "lanes->inner.size / lanes->in_group"),
            ("left < lanes->in_group ? left : lanes->in_group", "lanes->in_group"),
            ("strew_walk_run(&counting, &movers.clear, &counted) &&", "true &&"),
            ("(work->form.use_init_val || strew_walk_run(&walk, &lanes->fill, &group)) &&", "true &&"),
            ("    move_counters(work, bucket, &counting.clear);\n", ""),
            ("walk->dim[d].dense_step = 0;", ";"),
            ("index /= lanes->groups_per_inner;", ""),
            ("walk->bounds = lanes->outer.bounds;", "", SAME + "they differ only along an axis that is empty"),
        ],
    ),
    "src/engine/identity.c": (
        "^(reductions|random|bags|fills|bag_versions)$",
        [
            ("[STREW_REDUCTION_SUM].T = minus_zero", "[STREW_REDUCTION_SUM].T = zero"),
            ("0x3c00, 0xfc00, 0x7c00", "0x3c00, 0xfbff, 0x7bff"),
            (".bf16 = 0xff7f", ".bf16 = 0xff80"),
            ("1, INT8_MIN, INT8_MAX", "1, -INT8_MAX, INT8_MAX"),
        ],
    ),
    "src/engine/schedule.c": (
        "^(promises|bounds|bounds_edges|plans|indices|inspection|reductions|offenders.*|random)$",
        [
            ("if (!in_place || is_known || stops_in_order(work, cut))", "if (true)"),
            ("way_of(work, &schedule->move_cut, work->can_be_in_place)", "way_of(work, &schedule->move_cut, true)"),
            ("work->is_one_tile && work->walk.bounds == STREW_BOUNDS_REFUSE ?", "true ?"),
            ("work->is_one_pass && work->in_index_order &&", "work->is_one_pass &&"),
            ("? STREW_WAY_NOTHING : STREW_WAY_CHECK;", "? STREW_WAY_NOTHING : STREW_WAY_NOTHING;"),
            ("cut->kind == STREW_CUT_NOTHING && work->is_one_pass && !work", "cut->kind == STREW_CUT_NOTHING && !work"),
            ("schedule->least_scratch = SIZE_MAX;", ";"),
            ("memcpy(output, copy, bytes);", ";"),
            ("if (!run_passes(&aside))", "if (!run_passes(&aside) && !bytes)"),
            ("schedule->useful_scratch = offsets + STREW_CACHE_LINE;", "schedule->useful_scratch = offsets;"),
            ("offsets + STREW_CACHE_LINE;", "offsets;"),
        ],
    ),
    "src/engine/plan.c": (
        "^(plans|promises|errors|inspection|slice_scatter|bags_edges)$",
        [
            ("body && body->made == STREW_PLAN_MADE", "body"),
            ("threads > 0 ? threads : 1);\n    return", "threads);\n    return"),
            ("data || extent->low == extent->high", "data || extent->high == 0",
             SAME + "what has elements ends after its pointer"),
            ("written.begin < other.end && other.begin < written.end &&", "written.begin < other.end &&"),
            ("(uintptr_t)data + (uintptr_t)extent->low,", "(uintptr_t)data,"),
            ("if (!in_place)\n", "if (false)\n"),
            ("if (least > given)", "if (false)"),
            ("useful > least && useful <= given ? useful : least", "least"),
            ("form->inspected && !strew_inspection_is_sealed(form, buffers->indices)", "false"),
            ("    run.pointers.addressed += form->slice_begin;\n", ""),
            ("    if (given < needed)\n", "    if (false)\n"),
            ("if (inspected == plan)", "if (false)"),
            ("work->can_be_in_place && buffers->output == buffers->data", "buffers->output == buffers->data"),
            ("!buffers->segments && !buffers->weights", "true"),
        ],
    ),
    "src/engine/inspection.c": (
        "^(inspection|random)$",
        [
            ("found.weight[c + 1] * coordinates->each[c + 1].size", "found.weight[c + 1]"),
            ("offsets[i] == STREW_NO_ROW ? -1 : offsets[i]", "offsets[i]"),
            ("odd += 2", "odd += 0"),
            ("leaves_some ? size : STREW_INSPECTION_BEGIN", "STREW_INSPECTION_BEGIN"),
            ("if (joined->each[n].size > INT32_MAX)", "if (false)"),
            ("inspected->wrap = false;", ""),
            ("next[owner] += owner > 0 ? next[owner - 1] : 0;", "next[owner];"),
            ("places[at] = (uint32_t)i;", "places[at] = at;"),
        ],
    ),
    "src/engine/prefix.c": (
        BOUNDS,
        [
            ("slice->indices.size[outer] = 1;", ";"),
            ("slice->indices.size[d] = offender[d];", "slice->indices.size[d] = offender[d] + 1;"),
        ],
    ),
    "src/engine/offender.c": (
        "^(indices|errors|bounds|bounds_edges|tensor_scatter|inspection)$",
        [
            ("index < -size", "index <= -size"),
            ("(size == 0 || !is_amended(namers->bounds)) &&", "true &&"),
            ("namers->coordinates->wrap ? -size : 0", "0"),
            ("index >= 0 || dtype == STREW_DTYPE_UINT64", "index >= 0"),
            ("INT64_MAX : size - 1", "INT64_MAX : size"),
        ],
    ),
    "src/engine/circular.c": (
        "^(tensor_scatter|bounds|bounds_edges|random|small_worlds)$",
        [
            ("length < left ? length : left", "length"),
            ("remainder < 0 ? remainder + size : remainder", "remainder"),
            ("if (first < length)", "if (false)"),
            ("batch, first, length - first, 0)", "batch, 0, length - first, 0)"),
            ("value < 0 && walk->index_dtype == STREW_DTYPE_UINT64", "false"),
        ],
    ),
    "src/engine/combine.c": (
        BAGS,
        [
            ("return sums ? strew_zero(form->data.dtype) : ", "return "),
            ("work->form.addressing == STREW_BAGS && work->bags.segments", "work->bags.segments"),
            ("are_even ? bags->entries : indices->size[1]", "bags->entries"),
            ("(uint64_t)value <= (uint64_t)work->bags.entries", "(uint64_t)value < (uint64_t)work->bags.entries"),
            ("(scatters || form->bounds == STREW_BOUNDS_STOP)", "false"),
            ("source->size[0] > 0 || form->bounds == STREW_BOUNDS_SKIP ? form->bounds", "true ? form->bounds"),
            ("scatters && !form->use_init_val ?", "false ?"),
            ("is_unsigned ? (uint64_t)value < (uint64_t)before :", "false ? false :"),
        ],
    ),
    "src/engine/bags/cursor.c": (
        BAGS,
        [
            ("cursor->row += ends;", "cursor->row++;"),
            ("while (entry < entries && number_at(list, entry) == STREW_NO_ROW)", "while (false)"),
            ("(number_at(list, middle) == number) == begins", "(number_at(list, middle) == number) != begins"),
            ("entry - begin < end - entry ? begin : end;", "entry;"),
            ("is_nearer_before ? low - 1 : low", "low", SPEED + "parts are less even"),
            ("cursor->row += piece->ends && number == cursor->row;", "cursor->row += number == cursor->row;"),
            ("place >= cursor->window.end || place < cursor->window.begin", "place >= cursor->window.end",
             SAME + "a cursor only goes on, and its copies have windows of their own"),
            ("row + 1 < cursor->list->count ? resolved_at", "row + 2 < cursor->list->count ? resolved_at"),
        ],
    ),
    "src/engine/bags/lists.c": (
        BAGS,
        [
            ("set_rows(integers, bags->entries + 1, 1, false", "set_rows(integers, bags->entries, 1, false"),
            ("place / integers->line * list->line_step + ", ""),
            ("rows > 0 || bounds == STREW_BOUNDS_SKIP ? bounds", "true ? bounds"),
            ("sorted = !seen->left && numbers[i]", "sorted = numbers[i]"),
            ("falls |= numbers[i] < last;", "falls |= numbers[i] <= last;", SPEED + "the slower look finds them sorted"),
            ("bool falls = seen->left;", "bool falls = false;"),
        ],
    ),
    "src/engine/bags/group.c": (
        BAGS,
        [
            ("rows[i] != STREW_NO_ROW && sources[i] != STREW_NO_ROW", "rows[i] != STREW_NO_ROW"),
            ("order[place] = (uint32_t)(first + i);", "order[place] = (uint32_t)i;"),
            ("threads < most ? threads : (size_t)most", "threads", SPEED + "more threads sort than pays"),
            ("grouped->bounds = STREW_BOUNDS_REFUSE;", "", SAME + "no number that was sorted is wrong"),
            ("(uint64_t)walk->coordinates.each[0].size <= UINT32_MAX", "walk != NULL"),
        ],
    ),
    "src/engine/bags/part.c": (
        BAGS,
        [
            ("counters[means.count] = folded;", "counters[means.count] = piece->count;"),
            ("before + last->count;", "last->count;", SAME + "only whether there are any is asked"),
            ("line > 0 ? line - cursor->entry % line : most", "most"),
            ("continued = same_next;", "continued = false;"),
            ("if (folded == 0 && bags->empty)", "if (folded == 0 && piece->count == 0 && bags->empty)"),
            ("if (count_rows(source, tile->piece[p].count) > 0)", "if (true)"),
            ("!any_empty && tile->resolved != STREW_ROWS_GAPS", "!any_empty"),
            ("!tile->piece[tile->pieces - 1].ends && (!may_leave_out || has_more_rows(columns, cursor))",
             "!tile->piece[tile->pieces - 1].ends"),
            ("if (tile->targets[i] == STREW_NO_ROW)", "if (false)"),
            ("entry < bags->weight_count ? entry : 0", "entry"),
        ],
    ),
    "src/engine/bags/pooled.c": (
        BAGS,
        [
            ("sources->coordinates.wrap && is_signed ? rows.size : 0", "0"),
            ("return sources->coordinates.each[0].size <= INT32_MAX;", "return true;",
             ELSEWHERE + "tables of more than 2 to the power of 31 rows"),
            ("counters[b] = ends[b] - begin;", "counters[b] = ends[b] - some.begin;"),
            ("ends[b] > end ? ends[b] : end;", "ends[b];"),
            ("memcmp(bags->empty, zero, size) == 0 && bags->default_row < 0", "memcmp(bags->empty, zero, size) == 0"),
        ],
    ),
    "src/engine/bags/run.c": (
        BAGS,
        [
            ("if (order == STREW_ORDER_WRONG || ", "if (", SPEED + "sorting and checking find it again"),
            ("check_first || walk->row_bytes == 0", "check_first"),
            ("checks_all ? bags->entries : unused_entries(&listed.run)", "checks_all ? bags->entries : 0"),
            ("if (number < 0 || number > next)", "if (number > next)",
             SAME + "the first number is no greater, and is looked at"),
            ("needed <= means->scratch_bytes", "true"),
        ],
    ),
    "src/kernels/resolve.inc": (
        "^(kernels|bounds|indices)$",
        [
            ("*outside |= position >= size;", "*outside |= position > size;"),
            ("*position = negative ? 0 : size - 1;", "*position = negative ? 0 : size;"),
            ("size - 1 - ~(u64)index % size", "size - (0 - (u64)index) % size"),
            ("offsets[i] = has_row ? (int64_t)offset : STREW_NO_ROW;", "offsets[i] = (int64_t)offset;"),
        ],
    ),
    "src/kernels/resolve_vectors.h": (
        KERNELS,
        [
            ("coordinate.stride > INT32_MAX || ", ""),
            ("offsets_select(less, rest, less)", "rest"),
            ("bounds->gain[i] + size - 1", "bounds->gain[i] + size"),
            ("offsets_repeated(wraps ? coordinate.size : 0)", "offsets_repeated(coordinate.size)"),
        ],
    ),
    "src/kernels/resolve_vectors.inc": (
        KERNELS,
        [
            ("c > 0 ? offsets : bases", "bases"),
            ("indices + c * coordinates->step, index_step, whole", "indices, index_step, whole"),
            ("is_signed ? offsets_repeated(0) : lanes.last", "offsets_repeated(0)"),
            ("count >= 2 * OFFSET_LANES ? count - 2 * OFFSET_LANES : 0", "0"),
        ],
    ),
    "src/kernels/move_rows.inc": (
        KERNELS,
        [
            ("next < last; next += VECTOR_BYTES", "next + VECTOR_BYTES < last; next += VECTOR_BYTES"),
            ("copy_short(target + bytes - tail, source + bytes - tail, tail);", "(void)tail;"),
            ("        source += pages * PAGE_BYTES;\n", ""),
            ("dense.row_bytes > 2 * VECTOR_BYTES", "dense.row_bytes >= VECTOR_BYTES",
             SPEED + "rows of two vectors are moved by a loop"),
        ],
    ),
    "src/kernels/pick.inc": (KERNELS, [("picks += strew_count_bits(owned);", "picks += OFFSET_LANES;")]),
    "src/kernels/pool.inc": (
        KERNELS,
        [
            ("(index += (u64)entries->gain) >= (u64)entries->rows", "(index += (u64)entries->gain) > (u64)entries->rows"),
            ("b > 0 ? (size_t)ends[b - 1] : begin", "begin"),
            ("            call.source += call.bytes;\n", ""),
        ],
    ),
    "src/kernels/fold.inc": (
        KERNELS,
        [
            ("if (is_last && fold->open)", "if (is_last)"),
            ("IS_CARRIED && fold->apart", "false"),
        ],
    ),
    "src/kernels/divide.inc": (
        KERNELS,
        [
            ("*counter + extra)", "*counter)"),
            ("for (; row < end; row += BYTES)", "for (; row <= end; row += BYTES)",
             SPEED + "the last vector is stored twice, at last as it should be"),
        ],
    ),
    "src/kernels/fill.inc": (KERNELS, [("memcpy(row + elements, &element, rest);", "(void)rest;")]),
    "src/scalar/adjoin.c": (
        "^kernels$",
        [
            ("((offset[2] - offset[1]) ^ row_bytes)", "0"),
            ("offsets[end] - offsets[end - 1] == row_bytes", "offsets[end] - offsets[end - 1] >= row_bytes"),
        ],
    ),
    "src/scalar/lookup.c": (
        "^kernels$",
        [
            ("*outside |= position >= size", "*outside |= position > size"),
            ("return position < size ? (size_t)position : 0", "return (size_t)position"),
        ],
    ),
    "src/scalar/put.inc": (
        "^(kernels|tables)$",
        [
            ("position >= (u64)table.size", "position > (u64)table.size"),
            ("index < 0 ? gain : 0", "0"),
            ("is_narrow ? ((const i32_at *)indices)[i]", "is_narrow ? (i64)((const u32_at *)indices)[i]"),
        ],
    ),
    "src/scalar/vector.h": (
        "^(element|(reductions|bags|random)/scalar|kernels)$",
        [
            ("(data != 0) != (update != 0)", "(data != 0) | (update != 0)"),
            ("update < data ? update : data)           ", "update < data ? data : update)           "),
            ("T##_from_bits(T##_bits(one) | T##_bits(other));          ", "T##_from_bits(T##_bits(one) & T##_bits(other));          "),
            ("data != data || update != update ? data + update : both;", "both;"),
            ("rest < 113u << 23 ? subnormal", "rest < 112u << 23 ? subnormal"),
            ("bits >> 16 | 0x40u", "bits >> 16"),
            ("0xfffu + (rest", "0x1000u + (rest"),
            ("exponent == 0x7c00u ? bias : 0", "0u"),
            ("(data.re, update.re) - T##", "(data.re, update.re) + T##"),
            ("0x7fffu + (bits >> 16 & 1u)", "0x8000u"),
        ],
    ),
    "src/scalar/divide.c": (KERNELS, [("quotient - (sum % (i64)count < 0)", "quotient")]),
    "src/scalar/divide.inc": (KERNELS, [("        *counter = 0;\n", ""), ("*counter + extra;", "*counter;")]),
    "src/scalar/fold.inc": (
        KERNELS,
        [
            ("!fold->start || (run.is_first && fold->continued)", "!fold->start"),
            ("!(IS_CARRIED && fold->apart)", "true"),
            ("fold->start ? 0 : 1;", "1;"),
        ],
    ),
    "src/scalar/pool.inc": (KERNELS, [("given < 0 ? given + pool->gain : given", "given")]),
    "src/scalar/reduce.inc": (KERNELS, [("        *data = combined;\n", "")]),
    "src/scalar/move.c": (
        KERNELS,
        [("left < (size_t)part.step ? left : (size_t)part.step", "(size_t)part.step")],
    ),
    "src/avx2/vector.h": (
        KERNELS,
        [
            ("FRONT(1, 2, 0, 0)", "FRONT(2, 1, 0, 0)"),
            ("b1032, _MM_SHUFFLE(2, 3, 0, 1)", "b1032, _MM_SHUFFLE(3, 2, 0, 1)"),
            ("_mm256_or_##ps(both, _mm256_cmp_##ps(data, update, _CMP_UNORD_Q));", "both;"),
            ("_mm256_min_epu16(above_half, one)", "above_half"),
            ("_mm256_blendv_ps(value, quiet, _mm256_cmp_ps(value, value, _CMP_UNORD_Q));", "(void)quiet, value;"),
            ("_mm256_permute_ps(cd, 0xb1)", "cd"),
            ("_mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT)", "_mm256_cvtps_ph(value, _MM_FROUND_TO_ZERO)"),
            ("adc $0x7fff, %0", "add $0x7fff, %0"),
            ("_mm256_set1_epi64x((i64)0xffffffff00000000)", "_mm256_set1_epi64x(-1)"),
            ("_mm256_xor_si256(a, top), _mm256_xor_si256(b, top)", "a, _mm256_or_si256(b, _mm256_xor_si256(top, top))"),
            ("(target + bytes - 16), _mm256_extracti128_si256(value, 1)", "(target + 16), _mm256_extracti128_si256(value, 1)"),
        ],
    ),
    "src/dispatch/dispatch.c": (
        "^(dispatch|cli_info|operators|reductions|lists)$",
        [
            ("return !candidate->native || (candidate->needs & ~strew_cpu_features()) == 0;", "return candidate != NULL;"),
            ("        if (isa == (unsigned)cap)\n            break;\n", ""),
            ("dtype < STREW_DTYPE_BOOL || dtype > STREW_DTYPE_COMPLEX128", "dtype < STREW_DTYPE_BOOL"),
            ("if (index >= COUNT(slots) || !kernels || !info)", "if (!kernels || !info)"),
        ],
    ),
    "src/dispatch/tuning.c": (
        "^(tuning)$",
        [
            ("bytes * (double)own / (double)theirs", "bytes"),
            ("bytes >= STREW_TUNING_NEVER", "false", SAME + "a part of what is never reached is not reached either"),
            ("last > 0 && last <= LARGEST_NEAR_CACHE", "last <= LARGEST_NEAR_CACHE"),
            ("strlen(measured[m]->name) == length && ", ""),
        ],
    ),
    "src/dispatch/tuning_numbers.c": (
        "^(tuning|tune_write)$",
        [
            ("!rest || !is_allowed(number, value)", "!rest"),
            ("*value *= 1024;", "*value *= 1000;"),
            ("if (!rest || *rest)", "if (!rest)"),
            ("    *value /= unit;\n", ""),
        ],
    ),
    "tools/output.c": (
        NPY,
        [
            ("fstat(there, &status) == 0 && S_ISREG(status.st_mode)", "fstat(there, &status) == 0"),
            ("const bool closed = fclose(self->stream) == 0;", "const bool closed = fclose(self->stream) <= 0;"),
            ("if (complete && closed && ", "if (closed && "),
        ],
    ),
    "tools/npy.c": (
        NPY,
        [
            ("product > limit / shape[i]", "product > limit"),
            ("if (value > (INT64_MAX - units) / 10)", "if (false)"),
            ("(*digit == '0' && is_digit(digit[1]))", "false"),
            ("count > INT32_MAX / unit)", "false)"),
            ("if (parser->cursor != parser->end)", "if (false)"),
            ("    if (seen[key])\n", "    if (false)\n"),
            ("if (array->rank == STREW_MAX_RANK)", "if (array->rank == STREW_MAX_RANK + 1)"),
            ("    if (format->swapped)\n", "    if (false)\n"),
            ("format->size == 0 && *count > MAX_EMPTY_STRINGS", "false"),
            ("array->fortran_order ? i : array->rank - 1 - i", "array->rank - 1 - i"),
            ("major < 1 || major > 3 || minor != 0", "major < 1 || major > 3"),
            ("(size_t)length[2] << 16", "(size_t)length[2] << 8"),
            ("strings[i].size > array->string_size", "false"),
            ("case 'U': return CODE_POINT;", ""),
            ("if (found < wanted)\n", "if (found == 0)\n"),
            ("!comma && (parser->array->rank == 1 || peek(parser) != ')')", "!comma && peek(parser) != ')'"),
        ],
    ),
}
