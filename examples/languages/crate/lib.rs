//! gpucmd for Rust without its standard library: bindings in `sys`, and safe types for what a
//! driver uses first.
//!
//! The bindings come from bindgen as in the kernel (`--use-core`). The functions, also the inline
//! ones, are symbols of libgpucmd, which is one C file that includes the headers with
//! GPUCMD_EXTERN. See Makefile.
#![no_std]
#![deny(unsafe_op_in_unsafe_fn)]

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::{fmt, slice, str};

/// Types of C, for `bindgen --ctypes-prefix crate::ffi`. A kernel has a crate of this name.
#[allow(non_camel_case_types, missing_docs)]
pub mod ffi {
    pub use core::ffi::c_void;
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    pub type c_char = i8;
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    pub type c_char = u8;
    pub type c_schar = i8;
    pub type c_uchar = u8;
    pub type c_short = i16;
    pub type c_ushort = u16;
    pub type c_int = i32;
    pub type c_uint = u32;
    #[cfg(target_pointer_width = "64")]
    pub type c_long = i64;
    #[cfg(target_pointer_width = "64")]
    pub type c_ulong = u64;
    #[cfg(not(target_pointer_width = "64"))]
    pub type c_long = i32;
    #[cfg(not(target_pointer_width = "64"))]
    pub type c_ulong = u32;
    pub type c_longlong = i64;
    pub type c_ulonglong = u64;
}

/// Every declaration of the headers, and the macros that bindgen does not see.
#[allow(dead_code, non_camel_case_types, non_upper_case_globals, non_snake_case, missing_docs)]
#[allow(clippy::all, unused_qualifications)]
pub mod sys {
    include!(env!("GPUCMD_BINDINGS"));
    include!(env!("GPUCMD_CONSTANTS"));
}

/// A status of the library that is not GPUCMD_OK.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error(sys::gpucmd_status);

impl Error {
    /// The number of the status.
    pub fn status(self) -> sys::gpucmd_status {
        self.0
    }

    /// The text of the status.
    pub fn text(self) -> &'static str {
        unsafe { text_of(sys::gpucmd_status_text(self.0)) }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A string of the library: ASCII, constant.
unsafe fn text_of(s: *const ffi::c_char) -> &'static str {
    let mut n = 0;
    unsafe {
        while *s.add(n) != 0 {
            n += 1;
        }
        str::from_utf8(slice::from_raw_parts(s as *const u8, n)).unwrap_or("")
    }
}

fn check(status: sys::gpucmd_status) -> Result<(), Error> {
    if status == sys::GPUCMD_OK { Ok(()) } else { Err(Error(status)) }
}

/// A chip of NVIDIA.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chip(sys::gpucmd_nv_chip);

impl Chip {
    /// GeForce RTX 30.
    pub const GA102: Chip = Chip(sys::GPUCMD_NV_CHIP_GA102);

    /// The chip of this name, for example "GH100".
    pub fn find(name: &str) -> Option<Chip> {
        (0..sys::GPUCMD_NV_CHIP_COUNT as sys::gpucmd_nv_chip)
            .find(|&c| unsafe { text_of(sys::gpucmd_nv_chip_name(c)) } == name)
            .map(Chip)
    }
}

/// A generation of Intel's GPUs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gen(sys::gpucmd_i915_gen);

impl Gen {
    /// Skylake to Comet Lake.
    pub const GEN9: Gen = Gen(sys::GPUCMD_I915_GEN9);
}

/// A writer on words of the caller, which it borrows. It keeps the first failure.
pub struct Writer<'a> {
    raw: sys::gpucmd_writer,
    words: PhantomData<&'a mut [u32]>,
}

impl<'a> Writer<'a> {
    /// Write into `words`.
    pub fn new(words: &'a mut [u32]) -> Self {
        let mut raw = MaybeUninit::uninit();
        let raw = unsafe {
            sys::gpucmd_writer_init(raw.as_mut_ptr(), words.as_mut_ptr(), words.len() as _);
            raw.assume_init()
        };
        Writer { raw, words: PhantomData }
    }

    /// Store nothing and count: `finish` returns the size of the stream.
    pub fn measure() -> Writer<'static> {
        let mut raw = MaybeUninit::uninit();
        let raw = unsafe {
            sys::gpucmd_writer_init(raw.as_mut_ptr(), core::ptr::null_mut(), 0);
            raw.assume_init()
        };
        Writer { raw, words: PhantomData }
    }

    /// The size of the stream in words, or the first failure.
    pub fn finish(self) -> Result<usize, Error> {
        let mut len_dw = 0;
        check(unsafe { sys::gpucmd_writer_finish(&self.raw, &mut len_dw) })?;
        Ok(len_dw as usize)
    }

    /// NVIDIA: data words for methods that increase, from `mthd` on.
    pub fn nv_inc(&mut self, subc: u32, mthd: u32, data: &[u32]) -> &mut Self {
        unsafe { sys::gpucmd_nv_emit_inc(&mut self.raw, subc, mthd, data.as_ptr(), data.len() as _) };
        self
    }

    /// NVIDIA: one method whose data of 13 bits is part of the header.
    pub fn nv_immd(&mut self, subc: u32, mthd: u32, data: u32) -> &mut Self {
        unsafe { sys::gpucmd_nv_emit_immd(&mut self.raw, subc, mthd, data) };
        self
    }

    /// Intel: store 32 bits at `va`.
    pub fn i915_store_data_imm(&mut self, gen: Gen, va: u64, value: u32) -> &mut Self {
        unsafe { sys::gpucmd_i915_emit_mi_store_data_imm(&mut self.raw, gen.0, 0, va, value) };
        self
    }

    /// Intel: the end of a batch.
    pub fn i915_batch_buffer_end(&mut self, gen: Gen) -> &mut Self {
        unsafe { sys::gpucmd_i915_emit_mi_batch_buffer_end(&mut self.raw, gen.0, 0) };
        self
    }
}

/// Call `line` with the text of each command in `words`.
pub fn nv_print(chip: Chip, words: &[u32], mut line: impl FnMut(&str)) -> Result<(), Error> {
    let mut buf = [0u8; 512];
    unsafe {
        let mut gate = MaybeUninit::uninit();
        check(sys::gpucmd_nv_gate_init(gate.as_mut_ptr(), chip.0, true, true, sys::GPUCMD_NV_FMT_NEW))?;
        let gate = gate.assume_init();
        let mut walk = MaybeUninit::zeroed().assume_init();
        sys::gpucmd_nv_walk_init(&mut walk, &gate, words.as_ptr(), words.len() as _);
        let mut cmd: sys::gpucmd_nv_cmd = MaybeUninit::zeroed().assume_init();
        while sys::gpucmd_nv_walk_next(&mut walk, &mut cmd) {
            let first = cmd.data.sub(cmd.head_dw as usize);
            let off_bytes = first as u64 - words.as_ptr() as u64;
            let mut text = MaybeUninit::zeroed().assume_init();
            sys::gpucmd_text_init(&mut text, buf.as_mut_ptr() as *mut ffi::c_char, buf.len() as _);
            sys::gpucmd_nv_print(&mut text, &gate, &cmd, off_bytes);
            check(sys::gpucmd_text_finish(&text))?;
            line(text_of(buf.as_ptr() as *const ffi::c_char));
        }
    }
    Ok(())
}
