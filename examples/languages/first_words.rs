//! examples/01_first_words.c in Rust: write words, print them, run them.
//! Debian packages: rustc, bindgen.
//!
//!     make lib
//!     bindgen --allowlist-file '(.*/)?gpucmd.*' --blocklist-item '.*_(priv|PRIV)_.*' \
//!         gpucmd_nv.h -o gpucmd_nv.rs -- -DGPUCMD_EXTERN -DGPUCMD_IMPLEMENTATION
//!     GPUCMD_BINDINGS=$PWD/gpucmd_nv.rs rustc examples/languages/first_words.rs -L build/lib -l static=gpucmd

#[allow(dead_code, non_camel_case_types, non_upper_case_globals, non_snake_case)]
mod gpucmd {
    include!(env!("GPUCMD_BINDINGS"));
}
use gpucmd::*;
use std::ffi::{c_char, c_void, CStr};
use std::mem::{size_of_val, MaybeUninit};

unsafe extern "C" fn arrived(_user: *mut c_void, event: *const gpucmd_event) -> gpucmd_status {
    let e = unsafe { &*event };
    for i in 0..e.count_dw {
        let (mthd, data) = unsafe {
            (gpucmd_nv_mthd_at(CHIP, e.code as gpucmd_nv_kind, e.addr, i), *e.data.add(i as usize))
        };
        println!("arrived: subchannel {}, method 0x{:04x}, data 0x{:x}", e.unit, mthd, data);
    }
    OK
}

const CHIP: gpucmd_nv_chip = gpucmd_nv_chip_GPUCMD_NV_CHIP_GA102;
const OK: gpucmd_status = gpucmd_status_GPUCMD_OK;

fn text_of(s: *const c_char) -> String {
    unsafe { CStr::from_ptr(s) }.to_string_lossy().into_owned()
}

/// Turn a status into a result with its text.
fn check(status: gpucmd_status) -> Result<(), String> {
    if status == OK { Ok(()) } else { Err(text_of(unsafe { gpucmd_status_text(status) })) }
}

/// A structure that the next call fills.
fn empty<T>() -> T {
    unsafe { MaybeUninit::zeroed().assume_init() }
}

fn main() -> Result<(), String> {
    let mut words = [0u32; 16];
    let mut len_dw = 0;
    unsafe {
        // Step 1: write. The writer keeps the first failure.
        let mut w = empty();
        gpucmd_writer_init(&mut w, words.as_mut_ptr(), words.len() as _);
        gpucmd_nv_emit_inc1(&mut w, 0, 0x0100, 7);
        gpucmd_nv_emit_inc2(&mut w, 4, 0x0400, 0x12, 0);
        gpucmd_nv_emit_immd(&mut w, 4, 0x0300, 0x182);
        check(gpucmd_writer_finish(&w, &mut len_dw))?;

        // Step 2: decode and print.
        let mut lines = [0 as c_char; 2048];
        let (mut text, mut gate, mut walk, mut cmd): (_, _, _, gpucmd_nv_cmd) =
            (empty(), empty(), empty(), empty());
        check(gpucmd_nv_gate_init(&mut gate, CHIP, true, true, gpucmd_nv_fmt_GPUCMD_NV_FMT_NEW))?;
        gpucmd_text_init(&mut text, lines.as_mut_ptr(), size_of_val(&lines) as _);
        gpucmd_nv_walk_init(&mut walk, &gate, words.as_ptr(), len_dw);
        while gpucmd_nv_walk_next(&mut walk, &mut cmd) {
            let first = cmd.data.sub(cmd.head_dw as usize);
            let off_bytes = first as u64 - words.as_ptr() as u64;
            gpucmd_nv_print(&mut text, &gate, &cmd, off_bytes);
        }
        check(gpucmd_text_finish(&text))?;
        print!("{}", text_of(lines.as_ptr()));

        // Step 3: run. One IB entry at 0x1000 names the words at 0x2000.
        let mut ring = [0u32; 4];
        let regions = [
            gpucmd_region {
                va: 0x1000,
                bytes: size_of_val(&ring) as u64,
                host: ring.as_mut_ptr() as *mut c_void,
                access_mask: GPUCMD_ACCESS_READ,
            },
            gpucmd_region {
                va: 0x2000,
                bytes: 4 * len_dw as u64,
                host: words.as_mut_ptr() as *mut c_void,
                access_mask: GPUCMD_ACCESS_READ,
            },
        ];
        let (mut mem, mut env, mut pbdma): (_, _, gpucmd_nv_pbdma) = (empty(), empty(), empty());
        check(gpucmd_nv_pbdma_init(&mut pbdma, CHIP))?;
        check(gpucmd_mem_init(&mut mem, regions.as_ptr(), regions.len() as _))?;
        check(gpucmd_nv_encode_entry(ring.as_mut_ptr(), CHIP, 0x2000, len_dw as u32, 0))?;
        (pbdma.gp_base, pbdma.limit2, pbdma.gp_put) = (0x1000, 1, 1);
        gpucmd_env_init(&mut env, &mut mem, Some(arrived), std::ptr::null_mut());
        println!("run: {}", text_of(gpucmd_run_name(gpucmd_nv_pbdma_run(&mut pbdma, &env, 1000))));
    }
    Ok(())
}
