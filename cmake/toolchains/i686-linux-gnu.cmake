# 32-bit x86. The loader of Debian's cross libc starts its programs on this machine.
set(CMAKE_SYSTEM_PROCESSOR i686)
set(strew_target i686-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR /usr/i686-linux-gnu/lib/ld-linux.so.2 --library-path /usr/i686-linux-gnu/lib)
include(${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake)
