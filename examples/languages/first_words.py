"""examples/01_first_words.c in Python: write words, print them, run them.

Debian package: python3-clang-14, for /usr/bin/python3.

    make lib
    python3 examples/languages/ctypes_module.py build/lib/libgpucmd.so *.h >gpucmd.py
    PYTHONPATH=. python3 examples/languages/first_words.py
"""
from gpucmd import *


@gpucmd_event_fn
def arrived(_user, event):
    e = event.contents
    for i in range(e.count_dw):
        mthd = gpucmd_nv_mthd_at(GPUCMD_NV_CHIP_GA102, e.code, e.addr, i)
        print(f"arrived: subchannel {e.unit}, method 0x{mthd:04x}, data 0x{e.data[i]:x}")
    return GPUCMD_OK


def expect(status):
    if status != GPUCMD_OK:
        raise SystemExit(gpucmd_status_text(status).decode())


# Step 1: write. The writer keeps the first failure.
words = (c_uint32 * 16)()
len_dw = c_size_t()
w = gpucmd_writer()
gpucmd_writer_init(w, words, 16)
gpucmd_nv_emit_inc1(w, 0, 0x0100, 7)
gpucmd_nv_emit_inc2(w, 4, 0x0400, 0x12, 0)
gpucmd_nv_emit_immd(w, 4, 0x0300, 0x182)
expect(gpucmd_writer_finish(w, len_dw))

# Step 2: decode and print.
lines = create_string_buffer(2048)
text, gate, walk, cmd = gpucmd_text(), gpucmd_nv_gate(), gpucmd_nv_walk(), gpucmd_nv_cmd()
expect(gpucmd_nv_gate_init(gate, GPUCMD_NV_CHIP_GA102, True, True, GPUCMD_NV_FMT_NEW))
gpucmd_text_init(text, lines, sizeof(lines))
gpucmd_nv_walk_init(walk, gate, words, len_dw)
while gpucmd_nv_walk_next(walk, cmd):
    first = addressof(cmd.data.contents) - 4 * cmd.head_dw
    gpucmd_nv_print(text, gate, cmd, first - addressof(words))
expect(gpucmd_text_finish(text))
print(lines.value.decode(), end="")

# Step 3: run. One IB entry at 0x1000 names the words at 0x2000.
ring = (c_uint32 * 4)()
regions = (gpucmd_region * 2)(
    (0x1000, sizeof(ring), addressof(ring), GPUCMD_ACCESS_READ),
    (0x2000, 4 * len_dw.value, addressof(words), GPUCMD_ACCESS_READ),
)
mem, env, pbdma = gpucmd_mem(), gpucmd_env(), gpucmd_nv_pbdma()
expect(gpucmd_nv_pbdma_init(pbdma, GPUCMD_NV_CHIP_GA102))
expect(gpucmd_mem_init(mem, regions, 2))
expect(gpucmd_nv_encode_entry(ring, GPUCMD_NV_CHIP_GA102, 0x2000, len_dw.value, 0))
pbdma.gp_base, pbdma.limit2, pbdma.gp_put = 0x1000, 1, 1
gpucmd_env_init(env, mem, arrived, None)
print("run:", gpucmd_run_name(gpucmd_nv_pbdma_run(pbdma, env, 1000)).decode())
