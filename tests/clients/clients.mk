# Real, unmodified drivers on an emulated DRM device; README.md next to this file describes it.

CLIENTS      := $(BUILD)/clients
CLIENTS_SHIM := interpose paths files memory shared sync queue record report i915 i915_gem i915_detile i915_context i915_info i915_vm nouveau
CLIENTS_C    := -std=c11 -D_GNU_SOURCE -U_FORTIFY_SOURCE $(CFLAGS) $(warn.$(KIND)) \
                -I. -Itests/clients
CLIENTS_DEPS := $(HEADERS) $(wildcard tests/clients/*.h) tests/clients/clients.mk Makefile \
                $(BUILD)/config
CLIENTS_PROGRAMS := $(patsubst tests/clients/programs/%.c,%,$(sort $(wildcard tests/clients/programs/*.c)))

clients-libs.gl := -lEGL -lGL
clients-libs.gles2 := -lEGL -lGLESv2
clients-libs.vk := -lvulkan
clients-libs.cl := -lOpenCL
clients-libs.gl_share := -lEGL -lGLESv2

$(CLIENTS)/%.o: tests/clients/%.c $(CLIENTS_DEPS)
	@mkdir -p $(@D)
	$(CC) $(CLIENTS_C) -fPIC -fvisibility=hidden -pthread -c -o $@ $<

$(CLIENTS)/shim.so: $(CLIENTS_SHIM:%=$(CLIENTS)/%.o)
	$(CC) -shared -pthread -Wl,-z,defs -o $@ $^ -ldl

$(CLIENTS)/runner: tests/clients/runner.c tests/clients/tree.c $(CLIENTS_DEPS)
	@mkdir -p $(@D)
	$(CC) $(CLIENTS_C) -o $@ tests/clients/runner.c tests/clients/tree.c -ldl

$(CLIENTS)/programs/%: tests/clients/programs/%.c $(wildcard tests/clients/programs/*.h) \
                       $(BUILD)/config
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(CFLAGS) $(warn.$(KIND)) -isystem /usr/include/libdrm -o $@ $< \
	    $(or $(clients-libs.$*),$(clients-libs.$(firstword $(subst _, ,$*))))

clients-build: $(CLIENTS)/shim.so $(CLIENTS)/runner $(CLIENTS_PROGRAMS:%=$(CLIENTS)/programs/%)

clients:
	@ONLY='$(ONLY)' $(RUN) tests/clients/matrix.sh

# All GPUs of each row: also those after "/".
clients-full:
	@FULL=1 ONLY='$(ONLY)' $(RUN) tests/clients/matrix.sh

.PHONY: clients clients-full clients-build
