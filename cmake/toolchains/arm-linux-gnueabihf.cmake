# 32-bit ARM with the hard-float ABI, run by QEMU.
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(strew_target arm-linux-gnueabihf)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm -L /usr/arm-linux-gnueabihf)
include(${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake)
