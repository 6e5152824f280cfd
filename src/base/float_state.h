/*
 * The state of the CPU that floats are computed in: a thread may round otherwise, take subnormals for zeros, or
 * trap. Results are of the default state, which a call enters before it combines floats, and leaves as it found it.
 */
#ifndef STREW_BASE_FLOAT_STATE_H
#define STREW_BASE_FLOAT_STATE_H

#include "base/compiler.h"

/*
 * For each CPU the register, as a strew_float_state, and which of its bits are settings (the others are flags of
 * what has happened), with what those are by default: to nearest even, subnormals as they are, no traps.
 */
#if defined(__x86_64__) || defined(_M_X64) || defined(__SSE__) || (defined(_M_IX86_FP) && _M_IX86_FP >= 1)

#include <xmmintrin.h>
typedef uint32_t strew_float_state;
#define STREW_FLOAT_SETTINGS UINT32_C(0xffc0)
#define STREW_FLOAT_DEFAULTS UINT32_C(0x1f80)
STREW_INLINE strew_float_state strew_float_state_read(void)
{
    return _mm_getcsr();
}
STREW_INLINE void strew_float_state_write(strew_float_state state)
{
    _mm_setcsr(state);
}

#elif defined(STREW_HAS_ASM) && (defined(__aarch64__) || (defined(__arm__) && defined(__ARM_FP)) || \
                                 defined(__riscv_flen) || defined(__s390x__))

#if defined(__aarch64__)
typedef uint64_t strew_float_state;
#define STREW_FLOAT_SETTINGS UINT64_C(0x7ff9f07)
#define STREW_FLOAT_READ "mrs %0, fpcr"
#define STREW_FLOAT_WRITE "msr fpcr, %0"
#elif defined(__arm__)
typedef uint32_t strew_float_state;
#define STREW_FLOAT_SETTINGS UINT32_C(0x7f79f00)
#define STREW_FLOAT_READ "vmrs %0, fpscr"
#define STREW_FLOAT_WRITE "vmsr fpscr, %0"
#elif defined(__s390x__)
typedef uint32_t strew_float_state;
#define STREW_FLOAT_SETTINGS UINT32_C(0xf8000007)
#define STREW_FLOAT_READ "efpc %0"
#define STREW_FLOAT_WRITE "sfpc %0"
#else
typedef uintptr_t strew_float_state;
#define STREW_FLOAT_SETTINGS UINT32_C(7)
#define STREW_FLOAT_READ "frrm %0"
#define STREW_FLOAT_WRITE "fsrm %0"
#endif
#define STREW_FLOAT_DEFAULTS 0
STREW_INLINE strew_float_state strew_float_state_read(void)
{
    strew_float_state state;
    __asm__ volatile(STREW_FLOAT_READ : "=r"(state));
    return state;
}
STREW_INLINE void strew_float_state_write(strew_float_state state)
{
    __asm__ volatile(STREW_FLOAT_WRITE : : "r"(state) : "memory");
}

#elif defined(_M_ARM64) && !defined(__clang__) /* whose words compiler.h has included */

typedef uint64_t strew_float_state;
#define STREW_FLOAT_SETTINGS UINT64_C(0x7ff9f07)
#define STREW_FLOAT_DEFAULTS 0
STREW_INLINE strew_float_state strew_float_state_read(void)
{
    return (uint64_t)_ReadStatusReg(ARM64_FPCR);
}
STREW_INLINE void strew_float_state_write(strew_float_state state)
{
    _WriteStatusReg(ARM64_FPCR, (__int64)state);
}

#else

/* Nothing is known of this CPU: the state is the caller's. */
typedef uint32_t strew_float_state;
#define STREW_FLOAT_SETTINGS 0
#define STREW_FLOAT_DEFAULTS 0
STREW_INLINE strew_float_state strew_float_state_read(void)
{
    return 0;
}
STREW_INLINE void strew_float_state_write(strew_float_state state)
{
    (void)state;
}

#endif

/* Returns the state to leave with. Writing is slow, so it is done only where something differs. */
STREW_INLINE strew_float_state strew_floats_enter(void)
{
    const strew_float_state state = strew_float_state_read();
    if ((state & STREW_FLOAT_SETTINGS) != STREW_FLOAT_DEFAULTS)
        strew_float_state_write((state & ~(strew_float_state)STREW_FLOAT_SETTINGS) | STREW_FLOAT_DEFAULTS);
    return state;
}
STREW_INLINE void strew_floats_leave(strew_float_state state)
{
    if ((state & STREW_FLOAT_SETTINGS) != STREW_FLOAT_DEFAULTS)
        strew_float_state_write(state);
}

#endif
