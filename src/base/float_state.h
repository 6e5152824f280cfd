/*
 * Sets the floating-point state of the thread to the defaults and restores it. A thread may round in another
 * direction, flush subnormals to zero, or trap. Every result is that of the default state: a call enters it before
 * it combines floats, and restores the thread's own state when it returns.
 */
#ifndef STREW_BASE_FLOAT_STATE_H
#define STREW_BASE_FLOAT_STATE_H

#include "base/compiler.h"

/*
 * For each CPU: the control register as a strew_float_state, STREW_FLOAT_SETTINGS, the bits of it that are
 * settings (its other bits are flags of past events), and STREW_FLOAT_DEFAULTS, the values of the settings by
 * default: round to nearest even, keep subnormals, no traps.
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

#elif defined(_M_ARM64) && !defined(__clang__) /* compiler.h includes the intrinsics */

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

/* This CPU's control register is not known here, so the caller's settings stay in force. */
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

/*
 * Enters the default state. Returns the former state, to be passed to strew_floats_leave. Both write the register
 * only if a setting differs, because writing is slow.
 */
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
