# gpucmd: GNU make, a C compiler and the POSIX tools are enough for `make`, `make demo` and
# `make check`. Everything is built below $(BUILD). `make help` lists the targets; those of the tests
# are in tests/tests.mk.

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

HEADERS := $(sort $(wildcard gpucmd*.h))
VERSION := $(shell awk '/^\#define GPUCMD_VERSION_M[AI][JN]OR|^\#define GPUCMD_VERSION_PATCH/ \
             { v = v s $$3; s = "." } END { print v }' gpucmd.h)

WARN = -Wall -Wextra -Wpedantic $(WERROR) -Wshadow -Wconversion -Wsign-conversion -Wundef -Wvla \
       -Wcast-qual -Wcast-align -Wpointer-arith -Wwrite-strings -Wswitch-enum -Wdouble-promotion \
       -Wformat=2
WARN_C     = -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
WARN_GCC   = -Wlogical-op -Wduplicated-cond -Wduplicated-branches -Walloca
WARN_CLANG = -Wimplicit-fallthrough -Wcomma -Wunreachable-code -Wassign-enum \
             -Wreserved-identifier -Wdocumentation -Wno-unknown-warning-option

# gcc, clang or other: what the command in $(1) is, by its predefined macros.
kind = $(shell sh tests/checks/kind.sh $(1))
warn.gcc   = $(WARN) $(WARN_C) $(WARN_GCC)
warn.clang = $(WARN) $(WARN_C) $(WARN_CLANG)
warn.other = -Wall
KIND      := $(call kind,$(CC))

# What the scripts of tests/checks call to build programs and to run tiers.
SUB = $(MAKE) -s -k --no-print-directory -j$(JOBS)
RUN = MAKE='$(SUB)' BUILD='$(BUILD)' JOBS='$(JOBS)' NO_SKIP='$(NO_SKIP)' CC='$(CC)' CXX='$(CXX)' \
      TEST_SECONDS='$(TEST_SECONDS)' HEADERS='$(HEADERS)' WARN='$(WARN)' WARN_C='$(WARN_C)' \
      WARN_GCC='$(WARN_GCC)' WARN_CLANG='$(WARN_CLANG)' VERSION='$(VERSION)' $(SHELL)

# ---- main targets ---------------------------------------------------------------------------

.DELETE_ON_ERROR:
.SUFFIXES:
all: $(BUILD)/gpucmd-dump gpucmd-run

help::
	@echo 'make                 build $(BUILD)/gpucmd-dump, and $(BUILD)/gpucmd-run with libdrm-dev'
	@echo 'make demo            show the tool on real streams'
	@echo 'make check           the quick check: a C compiler, make and the POSIX tools are enough'
	@echo 'make install         PREFIX=$(PREFIX) DESTDIR=; make uninstall'
	@echo 'make lib             $(BUILD)/lib/libgpucmd.a and .so, for other languages'
	@echo 'make slim            VENDOR=nv PARTS="write": print a header with some parts only'
	@echo 'make html            a page for each header: $(BUILD)/html/index.html'
	@echo 'make page            $(BUILD)/gpucmd.html: the tool as one page for a browser'
	@echo 'make format          rewrite the sources with clang-format'
	@echo 'make clean           remove $(BUILD)'
demo: $(BUILD)/gpucmd-dump
	@BUILD='$(BUILD)' CC='$(CC)' $(SHELL) examples/demo.sh
check: # the tool takes one worker's time; the others build the suites meanwhile
	@$(SUB) $(BUILD)/gpucmd-dump $(patsubst %,$(BUILD)/quick/%,$(filter-out $(NATIVE),$(TESTS))) || true
	@$(RUN) tests/checks/run.sh check $(CHECK)
slim:
	@$(RUN) tests/checks/slim.sh '$(VENDOR)' '$(PARTS)'
html:
	@$(RUN) tests/checks/html.sh
format:
	clang-format -i $$(git ls-files '*.h' '*.c' '*.cc')
clean:
	rm -rf $(BUILD)

# Programs are rebuilt when the compiler or the flags given on the command line change.
$(BUILD)/config: FORCE
	@mkdir -p $(BUILD)
	@echo '$(CC) $(CXX) $(CFLAGS) $(WERROR)' | cmp -s - $@ || \
	    echo '$(CC) $(CXX) $(CFLAGS) $(WERROR)' >$@

# ---- the tools ------------------------------------------------------------------------------

pc   = $(shell pkg-config --exists $(1) 2>/dev/null && echo $(2) && pkg-config --cflags --libs $(1))
ZLIB = $(call pc,zlib,-DDUMP_ZLIB)

# A warning that a later compiler adds must not keep anybody from the tool; `make examples` builds
# it with warnings as errors.
$(BUILD)/gpucmd-dump: examples/gpucmd-dump/gpucmd-dump.c $(HEADERS) \
    $(wildcard examples/gpucmd-dump/*.h) $(BUILD)/config \
    $(BUILD)/nv_methods.txt
	$(CC) $(CFLAGS) -std=c99 $(filter-out -Werror,$(warn.$(KIND))) -I. $(filter-out -l%,$(ZLIB)) \
	    -o $@ $< $(filter -l%,$(ZLIB))
$(BUILD)/nv_methods.txt: examples/gpucmd-dump/nv_methods.txt $(BUILD)/config
	cp examples/gpucmd-dump/nv_methods.txt $@

# The manual page has the text of the help pages.
$(BUILD)/gpucmd-dump.1: $(BUILD)/gpucmd-dump examples/gpucmd-dump/man.awk
	for p in '' $$($< --help | sed -n 's/^  gpucmd-dump \([a-z0-9]*\) --help.*/\1/p'); do \
	    echo "@$$p" && $< $$p --help || exit 1; done | \
	    awk -v version=$(VERSION) -f examples/gpucmd-dump/man.awk >$@

# The tool as one file for a browser: WebAssembly of the same sources, and the page around it.
WASM_CC ?= clang
$(BUILD)/gpucmd.wasm: examples/page/session.c $(HEADERS) $(wildcard examples/gpucmd-dump/*.[ch]) \
    $(BUILD)/config
	$(WASM_CC) --target=wasm32-wasi -mexec-model=reactor -O2 -std=c99 -I. -DDUMP_NO_FILES -Wall \
	    -Wextra -Wl,--strip-all,-z,stack-size=1048576 -o $@ $<
$(BUILD)/gpucmd.html: $(BUILD)/gpucmd.wasm $(wildcard examples/page/* examples/page/samples/*) \
    examples/gpucmd-dump/nv_methods.txt
	$(SHELL) examples/page/build.sh $@ $<
page: $(BUILD)/gpucmd.html

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

# ---- installing ---------------------------------------------------------------------------------

INCLUDEDIR = $(PREFIX)/include
LIBDIR     = $(PREFIX)/lib
BINDIR     = $(PREFIX)/bin
LIBEXECDIR = $(PREFIX)/libexec/gpucmd
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

# A rule's prerequisites are read at once: this file is before `install`.
include examples/gpucmd-run/run.mk

TOOLS      = gpucmd-dump $(if $(RUNNER_BUILT),gpucmd-run)
NODES      = $(HEADERS:%=$(INCLUDEDIR)/%) $(PCDIR)/gpucmd.pc $(CMAKEDIR) $(DATADIR) $(LIBEXECDIR) \
             $(foreach t,gpucmd-dump gpucmd-run,$(BINDIR)/$(t) $(MANDIR)/$(t).1 $(BASHDIR)/$(t) \
             $(ZSHDIR)/_$(t)) $(addprefix $(LIBDIR)/,libgpucmd.a libgpucmd.so $(SONAME) $(REAL))

# Headers, package files, the tools; the library and the page if `make lib` and `make page` have built
# them.
install: all $(TOOLS:%=$(BUILD)/%.1)
	for d in '$(INCLUDEDIR)' '$(LIBDIR)' '$(BINDIR)' '$(LIBEXECDIR)' '$(PCDIR)' '$(CMAKEDIR)' \
	    '$(MANDIR)' '$(DATADIR)' '$(BASHDIR)' '$(ZSHDIR)'; do \
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
	for t in $(TOOLS); do \
	    $(INSTALL) 755 $(BUILD)/$$t '$(DESTDIR)$(BINDIR)' && \
	    $(INSTALL) 644 $(BUILD)/$$t.1 '$(DESTDIR)$(MANDIR)' && \
	    $(INSTALL) 644 examples/$$t/$$t.bash "$(DESTDIR)$(BASHDIR)/$$t" && \
	    $(INSTALL) 644 examples/$$t/_$$t '$(DESTDIR)$(ZSHDIR)' || exit 1; done
	$(INSTALL) 644 examples/gpucmd-dump/nv_methods.txt '$(DESTDIR)$(DATADIR)'
	if test -f $(BUILD)/gpucmd.html; then \
	    $(INSTALL) 644 $(BUILD)/gpucmd.html '$(DESTDIR)$(DATADIR)'; fi
	$(if $(RUNNER_BUILT),$(INSTALL) 755 $(BUILD)/gpucmd-run.so '$(DESTDIR)$(LIBEXECDIR)')
	if test -f $(LIB)/$(REAL); then \
	    $(INSTALL) 644 $(LIB)/libgpucmd.a $(LIB)/$(REAL) '$(DESTDIR)$(LIBDIR)' && \
	    cp -P $(LIB)/$(SONAME) $(LIB)/libgpucmd.so '$(DESTDIR)$(LIBDIR)'; fi
uninstall:
	for f in $(NODES); do rm -rf "$(DESTDIR)$$f"; done

-include tests/tests.mk

.PHONY: all help demo check slim html page format clean lib install uninstall FORCE
