# Sourced by what tests guests. Flags of a build with sanitizers, and those of its kernels, whose arithmetic make
# test-sanitize looks at: compilers take minutes for kernels in which everything is checked where it happens.
# shellcheck shell=sh disable=SC2034
watched='-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
watched_kernels='-fno-sanitize=undefined --param=asan-instrumentation-with-call-threshold=200'
