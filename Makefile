# The commands of the README. Each installs the Debian packages it lacks, if it may, and builds under build/; the
# work itself is in CMakePresets.json.

.PHONY: help test test-variants analyse test-arm test-arm-clang test-cross test-consumers test-packages test-python test-integrations test-openvino \
	test-onnxruntime test-mpi test-peers test-report test-site test-recipes package release python docs site check-workflow bench bench-full share cpus \
	bench-aarch64 bench-armhf bench-riscv64 bench-peers \
	bench-hunt bench-guests count-aarch64 count-armhf count-peers peers-headers peers-library report compare coverage fuzz fuzz-coverage small-worlds proof proof-wide mutants format check-format clean

help:
	@echo "make test          build with gcc, and with sanitizers, and run every test with each"
	@echo "make test-variants  the same with clang, -O0 with assertions, ThreadSanitizer, and NEON emulated with sanitizers"
	@echo "make test-X        one of these: gcc, sanitize, clang, debug, thread, sanitize-neon"
	@echo "make test-memory   the tests with clang's MemorySanitizer"
	@echo "make test-valgrind the same under valgrind"
	@echo "make analyse       check the sources with gcc -fanalyzer, clang-tidy and cppcheck, and measure the stack of functions"
	@echo "make test-cross    build for other CPUs and systems, and run the tests with QEMU, Wine or natively"
	@echo "make test-X        one of these: aarch64, armhf, armel (arm for these), s390x, i686, riscv64, mingw, musl; or"
	@echo "                   aarch64-clang, armhf-clang (arm-clang for both)"
	@echo "make test-consumers  build strew in other projects, and compare their results"
	@echo "make test-packages make the Debian packages, check them with lintian, and use them without installing them"
	@echo "make test-recipes  follow the recipes of vcpkg, conda-forge and Homebrew, with stand-ins for these"
	@echo "make test-python   test the Python package with pinned NumPy, PyTorch and JAX, in an environment of their own"
	@echo "make test-integrations  test-openvino, test-onnxruntime and test-mpi"
	@echo "make test-openvino test strew inside OpenVINO, with a pinned release of it in an environment of its own"
	@echo "make test-onnxruntime  test strew in ONNX Runtime, the newest release and older ones, in environments of their own"
	@echo "make test-mpi      test tables across MPI ranks, with OpenMPI and MPICH, on this machine alone"
	@echo "make test-peers    check bench-peers and bench-guests themselves, on small calls of every library"
	@echo "make python        build the Python package, build/python/wheel/*.whl, with PYTHON=python3"
	@echo "make test-report   check the report and the pictures of the pages in a headless browser"
	@echo "make package       make libstrew0.3, libstrew-dev and strew-tools in build/package"
	@echo "make release       write the files of a release to build/release; URL=... is the place to publish them"
	@echo "make docs          make the reference of the headers: build/reference/index.html"
	@echo "make site          make the site of all pages and references: build/site/html/index.html"
	@echo "make test-site     check every page of the site in a headless browser, and follow its links"
	@echo "make check-workflow  check the workflows, templates, citation, bill of materials and recipes with linters from PyPI and npm"
	@echo "make bench         build a release, measure it on the shapes of the published operators, and sum up the results"
	@echo "make bench-full    the same with every workload and number of threads"
	@echo "make bench-X       build the benchmark for another CPU as one static program: aarch64, armhf, riscv64"
	@echo "make share         measure, write the result without anything private, and say how to contribute it:"
	@echo "                   NAME=zen4-epyc-2-cores"
	@echo "make cpus          draw the results of every CPU in bench/results side by side: docs/cpus.md"
	@echo "make bench-peers   measure NumPy, PyTorch, ONNX Runtime, OpenVINO and JAX alone and through strew, and C beside C"
	@echo "make bench-hunt    the same on calls drawn at random: OPTIONS=\"--seed 7 --calls 300\""
	@echo "make bench-guests  measure random calls of PyTorch, JAX, ONNX Runtime, OpenVINO and NumPy, alone and through strew:"
	@echo "                   OPTIONS=\"--guest torch --seed 7 --calls 300 --threads 1,2\""
	@echo "make count-aarch64 count instructions on 64-bit ARM, and model cycles: OPTIONS=\"--only gather\", or --record"
	@echo "make count-armhf   count them on 32-bit ARM"
	@echo "make count-peers   count those of NumPy and PyTorch on 64-bit ARM"
	@echo "make report        draw build/bench/results.json, or RESULTS=\"a.json b.json\", beside those kept in bench/results,"
	@echo "                   and the results of bench-peers, in build/report"
	@echo "make compare       list the rows that became slower from OLD=a.json to NEW=b.json"
	@echo "make coverage      count which lines and branches of src/ the tests reach: build/coverage/report/index.html"
	@echo "make small-worlds  run every call of tensors of up to three dimensions of sizes 0 to 3, in every way: minutes"
	@echo "make proof         prove the arithmetic of shapes, strides and indices on integers of few bits: three minutes"
	@echo "make proof-wide    prove those functions that have no loop in 64 bits, with Frama-C"
	@echo "make mutants       put faults into the sources, and say which test catches each: an hour or two; OPTIONS=\"--only bags\""
	@echo "make fuzz          fuzz calls, plans, versions, DLPack, the .npy reader and the command line, a minute each;"
	@echo "                   OPTIONS=\"--seconds 1800 calls\""
	@echo "make fuzz-coverage list the lines that the kept inputs reach, and the reasons for the others"
	@echo "make format        format the sources with clang-format"
	@echo "make check-format  list what make format would change"
	@echo "make clean         remove build/"

build_packages = cmake ninja-build gcc libc6-dev libpthreadpool-dev
packages_test = $(build_packages) libsimde-dev clang g++ libbenchmark-dev libcmocka-dev libdlpack-dev libonnx-dev libonnx-testdata \
	libprotobuf-c-dev protobuf-c-compiler abigail-tools doxygen mandoc python3 python3-numpy qemu-user
packages_test-memory = $(packages_test) libclang-rt-14-dev
packages_test-valgrind = $(packages_test) valgrind
packages_analyse = $(build_packages) libsimde-dev clang clang-tidy cppcheck python3
packages_test-aarch64 = $(packages_test) gcc-aarch64-linux-gnu libc6-dev-arm64-cross
packages_test-armhf = $(packages_test) gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
packages_test-aarch64-clang = $(packages_test-aarch64)
packages_test-armhf-clang = $(packages_test-armhf)
packages_test-armel = $(packages_test) gcc-arm-linux-gnueabi libc6-dev-armel-cross
packages_test-s390x = $(packages_test) gcc-s390x-linux-gnu libc6-dev-s390x-cross
packages_test-i686 = $(packages_test) gcc-i686-linux-gnu libc6-dev-i386-cross
packages_test-riscv64 = $(packages_test) gcc-riscv64-linux-gnu libc6-dev-riscv64-cross xz-utils
packages_test-mingw = $(packages_test) gcc-mingw-w64-x86-64-posix wine wine64 xz-utils
packages_test-musl = $(packages_test) musl-tools xz-utils
packages_test-consumers = cmake ninja-build gcc clang libc6-dev libsimde-dev meson pkg-config python3 binutils \
	gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross \
	gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
packages_package = $(build_packages) dpkg-dev file
packages_release = $(packages_package) git python3
packages_test-recipes = $(packages_release) pkg-config python3-yaml ruby
packages_test-packages = $(packages_package) lintian pkg-config
packages_python = $(build_packages) g++ python3 python3-dev python3-venv
packages_test-python = $(packages_python)
packages_test-openvino = $(build_packages) g++ binutils python3 python3-venv
packages_test-onnxruntime = $(build_packages) clang binutils python3 python3-venv debian-archive-keyring
packages_test-mpi = $(build_packages) libopenmpi-dev openmpi-bin libmpich-dev mpich
packages_docs = doxygen
packages_check-workflow = python3 python3-venv
packages_bench = $(build_packages) g++ libbenchmark-dev python3
packages_bench-aarch64 = cmake ninja-build git g++-aarch64-linux-gnu xz-utils
packages_bench-armhf = cmake ninja-build git g++-arm-linux-gnueabihf xz-utils
packages_bench-riscv64 = cmake ninja-build git g++-riscv64-linux-gnu xz-utils
packages_bench-peers = $(packages_bench) python3-venv debian-archive-keyring
packages_count-aarch64 = $(packages_test-aarch64) llvm-19
packages_count-armhf = $(packages_test-armhf)
packages_count-peers = gcc qemu-user python3 python3-pip
packages_report = python3
packages_test-report = python3 python3-selenium chromium chromium-driver
packages_site = $(packages_python) mandoc
packages_test-site = $(packages_site) $(packages_test-report)
packages_compare = python3
packages_coverage = $(packages_test) gcovr
packages_fuzz = $(build_packages) clang libclang-rt-14-dev libdlpack-dev python3
packages_fuzz-coverage = $(packages_fuzz) llvm
packages_proof = clang g++ python3
packages_proof-wide = frama-c-base why3 z3 cvc4 gcc python3
packages_format = clang-format

packages-%:
	@scripts/install-packages $(packages_$*)

test: test-gcc test-sanitize

test-variants: test-clang test-debug test-thread test-sanitize-neon

test-%: packages-test
	cmake --workflow --preset $*

test-memory test-valgrind: test-%: packages-test-%
	cmake --workflow --preset $*

# Each of OPTIONS="--only gcc", clang-tidy, cppcheck and stack by itself.
analyse: packages-analyse
	cmake --preset analyse
	/usr/bin/python3 -B tests/analysis/analyse.py build/analyse $(OPTIONS)

test-arm: test-aarch64 test-armhf test-armel
test-arm-clang: test-aarch64-clang test-armhf-clang
test-cross: test-arm test-s390x test-i686 test-riscv64 test-mingw test-musl

test-aarch64 test-aarch64-clang: build/sysroot/arm64
test-armhf test-armhf-clang: build/sysroot/armhf
test-armel: build/sysroot/armel
test-s390x: build/sysroot/s390x
test-i686: build/sysroot/i386
test-riscv64: build/sysroot/riscv64
test-mingw: build/sysroot/mingw
test-musl: build/sysroot/musl
test-aarch64 test-armhf test-aarch64-clang test-armhf-clang test-armel test-s390x test-i686 test-riscv64 test-mingw test-musl: \
test-%: packages-test-%
	cmake --workflow --preset $*

# The libraries of the tests: Debian's packages; for targets that Debian 12 does not support, built from their sources.
build/sysroot/%:
	scripts/make-sysroot $* $@ libcmocka-dev libcmocka0 libprotobuf-c-dev libprotobuf-c1 \
		libpthreadpool-dev libpthreadpool0

build/sysroot/riscv64: toolchain = riscv64-linux-gnu
build/sysroot/mingw: toolchain = x86_64-w64-mingw32
build/sysroot/musl: toolchain = x86_64-linux-musl
build/sysroot/riscv64 build/sysroot/mingw build/sysroot/musl: build/sysroot/%: build/sources | packages-test-%
	scripts/build-sysroot $(toolchain) $@

build/sources: | packages-test
	scripts/fetch-sources $@ cmocka protobuf-c

test-consumers: packages-test-consumers
	/usr/bin/python3 -B tests/consumers/test_consumers.py --work build/consumers
	/usr/bin/python3 -B tests/consumers/test_meson.py
	/usr/bin/python3 -B tests/consumers/test_choice.py

# Packages of an earlier version are not left beside these.
package: packages-package
	rm -f build/package/*.deb
	cmake --workflow --preset package

test-packages: packages-test-packages package
	tests/install/test_packages.sh build/package .

# Files to publish, of the commit that is checked out. URL is where they will lie.
release: packages-release package
	scripts/make-release build/release $(URL)

test-recipes: packages-test-recipes
	/usr/bin/python3 -B tests/recipes/test_recipes.py --work build/recipes

PYTHON ?= python3

python: packages-python
	$(PYTHON) scripts/make-environment build/python/builder python/build-requirements.txt
	scripts/build-wheel build/python/builder build/python/wheel

test-python: packages-test-python python
	PYTHON=$(PYTHON) scripts/test-python build/python

test-integrations: test-openvino test-onnxruntime test-mpi

test-openvino: packages-test-openvino
	PYTHON=$(PYTHON) integrations/openvino/run-tests build/openvino

test-onnxruntime: packages-test-onnxruntime build/onnxruntime/include
	PYTHON=$(PYTHON) integrations/onnxruntime/run-tests build/onnxruntime

# The wheel of ONNX Runtime has no headers.
build/onnxruntime/include:
	integrations/onnxruntime/fetch-headers $@

test-mpi: packages-test-mpi
	integrations/mpi/run-tests build/mpi

# gcovr 5.2 adds up the branches of functions made from one text: scripts/coverage.py does not.
coverage: packages-coverage
	mkdir -p build/coverage/report
	find build/coverage -name '*.gcda' -delete
	cmake --workflow --preset coverage
	/usr/bin/python3 -B scripts/coverage.py --build build/coverage --output build/coverage/report/counts.json
	gcovr --root . --add-tracefile build/coverage/report/counts.json --branches --txt build/coverage/report/branches.txt
	gcovr --root . --add-tracefile build/coverage/report/counts.json --txt build/coverage/report/lines.txt \
		--html-title "What the tests reach of strew" --html-details build/coverage/report/index.html \
		--fail-under-line 98 --fail-under-branch 95

# Each process takes every so many worlds; many and a prime number of them, so that all CPUs are done at once.
small-worlds: packages-test
	cmake --workflow --preset small-worlds
	seq 0 96 | xargs -P $$(nproc) -I PART build/small-worlds/tests/operators/test_small_worlds PART 97

# Sources of the library as C++, so that their integers can be replaced.
proof: packages-proof
	/usr/bin/python3 -B tests/proof/prove.py --work build/proof $(OPTIONS)

proof-wide: packages-proof-wide
	/usr/bin/python3 -B tests/proof/prove.py --work build/proof --wide

# One fault after the other, in a copy of the sources.
mutants: packages-test
	/usr/bin/python3 -B tests/mutation/mutate.py --work build/mutants --jobs $$(nproc) $(OPTIONS)

test-report: packages-test-report
	/usr/bin/python3 -B tests/bench/test_page.py

docs: packages-docs
	mkdir -p build/reference
	cd docs && STREW_REFERENCE=../build/reference doxygen Doxyfile

# The Python reference shows the docstrings of the wheel. It needs neither PyTorch nor JAX.
site: packages-site python
	$(PYTHON) scripts/make-environment --require-all build/site/environment site/requirements.txt
	build/site/environment/bin/pip install --quiet --no-deps --force-reinstall build/python/wheel/*.whl
	NO_MKDOCS_2_WARNING=1 build/site/environment/bin/mkdocs build --quiet --strict --config-file site/mkdocs.yml

test-site: packages-test-site site
	/usr/bin/python3 -B tests/site/test_site.py build/site/html

check-workflow: packages-check-workflow
	scripts/check-workflow build/workflow

RESULTS = build/bench/results.json

# The last lines, of one screen, sum up the results.
bench-full: suite = --suite=full
bench bench-full: packages-bench
	cmake --workflow --preset bench
	build/bench/bench/strew-bench $(suite) --benchmark_out=$(RESULTS) $(OPTIONS)
	$(draw_report) >build/bench/drawn.txt
	@$(PYTHON) -B bench/summary.py $(RESULTS) --page build/report/index.html

share: bench
	@$(PYTHON) -B bench/share.py $(RESULTS) $(if $(NAME),--name $(NAME))

cpus: packages-report
	$(PYTHON) -B bench/cpus.py

# A program for a device without a compiler. Its libraries are built from sources; pthreadpool's are GitHub's.
bench-aarch64: toolchain = aarch64-linux-gnu
bench-armhf: toolchain = arm-linux-gnueabihf
bench-riscv64: toolchain = riscv64-linux-gnu
bench-aarch64 bench-armhf bench-riscv64: bench-%: packages-bench-% build/bench-sources
	test -d build/bench-libraries/$* || scripts/build-bench-libraries $(toolchain) build/bench-libraries/$*
	cmake --workflow --preset bench-$*
	@echo "Copy build/bench-$*/bench/strew-bench to the device and run it there:"
	@echo "    ./strew-bench --benchmark_out=results.json"
	@echo "Copy results.json back. These print its summary, and how to contribute it:"
	@echo "    bench/summary.py results.json"
	@echo "    bench/share.py results.json --name NAME-OF-THE-CPU"

build/bench-sources:
	scripts/fetch-sources $@ benchmark

# Without the headers there is no ONNX Runtime from C, nor through strew.
peers-headers: packages-bench-peers
	-test -d build/onnxruntime/include || integrations/onnxruntime/fetch-headers build/onnxruntime/include

peers-library: peers-headers
	cmake --preset bench
	cmake --build --preset bench --target strew_peers

test-peers: peers-library
	bench/peers/run build/peers/environment test_peers.py
	bench/peers/run build/peers/environment ../guests/test_guests.py

bench-peers: peers-library
	bench/peers/run build/peers/environment peers.py --out build/bench/peers.json --markdown build/bench/peers.md $(OPTIONS)
	bench/peers/run build/peers/environment hunt.py --calls 50 --out build/bench/hunt.json

bench-hunt: peers-library
	bench/peers/run build/peers/environment hunt.py --out build/bench/hunt.json $(OPTIONS)

bench-guests: peers-headers
	mkdir -p build/bench
	bench/peers/run build/peers/environment ../guests/hunt.py --out build/bench/guests.json $(OPTIONS)

# Sysroots are for the tests, which are configured with them.
count-aarch64: build/sysroot/arm64
count-armhf: build/sysroot/armhf
count-aarch64 count-armhf: count-%: packages-count-%
	STREW_COUNT_OPTIONS="$(OPTIONS)" cmake --preset $*
	cmake --build --preset $* --target count
count-peers: packages-count-peers
	/usr/bin/python3 -B bench/count/peers.py --work build/count-peers

# The report shows the peers if they have been measured.
PEERS = build/bench/peers.json

# Results of other machines, drawn beside these.
KEPT = $(wildcard bench/results/*.json)

peers_drawn = $$(test ! -f $(PEERS) || echo --peers $(PEERS))
draw_report = $(PYTHON) -B bench/report.py --output build/report $(peers_drawn) $(RESULTS) $(KEPT)

report: packages-report
	$(draw_report)

compare: packages-compare
	/usr/bin/python3 bench/compare.py --old $(OLD) --new $(NEW)

fuzz: packages-fuzz
	cmake --workflow --preset fuzz
	fuzz/run.py build/fuzz $(OPTIONS)

fuzz-coverage: packages-fuzz-coverage
	cmake --workflow --preset fuzz-coverage
	fuzz/reach.py build/fuzz-coverage

sources = $$(git ls-files '*.c' '*.h' '*.inc' '*.cpp' '*.hpp')

format: packages-format
	clang-format -i $(sources)

check-format: packages-format
	clang-format --dry-run --Werror $(sources)

clean:
	rm -rf build
