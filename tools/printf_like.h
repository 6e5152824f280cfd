/* Marks functions that take a format like printf's, and which arguments it is, for the compiler to check. */
#ifndef STREW_TOOLS_PRINTF_LIKE_H
#define STREW_TOOLS_PRINTF_LIKE_H

#if defined(__MINGW32__) /* whose printf is otherwise that of old Windows */
#define PRINTF_LIKE(pattern, first) __attribute__((format(gnu_printf, pattern, first)))
#elif defined(__GNUC__)
#define PRINTF_LIKE(pattern, first) __attribute__((format(printf, pattern, first)))
#else
#define PRINTF_LIKE(pattern, first)
#endif

#endif
