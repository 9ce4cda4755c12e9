/* What captured batches store: batch, number of stores, then address, bytes,
 * kind and value of the last store to each address. A separate script has read
 * them from the words of the captures, with the tables of lengths and fields of
 * the facts. The value of a CLOCK is the number of the command in its batch,
 * from 0. */
#ifndef GPUCMD_TEST_I915_STORES_H
#define GPUCMD_TEST_I915_STORES_H

/* clang-format off */
#define I915_STORES(BATCH, PLACE)                                                                  \
    BATCH( "gl_mix-gm45/001.bin", 2, 2 )                                                           \
        PLACE( 0x000000125010, 8, DEPTH, 0x0 )                                                     \
        PLACE( 0x000000125018, 8, DEPTH, 0x0 )                                                     \
    BATCH( "gl_mix-hsw/000.bin", 4, 2 )                                                            \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x000000119000, 8, VALUE, 0x1 )                                                     \
    BATCH( "gl_mix-hsw/001.bin", 7, 5 )                                                            \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x000000119000, 8, VALUE, 0x2 )                                                     \
        PLACE( 0x000000121008, 8, VALUE, 0x1 )                                                     \
        PLACE( 0x000000121010, 8, DEPTH, 0x0 )                                                     \
        PLACE( 0x000000121018, 8, DEPTH, 0x0 )                                                     \
    BATCH( "gl_mix-hsw/002.bin", 1, 1 )                                                            \
        PLACE( 0x0000002b1000, 8, VALUE, 0x1 )                                                     \
    BATCH( "gl_mix-hsw/003.bin", 7, 5 )                                                            \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x000000119000, 8, VALUE, 0x3 )                                                     \
        PLACE( 0x000000121028, 8, VALUE, 0x1 )                                                     \
        PLACE( 0x000000121030, 8, CLOCK, 0x0 )                                                     \
        PLACE( 0x000000121038, 8, CLOCK, 0x31 )                                                    \
    BATCH( "gl_mix-hsw/004.bin", 4, 2 )                                                            \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x000000119000, 8, VALUE, 0x4 )                                                     \
    BATCH( "gl_mix-hsw/005.bin", 4, 2 )                                                            \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x0000002b1000, 8, VALUE, 0x2 )                                                     \
    BATCH( "gl_mix-skl/000.bin", 11, 2 )                                                           \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gl_mix-skl/001.bin", 1, 1 )                                                            \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x2 )                                                     \
    BATCH( "gl_mix-skl/002.bin", 5, 5 )                                                            \
        PLACE( 0xfffefffd5008, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffd5010, 8, DEPTH, 0x0 )                                                     \
        PLACE( 0xfffefffd5018, 8, DEPTH, 0x0 )                                                     \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x3 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gl_mix-skl/003.bin", 3, 2 )                                                            \
        PLACE( 0xfffefffed000, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gl_mix-skl/004.bin", 6, 5 )                                                            \
        PLACE( 0xfffefffd5028, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffd5030, 8, CLOCK, 0x0 )                                                     \
        PLACE( 0xfffefffd5038, 8, CLOCK, 0x32 )                                                    \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x4 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gl_mix-skl/005.bin", 1, 1 )                                                            \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x5 )                                                     \
    BATCH( "gl_mix-skl/006.bin", 5, 2 )                                                            \
        PLACE( 0xfffefffed000, 8, VALUE, 0x2 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-bdw/000.bin", 6, 2 )                                                         \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-bdw/001.bin", 1, 1 )                                                         \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x2 )                                                     \
    BATCH( "gles2_tri-bdw/002.bin", 2, 2 )                                                         \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x3 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-bdw/003.bin", 3, 2 )                                                         \
        PLACE( 0xfffefffed000, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-hsw/000.bin", 4, 2 )                                                         \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x00000021c000, 8, VALUE, 0x1 )                                                     \
    BATCH( "gles2_tri-hsw/001.bin", 4, 2 )                                                         \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x00000021c000, 8, VALUE, 0x2 )                                                     \
    BATCH( "gles2_tri-hsw/002.bin", 4, 2 )                                                         \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x00000021c000, 8, VALUE, 0x3 )                                                     \
    BATCH( "gles2_tri-hsw/003.bin", 1, 1 )                                                         \
        PLACE( 0x00000022a000, 8, VALUE, 0x1 )                                                     \
    BATCH( "gles2_tri-icl/000.bin", 9, 4 )                                                         \
        PLACE( 0xfffeffc05000, 8, VALUE, 0x3f00808100000000 )                                      \
        PLACE( 0xfffeffc05008, 8, VALUE, 0x3f8000003f3fbfc0 )                                      \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-icl/001.bin", 6, 4 )                                                         \
        PLACE( 0xfffeffc05000, 8, VALUE, 0x3f0080813e808081 )                                      \
        PLACE( 0xfffeffc05008, 8, VALUE, 0x3f8000003f3fbfc0 )                                      \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x2 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-icl/002.bin", 6, 4 )                                                         \
        PLACE( 0xfffeffc05000, 8, VALUE, 0x3f0080813f008081 )                                      \
        PLACE( 0xfffeffc05008, 8, VALUE, 0x3f8000003f3fbfc0 )                                      \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x3 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-icl/003.bin", 3, 2 )                                                         \
        PLACE( 0xfffefffed000, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-ivb/000.bin", 9, 2 )                                                         \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x00000021c000, 8, VALUE, 0x1 )                                                     \
    BATCH( "gles2_tri-ivb/001.bin", 4, 2 )                                                         \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x00000021c000, 8, VALUE, 0x2 )                                                     \
    BATCH( "gles2_tri-ivb/002.bin", 7, 2 )                                                         \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x00000021c000, 8, VALUE, 0x3 )                                                     \
    BATCH( "gles2_tri-ivb/003.bin", 1, 1 )                                                         \
        PLACE( 0x00000022a000, 8, VALUE, 0x1 )                                                     \
    BATCH( "gles2_tri-skl/000.bin", 14, 4 )                                                        \
        PLACE( 0x0001ff7ef130, 8, VALUE, 0x3f00808100000000 )                                      \
        PLACE( 0x0001ff7ef138, 8, VALUE, 0x3f8000003f3fbfc0 )                                      \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-skl/001.bin", 6, 2 )                                                         \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x2 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-skl/002.bin", 9, 4 )                                                         \
        PLACE( 0x0001ff7ef130, 8, VALUE, 0x3f0080813f008081 )                                      \
        PLACE( 0x0001ff7ef138, 8, VALUE, 0x3f8000003f3fbfc0 )                                      \
        PLACE( 0xfffeffffe000, 8, VALUE, 0x3 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-skl/003.bin", 3, 2 )                                                         \
        PLACE( 0xfffefffed000, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-snb/000.bin", 6, 1 )                                                         \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-snb/001.bin", 4, 1 )                                                         \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-snb/002.bin", 6, 1 )                                                         \
        PLACE( 0x000000107060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-tgl/000.bin", 15, 6 )                                                        \
        PLACE( 0xfffeffc11000, 4, VALUE, 0x0 )                                                     \
        PLACE( 0xfffeffc11004, 4, VALUE, 0x3f008081 )                                              \
        PLACE( 0xfffeffc11008, 4, VALUE, 0x3f3fbfc0 )                                              \
        PLACE( 0xfffeffc1100c, 4, VALUE, 0x3f800000 )                                              \
        PLACE( 0xfffeffefe000, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffeffeff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-tgl/001.bin", 10, 6 )                                                        \
        PLACE( 0xfffeffc11000, 4, VALUE, 0x3e808081 )                                              \
        PLACE( 0xfffeffc11004, 4, VALUE, 0x3f008081 )                                              \
        PLACE( 0xfffeffc11008, 4, VALUE, 0x3f3fbfc0 )                                              \
        PLACE( 0xfffeffc1100c, 4, VALUE, 0x3f800000 )                                              \
        PLACE( 0xfffeffefe000, 8, VALUE, 0x2 )                                                     \
        PLACE( 0xfffeffeff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-tgl/002.bin", 11, 6 )                                                        \
        PLACE( 0xfffeffc11000, 4, VALUE, 0x3f008081 )                                              \
        PLACE( 0xfffeffc11004, 4, VALUE, 0x3f008081 )                                              \
        PLACE( 0xfffeffc11008, 4, VALUE, 0x3f3fbfc0 )                                              \
        PLACE( 0xfffeffc1100c, 4, VALUE, 0x3f800000 )                                              \
        PLACE( 0xfffeffefe000, 8, VALUE, 0x3 )                                                     \
        PLACE( 0xfffeffeff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "gles2_tri-tgl/003.bin", 3, 2 )                                                         \
        PLACE( 0xfffeffeed000, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffeffeff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "vk_xfer_compute-hsw/001.bin", 11, 8 )                                                  \
        PLACE( 0x000000102060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x00000014b000, 8, VALUE, 0x3 )                                                     \
        PLACE( 0x000000188000, 4, VALUE, 0x1 )                                                     \
        PLACE( 0x000000188004, 4, VALUE, 0x0 )                                                     \
        PLACE( 0x000000188008, 4, CLOCK_LOW, 0x8 )                                                 \
        PLACE( 0x00000018800c, 4, CLOCK_HIGH, 0x0 )                                                \
        PLACE( 0x000000188010, 8, VALUE, 0x1 )                                                     \
        PLACE( 0x000000188018, 8, CLOCK, 0x9b )                                                    \
    BATCH( "vk_xfer_compute-hsw/002.bin", 11, 8 )                                                  \
        PLACE( 0x000000102060, 8, VALUE, 0x0 )                                                     \
        PLACE( 0x00000014b000, 8, VALUE, 0x3 )                                                     \
        PLACE( 0x000000188000, 4, VALUE, 0x1 )                                                     \
        PLACE( 0x000000188004, 4, VALUE, 0x0 )                                                     \
        PLACE( 0x000000188008, 4, CLOCK_LOW, 0x8 )                                                 \
        PLACE( 0x00000018800c, 4, CLOCK_HIGH, 0x0 )                                                \
        PLACE( 0x000000188010, 8, VALUE, 0x1 )                                                     \
        PLACE( 0x000000188018, 8, CLOCK, 0x21 )                                                    \
    BATCH( "vk_xfer_compute-skl/001.bin", 10, 7 )                                                  \
        PLACE( 0x0000c0044000, 8, VALUE, 0x3 )                                                     \
        PLACE( 0xfffefffdb000, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffdb008, 4, CLOCK_LOW, 0x8 )                                                 \
        PLACE( 0xfffefffdb00c, 4, CLOCK_HIGH, 0x0 )                                                \
        PLACE( 0xfffefffdb010, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffdb018, 8, CLOCK, 0xa8 )                                                    \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )                                                     \
    BATCH( "vk_xfer_compute-skl/002.bin", 10, 7 )                                                  \
        PLACE( 0x0000c0044000, 8, VALUE, 0x3 )                                                     \
        PLACE( 0xfffefffdb000, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffdb008, 4, CLOCK_LOW, 0x8 )                                                 \
        PLACE( 0xfffefffdb00c, 4, CLOCK_HIGH, 0x0 )                                                \
        PLACE( 0xfffefffdb010, 8, VALUE, 0x1 )                                                     \
        PLACE( 0xfffefffdb018, 8, CLOCK, 0x1a )                                                    \
        PLACE( 0xfffefffff060, 8, VALUE, 0x0 )
/* clang-format on */

#endif /* GPUCMD_TEST_I915_STORES_H */
