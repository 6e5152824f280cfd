# 32-bit ARM with the soft-float ABI, run by QEMU.
set(CMAKE_SYSTEM_PROCESSOR armv5te)
set(strew_target arm-linux-gnueabi)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm -L /usr/arm-linux-gnueabi)
include(${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake)
