# make run     the server with its demo asset           make test    everything a change must pass
# make build   the release binary                       make lint    format, size and layer rules
# make bench   compare with nginx, aria2, curl, ...     make dist    the Debian package, a tarball, a container image
# make docs    one site of the manual and DocC          make reference   what the program says of itself, as pages
# make fuzz    libFuzzer, SECONDS=60 for each target    make soak    mixed load, SECONDS=1800 SEED=1
# make crash   ROUNDS=200 of kill -9, of that with disk faults, of cuts of the power; a full disk; SEED=1
# make cluster ROUNDS=100 of nodes that share a store and are killed, stopped, ended; SEED=1; rented films on nodes with wrong clocks;
#              load balancers in front of nodes; their viewers; a store that moves and comes back from a backup; a bucket that fails
#              FAULTS=500 times; a database that is killed
# make sanitize  the tests under thread and address sanitizers      make clean   remove what was built
# make mutants   changes of single operators that the tests do not notice: COUNT=20 SEED=1 MODULES=HLSPlaylist,Transfers
CONFIG ?= debug
LISTEN ?= 127.0.0.1:8090
SWIFT_FLAGS = --explicit-target-dependency-import-check error
BINARY = .build/$(CONFIG)/offline-server
# What the release build leaves out: 38 MB stripped in place of 77.
# - ICU's data, 34 MB, which Foundation brings: the linker takes the program's own first bytes for it, which ICU refuses.
#   Another version of ICU has another name; then the data stays.
# - Functions that nothing calls, and the names of all others: each function has a section of its own, no other program
#   links to one, and functions with the same code are one if nobody compares their addresses.
# - Tables for C++ exceptions: packaging/release.ld.
RELEASE_FLAGS = -Xlinker --defsym=icudt76_dat=__ehdr_start \
    -Xswiftc -Xfrontend -Xswiftc -internalize-at-link -Xswiftc -Xfrontend -Xswiftc -function-sections \
    -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --icf=safe \
    -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker $(CURDIR)/packaging/release.ld

# A crash handler that waits for a terminal would hide a crash in a test.
export SWIFT_BACKTRACE = enable=no

.PHONY: run build test lint docs reference bench dist fuzz soak crash cluster sanitize mutants clean \
    check-server check-engine check-pages check-crash check-faults check-power check-catalog check-nodes check-files \
    check-texts

run:
	@scripts/install-packages build run
	swift build -c $(CONFIG) $(SWIFT_FLAGS) --product offline-server
	@printf '%s\n' '' \
	    'This is the $(CONFIG) build. Ctrl-C stops the server; what it stored stays. When it says "listening":' \
	    '  open http://$(LISTEN)/ in a browser, or in a second terminal' \
	    '  $(BINARY) list               the assets and their tokens' \
	    '  $(BINARY) play TOKEN         plays one in mpv, VLC or ffplay' \
	    '  $(BINARY) download URL       stores any HLS stream' ''
	@exec $(BINARY) serve --demo --listen $(LISTEN)

build:
	@scripts/install-packages build
	swift build -c release --static-swift-stdlib $(RELEASE_FLAGS) $(SWIFT_FLAGS) --product offline-server
	@echo 'built .build/release/offline-server'

test: lint
	@scripts/install-packages build test
	swift build --build-tests $(SWIFT_FLAGS)
	+@$(MAKE) --jobs=2 --keep-going --output-sync=target --no-print-directory $(CHECKS) 2>&1 | tee .build/checks.log || \
	    { echo 'What failed, again:'; grep -E '✘|^(WRONG|Chromium|Firefox): |\*\*\*' .build/checks.log; exit 1; }

# The groups of checks that follow the build, two at a time and all of them, also after a failure; the longest come first.
# A test may block its thread, so the tests of one process run one after the other.
# The lines of all groups stay in .build/checks.log; the end of `make test` repeats those that tell of a failure.
CHECKS = check-server check-engine check-pages check-crash check-faults check-power check-catalog check-nodes check-files \
    check-texts
TESTS = timeout 45m .build/debug/offline-serverPackageTests.xctest --testing-library swift-testing --no-parallel
PROGRAM = --program .build/debug/offline-server
SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c

check-server:
	$(TESTS) --filter '^OfflineServerTests'

check-engine:
	$(TESTS) --skip '^OfflineServerTests'

check-pages:
	python3 Tests/Pages/pages.py $(PROGRAM)

check-crash:
	python3 Tests/Endurance/crash.py --rounds 50 --longest 1 $(PROGRAM)

check-faults:
	python3 Tests/Endurance/crash.py --rounds 50 --longest 1 --disk-faults $(PROGRAM)

check-power:
	python3 Tests/Endurance/crash.py --rounds 10 --longest 1 --power-cuts $(PROGRAM)

check-catalog:
	CATALOG=postgres $(TESTS) --filter '^StoreCatalogTests'

check-nodes:
	python3 Tests/Endurance/balancers.py $(PROGRAM)
	python3 Tests/Endurance/viewers.py --nodes 4 $(PROGRAM)
	python3 Tests/Endurance/rentals.py --films 10 $(PROGRAM)

check-files:
	python3 Tests/Endurance/full.py $(PROGRAM)
	python3 Tests/Endurance/exports.py --rounds 20 $(PROGRAM)

check-texts:
	scripts/make-reference --check
	scripts/check-docs
	scripts/check-packaging

lint:
	@scripts/install-packages build lint
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Fuzzing Examples
	scripts/check-sizes
	scripts/draw-corridors --check
	tsc -p Sources/OfflineServer/Web/jsconfig.json

# The nodes of a shared store need the PostgreSQL and S3 servers of the tests.
bench: build
	@scripts/install-packages bench test
	python3 Benchmarks/bench.py

fuzz:
	@scripts/install-packages build
	Fuzzing/run $(or $(SECONDS),60)

soak: build
	python3 Tests/Endurance/soak.py --seconds $(or $(SECONDS),1800) --seed $(or $(SEED),1)

crash: build
	@scripts/install-packages crash
	python3 Tests/Endurance/crash.py --rounds $(or $(ROUNDS),200) --seed $(or $(SEED),1)
	python3 Tests/Endurance/crash.py --rounds $(or $(ROUNDS),200) --seed $(or $(SEED),1) --disk-faults
	python3 Tests/Endurance/crash.py --rounds $(or $(ROUNDS),200) --seed $(or $(SEED),1) --power-cuts
	python3 Tests/Endurance/full.py
	python3 Tests/Endurance/exports.py --rounds $(or $(ROUNDS),200) --seed $(or $(SEED),1)

# The debug build: it alone collects objects of no unit before they are an hour old.
cluster:
	@scripts/install-packages build test
	swift build $(SWIFT_FLAGS) --product offline-server
	python3 Tests/Endurance/cluster.py --rounds $(or $(ROUNDS),100) --seed $(or $(SEED),1) \
	    --program .build/debug/offline-server
	python3 Tests/Endurance/rentals.py --seed $(or $(SEED),1) --program .build/debug/offline-server
	python3 Tests/Endurance/balancers.py --program .build/debug/offline-server
	python3 Tests/Endurance/viewers.py --program .build/debug/offline-server
	python3 Tests/Endurance/moving.py --seed $(or $(SEED),1) --program .build/debug/offline-server
	python3 Tests/Endurance/bucket.py --faults $(or $(FAULTS),500) --seed $(or $(SEED),1) --program .build/debug/offline-server
	python3 Tests/Endurance/database.py --rounds $(or $(ROUNDS),100) --seed $(or $(SEED),1) \
	    --program .build/debug/offline-server

# Each has a build of its own. Leaks are not looked for: Swift's runtime keeps its metadata for good.
# SUITES='^TransfersTests' runs some of them.
# libfaketime, with which ClockTests sets the clock, can't be loaded before a sanitizer.
sanitize:
	@scripts/install-packages build test
	TSAN_OPTIONS=halt_on_error=0:exitcode=66 swift test --sanitize=thread --scratch-path .build-thread \
	    --disable-xctest --no-parallel $(SWIFT_FLAGS) --skip ClockTests $(if $(SUITES),--filter '$(SUITES)')
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build-address \
	    --disable-xctest --no-parallel $(SWIFT_FLAGS) --skip ClockTests $(if $(SUITES),--filter '$(SUITES)')

mutants:
	@scripts/install-packages build test
	scripts/mutants --count $(or $(COUNT),20) --seed $(or $(SEED),1) --modules '$(MODULES)'

dist: build
	@scripts/install-packages dist
	rm -rf dist
	packaging/make-deb
	packaging/make-tarball
	packaging/make-image
	cd dist && sha256sum * >SHA256SUMS

reference:
	swift build $(SWIFT_FLAGS) --product offline-server
	scripts/make-reference
	scripts/make-notices
	scripts/make-pictures

# The libraries of the products, and the modules that declare what AssetStore hands on.
LIBRARIES = AssetStore StoreReading OfflineServer HLSPlaylist SidebandSubtitles MediaContainers StoreModel StorePlanning Licensing
docs:
	@scripts/install-packages build
	swift build $(SWIFT_FLAGS)
	scripts/make-archives $(LIBRARIES)
	scripts/make-site
	@echo 'To read it: python3 -m http.server --bind 127.0.0.1 --directory .build/site 8000'

clean:
	rm -rf .build .build-fuzz .build-thread .build-address .build-mutants Benchmarks/work dist
