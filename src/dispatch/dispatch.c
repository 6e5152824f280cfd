/*
 * Chooses the table of kernels, and answers what follows from the tables: which kernel fills a slot, which dtypes
 * have which reduction.
 */
#include "dispatch/dispatch.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/choice.h"
#include "dispatch/cpu.h"
#include "dispatch/tuning.h"
#include "scalar/kernels.h"
#ifdef STREW_WITH_AVX2
#include "avx2/kernels.h"
#endif
#ifdef STREW_WITH_AVX512
#include "avx512/kernels.h"
#endif
#ifdef STREW_WITH_NEON
#include "neon/kernels.h"
#endif

/*
 * A tier is a table of kernels and what a CPU needs to run it. `native` is the value of STREW_WITH_*: whether the
 * code of the table is native in this build. Emulated code runs anywhere, so `needs` counts for native code only.
 * Later tiers are better.
 */
typedef struct tier {
    strew_isa isa;
    const strew_kernels *kernels;
    bool native;
    uint32_t needs; /* bits STREW_CPU_* */
} tier;

/*
 * A build may leave out the scalar tier where every CPU has NEON. NEON's table contains the scalar kernels it
 * needs.
 */
#if STREW_HAS(SCALAR) || !defined(STREW_WITH_NEON) || !(defined(__aarch64__) || defined(_M_ARM64))
#define HAS_SCALAR
#endif

static const tier tiers[] = {
#ifdef HAS_SCALAR
    {STREW_ISA_SCALAR, &strew_kernels_scalar, true, 0},
#endif
#ifdef STREW_WITH_AVX2
    {STREW_ISA_AVX2, &strew_kernels_avx2, STREW_WITH_AVX2, STREW_CPU_AVX2},
#endif
#ifdef STREW_WITH_AVX512
    {STREW_ISA_AVX512, &strew_kernels_avx512, STREW_WITH_AVX512, STREW_CPU_AVX2 | STREW_CPU_AVX512},
#endif
#ifdef STREW_WITH_NEON
    {STREW_ISA_NEON, &strew_kernels_neon, STREW_WITH_NEON, STREW_CPU_NEON},
#endif
#if defined(STREW_NEON_HAS_FP16) && !defined(__arm__)
    {STREW_ISA_NEON, &strew_kernels_neon_fp16, STREW_WITH_NEON, STREW_CPU_NEON | STREW_CPU_NEON_FP16},
#endif
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool can_run(const tier *candidate)
{
    return !candidate->native || (candidate->needs & ~strew_cpu_features()) == 0;
}

/* Returns the best tier of an instruction set that can run here, or NULL. */
static const tier *find_tier(strew_isa isa)
{
    for (size_t t = COUNT(tiers); t-- > 0;)
        if (tiers[t].isa == isa && can_run(&tiers[t]))
            return &tiers[t];
    return NULL;
}

/*
 * Returns the best native tier. STREW_ISA in the environment limits the choice to that instruction set and lower
 * ones.
 */
static const tier *choose_tier(void)
{
    strew_isa cap = STREW_ISA_BEST;
    strew_isa_find(strew_cpu_variable("STREW_ISA"), &cap);
    const tier *chosen = &tiers[0];
    for (unsigned isa = STREW_ISA_BEST + 1; isa < STREW_ISA_COUNT; isa++) {
        const tier *found = find_tier((strew_isa)isa);
        if (found && found->native)
            chosen = found;
        if (isa == (unsigned)cap)
            break;
    }
    return chosen;
}

/*
 * Returns the active tier and remembers it. This is the only mutable state of the library, apart from the active
 * tuning and the remembered facts about the CPU.
 */
static const tier *active_tier(void)
{
    static _Atomic(const tier *) active;
    const tier *chosen = atomic_load_explicit(&active, memory_order_relaxed);
    if (!chosen) {
        chosen = choose_tier();
        atomic_store_explicit(&active, chosen, memory_order_relaxed);
    }
    return chosen;
}

const strew_kernels *strew_kernels_of(strew_isa isa)
{
    const tier *found = isa == STREW_ISA_BEST ? active_tier() : find_tier(isa);
    return found ? found->kernels : NULL;
}

strew_isa_state strew_isa_get_state(strew_isa isa)
{
    const tier *found = isa == STREW_ISA_BEST ? active_tier() : find_tier(isa);
    if (found)
        return found->native ? STREW_ISA_STATE_NATIVE : STREW_ISA_STATE_EMULATED;
    for (size_t t = 0; t < COUNT(tiers); t++)
        if (tiers[t].isa == isa)
            return STREW_ISA_STATE_UNAVAILABLE;
    return STREW_ISA_STATE_ABSENT;
}

strew_isa strew_isa_active(void)
{
    return active_tier()->isa;
}

static bool is_built(strew_reduction reduction, strew_dtype dtype)
{
    const bool is_opaque = (dtype & STREW_DTYPE_OPAQUE_BIT) != 0;
    return (STREW_BUILT_REDUCTIONS >> reduction & 1) && (is_opaque || (STREW_BUILT_DTYPES >> dtype & 1));
}

bool strew_reduction_supports(strew_reduction reduction, strew_dtype dtype)
{
    if ((unsigned)reduction >= STREW_REDUCTION_COUNT || strew_dtype_bits(dtype) == 0 || !is_built(reduction, dtype))
        return false;
    if (reduction == STREW_REDUCTION_NONE)
        return true;
    if (dtype < STREW_DTYPE_BOOL || dtype > STREW_DTYPE_COMPLEX128)
        return false;
    const strew_dtype element = STREW_ELEMENT_SLOT(dtype);
    if (reduction == STREW_REDUCTION_MEAN)
        return tiers[0].kernels->divide[element] != NULL;
    return tiers[0].kernels->reduce_rows[STREW_COMBINATION_SLOT(reduction)][element] != NULL;
}

/*
 * A slot of the table of kernels. The slots are in the order of scalar's list, which is complete. Cells are only
 * compared, so each is read as if it held a function pointer of one common type.
 */
typedef struct slot {
    char operation[sizeof "reduce_rows_prod"]; /* arrays need no relocations in a shared library */
    char operand[sizeof "owned"];
    uint16_t cell; /* offset of the cell in strew_kernels */
} slot;

static const slot slots[] = {
#define LEFT_OUT_KERNEL(type, family, operand)
#define KERNEL(type, family, operand, cell) {#family, #operand, offsetof(strew_kernels, cell)},
#include "scalar/kernels.inc"
#undef KERNEL
#undef LEFT_OUT_KERNEL
};

size_t strew_kernel_count(void)
{
    return COUNT(slots);
}

/*
 * Returns the instruction set of the first tier whose table has the same kernel in the slot. Later tables took it
 * from there.
 */
static strew_isa origin_of(const strew_kernels *kernels, size_t cell)
{
    const char *const kernel = (const char *)kernels + cell;
    size_t t = 0;
    while (memcmp(kernel, (const char *)tiers[t].kernels + cell, sizeof(strew_move_kernel *)) != 0)
        t++;
    return tiers[t].isa;
}

bool strew_kernel_at(size_t index, strew_isa isa, strew_kernel_info *info)
{
    const strew_kernels *kernels = strew_kernels_of(isa);
    if (index >= COUNT(slots) || !kernels || !info)
        return false;
    *info = (strew_kernel_info){.operation = slots[index].operation,
                                .operand = slots[index].operand,
                                .isa = origin_of(kernels, slots[index].cell)};
    return true;
}

bool strew_kernel_find(const strew_kernels *kernels, const void *kernel, strew_kernel_info *info)
{
    size_t s = 0;
    while (s < COUNT(slots) &&
           memcmp((const char *)kernels + slots[s].cell, kernel, sizeof(strew_move_kernel *)) != 0)
        s++;
    if (s == COUNT(slots))
        return false;
    *info = (strew_kernel_info){
        .operation = slots[s].operation, .operand = slots[s].operand, .isa = origin_of(kernels, slots[s].cell)};
    return true;
}

size_t strew_cpu_describe(char *buffer, size_t size)
{
    char cpu[STREW_CPU_TEXT_BYTES];
    strew_cpu_text(cpu);
    const strew_tuning *tuning = strew_tuning_active();
    const int length = snprintf(buffer, size, "%s; tuned as %s%s", cpu, tuning->name, tuning->changes);
    return length > 0 ? (size_t)length : 0;
}
