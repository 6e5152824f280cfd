/**
 * @file
 * Describes what strew runs here: the CPU, the instruction sets, and the kernel of each operation. No call needs
 * this; it is for logs, reports and tests.
 */
#ifndef STREW_INSPECT_H
#define STREW_INSPECT_H

#include <strew/strew.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup strew_inspection What runs here
 * The CPU, its instruction sets, and the kernels that are used.
 * @{
 */

/** Whether an instruction set can be used here. */
typedef int32_t strew_isa_state;
/** The values of strew_isa_state. */
enum {
    STREW_ISA_STATE_ABSENT,      /**< not in this build */
    STREW_ISA_STATE_UNAVAILABLE, /**< native code in this build that this CPU or operating system cannot run */
    STREW_ISA_STATE_EMULATED,    /**< emulated in this build: runs only if it is asked for by name */
    STREW_ISA_STATE_NATIVE       /**< runs on this CPU */
};

/** Returns the name of a state, such as "native"; "unknown" for any other value. */
STREW_API const char *strew_isa_state_name(strew_isa_state state);

/** Returns the state of an instruction set. STREW_ISA_BEST has the state of the one that it means here. */
STREW_API strew_isa_state strew_isa_get_state(strew_isa isa);

/** Returns the instruction set that STREW_ISA_BEST means here. STREW_ISA in the environment has been applied. */
STREW_API strew_isa strew_isa_active(void);

/** A slot of the table of kernels, and the instruction set of the kernel in it. */
typedef struct strew_kernel_info {
    const char *operation; /**< "resolve", "gather", "scatter", "reduce_rows_sum", ... */
    const char *operand;   /**< what it is specialised for: "f32", "x64", "rows", ... */
    strew_isa isa;         /**< the instruction set of its kernel */
    int32_t reserved;      /**< 0 */
} strew_kernel_info;

/** Returns how many slots the table of kernels has. The number is the same for every instruction set. */
STREW_API size_t strew_kernel_count(void);

/**
 * Describes the kernel in slot `index` of the table of `isa`. If that set has no kernel of its own there,
 * info->isa is another one. Returns false, and leaves `*info` unchanged, if there is no such slot or the
 * instruction set cannot run here.
 */
STREW_API bool strew_kernel_at(size_t index, strew_isa isa, strew_kernel_info *info);

/**
 * Writes one line without a newline: the CPU's own name; its extensions that strew uses; the measured CPU whose
 * tuning is used; whether the sizes of its caches or STREW_TUNING in the environment changed that tuning, or
 * STREW_TUNING was refused. The line is cut, terminated and counted as by strew_error_message.
 */
STREW_API size_t strew_cpu_describe(char *buffer, size_t size);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
