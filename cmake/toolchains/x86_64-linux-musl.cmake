# The musl C library, for this machine's own CPU.
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(strew_target x86_64-linux-gnu)
if(NOT CMAKE_C_COMPILER)
  set(CMAKE_C_COMPILER musl-gcc)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake)
