# gpucmd: GNU make, a C compiler and the POSIX tools are enough for `make`, `make demo` and
# `make check`. Everything is built below $(BUILD). `make help` lists the targets.

ifeq ($(origin CC),default)
CC = cc
endif
ifeq ($(origin CXX),default)
CXX = c++
endif
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   := build
JOBS    ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
CFLAGS  ?= -O2 -g
WERROR  ?= -Werror

# Seconds one test program may take (0: no limit), seconds of `make fuzz` per target in its first
# build and in each other build.
TEST_SECONDS ?= 120
FUZZ_SECONDS ?= 60
AGAIN_SECONDS ?= 10

WARN = -Wall -Wextra -Wpedantic $(WERROR) -Wshadow -Wconversion -Wsign-conversion -Wundef -Wvla \
       -Wcast-qual -Wcast-align -Wpointer-arith -Wwrite-strings -Wswitch-enum -Wdouble-promotion \
       -Wformat=2
WARN_C     = -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
WARN_GCC   = -Wlogical-op -Wduplicated-cond -Wduplicated-branches -Walloca
WARN_CLANG = -Wimplicit-fallthrough -Wcomma -Wunreachable-code -Wassign-enum \
             -Wreserved-identifier -Wdocumentation -Wno-unknown-warning-option

# ---- what is in the tree --------------------------------------------------------------------

HEADERS  := $(sort $(wildcard gpucmd*.h))
VERSION  := $(shell awk '/^\#define GPUCMD_VERSION_M[AI][JN]OR|^\#define GPUCMD_VERSION_PATCH/ \
              { v = v s $$3; s = "." } END { print v ? v : "0.1.0" }' gpucmd.h 2>/dev/null)
SLOW     := $(patsubst tests/%.c,%,$(sort $(wildcard tests/*_exhaustive.c)))
TESTS    := $(filter-out $(SLOW),$(patsubst tests/%.c,%,$(sort $(wildcard tests/*.c))))
FUZZERS  := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
EXAMPLES := $(patsubst examples/%.c,%,$(sort $(wildcard examples/[0-9]*.c)))
BUILT    := $(patsubst examples/%.c,%,$(sort $(wildcard examples/hw_*.c examples/demo.c \
                examples/gpucmd-dump.c)))
SCRIPTS  := $(patsubst tests/%,%,$(sort $(wildcard tests/dump_*.sh)))
FUZZ_DEPS := $(wildcard tests/fuzz/*.h tests/fuzz/*.txt)
DEPS     := $(HEADERS) $(wildcard tests/*.h examples/*.h tests/silicon/*.h) \
            $(wildcard examples/hw_nvidia.c) Makefile
INC      := -I. -Itests

# ---- compilers ------------------------------------------------------------------------------

# gcc, clang or other: what the command in $(1) is, by its predefined macros.
kind = $(shell sh tests/tier/kind.sh $(1))
warn.gcc   = $(WARN) $(WARN_C) $(WARN_GCC)
warn.clang = $(WARN) $(WARN_C) $(WARN_CLANG)
warn.other = -Wall
KIND      := $(call kind,$(CC))

C99  = -std=c99 $(warn.$(KIND)) $(INC)
ASAN = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all

# What the scripts call to build programs and to run tiers.
SUB = $(MAKE) -s -k --no-print-directory -j$(JOBS)
RUN = MAKE='$(SUB)' BUILD='$(BUILD)' JOBS='$(JOBS)' NO_SKIP='$(NO_SKIP)' CC='$(CC)' CXX='$(CXX)' \
      TEST_SECONDS='$(TEST_SECONDS)' HEADERS='$(HEADERS)' WARN='$(WARN)' WARN_C='$(WARN_C)' \
      WARN_GCC='$(WARN_GCC)' WARN_CLANG='$(WARN_CLANG)' VERSION='$(VERSION)' $(SHELL)

# ---- main targets ---------------------------------------------------------------------------

.DELETE_ON_ERROR:
.SUFFIXES:
all: $(if $(wildcard examples/gpucmd-dump.c),$(BUILD)/gpucmd-dump)

help:
	@echo 'make                 build $(BUILD)/gpucmd-dump'
	@echo 'make demo            show the tool on real streams'
	@echo 'make check           the quick check: a C compiler, make and the POSIX tools are enough'
	@echo '                     tiers: $(CHECK)'
	@echo 'make check-all       everything else; NO_SKIP=1 makes a missing tool a failure'
	@echo '                     tiers: $(wordlist 1,11,$(CHECK_ALL) $(BESIDE))'
	@echo '                     $(wordlist 12,99,$(CHECK_ALL) $(BESIDE))'
	@echo 'make TIER            one tier, e.g. make test'
	@echo 'make test T=nv_emit  one test program'
	@echo 'make exhaustive      the long tests'
	@echo 'make fuzz            libFuzzer, FUZZ_SECONDS=$(FUZZ_SECONDS) for each target with ASan, then'
	@echo '                     AGAIN_SECONDS=$(AGAIN_SECONDS) in each other build of FUZZ_BUILD;'
	@echo '                     F=fuzz_nv_run: one target; KEEP=1: extend the corpus'
	@echo 'make coverage        branches that the suites take, by header and room'
	@echo 'make mutate          break the headers N=50 times each, list what no suite notices'
	@echo 'make proof-full      the proofs with longer sequences and larger rings'
	@echo 'make valgrind        all tests under memcheck'
	@echo 'make golden          compare golden files, show the difference'
	@echo 'make size            bytes of code per function at -Os, deepest stack'
	@echo 'make clients         real drivers on emulated GPUs: the table of clients and GPUs'
	@echo 'make bench           ratios against plain stores, memcpy and a read loop'
	@echo 'make format          rewrite the sources with clang-format'
	@echo 'make slim            VENDOR=nv PARTS="write": print a header with some parts only'
	@echo 'make html            a page for each header: $(BUILD)/html/index.html'
	@echo 'make lib             $(BUILD)/lib/libgpucmd.a and .so, for other languages'
	@echo 'make install         PREFIX=$(PREFIX) DESTDIR=; make uninstall'
	@echo 'make clean           remove $(BUILD)'

# A warning that a later compiler adds must not keep anybody from the tool; `make examples` builds
# it with warnings as errors.
$(BUILD)/gpucmd-dump: examples/gpucmd-dump.c $(DEPS) $(BUILD)/config $(BUILD)/nv_methods.txt
	$(CC) $(CFLAGS) $(filter-out -Werror,$(C99)) $(filter-out -l%,$(ZLIB)) -o $@ $< \
	    $(filter -l%,$(ZLIB))
$(BUILD)/nv_methods.txt: examples/nv_methods.txt $(BUILD)/config
	cp examples/nv_methods.txt $@

# The manual page has the text of the help pages.
$(BUILD)/gpucmd-dump.1: $(BUILD)/gpucmd-dump examples/dump_man.awk
	for p in '' $$($< --help | sed -n 's/^  gpucmd-dump \([a-z0-9]*\) --help.*/\1/p'); do \
	    echo "@$$p" && $< $$p --help || exit 1; done | \
	    awk -v version=$(VERSION) -f examples/dump_man.awk >$@

demo: all
	@BUILD='$(BUILD)' CC='$(CC)' $(SHELL) examples/demo.sh

# No tier is in both lists. A name that ends in -all is the tier of that name with every compiler
# but $(CC), in C and C++, optimised.
CHECK     = quick $(if $(SCRIPTS),tool) toc rooms arrows fences facts static family inline \
            examples refuse
# asan-gcc and arm are tiers of their own: asan-clang, m32 and big-endian find what they find.
CHECK_ALL = test family-proof inline-all examples-all refuse-all compile symbols stack recursion \
            sanitize flips fuzz-replay m32 big-endian worst \
            $(if $(wildcard tests/clients/clients.mk),clients) silicon

# Tiers that use one CPU for most of their time run beside the others.
BESIDE = proof tool-size instr clang-tidy cppcheck format-check ports install-check

# Other trees and their compilers.
TREES   = linux tokens firmware compilers
BESIDE += $(TREES)

# Copies, other languages, documents.
PACKED  = slim-check languages docs html-check
BESIDE += $(PACKED)

check: all
	@$(RUN) tests/run.sh check $(CHECK)
check-all: all
	@$(RUN) tests/run.sh check-all $(CHECK_ALL) -- $(BESIDE)

# Programs are rebuilt when the compiler or the flags given on the command line change.
$(BUILD)/config: FORCE
	@mkdir -p $(BUILD)
	@echo '$(CC) $(CXX) $(CFLAGS) $(WERROR)' | cmp -s - $@ || \
	    echo '$(CC) $(CXX) $(CFLAGS) $(WERROR)' >$@

clean:
	rm -rf $(BUILD)

# ---- suites: every tests/*.c, built one way and run one way -----------------------------------

# The name of a test or harness starts with the header that it tests. Each suite compiles the
# implementation of that header once, and the test is linked with it. A test that defines
# GPUCMD_IMPLEMENTATION has its own: it needs private parts, other macros or several headers.
UNITS  := core nv i915 agx
OWN    := $(basename $(notdir $(shell grep -l 'GPUCMD_IMPLEMENTATION$$\|gpucmd-dump.c' \
              tests/*.c tests/fuzz/*.c)))
unit    = $(if $(filter $(1),$(OWN)),,$(firstword $(subst _, ,$(1:fuzz_%=%))).o)
private = $(if $(filter $(1),$(OWN)),$(if $(filter flips,$(2)),$(HOOKED),-DGPUCMD_STATIC))
main    = $(if $(filter fuzz%,$(1)),,-DGPUCMD_FUZZ_MAIN)

# Builds in which memory changes while it is read, tests/flips.h; in suites also by each call.
changes = $(filter flips fuzz%,$(1))
hooks   = $(if $(filter flips,$(1)),$(if $(filter $(UNITS),$(2)),$(HOOKED),$(if $(filter \
              $(EXEC_SUITES),$(2)),-DFLIPS_EXECUTOR,$(if $(filter agx_% core_%,$(2)), \
              -DFLIPS_REGIONS,$(if $(filter flips,$(2)),-DFLIPS_SPANS)))))
HOOKED  = -finstrument-functions '-DGPUCMD_API=__attribute__((weak, section("gpucmd"))) extern'

# With a sanitizer most programs need less time to run at -O0 than to compile at -O1.
LONG_SUITES = agx_queue budget i915_classify i915_mono nv_exec_diff nv_nv2a nv_ring nv_silicon nv_tiling
quickly     = $(if $(filter flips,$(1)),-O0,$(if $(filter asan-% msan-%,$(1)),$(if $(filter \
                  $(LONG_SUITES),$(2)),,-O0)))

# $(call SUITE,directory,compiler and flags)
.SECONDEXPANSION:
define SUITE
$(UNITS:%=$(BUILD)/$(1)/%.o): $(BUILD)/$(1)/%.o: tests/compile/alone_impl.c $$(HEADERS) Makefile \
    $$(BUILD)/config $(if $(findstring integer,$(1)),tests/fuzz/integer.txt)
	@mkdir -p $$(@D)
	$(2) $$(call hooks,$(1),$$*) -c -DHEADER='"$$(patsubst gpucmd_core%,gpucmd%,gpucmd_$$*.h)"' \
	    -o $$@ $$<
$(BUILD)/$(1)/flips.o: tests/fuzz/flips.c gpucmd.h tests/flips.h Makefile $$(BUILD)/config
	@mkdir -p $$(@D)
	$(2) $$(call hooks,$(1),flips) -c -o $$@ $$<
$(BUILD)/$(1)/%: tests/%.c $$(DEPS) $$(BUILD)/config \
    $$$$(addprefix $(BUILD)/$(1)/,$$$$(call unit,$$$$*)) \
    $(if $(call changes,$(1)),$(BUILD)/$(1)/flips.o)
	@mkdir -p $$(@D); rm -f $$@
	$(2) $$(call quickly,$(1),$$*) $$(call private,$$*,$(1)) $$(call hooks,$(1),$$*) -o $$@ $$< \
	    $$(filter %.o,$$^) $$(LIBS)
$(BUILD)/$(1)/%: tests/fuzz/%.c $$(FUZZ_DEPS) $$(DEPS) $$(BUILD)/config \
    $$$$(addprefix $(BUILD)/$(1)/,$$$$(call unit,$$$$*)) \
    $(if $(call changes,$(1)),$(BUILD)/$(1)/flips.o)
	@mkdir -p $$(@D); rm -f $$@
	$(2) $$(call private,$$*) $$(call main,$(1)) -o $$@ $$< $$(filter %.o,$$^)
endef

S390X = s390x-linux-gnu-gcc
MSAN  = -O1 -g -fno-omit-frame-pointer -fsanitize=memory -fno-sanitize-recover=all
FLIPS = $(ASAN) -fsanitize-coverage=func,trace-loads -D_GNU_SOURCE -DFLIPS -DFLIPS_INCLUDED_FIRST \
        -include flips.h
# What -fsanitize=integer reports in functions of tests/fuzz/integer.txt is meant.
INTEGER = -O1 -g -fsanitize=integer,undefined -fno-sanitize-recover=all \
          -fsanitize-ignorelist=tests/fuzz/integer.txt
LIBFUZZER = -O1 -g -fno-sanitize-recover=all -fsanitize-coverage=trace-loads -D_GNU_SOURCE -DFLIPS \
            -DFLIPS_INCLUDED_FIRST -include flips.h -fsanitize=fuzzer
# Numbers of files may have 64 bits; Debian's headers of Linux lie in a directory of 64-bit programs.
FUZZ32 = -m32 -D_FILE_OFFSET_BITS=64 -idirafter /usr/include/x86_64-linux-gnu
ARM   = arm-linux-gnueabihf-gcc
M32   = $(if $(filter clang,$(KIND)),gcc,$(CC)) -m32
CROSS = -std=c99 -O1 $(warn.gcc) $(INC)

# Without optimisation gcc warns of copies that the checks before them make impossible.
$(eval $(call SUITE,quick,$$(CC) $$(C99) -O0 -Wno-stringop-overread))
$(eval $(call SUITE,tests,$$(CC) $$(CFLAGS) $$(C99)))
$(eval $(call SUITE,asan-gcc,gcc -std=c99 $$(ASAN) $$(warn.gcc) $$(INC)))
$(eval $(call SUITE,asan-clang,clang -std=c99 $$(ASAN) $$(warn.clang) $$(INC)))
$(eval $(call SUITE,msan-clang,clang -std=c99 $$(MSAN) $$(warn.clang) $$(INC)))
# Where size counts, quick ways are left out: one suite goes the other.
$(eval $(call SUITE,m32,$$(M32) $$(CROSS) -Os))
$(eval $(call SUITE,s390x,$$(S390X) -static $$(CROSS)))
$(eval $(call SUITE,arm,$$(ARM) -static $$(CROSS)))
$(eval $(call SUITE,flips,clang -std=c99 $$(warn.clang) $$(INC) $$(FLIPS)))
$(eval $(call SUITE,asan-m32,clang $$(FUZZ32) -std=c99 $$(ASAN) $$(warn.clang) $$(INC)))
$(eval $(call SUITE,integer,clang -std=c99 $$(INTEGER) $$(warn.clang) $$(INC)))
FUZZ = -std=c99 $(warn.clang) $(INC) $(LIBFUZZER)
$(eval $(call SUITE,fuzz,clang $$(FUZZ) $$(ASAN)))
$(eval $(call SUITE,fuzz-m32,clang $$(FUZZ32) $$(FUZZ) $$(ASAN)))
$(eval $(call SUITE,fuzz-msan,clang $$(FUZZ) $$(MSAN)))
$(eval $(call SUITE,fuzz-integer,clang $$(FUZZ) $$(INTEGER)))

# Programs with a library of this machine; other machines' compilers do not have it.
NATIVE = i915_libdrm nvgpu_memory user_memory user_memory_threads
pc     = $(shell pkg-config --exists $(1) 2>/dev/null && echo $(2) && \
             pkg-config --cflags --libs $(1))
ZLIB   = $(call pc,zlib,-DDUMP_ZLIB)
LIBDRM = $(subst -I,-isystem ,$(call pc,libdrm_intel,-DHAVE_LIBDRM_INTEL))

$(foreach d,tests asan-gcc asan-clang msan-clang,$(BUILD)/$(d)/i915_libdrm): LIBS = $(LIBDRM)

T ?= $(TESTS)
suite = $(RUN) tests/suite.sh

quick:
	@$(suite) quick '$(CC)' '' $(filter-out $(NATIVE),$(T))
test:
	@$(suite) tests '$(CC)' '' $(T)
exhaustive: TEST_SECONDS = 3600
exhaustive:
	@$(suite) tests '$(CC)' '' $(SLOW)
valgrind: TEST_SECONDS = 3600
valgrind:
	@$(suite) tests '$(CC)' 'valgrind -q --error-exitcode=9 --leak-check=full' $(T)
asan-gcc:
	@$(suite) asan-gcc 'gcc $(ASAN)' '' $(T)
asan-clang:
	@$(suite) asan-clang 'clang $(ASAN)' '' $(T)
msan-clang:
	@$(suite) msan-clang 'clang $(MSAN)' '' $(T)
sanitize: asan-clang msan-clang
m32:
	@$(suite) m32 '$(M32)' '' $(filter-out $(NATIVE),$(T))
big-endian:
	@$(suite) s390x '$(S390X) -static' qemu-s390x $(filter-out $(NATIVE),$(T))
arm:
	@$(suite) arm '$(ARM) -static' qemu-arm $(filter-out $(NATIVE),$(T))
# Suites of model kernels, in memory that gives another value at each second read: each call of a
# kernel reads each byte once, so the suites pass as in memory that stays.
KERNEL_SUITES = agx_draft_kernel agx_evil agx_kernel agx_timelines agx_why core_kernel core_mem \
                failing i915_fences i915_igt i915_kernel i915_parser i915_refused i915_space \
                i915_submit nv_nvgpu nv_nvgpu_gpu nv_nvgpu_host nv_nvgpu_kernel nv_nvgpu_trace
# Suites of executors in such memory: nothing is accessed outside, each call ends.
EXEC_SUITES = agx_draft budget i915_blt i915_captures_run i915_engines i915_evil i915_exec \
              i915_exec_diff i915_facts i915_mono i915_recipe i915_stops i915_walkthrough i915_xe \
              nv_area nv_captures nv_channel nv_check nv_clears nv_doorbell nv_engine \
              nv_engine_2d nv_exec nv_exec_diff nv_fences nv_host nv_known nv_limits nv_moves \
              nv_nv2a nv_pixels nv_puller nv_rm nv_rows nv_short_runs nv_silicon nv_stops \
              nv_tiling nv_why nvgpu_memory security
# Other suites with memory, except exhaustive ones: i915_edges and nv_channel_report index their own
# arrays by what is executed; agx_exec only writes it; only the driver writes the rings of nv_ring;
# user_memory and user_memory_threads have such memory of their own, tests/flip.h.
STILL_SUITES = agx_exec i915_edges nv_channel_report nv_ring user_memory user_memory_threads
flips:
	@$(RUN) tests/tier/takers.sh $(KERNEL_SUITES) $(EXEC_SUITES) $(STILL_SUITES) $(SLOW)
	@$(suite) flips 'clang $(FLIPS) -Itests' '' $(KERNEL_SUITES) $(EXEC_SUITES)
fuzz-replay:
	@$(suite) asan-gcc 'gcc $(ASAN)' '' $(FUZZERS)
	@$(suite) flips 'clang $(FLIPS) -Itests' '' $(FUZZERS)
# The same corpora in the other builds.
fuzz-replay-all: fuzz-replay
	@$(suite) msan-clang 'clang $(MSAN)' '' $(FUZZERS)
	@$(suite) asan-m32 'clang -m32 $(ASAN)' '' $(FUZZERS)
	@$(suite) integer 'clang $(INTEGER)' '' $(FUZZERS)

# Worst inputs: the longest unit of budget, growth; a row over its bound fails.
worst: tests/worst/worst.c $(DEPS) $(BUILD)/config
	$(CC) -O2 $(C99) -DGPUCMD_STATIC -o $(BUILD)/worst $<
	@$(BUILD)/worst

# Shell tests of the tool, tests/dump_*.sh: like a test program, they end with a closing line.
tool: all
	@SCRIPTS='$(filter-out dump_size.sh,$(SCRIPTS))' $(RUN) tests/tier/tool.sh $@
# Large inputs.
tool-size: TEST_SECONDS = 600
tool-size: all
	@SCRIPTS=dump_size.sh $(RUN) tests/tier/tool.sh $@

# ---- fuzzing ----------------------------------------------------------------------------------

# FUZZ_BUILD: fuzz, with ASan and UBSan; fuzz-m32, as fuzz; fuzz-msan; fuzz-integer. KEEP=1: add new
# inputs to the corpus in the tree. F: the targets.
FUZZ_BUILD ?= fuzz fuzz-m32 fuzz-msan fuzz-integer
F ?= $(FUZZERS)
fuzz:
	@KEEP='$(KEEP)' $(RUN) tests/tier/fuzz.sh $(FUZZ_SECONDS) $(AGAIN_SECONDS) '$(FUZZ_BUILD)' $(F)

# N breaks of rows and of code of each header H; S is the seed.
N ?= 50
S ?= 1
H ?= $(HEADERS)
mutate:
	@nice python3 tests/mutate/mutate.py -n $(N) -s $(S) -j $(JOBS) -b $(BUILD) $(H)

# Branches that the suites take, by header and room. HOLES='NV.IMPL.DECODE' prints those not taken. With all
# suites it fails if a branch of writers, rings, decoders or parsers is neither taken nor in
# tests/tier/branches.txt.
coverage:
	@HOLES='$(HOLES)' FULL='$(if $(filter-out $(T),$(TESTS)),,1)' $(RUN) tests/tier/coverage.sh $(filter-out $(NATIVE),$(T))

# The implementation of all headers in one unit, for the tiers compile, stack and recursion.
$(BUILD)/impl/%.o: tests/compile/impl.c tests/compile/all.h $(HEADERS) Makefile
	@mkdir -p $(@D)
	$(subst -, -,$*) -std=c99 $(warn.$(firstword $(subst -, ,$*))) -I. -DHAVE_NV -DHAVE_I915 \
	    -DHAVE_AGX -fstack-usage $(if $(findstring gcc,$*),-fcallgraph-info=su) -c -o $@ $<

# ---- the other tiers: one script each ----------------------------------------------------------

SCRIPTED = toc rooms arrows family family-proof fences format-check facts static compile symbols \
           stack recursion cppcheck clang-tidy instr proof ports silicon genxml size html $(TREES) \
           $(PACKED)
docs: all
proof-full: # longer sequences, larger rings, every size of a group
	@FULL=1 $(RUN) tests/tier/proof.sh
$(SCRIPTED):
	@EXAMPLES='$(EXAMPLES)' $(RUN) tests/tier/$@.sh
inline inline-all:
	@$(RUN) tests/tier/inline.sh $@
refuse refuse-all:
	@$(RUN) tests/tier/refuse.sh $@
examples examples-all:
	@EXAMPLES='$(EXAMPLES)' BUILT='$(BUILT)' $(RUN) tests/tier/examples.sh $@
install-check:
	@$(RUN) tests/tier/install.sh
slim:
	@$(RUN) tests/tier/slim.sh '$(VENDOR)' '$(PARTS)'
format:
	clang-format -i $$(git ls-files '*.h' '*.c' '*.cc')
golden:
	@if test -f tests/golden.sh; then $(RUN) tests/golden.sh; else echo 'no golden files'; fi

# ---- the library: all functions as symbols, for other languages ---------------------------------

LIB    = $(BUILD)/lib
SONAME = libgpucmd.so.$(firstword $(subst ., ,$(VERSION)))
REAL   = libgpucmd.so.$(VERSION)

# Functions of these names are private. A unit may not call them from outside.
$(LIB)/gpucmd.o: $(HEADERS) Makefile $(BUILD)/config
	@mkdir -p $(@D)
	printf '#include <%s>\n' errno.h fcntl.h unistd.h sys/ioctl.h sys/mman.h >$(LIB)/gpucmd.c
	printf '#include "%s"\n' $(HEADERS) >>$(LIB)/gpucmd.c
	$(CC) -std=c99 -D_GNU_SOURCE -O2 -fPIC -fno-semantic-interposition -ffunction-sections -I. \
	    -DGPUCMD_EXTERN -DGPUCMD_IMPLEMENTATION -c -o $@ $(LIB)/gpucmd.c
	objcopy --wildcard --localize-symbol='gpucmd_priv_*' $@
$(LIB)/libgpucmd.a: $(LIB)/gpucmd.o
	rm -f $@ && $(AR) rcs $@ $<
$(LIB)/$(REAL): $(LIB)/gpucmd.o
	$(CC) -shared -Wl,-soname,$(SONAME),-z,defs,--gc-sections -o $@ $<
	ln -sf $(REAL) $(LIB)/$(SONAME) && ln -sf $(REAL) $(LIB)/libgpucmd.so

lib: $(LIB)/libgpucmd.a $(LIB)/$(REAL)

# ---- installing ----------------------------------------------------------------------------------

INCLUDEDIR = $(PREFIX)/include
LIBDIR     = $(PREFIX)/lib
BINDIR     = $(PREFIX)/bin
PCDIR      = $(PREFIX)/share/pkgconfig
CMAKEDIR   = $(PREFIX)/share/cmake/gpucmd
MANDIR     = $(PREFIX)/share/man/man1
BASHDIR    = $(PREFIX)/share/bash-completion/completions
ZSHDIR     = $(PREFIX)/share/zsh/site-functions
DATADIR    = $(PREFIX)/share/gpucmd
# A directory below PREFIX, from the package files, which may move with it.
from_pc    = $(patsubst $(PREFIX)/%,$${prefix}/%,$(1))
from_cmake = $(patsubst $(PREFIX)/%,$${CMAKE_CURRENT_LIST_DIR}/../../../%,$(1))
INSTALL    = install -m
NODES      = $(HEADERS:%=$(INCLUDEDIR)/%) $(PCDIR)/gpucmd.pc $(CMAKEDIR) $(BINDIR)/gpucmd-dump \
             $(MANDIR)/gpucmd-dump.1 $(DATADIR) $(BASHDIR)/gpucmd-dump \
             $(ZSHDIR)/_gpucmd-dump \
             $(addprefix $(LIBDIR)/,libgpucmd.a libgpucmd.so $(SONAME) $(REAL))

# Headers, package files, the tool; the library if `make lib` has built it.
install: all $(BUILD)/gpucmd-dump.1
	for d in '$(INCLUDEDIR)' '$(LIBDIR)' '$(BINDIR)' '$(PCDIR)' '$(CMAKEDIR)' '$(MANDIR)' \
	    '$(DATADIR)' '$(BASHDIR)' '$(ZSHDIR)'; do \
	    mkdir -p "$(DESTDIR)$$d" || exit 1; done
	$(INSTALL) 644 $(HEADERS) '$(DESTDIR)$(INCLUDEDIR)'
	printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$(call from_pc,$(INCLUDEDIR))' '' 'Name: gpucmd' \
	    'Description: Write, read, check and execute GPU command streams' \
	    'Version: $(VERSION)' 'Cflags: -I$${includedir}' >'$(DESTDIR)$(PCDIR)/gpucmd.pc'
	printf '%s\n' 'if(NOT TARGET gpucmd::gpucmd)' '  add_library(gpucmd::gpucmd INTERFACE IMPORTED)' \
	    '  target_include_directories(gpucmd::gpucmd INTERFACE "$(call from_cmake,$(INCLUDEDIR))")' \
	    'endif()' >'$(DESTDIR)$(CMAKEDIR)/gpucmdConfig.cmake'
	printf '%s\n' 'set(PACKAGE_VERSION $(VERSION))' \
	    'if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION AND' \
	    '   "$${PACKAGE_FIND_VERSION_MAJOR}" MATCHES "^$(firstword $(subst ., ,$(VERSION)))?$$")' \
	    '  set(PACKAGE_VERSION_COMPATIBLE TRUE)' 'endif()' \
	    >'$(DESTDIR)$(CMAKEDIR)/gpucmdConfigVersion.cmake'
	$(INSTALL) 755 $(BUILD)/gpucmd-dump '$(DESTDIR)$(BINDIR)'
	$(INSTALL) 644 $(BUILD)/gpucmd-dump.1 '$(DESTDIR)$(MANDIR)'
	$(INSTALL) 644 examples/gpucmd-dump.bash '$(DESTDIR)$(BASHDIR)/gpucmd-dump'
	$(INSTALL) 644 examples/_gpucmd-dump '$(DESTDIR)$(ZSHDIR)'
	$(INSTALL) 644 examples/nv_methods.txt '$(DESTDIR)$(DATADIR)'
	if test -f $(LIB)/$(REAL); then \
	    $(INSTALL) 644 $(LIB)/libgpucmd.a $(LIB)/$(REAL) '$(DESTDIR)$(LIBDIR)' && \
	    cp -P $(LIB)/$(SONAME) $(LIB)/libgpucmd.so '$(DESTDIR)$(LIBDIR)'; fi

uninstall:
	for f in $(NODES); do rm -rf "$(DESTDIR)$$f"; done

-include tests/clients/clients.mk

-include tests/bench/bench.mk
ifeq ($(wildcard tests/bench/bench.mk),)
bench:
	@echo 'skip: bench: no tests/bench/bench.mk in the tree'
endif

.PHONY: all proof-full worst help demo check check-all clean quick test tool tool-size exhaustive \
        valgrind asan-gcc asan-clang msan-clang sanitize m32 big-endian arm flips fuzz-replay \
        fuzz-replay-all fuzz \
        $(SCRIPTED) inline inline-all refuse refuse-all slim lib examples examples-all \
        install-check format golden mutate coverage install uninstall \
        bench FORCE
