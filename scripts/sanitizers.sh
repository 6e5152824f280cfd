# Sourced by the tests of guests. Flags of a build with sanitizers, and weaker ones for its kernels, whose arithmetic make
# test-sanitize checks: compilers take minutes for kernels with every check inline.
# shellcheck shell=sh disable=SC2034
watched='-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
watched_kernels='-fno-sanitize=undefined --param=asan-instrumentation-with-call-threshold=200'
