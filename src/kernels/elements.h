/*
 * Defines a C type for each dtype that kernels compute with, named by its suffix: b8, i8, ..., c128. For each
 * there is also a type to read and write it at any address: f32_at, i64_at, ...
 */
#ifndef STREW_KERNELS_ELEMENTS_H
#define STREW_KERNELS_ELEMENTS_H

#include "base/arithmetic.h"
#include "base/compiler.h"
#include "base/lists.h"

typedef uint8_t b8;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef uint16_t f16;  /* the bits; not every compiler has the type */
typedef uint16_t bf16; /* the bits */
typedef float f32;
typedef double f64;

#define AT(CONSTANT, name, suffix, bits) typedef suffix suffix##_at STREW_ANYWHERE;
AT(BOOL, bool, b8, 1)
STREW_INTEGER_DTYPES(AT)
STREW_FLOAT_DTYPES(AT)
#undef AT

/* Packed structs may lie at any address. */
#pragma pack(push, 1)
typedef struct STREW_MAY_ALIAS c64 {
    f32 re, im;
} c64, c64_at;
typedef struct STREW_MAY_ALIAS c128 {
    f64 re, im;
} c128, c128_at;

/* Elements that only move, named by their bits. */
typedef u8 x8;
typedef u16 x16;
typedef u32 x32;
typedef u64 x64;
typedef u8_at x8_at;
typedef u16_at x16_at;
typedef u32_at x32_at;
typedef u64_at x64_at;
typedef struct STREW_MAY_ALIAS x128 {
    u64 half[2];
} x128, x128_at;
#pragma pack(pop)

#endif
