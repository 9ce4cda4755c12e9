# Real drivers on the devices of gpucmd-run; README.md next to this file describes it.

CLIENTS      := $(BUILD)/clients
CLIENTS_PROGRAMS := $(patsubst tests/clients/programs/%.c,%,$(sort $(wildcard tests/clients/programs/*.c)))

clients-libs.gl := -lEGL -lGL
clients-libs.gles2 := -lEGL -lGLESv2
clients-libs.vk := -lvulkan
clients-libs.cl := -lOpenCL
clients-libs.gl_share := -lEGL -lGLESv2

$(CLIENTS)/programs/%: tests/clients/programs/%.c $(wildcard tests/clients/programs/*.h) \
                       $(BUILD)/config
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(warn.$(KIND)) -isystem /usr/include/libdrm -o $@ $< \
	    $(or $(clients-libs.$*),$(clients-libs.$(firstword $(subst _, ,$*))))

clients-build: gpucmd-run $(CLIENTS_PROGRAMS:%=$(CLIENTS)/programs/%)

clients:
	@ONLY='$(ONLY)' $(RUN) tests/clients/matrix.sh

# All GPUs of each row: also those after "/".
clients-full:
	@FULL=1 ONLY='$(ONLY)' $(RUN) tests/clients/matrix.sh

# The drivers of newer suites of Debian, which are unpacked below the build folder.
clients-today:
	@for suite in trixie trixie-backports; do \
	    SUITE=$$suite ONLY='$(ONLY)' $(RUN) tests/clients/matrix.sh || exit 1; \
	done

.PHONY: clients clients-full clients-today clients-build
