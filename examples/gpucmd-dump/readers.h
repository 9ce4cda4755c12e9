/* readers.h - the table of readers, for gpucmd-dump.c: each recognises and reads some formats. */
#ifndef DUMP_READERS_H
#define DUMP_READERS_H

#include "array.h"
#include "base.h"
#include "bytes.h"
#include "decoded.h"
#include "digits.h"
#include "error.h"
#include "events.h"
#include "hex.h"
#include "intel_log.h"
#include "lines.h"
#include "push.h"
#include "reader.h"
#include "settings.h"
#include "stream.h"
#include "text.h"
#include "words.h"
#include "xe.h"

/* ---- the table ---- */

/* To add a format, write its functions in a part, add a row and its place in readers, and add a
 * sample to tests/data/dumps. */

/* What --input names besides: no reader of text. */
static const reader auto_format = {.names = "auto", .vendors = "nv i915 agx"};
static const reader raw_format = {.names = "raw", .vendors = "nv i915 agx"};
static const reader notation_format = {.names = "notation", .vendors = "agx"};

static const reader error_format = {
    .names = "i915-error",
    .also = "i915-error-hex|i915-error-ascii85",
    .vendors = "i915",
    .rank = RANK_FRAME,
    .recognise = recognise_error,
    .lines = read_error,
    .titled = true,
    .whole = true,
    .help = "error states of i915 (/sys/class/drm/card0/error) of all kernels: words in hex,\n"
            "in quads, in ASCII85, compressed (zlib)",
    .samples = "i915_error_3.9_snb.txt",
};

static const reader xe_format = {
    .names = "xe-devcoredump",
    .vendors = "i915",
    .rank = RANK_FRAME,
    .recognise = recognise_xe,
    .lines = read_xe,
    .titled = true,
    .whole = true,
    .help = "device coredumps of xe",
    .samples = "xe_devcoredump_tgl.txt",
};

static const reader intel_log_format = {
    .names = "i915-log",
    .also = "xe-log",
    .vendors = "i915",
    .rank = RANK_LOG,
    .recognise = recognise_intel_log,
    .begin = begin_intel_log,
    .lines = read_intel_log,
    .end = end_intel_log,
    .state_bytes = sizeof(intel_log),
    .titled = true,
    .help = "kernel logs of i915, xe and gvt, registers of an engine: explained; the rings of an\n"
            "engine dump and the pages of gvt are streams",
    .samples = "i915_engine_dump_skl.txt",
};

static const reader mesa_push_format = {
    .names = "mesa-push",
    .vendors = "nv",
    .rank = RANK_FRAME,
    .recognise = recognise_mesa_push,
    .begin = begin_pushes,
    .lines = read_pushes,
    .end = end_pushes,
    .state_bytes = sizeof(push_reader),
    .titled = true,
    .help = "NVK_DEBUG=push; the text of a rejected pushbuffer since Mesa 24.2",
    .samples = "nvk_push_tu102.txt",
};

static const reader libdrm_push_format = {
    .names = "libdrm-pushbuf",
    .vendors = "nv",
    .rank = RANK_FRAME,
    .recognise = recognise_libdrm_push,
    .begin = begin_pushes,
    .lines = read_pushes,
    .end = end_pushes,
    .state_bytes = sizeof(push_reader),
    .titled = true,
    .help = "the words of a pushbuffer that the kernel rejected",
    .samples = "nouveau_rejected_new.txt",
};

static const reader xid_format = {
    .names = "nvidia-xid",
    .vendors = "nv",
    .rank = RANK_LOG,
    .recognise = recognise_xid,
    .lines = read_events,
    .titled = true,
    .help = "NVRM: Xid lines that name a method: explained, no stream",
    .samples = "nvidia_xid13_69.txt",
};

static const reader nvgpu_format = {
    .names = "nvgpu-debug",
    .vendors = "nv",
    .rank = RANK_LOG,
    .recognise = recognise_nvgpu,
    .lines = read_events,
    .titled = true,
    .help = "channel state of nvgpu: explained, no stream",
    .samples = "nvgpu_gk20a_debug.txt",
};

static const reader nouveau_format = {
    .names = "nouveau-log",
    .vendors = "nv",
    .rank = RANK_LOG,
    .recognise = recognise_nouveau,
    .lines = read_events,
    .titled = true,
    .help = "DMA_PUSHER, PBDMA, CACHE_ERROR, DATA_ERROR lines: explained, no stream",
    .samples = "nouveau_dmesg_pbdma.txt",
};

static const reader mesa_bat_format = {
    .names = "mesa-bat",
    .vendors = "i915",
    .rank = RANK_FRAME,
    .recognise = recognise_mesa_bat,
    .begin = begin_decoded,
    .lines = read_decoded,
    .end = end_decoded,
    .state_bytes = sizeof(decoded_reader),
    .help = "INTEL_DEBUG=bat: the first word of each command",
    .samples = "intel_debug_bat_skl.txt",
};

static const reader igt_decode_format = {
    .names = "igt-decode",
    .vendors = "i915",
    .rank = RANK_FRAME,
    .recognise = recognise_igt_decode,
    .begin = begin_decoded,
    .lines = read_decoded,
    .end = end_decoded,
    .state_bytes = sizeof(decoded_reader),
    .help = "output of intel_dump_decode, intel_error_decode",
    .samples = "igt_decode_hsw.txt",
};

static const reader igt_hex_format = {
    .names = "igt-hex",
    .vendors = "i915",
    .rank = RANK_ROWS,
    .recognise = recognise_igt_hex,
    .lines = read_igt_hex,
    .help = "input of intel_dump_decode: 00000010 :  7a000003",
    .samples = "igt_dump_decode_input_hsw.txt",
};

static const reader digits_format = {
    .names = "xxd-p",
    .vendors = "nv i915 agx",
    .rank = RANK_BARE,
    .recognise = recognise_digits,
    .begin = begin_digits,
    .lines = read_digits,
    .end = end_digits,
    .is_open = digits_are_open,
    .state_bytes = sizeof(digits_reader),
    .help = "hex digits without blanks",
    .samples = "xxd_p_gf100.txt",
};

static const reader hex_format = {
    .names = "xxd|xxd-e|hexdump|hexdump-C|od|gdb",
    .vendors = "nv i915 agx",
    .rank = RANK_ROWS,
    .recognise = recognise_rows,
    .begin = begin_rows,
    .lines = read_rows,
    .end = end_rows,
    .is_open = rows_are_open,
    .state_bytes = sizeof(hex_reader),
    .help = "dumps with addresses; od with -t x1, x2, x4, x8 or octal; gdb x/xw, x/xb",
    .samples = "xxd_skl.txt|xxd_e_gk104.txt|hexdump_plain_gm107.txt|hexdump_C_tu102.txt|"
               "od_tx4_star_skl.txt|gdb_xw_hsw.txt",
};

static const reader array_format = {
    .names = "c-array|xxd-i|rust-array|python-list|json-array|gdb-print|hex-list",
    .vendors = "nv i915 agx",
    .rank = RANK_BARE,
    .recognise = recognise_array,
    .lines = read_array,
    .is_open = array_is_open,
    .whole = true,
    .help = "numbers in brackets: hex, decimal, octal; bytes or words by the declaration;\n"
            "hex without 0x, as Go and Rust print slices",
    .samples = "c_array_decimals_tu102.c|xxd_i_hsw_blt.txt|rust_array_gk104.rs|"
               "python_list_skl_blt.txt|json_array_tu102.json|gdb_p_gf100.txt|"
               "rust_debug_skl_blt.txt",
};

static const reader string_format = {
    .names = "python-bytes", /* which recognise_array finds */
    .vendors = "nv i915 agx",
    .rank = RANK_BARE,
    .lines = read_escaped,
    .whole = true,
    .help = "a string with escapes such as \\x06",
    .samples = "python_bytes_gf100.txt",
};

static const reader base64_format = {
    .names = "base64",
    .vendors = "nv i915 agx",
    .rank = RANK_BARE,
    .recognise = recognise_base64,
    .begin = begin_base64,
    .lines = read_base64,
    .end = end_base64,
    .state_bytes = sizeof(digits_reader),
    .help = "bytes",
    .samples = "base64_gk104.txt",
};

static const reader words_format = {
    .names = "hex-words",
    .also = "hex|hexdump-e",
    .vendors = "nv i915 agx",
    .rank = RANK_BARE,
    .recognise = recognise_words,
    .begin = begin_words,
    .lines = read_words,
    .end = end_words,
    .is_open = words_are_open,
    .state_bytes = sizeof(words_reader),
    .help = "hex words in any text, see below",
    .samples = "dmesg_hexlines_gf100.txt",
};

/* All rows, in the order in which a text is tried. The last one reads any text. */
static const reader *const readers[] = {
    &auto_format,      &raw_format,         &notation_format,   &error_format,   &xe_format,
    &mesa_push_format, &libdrm_push_format, &xid_format,        &nvgpu_format,   &nouveau_format,
    &intel_log_format, &mesa_bat_format,    &igt_decode_format, &igt_hex_format, &digits_format,
    &hex_format,       &array_format,       &string_format,     &base64_format,  &words_format,
};

enum { READERS = sizeof readers / sizeof readers[0] };

/* Return the reader of a format; a name without a row is that of any text. */
static const reader *find_reader(const char *name)
{
    for (size_t i = 0; i < READERS; i++) {
        if (list_has(readers[i]->names, name) || list_has(readers[i]->also, name)) {
            return readers[i];
        }
    }
    return &words_format;
}

#endif
