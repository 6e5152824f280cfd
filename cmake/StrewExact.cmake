# strew_exact(TARGET): computes floats as C11 and IEEE 754 say, whatever flags the target inherits. Its flags come after
# those, and undo any that would round differently. If no flag can undo one, the code does not compile
# (src/base/arithmetic.h).

include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

# The first of some flags with which float and double are computed in their own precision. Empty if none is needed, or
# none helps.
function(strew_find_evaluation variable)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  foreach(flags IN ITEMS "" "-fexcess-precision=fast" "-msse2 -mfpmath=sse")
    string(MAKE_C_IDENTIFIER "STREW_EVALUATES_AS_IS${flags}" found)
    set(CMAKE_REQUIRED_FLAGS "-std=c11 -fno-fast-math ${flags}")
    set(CMAKE_REQUIRED_QUIET ON)
    check_c_source_compiles("
      #include <float.h>
      #if FLT_EVAL_METHOD != 0
      #error
      #endif
      int strew_evaluates;" ${found})
    if(${found})
      separate_arguments(flags UNIX_COMMAND "${flags}")
      set(${variable} ${flags} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${variable} "" PARENT_SCOPE)
endfunction()

if(CMAKE_C_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC" OR MSVC)
  set(strew_exact_flags /fp:precise)
  if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    list(APPEND strew_exact_flags /clang:-ffp-contract=off)
  endif()
else()
  strew_find_evaluation(strew_exact_flags)
  # No fused multiply-add. No code reads errno or the floating-point flags after a kernel; with that known, a compiler
  # can turn comparisons into selections.
  list(APPEND strew_exact_flags -fno-fast-math -fno-unsafe-math-optimizations -fno-finite-math-only -fsigned-zeros
    -fno-associative-math -fno-reciprocal-math -ffp-contract=off -fno-math-errno -fno-trapping-math)
  foreach(flag IN ITEMS -fno-single-precision-constant -Wno-overriding-t-option -Wno-overriding-option)
    string(MAKE_C_IDENTIFIER "STREW_TAKES${flag}" takes)
    string(REPLACE "-Wno-" "-W" asked ${flag}) # gcc takes any -Wno- without a word
    set(CMAKE_REQUIRED_QUIET ON)
    check_c_compiler_flag(${asked} ${takes})
    if(${takes})
      list(APPEND strew_exact_flags ${flag})
    endif()
  endforeach()
endif()

function(strew_exact target)
  target_compile_options(${target} PRIVATE ${strew_exact_flags})
endfunction()
