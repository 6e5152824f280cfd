# The common part of toolchains with Debian's cross compilers. A toolchain file sets CMAKE_SYSTEM_PROCESSOR and
# strew_target, the triplet in its compiler's name, and includes this. A compiler that the caller chose stays: clang
# needs the target, and gcc ignores it. Headers that are the same on every CPU may be this machine's; libraries must be
# of the target.
if(NOT CMAKE_SYSTEM_NAME)
  set(CMAKE_SYSTEM_NAME Linux)
endif()
if(NOT CMAKE_C_COMPILER)
  set(CMAKE_C_COMPILER ${strew_target}-gcc)
endif()
if(NOT CMAKE_CXX_COMPILER)
  set(CMAKE_CXX_COMPILER ${strew_target}-g++)
endif()
set(CMAKE_C_COMPILER_TARGET ${strew_target})
set(CMAKE_CXX_COMPILER_TARGET ${strew_target})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
