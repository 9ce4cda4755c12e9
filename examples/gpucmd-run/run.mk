# gpucmd-run: the runner, and the preload library with the emulated devices.

RUNNER_DIR   := examples/gpucmd-run
RUNNER_LACKS := $(if $(filter-out Linux-x86_64,$(shell uname -sm | tr ' ' -)),Linux on \
                    x86-64,$(if $(wildcard /usr/include/libdrm/i915_drm.h),,libdrm-dev))
RUNNER_BUILT := $(if $(RUNNER_LACKS),,$(BUILD)/gpucmd-run $(BUILD)/gpucmd-run.so)
RUNNER_MAIN  := $(RUNNER_DIR)/runner.c $(RUNNER_DIR)/tree.c
RUNNER_OBJ   := $(patsubst $(RUNNER_DIR)/%.c,$(BUILD)/run/%.o,$(filter-out $(RUNNER_MAIN), \
                    $(sort $(wildcard $(RUNNER_DIR)/*.c))))
RUNNER_DEPS  := $(HEADERS) $(wildcard $(RUNNER_DIR)/*.h) $(RUNNER_DIR)/run.mk $(BUILD)/config
RUNNER_C      = $(CC) -std=c11 -D_GNU_SOURCE -U_FORTIFY_SOURCE $(CFLAGS) \
                $(filter-out -Werror,$(warn.$(KIND))) -I.

gpucmd-run: $(RUNNER_BUILT)
	@$(if $(RUNNER_LACKS),echo 'gpucmd-run is not built: it needs $(RUNNER_LACKS)',:)

$(RUNNER_OBJ): $(BUILD)/run/%.o: $(RUNNER_DIR)/%.c $(RUNNER_DEPS)
	@mkdir -p $(@D)
	$(RUNNER_C) -fPIC -fvisibility=hidden -pthread -c -o $@ $<
$(BUILD)/gpucmd-run.so: $(RUNNER_OBJ)
	$(CC) -shared -pthread -Wl,-z,defs -o $@ $^ -ldl
$(BUILD)/gpucmd-run: $(RUNNER_MAIN) $(RUNNER_DEPS)
	$(RUNNER_C) -o $@ $(RUNNER_MAIN) -ldl

# The manual page has the text of the help.
$(BUILD)/gpucmd-run.1: $(BUILD)/gpucmd-run $(RUNNER_DIR)/man.awk
	$< --help | awk -v version=$(VERSION) -f $(RUNNER_DIR)/man.awk >$@

.PHONY: gpucmd-run
