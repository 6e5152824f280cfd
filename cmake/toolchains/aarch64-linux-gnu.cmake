# 64-bit ARM, run by QEMU.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(strew_target aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake)
