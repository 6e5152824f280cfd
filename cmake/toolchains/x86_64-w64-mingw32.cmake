# 64-bit Windows, run by Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(strew_target x86_64-w64-mingw32)
if(NOT CMAKE_C_COMPILER)
  set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
endif()
set(CMAKE_EXE_LINKER_FLAGS_INIT -static) # with the threads that gcc brings, which Windows would look for in a DLL
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
include(${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake)
