# The commands of the README. Each installs the Debian packages it lacks, if it may, and builds under build/; the
# work itself is in CMakePresets.json.

.PHONY: help test test-% test-arm bench bench-full bench-peers report compare fuzz format check-format packages-% \
	clean

help:
	@echo "make test          build with gcc and clang, and with sanitizers, and run every test with each"
	@echo "make test-X        the same for one preset: gcc, clang, debug, sanitize, thread"
	@echo "make test-arm      build for 64-bit and 32-bit ARM, and run every test with QEMU"
	@echo "make bench         build a release and measure it on the shapes of the published operators"
	@echo "make bench-full    the same with every workload and number of threads"
	@echo "make bench-peers   measure NumPy, PyTorch, ONNX Runtime and OpenVINO beside it, if Python has them"
	@echo "make report        draw build/bench/results.json, or RESULTS=\"a.json b.json\" side by side, in build/report"
	@echo "make compare       say what became slower, row by row, from OLD=a.json to NEW=b.json"
	@echo "make fuzz          fuzz the .npy reader for a minute"
	@echo "make format        format the sources with clang-format"
	@echo "make check-format  say what it would change"
	@echo "make clean         remove build/"

build_packages = cmake ninja-build gcc libc6-dev libpthreadpool-dev libsimde-dev
packages_test = $(build_packages) clang g++ libbenchmark-dev libcmocka-dev libdlpack-dev libonnx-dev libonnx-testdata \
	libprotobuf-c-dev protobuf-c-compiler python3 python3-matplotlib python3-numpy qemu-user
packages_test-arm = $(packages_test) gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf libc6-dev-arm64-cross \
	libc6-dev-armhf-cross
packages_bench = $(build_packages) g++ libbenchmark-dev
packages_bench-peers = $(packages_bench) python3 python3-numpy python3-torch
packages_report = python3 python3-matplotlib
packages_compare = python3
packages_fuzz = $(build_packages) clang libclang-rt-14-dev
packages_format = clang-format

packages-%:
	@scripts/install-packages $(packages_$*)

test: test-gcc test-clang test-debug test-sanitize test-thread

test-%: packages-test
	cmake --workflow --preset $*

test-arm: test-aarch64 test-armhf

test-aarch64: build/sysroot/arm64
test-armhf: build/sysroot/armhf
test-aarch64 test-armhf: test-%: packages-test-arm
	cmake --workflow --preset $*

build/sysroot/%:
	scripts/make-sysroot $* $@ libcmocka-dev libcmocka0 libprotobuf-c-dev libprotobuf-c1 \
		libpthreadpool-dev libpthreadpool0

RESULTS = build/bench/results.json

bench: packages-bench
	cmake --workflow --preset bench
	build/bench/bench/strew-bench --benchmark_out=$(RESULTS) $(OPTIONS)

bench-full: packages-bench
	cmake --workflow --preset bench
	build/bench/bench/strew-bench --suite=full --benchmark_out=$(RESULTS) $(OPTIONS)

bench-peers: packages-bench-peers
	cmake --preset bench
	cmake --build --preset bench --target strew_peers
	/usr/bin/python3 -B bench/peers/peers.py --out build/bench/peers.json $(OPTIONS)

report: packages-report
	/usr/bin/python3 bench/report.py --output build/report $(RESULTS)

compare: packages-compare
	/usr/bin/python3 bench/compare.py --old $(OLD) --new $(NEW)

fuzz: packages-fuzz
	cmake --workflow --preset fuzz
	build/fuzz/fuzz/fuzz_npy -max_total_time=60 -max_len=4096 -dict=fuzz/npy.dict

sources = $$(git ls-files '*.c' '*.h' '*.inc' '*.cpp')

format: packages-format
	clang-format -i $(sources)

check-format: packages-format
	clang-format --dry-run --Werror $(sources)

clean:
	rm -rf build
