//! A user of the crate without `unsafe`: writes the words of examples/01_first_words.c and prints
//! them.
#![forbid(unsafe_code)]

use gpucmd::{nv_print, sys, Chip, Error, Gen, Writer};

fn main() -> Result<(), Error> {
    let mut words = [0u32; 16];
    let mut w = Writer::new(&mut words);
    w.nv_inc(0, 0x0100, &[7]).nv_inc(4, 0x0400, &[0x12, 0]).nv_immd(4, 0x0300, 0x182);
    let len_dw = w.finish()?;
    nv_print(Chip::find("GA102").unwrap_or(Chip::GA102), &words[..len_dw], |line| print!("{}", line))?;

    // A failure is a value; a stream is measured without a buffer.
    let mut small = [0u32; 2];
    let mut w = Writer::new(&mut small);
    w.i915_store_data_imm(Gen::GEN9, 0x10000, 7);
    assert_eq!(w.finish().unwrap_err().status(), sys::GPUCMD_FULL);
    let mut w = Writer::measure();
    w.i915_store_data_imm(Gen::GEN9, 0x10000, 7).i915_batch_buffer_end(Gen::GEN9);
    assert_eq!(w.finish()?, 5);

    // Macros that bindgen does not see.
    assert_eq!(sys::GPUCMD_NVGPU_VA_END, 0xff00000000);
    assert_eq!(sys::GPUCMD_DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, 0xc0406469);
    assert_eq!(sys::GPUCMD_DRM_ASAHI_BARRIER_NONE, 0xffff);
    assert_eq!(sys::GPUCMD_VERSION, 0x000100);
    Ok(())
}
