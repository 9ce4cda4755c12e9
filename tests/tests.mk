# The suites and tiers. A tier is a target that prints `name: N passed, N failed`.

# Seconds one test program may take (0: no limit), seconds of `make fuzz` per target in its first
# build and in each other build.
TEST_SECONDS ?= 600
FUZZ_SECONDS ?= 60
AGAIN_SECONDS ?= 10

# ---- what is in the tree --------------------------------------------------------------------

# Suites have the name of their file below tests/: nv/emit. ROOMS are their folders.
ROOMS    := core nv i915 agx
SLOW     := $(patsubst tests/%.c,%,$(sort $(wildcard $(ROOMS:%=tests/%/*exhaustive.c))))
TESTS    := $(filter-out $(SLOW),$(patsubst tests/%.c,%,$(sort $(wildcard $(ROOMS:%=tests/%/*.c)))))
# A line `/* suite: TAG, TAG */` of a test file says:
#   kernel     a model kernel, whose calls read each byte of user memory once: it is also run in memory
#              that gives another value at each second read, tests/flips.h
#   regions    as kernel, in suites whose regions are all user memory
#   executor   an executor: in such memory nothing is accessed outside, and each call ends
#   long       with a sanitizer the suite needs more time to run than to compile with optimisation
#   native     it needs a library or a system call of this machine
TAGGED   := $(shell awk '/^\/\* suite: [a-z, ]* \*\/$$/ { gsub(/,/, ""); name = FILENAME; sub(/^tests./, "", name); \
              sub(/[.]c$$/, "", name); for (i = 3; i < NF; i++) print name ":" $$i }' $(ROOMS:%=tests/%/*.c))
tagged    = $(patsubst %:$(1),%,$(filter %:$(1),$(TAGGED)))
KERNEL_SUITES   := $(call tagged,kernel)
REGIONS_SUITES  := $(call tagged,regions)
EXECUTOR_SUITES := $(call tagged,executor)
LONG_SUITES     := $(call tagged,long)
NATIVE          := $(call tagged,native)
ifneq ($(filter-out %:kernel %:regions %:executor %:long %:native,$(TAGGED)),)
$(error unknown tags of suites: $(filter-out %:kernel %:regions %:executor %:long %:native,$(TAGGED)))
endif
FUZZERS  := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
EXAMPLES := $(patsubst examples/%.c,%,$(sort $(wildcard examples/[0-9]*.c)))
BUILT    := $(patsubst examples/%.c,%,$(sort $(wildcard examples/hardware/*.c examples/demo.c \
                examples/gpucmd-dump/gpucmd-dump.c)))
SCRIPTS  := $(patsubst tests/%,%,$(sort $(filter-out %/lib.sh,$(wildcard tests/dump/*.sh))))
FUZZ_DEPS := $(wildcard tests/fuzz/*.h tests/fuzz/*.txt)
DEPS     := $(HEADERS) $(wildcard tests/*.h $(ROOMS:%=tests/%/*.h) examples/*.h examples/gpucmd-dump/*.h \
              examples/hardware/*.[ch] tests/silicon/*.h) Makefile tests/tests.mk
INC      := -I. -Itests

C99  = -std=c99 $(warn.$(KIND)) $(INC)
ASAN = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all

# ---- tiers ----------------------------------------------------------------------------------

help::
	@echo
	@echo 'tiers of make check: $(CHECK)'
	@echo 'make check-all       everything else; NO_SKIP=1 makes a missing tool a failure'
	@echo '                     tiers: $(wordlist 1,11,$(CHECK_ALL) $(BESIDE))'
	@echo '                     $(wordlist 12,99,$(CHECK_ALL) $(BESIDE))'
	@echo 'make TIER            one tier, e.g. make test'
	@echo 'make quick T=nv/emit one suite, also as T=nv_emit; T=nv: those of tests/nv; T=emit: of each folder'
	@echo 'make plain           tests of the executors, built without their quick ways'
	@echo 'make exhaustive      the long tests'
	@echo 'make fuzz            libFuzzer, FUZZ_SECONDS=$(FUZZ_SECONDS) for each target with ASan, then'
	@echo '                     AGAIN_SECONDS=$(AGAIN_SECONDS) in each other build of FUZZ_BUILD;'
	@echo '                     F=fuzz_nv_run: one target; KEEP=1: extend the corpus'
	@echo 'make coverage        branches that the suites take, by header and room'
	@echo 'make mutate          break the headers N=50 times each, list what no suite notices'
	@echo 'make proof-full      the proofs with longer sequences and larger rings'
	@echo 'make valgrind        all tests under memcheck'
	@echo 'make machines        suites and words on ppc, ppc64, mips, hppa, m68k, sparc64 (M=, T=)'
	@echo 'make golden          compare golden files, show the difference'
	@echo 'make size            bytes of code per function at -Os, deepest stack'
	@echo 'make clients         real drivers on emulated GPUs: the table of clients and GPUs'
	@echo 'make clients-today   the same with the drivers of newer suites of Debian'
	@echo 'make bench           ratios against plain stores, memcpy and a read loop'

# No tier is in both lists. A name that ends in -all is the tier of that name with every compiler
# but $(CC), in C and C++, optimised.
CHECK     = quick tool toc arrows fences facts static family inline \
            examples refuse
# asan-gcc and arm are tiers of their own: asan-clang, m32 and big-endian find what they find.
CHECK_ALL = test inline-all examples-all refuse-all compile symbols stack recursion \
            sanitize flips fuzz-replay plain m32 big-endian worst \
            clients clients-today silicon proof

# Tiers that use one CPU for most of their time run beside the others.
BESIDE = tool-size instr clang-tidy cppcheck format-check ports parser uapi install-check

# Other trees and their compilers.
TREES   = linux tokens firmware compilers
BESIDE += $(TREES)

# Copies, other languages, documents.
PACKED  = slim-check languages docs html-check page-check
BESIDE += $(PACKED)

check-all: all
	@$(RUN) tests/checks/run.sh check-all $(CHECK_ALL) -- $(BESIDE)

# ---- suites: each file of tests/core, nv, i915 and agx, built one way and run one way -----------

# The folder of a test, or the start of a harness's name, is the header that it tests. Each suite
# compiles the implementation of that header once, and the test is linked with it. A test that
# defines GPUCMD_IMPLEMENTATION has its own: it needs private parts, other macros or several headers.
UNITS  := $(ROOMS)
OWN    := $(patsubst fuzz/%,%,$(patsubst tests/%.c,%,$(shell grep -l \
              'GPUCMD_IMPLEMENTATION$$\|gpucmd-dump.c' $(ROOMS:%=tests/%/*.c) tests/fuzz/*.c)))
unit    = $(if $(filter $(1),$(OWN)),,$(firstword $(subst /, ,$(subst _, ,$(1:fuzz_%=%)))).o)
private = $(if $(filter $(1),$(OWN)),$(if $(filter flips,$(2)),$(HOOKED),-DGPUCMD_STATIC))
main    = $(if $(filter fuzz%,$(1)),,-DGPUCMD_FUZZ_MAIN)

# Builds in which memory changes while it is read, tests/flips.h; in suites also by each call.
changes = $(filter flips fuzz%,$(1))
hooks   = $(if $(filter flips,$(1)),$(if $(filter $(UNITS),$(2)),$(HOOKED),$(if $(filter \
              flips,$(2)),-DFLIPS_SUITES,$(foreach k,KERNEL REGIONS EXECUTOR,$(if $(filter \
              $(2),$($(k)_SUITES)),-DFLIPS_KIND=FLIPS_$(k))))))
HOOKED  = -finstrument-functions '-DGPUCMD_API=__attribute__((weak, section("gpucmd"))) extern'

# With a sanitizer most programs need less time to run at -O0 than to compile at -O1.
quickly     = $(if $(filter flips,$(1)),-O0,$(if $(filter asan-% msan-%,$(1)),$(if $(filter \
                  $(LONG_SUITES),$(2)),,-O0)))

# $(call SUITE_RULES,directory,compiler and flags)
.SECONDEXPANSION:
define SUITE_RULES
$(UNITS:%=$(BUILD)/$(1)/%.o): $(BUILD)/$(1)/%.o: tests/compile/alone_impl.c $$(HEADERS) Makefile \
    tests/tests.mk $$(BUILD)/config $(if $(findstring integer,$(1)),tests/fuzz/integer.txt)
	@mkdir -p $$(@D)
	$(2) $$(call hooks,$(1),$$*) -c -DHEADER='"$$(patsubst gpucmd_core%,gpucmd%,gpucmd_$$*.h)"' \
	    -o $$@ $$<
$(BUILD)/$(1)/flips.o: tests/flips.c gpucmd.h tests/flips.h Makefile tests/tests.mk \
    $$(BUILD)/config
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
# Big-endian machines that qemu-user has, by its names; m68k aligns words to 16 bits.
MACHINES = ppc ppc64 mips hppa m68k sparc64
machine  = $(patsubst ppc%,powerpc%,$(1))-linux-gnu-gcc
M32   = $(if $(filter clang,$(KIND)),gcc,$(CC)) -m32
CROSS = -std=c99 -O1 $(warn.gcc) $(INC)

# Without optimisation gcc warns of copies that the checks before them make impossible.
$(eval $(call SUITE_RULES,quick,$$(CC) $$(C99) -O0 -Wno-stringop-overread))
$(eval $(call SUITE_RULES,tests,$$(CC) $$(CFLAGS) $$(C99)))
# Without the quick ways, GPUCMD_PRIV_QUICK: the suites of executors must pass as with them.
$(eval $(call SUITE_RULES,plain,$$(CC) $$(C99) -O0 -Wno-stringop-overread -DGPUCMD_PRIV_QUICK=false))
$(eval $(call SUITE_RULES,asan-gcc,gcc -std=c99 $$(ASAN) $$(warn.gcc) $$(INC)))
$(eval $(call SUITE_RULES,asan-clang,clang -std=c99 $$(ASAN) $$(warn.clang) $$(INC)))
$(eval $(call SUITE_RULES,msan-clang,clang -std=c99 $$(MSAN) $$(warn.clang) $$(INC)))
# Where size counts, quick ways are left out: one suite goes the other.
$(eval $(call SUITE_RULES,m32,$$(M32) $$(CROSS) -Os))
$(eval $(call SUITE_RULES,s390x,$$(S390X) -static $$(CROSS)))
$(eval $(call SUITE_RULES,arm,$$(ARM) -static $$(CROSS)))
$(foreach m,$(MACHINES),$(eval $(call SUITE_RULES,$(m),$(call machine,$(m)) -static $$(CROSS))))
$(eval $(call SUITE_RULES,flips,clang -std=c99 $$(warn.clang) $$(INC) $$(FLIPS)))
$(eval $(call SUITE_RULES,asan-m32,clang $$(FUZZ32) -std=c99 $$(ASAN) $$(warn.clang) $$(INC)))
$(eval $(call SUITE_RULES,integer,clang -std=c99 $$(INTEGER) $$(warn.clang) $$(INC)))
FUZZ = -std=c99 $(warn.clang) $(INC) $(LIBFUZZER)
$(eval $(call SUITE_RULES,fuzz,clang $$(FUZZ) $$(ASAN)))
$(eval $(call SUITE_RULES,fuzz-m32,clang $$(FUZZ32) $$(FUZZ) $$(ASAN)))
$(eval $(call SUITE_RULES,fuzz-msan,clang $$(FUZZ) $$(MSAN)))
$(eval $(call SUITE_RULES,fuzz-integer,clang $$(FUZZ) $$(INTEGER)))

LIBDRM = $(subst -I,-isystem ,$(call pc,libdrm_intel,-DHAVE_LIBDRM_INTEL))

$(foreach d,tests asan-gcc asan-clang msan-clang,$(BUILD)/$(d)/i915/libdrm): LIBS = $(LIBDRM)

# T names suites: nv/emit or nv_emit; nv: those of a folder; emit: those of that name in every folder.
named  = $(or $(sort $(foreach r,$(ROOMS),$(filter $(1:$(r)_%=$(r)/%),$(TESTS) $(SLOW)))), \
           $(filter $(1)/%,$(TESTS)),$(filter %/$(1),$(TESTS) $(SLOW)),$(1))
chosen = $(sort $(foreach t,$(T),$(call named,$(t))))
T ?= $(TESTS)
suite = $(RUN) tests/checks/suite.sh

quick:
	@$(suite) quick '$(CC)' '' $(filter-out $(NATIVE),$(chosen))
test:
	@$(suite) tests '$(CC)' '' $(chosen)
exhaustive: TEST_SECONDS = 3600
exhaustive:
	@$(suite) tests '$(CC)' '' $(SLOW)
valgrind: TEST_SECONDS = 3600
valgrind:
	@$(suite) tests '$(CC)' 'valgrind -q --error-exitcode=9 --leak-check=full' $(chosen)
asan-gcc:
	@$(suite) asan-gcc 'gcc $(ASAN)' '' $(chosen)
asan-clang:
	@$(suite) asan-clang 'clang $(ASAN)' '' $(chosen)
msan-clang:
	@$(suite) msan-clang 'clang $(MSAN)' '' $(chosen)
# MSan: the suites of model kernels; `make msan-clang` has all.
sanitize: asan-clang
	@$(suite) msan-clang 'clang $(MSAN)' '' $(filter $(chosen),$(KERNEL_SUITES))
m32:
	@$(suite) m32 '$(M32)' '' $(filter-out $(NATIVE),$(chosen))
big-endian:
	@$(suite) s390x '$(S390X) -static' qemu-s390x $(filter-out $(NATIVE),$(chosen))
arm:
	@$(suite) arm '$(ARM) -static' qemu-arm $(filter-out $(NATIVE),$(chosen))
# By hand: M="ppc mips" names some of the machines.
machines:
	@for m in $(or $(M),$(MACHINES)); do \
	    $(RUN) tests/checks/machines.sh $$m $(filter-out $(NATIVE),$(chosen)) || exit 1; done
plain:
	@$(suite) plain '$(CC)' '' $(filter-out $(NATIVE),$(filter $(EXECUTOR_SUITES) nv/channel_report \
	    nv/check nv/host, $(chosen)))
flips:
	@$(suite) flips 'clang $(FLIPS) -Itests' '' $(filter $(chosen),$(KERNEL_SUITES) $(REGIONS_SUITES))
# The tool reads memory of its own only: nothing changes while it reads.
fuzz-replay:
	@$(suite) asan-gcc 'gcc $(ASAN)' '' $(FUZZERS)
	@$(suite) flips 'clang $(FLIPS) -Itests' '' $(filter-out fuzz_dump_%,$(FUZZERS))
# The same corpora in the other builds.
fuzz-replay-all: fuzz-replay
	@$(suite) msan-clang 'clang $(MSAN)' '' $(FUZZERS)
	@$(suite) asan-m32 'clang -m32 $(ASAN)' '' $(FUZZERS)
	@$(suite) integer 'clang $(INTEGER)' '' $(FUZZERS)

# Worst inputs: the longest unit of budget, growth; a row over its bound fails.
worst: tests/worst/worst.c $(DEPS) $(BUILD)/config
	$(CC) -O2 $(C99) -DGPUCMD_STATIC -o $(BUILD)/worst $<
	@$(BUILD)/worst

# Shell tests of the tool, tests/dump: like a test program, they end with a closing line.
LARGE_SCRIPTS = dump/size.sh dump/shapes.sh
tool: $(BUILD)/gpucmd-dump
	@SCRIPTS='$(filter-out $(LARGE_SCRIPTS),$(SCRIPTS))' $(RUN) tests/checks/tool.sh $@
# Large inputs, and many.
tool-size: TEST_SECONDS = 600
tool-size: $(BUILD)/gpucmd-dump
	@SCRIPTS='$(LARGE_SCRIPTS)' $(RUN) tests/checks/tool.sh $@

# ---- fuzzing ----------------------------------------------------------------------------------

# FUZZ_BUILD: fuzz, with ASan and UBSan; fuzz-m32, as fuzz; fuzz-msan; fuzz-integer. KEEP=1: add new
# inputs to the corpus in the tree. F: the targets.
FUZZ_BUILD ?= fuzz fuzz-m32 fuzz-msan fuzz-integer
F ?= $(FUZZERS)
fuzz:
	@KEEP='$(KEEP)' $(RUN) tests/checks/fuzz.sh $(FUZZ_SECONDS) $(AGAIN_SECONDS) '$(FUZZ_BUILD)' $(F)

# N breaks of rows and of code of each header H; S is the seed.
N ?= 50
S ?= 1
H ?= $(HEADERS)
mutate:
	@nice python3 tests/mutate/mutate.py -n $(N) -s $(S) -j $(JOBS) -b $(BUILD) $(H)

# Branches that the suites take, by header and room. HOLES='NV.IMPL.DECODE' prints those not taken. With all
# suites it fails if a branch of writers, rings, decoders, parsers, executors or model kernels is neither taken
# nor in tests/checks/branches.txt.
coverage:
	@HOLES='$(HOLES)' FULL='$(if $(filter-out $(chosen),$(TESTS)),,1)' $(RUN) tests/checks/coverage.sh $(filter-out $(NATIVE),$(chosen))

# The implementation of all headers in one unit, for the tiers compile, stack and recursion.
$(BUILD)/impl/%.o: tests/compile/impl.c tests/compile/all.h $(HEADERS) Makefile
	@mkdir -p $(@D)
	$(subst -, -,$*) -std=c99 $(warn.$(firstword $(subst -, ,$*))) -I. -DHAVE_NV -DHAVE_I915 \
	    -DHAVE_AGX -fstack-usage $(if $(findstring gcc,$*),-fcallgraph-info=su) -c -o $@ $<

# ---- the other tiers: one script each ----------------------------------------------------------

SCRIPTED = toc arrows family fences format-check facts static compile symbols \
           stack recursion cppcheck clang-tidy instr proof ports parser uapi silicon genxml size $(TREES) \
           $(PACKED)
docs: $(BUILD)/gpucmd-dump
# clang-format needs a minute of CPU for a header.
format-check: TEST_SECONDS = 1800
proof-full: # longer sequences, larger rings, every size of a group
	@FULL=1 $(RUN) tests/checks/proof.sh
$(SCRIPTED):
	@EXAMPLES='$(EXAMPLES)' COUNT='$(COUNT)' LINUX_SOURCES='$(LINUX_SOURCES)' \
	    $(RUN) tests/checks/$@.sh
inline inline-all:
	@$(RUN) tests/checks/inline.sh $@
refuse refuse-all:
	@$(RUN) tests/checks/refuse.sh $@
examples examples-all:
	@EXAMPLES='$(EXAMPLES)' BUILT='$(BUILT)' $(RUN) tests/checks/examples.sh $@
install-check:
	@$(RUN) tests/checks/install.sh
golden:
	@$(RUN) tests/checks/golden.sh

include tests/clients/clients.mk tests/bench/bench.mk

.PHONY: proof-full worst check-all quick test tool tool-size exhaustive valgrind asan-gcc \
        asan-clang msan-clang sanitize plain m32 big-endian arm machines flips fuzz-replay \
        fuzz-replay-all fuzz $(SCRIPTED) inline inline-all refuse refuse-all examples examples-all install-check \
        golden mutate coverage bench
