"""The code of the engine, the operators and the reader of .npy files that no kept input reaches, with reasons."""

# Why, and for each file pieces of the lines, or names of the functions that they are in.
UNREACHED: list[tuple[str, dict[str, list[str]]]] = [
    ("NULL, memory without a plan, or an instruction set that cannot run, where a caller puts what is its own: the test "
     "`errors` has each.", {
        "src/operators/axis.c": ["NULL_ARGUMENT, .operand = STREW_OPERAND_AXIS"],
        "src/operators/operator.c": ["NULL_ARGUMENT, .operand = STREW_OPERAND_OPERATOR",
                                     "NULL_ARGUMENT, .operand = shape ?", "NULL_ARGUMENT, .operand = STREW_OPERAND_PLAN"],
        "src/operators/slice.c": ["NULL_ARGUMENT, .operand = STREW_OPERAND_SLICE"],
        "src/engine/plan.c": ["NOT_A_PLAN", "NULL_ARGUMENT, .operand = STREW_OPERAND_BUFFERS",
                              "NULL_ARGUMENT, .operand = STREW_OPERAND_PLAN", "OVERLAP, .operand = STREW_OPERAND_PLAN",
                              "ISA_NOT_RUNNABLE"],
        "src/engine/describe.c": ["strew_plan_describe"],
    }),
    ("What the targets never ask for, as they draw what mostly fits: `errors` has updates for a gather or beyond an "
     "axis, several of them for one element, results of 33 dimensions, unknown ways to be empty, and too little storage; "
     "`promises` says that indices are unique.", {
        "src/operators/bags.c": [".operand = STREW_OPERAND_EMPTY"],
        "src/operators/operator.c": ["LONGER_THAN_AXIS", "NOT_ONE_ELEMENT", "UNEXPECTED, .operand = STREW_OPERAND_UPDATES",
                                     "UNEXPECTED, .operand = STREW_OPERAND_INDICES"],
        "src/operators/shape_rules.c": ["RESULT_RANK_TOO_LARGE"],
        "src/engine/plan.c": ["SCRATCH_TOO_SMALL, .operand = STREW_OPERAND_INSPECTION"],
        "src/engine/share/cut.c": ["case STREW_WRITES_ONCE:"],
    }),
    ("More than the 64 KiB that an operand has here, the 4 KiB of a row, or the 4 threads: `large_results`, `bounds`, "
     "`partition` and `inspection`.", {
        "src/engine/inspection.c": ["is_wide", "lay_out_numbers"],
        "src/engine/schedule.c": ["schedule->least_scratch = SIZE_MAX"],
        "src/engine/share/cut.c": ["strew_cut_choose"],
        "src/engine/share/owners.c": ["strew_prefetch_ends_ahead"],
        "src/engine/walk/mover.h": ["access.rows_ahead = 0", "strew_mover_end"],
        "src/engine/describe.c": ["writes past the caches"],
    }),
    ("Calls that are drawn too seldom: tuples of three or more, in place, of more than 64 rows that cannot be "
     "partitioned; rows that repeat, or runs of them, in more than a tile; wrong targets that are found as they are "
     "filled; sorted indices that threads share. `random`, `promises`, `runs`, `bags` and `parts` make them.", {
        "src/engine/schedule.c": ["(0 - (uintptr_t)scratch) % STREW_CACHE_LINE", "find_parts"],
        "src/engine/share/parts.c": ["look_at_part", "move_to_next_row", "find_begins"],
        "src/engine/share/shard.c": ["run_shard"],
        "src/engine/walk/mover.c": ["strew_rows_repeat"],
        "src/engine/bags/lists.c": ["strew_list_resolve"],
        "src/engine/bags/run.c": ["start_rows", "run_columns"],
        "src/engine/bags/window.c": ["next_runs", "next_entries"],
    }),
    ("Only in a build of chosen parts: `choice`.", {
        "src/operators/operator.c": ["DTYPE_LEFT_OUT", "REDUCTION_LEFT_OUT", "OPERATOR_LEFT_OUT"],
    }),
    ("What is asked only with the thresholds of a release: here the least work is worth being partitioned, nothing is "
     "near, and any walk waits for memory. The tests of a release reach it.", {
        "src/engine/partition/partition.c": ["pays", "pays_alone", "pays_shared", "strew_walk_is_local"],
        "src/engine/schedule.c": ["choose"],
    }),
    ("Only if another thread changes indices after they were found right, or wrong.", {
        "src/engine/combine.c": ["refuse_amended_decrease"],
        "src/engine/mean.c": ["divide_group"],
        "src/engine/bad_index.c": ["    return false;"],
        "src/engine/plan.c": ["refuse_run"],
    }),
    ("The head of a macro, which is no code.", {
        "src/engine/partition/buckets.c": ["#define CASE("],
    }),
    ("Without memory, and with more data than an input has, whose progress is told: `cli_faults`, `npy`, `cli`.", {
        "tools/npy.c": ["report", "grow", "read_part", "view_strings", "read_data", "npy_create_like"],
    }),
    ("Not of the reader: strings that are written, which no line of `arguments` does, and what fails to be.", {
        "tools/npy.c": ["format_of", "strings_fit", "write_strings", "write_elements", "write_data", "npy_write"],
    }),
]
