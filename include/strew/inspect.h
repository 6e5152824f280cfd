/**
 * @file
 * What of strew runs here: the instruction sets, the kernels that serve each operation, and the CPU. Nothing that a
 * call needs; for logs, reports and tests.
 */
#ifndef STREW_INSPECT_H
#define STREW_INSPECT_H

#include <strew/strew.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup strew_inspection What runs here
 * The CPU, its instruction sets, and the kernels that serve.
 * @{
 */

/** What can be done with an instruction set here. */
typedef int32_t strew_isa_state;
/** The values of strew_isa_state. */
enum {
    STREW_ISA_STATE_ABSENT,      /**< not in this build */
    STREW_ISA_STATE_UNAVAILABLE, /**< native code in this build, which this CPU or operating system cannot run */
    STREW_ISA_STATE_EMULATED,    /**< in this build by emulation: runs when asked for by name, never picked */
    STREW_ISA_STATE_NATIVE       /**< runs on this CPU */
};

/** "native" and so on; "unknown" for a value that is none. */
STREW_API const char *strew_isa_state_name(strew_isa_state state);

/** The state of an instruction set; that of STREW_ISA_BEST is the state of what it stands for. */
STREW_API strew_isa_state strew_isa_get_state(strew_isa isa);

/** The instruction set that STREW_ISA_BEST stands for here; STREW_ISA in the environment has been heeded. */
STREW_API strew_isa strew_isa_active(void);

/** A slot of the table of kernels, and the instruction set of the kernel that fills it. */
typedef struct strew_kernel_info {
    const char *operation; /**< "resolve", "gather", "scatter", "reduce_rows_sum", ... */
    const char *operand;   /**< what it is specialised for: "f32", "x64", "rows", ... */
    strew_isa isa;         /**< the instruction set of its kernel */
    int32_t reserved;      /**< 0 */
} strew_kernel_info;

/** How many slots the table of kernels has, the same for every instruction set. */
STREW_API size_t strew_kernel_count(void);

/**
 * Says what fills slot `index` in the table of `isa`; where that set has no kernel of its own, info->isa is an
 * older one. False, with `*info` untouched, if there is no such slot or the instruction set cannot run here.
 */
STREW_API bool strew_kernel_at(size_t index, strew_isa isa, strew_kernel_info *info);

/**
 * Writes one line without a newline: the CPU's own name, those of its extensions that strew uses, which of the CPUs
 * that were measured the library takes it for, and whether its caches or STREW_TUNING in the environment changed
 * anything of that, or the latter was refused. Cut, terminated and counted as by strew_error_message.
 */
STREW_API size_t strew_cpu_describe(char *buffer, size_t size);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
