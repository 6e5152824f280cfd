#!/bin/bash -eu
# Builds the targets for OSS-Fuzz: with its compilers, flags and engine, into $OUT, with the kept corpora.
build=$WORK/strew
cmake -S "$SRC/strew" -B "$build" -G Ninja \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_C_FLAGS="$CFLAGS -DSTREW_LOWEST_THRESHOLDS" -DCMAKE_CXX_FLAGS="$CXXFLAGS" \
  -DSTREW_BUILD_FUZZERS=ON -DSTREW_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -DSTREW_EMULATED=OFF \
  -DSTREW_BUILD_TOOLS=ON -DSTREW_PTHREADPOOL=OFF -DSTREW_BUILD_TESTS=OFF -DSTREW_BUILD_EXAMPLES=OFF
cmake --build "$build"
find "$build/fuzz" -maxdepth 1 -type f -name 'fuzz_*' -executable -exec cp {} "$OUT" \;
cp "$SRC/strew/fuzz/npy.dict" "$OUT/fuzz_npy.dict"
python3 "$SRC/strew/fuzz/run.py" "$build" --unpack "$OUT"
