/* fuzz_dump_inflate.c - inflate.h of gpucmd-dump: packed data in one piece and in several give the same
 * bytes and the same end, within the room that is given.
 *   byte 0  bits 1:0 zlib, raw, gzip, either; bits 7:2 bytes of input and of output in a call
 *   then    the packed data */
#undef GPUCMD_STATIC /* the tool defines it */
int dump_main(int argc, char **argv);
#define main dump_main
#include "../../examples/gpucmd-dump/gpucmd-dump.c"
#undef main

#include "fuzz.h"

enum { ROOM = 1 << 16 };

/* Unpack with at most step bytes in and out at a time, 0: all. Return the last result. */
static int unpack_by(const uint8_t *data, size_t size, int bits, size_t step, uint8_t *out,
                     size_t *n)
{
    z_stream z;
    int result = Z_OK;
    size_t given = 0;
    memset(&z, 0, sizeof z);
    *n = 0;
    if (inflateInit2(&z, bits) != Z_OK) {
        return Z_OK;
    }
    z.next_in = (Bytef *)(uintptr_t)data;
    while (result == Z_OK && *n < ROOM) {
        const size_t more = lesser(size - given, step != 0 ? step : size);
        const size_t room = lesser(ROOM - *n, step != 0 ? step : ROOM);
        z.avail_in += (uInt)more;
        given += more;
        z.next_out = out + *n;
        z.avail_out = (uInt)room;
        const uInt before = z.avail_in;
        result = inflate(&z, Z_SYNC_FLUSH);
        must(z.avail_in <= before && z.avail_out <= room);
        must(z.next_in == data + (given - z.avail_in));
        *n += room - z.avail_out;
        if (z.avail_out == room && z.avail_in == before && given == size) {
            break; /* nothing moves */
        }
    }
    inflateEnd(&z);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int kinds[] = {15, -15, 15 + 16, 15 + 32};
    static uint8_t whole[ROOM];
    static uint8_t parts[ROOM];
    size_t n = 0;
    size_t m = 0;
    if (size < 2 || size > 16384) {
        return 0;
    }
    const int bits = kinds[data[0] & 3];
    const size_t step = 1 + (data[0] >> 2);
    const int a = unpack_by(data + 1, size - 1, bits, 0, whole, &n);
    const int b = unpack_by(data + 1, size - 1, bits, step, parts, &m);
    must(n == m && memcmp(whole, parts, n) == 0);
    must((a == Z_STREAM_END) == (b == Z_STREAM_END) || n == ROOM);
    return 0;
}

#define FUZZ_NAME "fuzz_dump_inflate"
#include "fuzz_main.h"
