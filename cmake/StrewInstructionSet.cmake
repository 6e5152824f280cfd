# strew_instruction_set(NAME [LITTLE_ENDIAN] FLAGS flag... MSVC flag... NEEDS "source"): compiles the kernels in
# src/NAME, if the compiler takes the source with one of the flags, or with none. Otherwise SIMDe emulates them if
# STREW_EMULATED is on, or they are left out. If there are tests, sets that their CPU lacks are emulated too; or not
# tested, if that takes minutes: with sanitizers, and not optimised. strew_tell_instruction_sets prints the way of each
# set.
#
# LITTLE_ENDIAN: the kernels read one vector with lanes of two sizes, and take the first small lane for the lower half,
# as on every CPU with these instructions. SIMDe keeps the byte order of the CPU that emulates them.
#
# Flags are per folder, and there is no link-time optimisation in it, so that no instruction of a set gets into code
# that runs before the CPU has been asked.

include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

# Sets VARIABLE to the first of the flags with which the source compiles, "none" if it needs no flag, "" if none works.
function(strew_find_flags variable source flags)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  set(CMAKE_REQUIRED_QUIET ON)
  foreach(flag IN LISTS flags)
    set(CMAKE_REQUIRED_FLAGS "${flag}")
    if(flag STREQUAL "none")
      set(CMAKE_REQUIRED_FLAGS "")
    endif()
    string(MAKE_C_IDENTIFIER "STREW_COMPILES_${source}_WITH_${flag}" compiles)
    string(SHA1 compiles "${compiles}")
    check_c_source_compiles("${source}\nint strew_compiled;" STREW_COMPILES_${compiles})
    if(STREW_COMPILES_${compiles})
      set(${variable} ${flag} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${variable} "" PARENT_SCOPE)
endfunction()

# Sets VARIABLE to whether the CPU that runs the tests has this instruction set, as the library itself detects it: NAME
# is that of STREW_CPU_* in src/dispatch/cpu.h. If there is no way to ask, it is assumed to.
function(strew_cpu_runs variable NAME)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/strew_cpu_runs_${NAME}${CMAKE_EXECUTABLE_SUFFIX})
  if(NOT DEFINED STREW_CPU_RUNS_${NAME})
    try_compile(compiled ${CMAKE_CURRENT_BINARY_DIR}
      SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/tests/dispatch/cpu_runs.c ${CMAKE_CURRENT_SOURCE_DIR}/src/dispatch/cpu.c
        ${CMAKE_CURRENT_SOURCE_DIR}/src/dispatch/linux_cpus.c
      CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${CMAKE_CURRENT_SOURCE_DIR}/include$<SEMICOLON>${CMAKE_CURRENT_SOURCE_DIR}/src
      COMPILE_DEFINITIONS -DSTREW_BUILDING -DSTREW_ASKED=STREW_CPU_${NAME}
      C_STANDARD 11 COPY_FILE ${program} COPY_FILE_ERROR failed)
    set(runs ON)
    if(compiled AND NOT failed)
      # No pipe: processes that Wine starts beside the program would keep it open.
      execute_process(COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} ${program} RESULT_VARIABLE status
        OUTPUT_FILE ${program}.log ERROR_FILE ${program}.log)
      if(status STREQUAL "1")
        set(runs OFF)
      endif()
    endif()
    set(STREW_CPU_RUNS_${NAME} ${runs} CACHE INTERNAL "Whether what runs the tests has this instruction set")
  endif()
  set(${variable} ${STREW_CPU_RUNS_${NAME}} PARENT_SCOPE)
endfunction()

# Finds SIMDe's headers and makes a folder that holds only these: /usr/include would bring all other headers of this
# machine into a build for another.
function(strew_find_simde)
  find_path(STREW_SIMDE_INCLUDE_DIR simde/x86/avx2.h NO_CMAKE_FIND_ROOT_PATH
    DOC "The folder with SIMDe's headers, simde/, which emulated instruction sets need")
  if(NOT STREW_SIMDE_INCLUDE_DIR)
    message(FATAL_ERROR "STREW_EMULATED needs the headers of SIMDe (Debian: libsimde-dev): set "
      "STREW_SIMDE_INCLUDE_DIR to the folder that holds simde/, or STREW_EMULATED=OFF")
  endif()
  set(strew_simde ${CMAKE_CURRENT_BINARY_DIR}/simde)
  file(REMOVE_RECURSE ${strew_simde})
  file(MAKE_DIRECTORY ${strew_simde})
  file(CREATE_LINK ${STREW_SIMDE_INCLUDE_DIR}/simde ${strew_simde}/simde RESULT failed SYMBOLIC)
  if(failed)
    file(COPY ${STREW_SIMDE_INCLUDE_DIR}/simde DESTINATION ${strew_simde})
  endif()
  set(strew_simde ${strew_simde} PARENT_SCOPE)
endfunction()

# Windows aligns the stack to 16 bytes, and gcc takes vectors on it to be aligned to more (its bug 54412), unless it is
# patched. The assembler can make all such moves unaligned ones.
set(strew_unaligned_vectors "")
if(MINGW AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_REQUIRED_QUIET ON)
  check_c_compiler_flag(-Wa,-muse-unaligned-vector-move STREW_MOVES_UNALIGNED)
  unset(CMAKE_REQUIRED_QUIET)
  if(STREW_MOVES_UNALIGNED)
    set(strew_unaligned_vectors -Wa,-muse-unaligned-vector-move)
  endif()
endif()

set(strew_kernel_objects "")
set(strew_instruction_sets scalar)
set(strew_native_sets scalar)
set(strew_tested_sets scalar)
set(strew_definitions "")
set(strew_told "scalar")

function(strew_instruction_set name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LITTLE_ENDIAN" "NEEDS" "FLAGS;MSVC")
  string(TOUPPER ${name} NAME)
  if("STREW_WITHOUT_${NAME}" IN_LIST strew_left_out)
    return()
  endif()
  if(CMAKE_C_COMPILER_ID STREQUAL "MSVC") # clang-cl takes gcc's, which allow no more than they say
    set(arg_FLAGS ${arg_MSVC})
  endif()
  strew_find_flags(flags "${arg_NEEDS}" "${arg_FLAGS}")
  if(NOT flags AND NOT STREW_EMULATED)
    list(JOIN arg_FLAGS "; " tried)
    message(STATUS "strew: no kernels for ${name}: ${CMAKE_C_COMPILER} compiles none for this target "
      "(tried: ${tried})")
    return()
  endif()
  if(NOT flags AND arg_LITTLE_ENDIAN AND CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN")
    message(STATUS "strew: no kernels for ${name}: a big-endian CPU does not emulate them")
    return()
  endif()
  set(runs ON)
  if(flags AND STREW_BUILD_TESTS)
    strew_cpu_runs(runs ${NAME})
    if(NOT runs AND STREW_EMULATED AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize|-O0")
      set(flags "")
    endif()
  endif()
  strew_kernels(${name} ${strew_vector_flags})
  if(flags)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    list(REMOVE_ITEM flags none)
    target_compile_options(strew_${name} PRIVATE ${flags} ${strew_unaligned_vectors})
    set(strew_native_sets ${strew_native_sets} ${name} PARENT_SCOPE)
    set(told "${name}")
    set(native 1)
    if(NOT runs)
      set(told "${name} (not tested: this CPU has none)")
    endif()
  else()
    strew_find_simde()
    # Silences the warnings of SIMDe's vector types and loop hints. SIMDe lets products of signed integers overflow.
    # Only tests run it, so it is optimised little, which takes a third of the time.
    target_compile_options(strew_${name} PRIVATE -Wno-psabi -Wno-pass-failed -fwrapv $<$<NOT:$<CONFIG:Debug>>:-O1>)
    # Vectors of 64 bits would be in MMX, which shares its registers with x87, and x87 converts integers.
    if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(i[3-6]86|x86|x86_64|AMD64)$")
      target_compile_options(strew_${name} PRIVATE -mno-mmx)
    endif()
    target_compile_definitions(strew_${name} PRIVATE STREW_EMULATED)
    target_include_directories(strew_${name} SYSTEM PRIVATE ${strew_simde})
    set(told "${name} (emulated)")
    set(native 0)
  endif()
  if(runs OR NOT native)
    set(strew_tested_sets ${strew_tested_sets} ${name} PARENT_SCOPE)
  endif()
  separate_arguments(kernel_flags UNIX_COMMAND "${STREW_KERNEL_FLAGS}")
  target_compile_options(strew_${name} PRIVATE ${kernel_flags})
  set(strew_kernel_objects ${strew_kernel_objects} $<TARGET_OBJECTS:strew_${name}> PARENT_SCOPE)
  set(strew_instruction_sets ${strew_instruction_sets} ${name} PARENT_SCOPE)
  set(strew_definitions ${strew_definitions} STREW_WITH_${NAME}=${native} PARENT_SCOPE)
  set(strew_told "${strew_told}, ${told}" PARENT_SCOPE)
endfunction()

function(strew_tell_instruction_sets)
  message(STATUS "strew: instruction sets: ${strew_told}")
  if(strew_native_sets STREQUAL "scalar")
    message(STATUS "strew: nothing but the scalar kernels is native here, so that nothing is vectorised by hand")
    list(LENGTH CMAKE_OSX_ARCHITECTURES architectures)
    if(architectures GREATER 1)
      message(WARNING "strew: no flags suit ${CMAKE_OSX_ARCHITECTURES} at once: build each by itself and join them with "
        "lipo, or compile what scripts/amalgamate.py writes")
    endif()
  endif()
endfunction()
