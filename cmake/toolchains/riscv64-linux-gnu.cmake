# 64-bit RISC-V, run by QEMU.
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(strew_target riscv64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-riscv64 -L /usr/riscv64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake)
