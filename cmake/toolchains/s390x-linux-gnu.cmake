# s390x, the big-endian one of Debian's architectures, run by QEMU.
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(strew_target s390x-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x -L /usr/s390x-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake)
