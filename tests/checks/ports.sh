# Ports of functions of Linux drivers against the functions themselves, compiled from Debian's sources
# of Linux 6.1 and 7.3 at test time. The rows of the tables are in $BUILD/ports/VERSION/*.table.
. tests/checks/lib.sh

tier=ports
need $tier gcc
need $tier xz

i915=drivers/gpu/drm/i915/gt nouveau=drivers/gpu/drm/nouveau xe=drivers/gpu/drm/xe

# functions FILE NAME...: print the definitions of these functions and tables of a driver.
functions()
{
    file=$1
    shift
    echo "/* ---- ${file##*/} ---- */"
    awk -v names="$*" -f tests/ports/functions.awk "$linux/$file" || echo "#error $file"
}

# old FILE NAME...: as functions, for what Linux 7 no longer has.
old()
{
    if [ "$version" = 6.1 ]; then
        functions "$@"
    fi
}

# new FILE NAME...: as functions, for what Linux 7 has.
new()
{
    if [ "$version" != 6.1 ]; then
        functions "$@"
    fi
}

# extract: write the functions of the drivers of this version to $out. Linux 7 names some otherwise.
extract()
{
    gen2=gen3 xehp=gen125 hold=ccs first="" hang=dg2_emit_rcs_hang_wabb more=xehp_rcs_offsets
    if [ "$version" != 6.1 ]; then
        gen2=gen2 xehp=xehp hold=hold_switchout first=mtl_dummy_pipe_control
        hang=gen12_invalidate_state_cache
        more="mtl_rcs_offsets xehp_emit_fastcolor_blt_wabb xehp_emit_per_ctx_bb setup_per_ctx_bb \
            lrc_setup_bb_per_ctx"
    fi
    {
        functions $i915/gen2_engine_cs.c gen2_emit_flush gen4_emit_flush_rcs gen4_emit_flush_vcs \
            __gen2_emit_breadcrumb ${gen2}_emit_breadcrumb gen5_emit_breadcrumb i830_emit_bb_start \
            ${gen2}_emit_bb_start gen4_emit_bb_start
        functions $i915/gen6_engine_cs.c gen6_emit_post_sync_nonzero_flush gen6_emit_flush_rcs \
            gen6_emit_breadcrumb_rcs mi_flush_dw gen6_flush_dw gen6_emit_flush_xcs \
            gen6_emit_flush_vcs gen6_emit_bb_start hsw_emit_bb_start gen7_stall_cs \
            gen7_emit_flush_rcs gen7_emit_breadcrumb_rcs gen6_emit_breadcrumb_xcs \
            gen7_emit_breadcrumb_xcs
        functions $i915/gen8_engine_cs.h __gen8_emit_pipe_control gen8_emit_pipe_control \
            gen12_emit_pipe_control __gen8_emit_write_rcs gen8_emit_ggtt_write_rcs \
            gen12_emit_ggtt_write_rcs __gen8_emit_flush_dw gen8_emit_ggtt_write
        functions $i915/gen8_engine_cs.c gen8_emit_flush_rcs gen8_emit_flush_xcs gen11_emit_flush_rcs \
            preparser_disable gen12_get_aux_inv_reg gen12_needs_ccs_aux_inv gen12_emit_aux_table_inv $first \
            gen12_emit_flush_rcs gen12_emit_flush_xcs preempt_address hwsp_offset \
            gen8_emit_init_breadcrumb __${xehp}_emit_bb_start ${xehp}_emit_bb_start_noarb \
            ${xehp}_emit_bb_start gen8_emit_bb_start_noarb gen8_emit_bb_start assert_request_valid \
            gen8_emit_wa_tail emit_preempt_busywait gen8_emit_fini_breadcrumb_tail \
            emit_xcs_breadcrumb gen8_emit_fini_breadcrumb_xcs gen8_emit_fini_breadcrumb_rcs \
            gen11_emit_fini_breadcrumb_rcs gen12_emit_preempt_busywait ${hold}_semaphore_offset \
            ${hold}_emit_wa_busywait gen12_emit_fini_breadcrumb_tail gen12_emit_fini_breadcrumb_xcs \
            gen12_emit_fini_breadcrumb_rcs
        functions $i915/intel_migrate.c emit_no_arbitration max_pte_pkt_size emit_pte i915_flush_dw \
            emit_copy_ccs wa_1209644611_applies emit_copy emit_clear
        functions $i915/intel_lrc.c setup_predicate_disable_wa gen12_emit_timestamp_wa \
            gen12_emit_restore_scratch gen12_emit_cmd_buf_wa $hang \
            dg2_emit_draw_watermark_setting gen12_emit_indirect_ctx_rcs gen12_emit_indirect_ctx_xcs \
            gen8_emit_flush_coherentl3_wa gen8_init_indirectctx_bb emit_lri gen9_init_indirectctx_bb \
            lrc_ring_mi_mode lrc_ring_bb_offset lrc_ring_gpr0 lrc_ring_wa_bb_per_ctx \
            lrc_ring_indirect_ptr lrc_ring_indirect_offset lrc_ring_indirect_offset_default \
            lrc_ring_cmd_buf_cctl lrc_setup_indirect_ctx setup_indirect_ctx_bb set_offsets reg_offsets \
            gen8_xcs_offsets gen9_xcs_offsets gen12_xcs_offsets dg2_xcs_offsets gen8_rcs_offsets \
            gen9_rcs_offsets gen11_rcs_offsets gen12_rcs_offsets dg2_rcs_offsets $more \
            init_common_regs init_wa_bb_regs init_ppgtt_regs __reset_stop_ring __lrc_init_regs \
            lrc_update_regs
        functions $i915/intel_execlists_submission.c emit_pdps
        functions $i915/intel_context_sseu.c gen8_emit_rpcs_config
        functions $i915/intel_workarounds.c intel_engine_emit_ctx_wa wa_list_srm
        functions $i915/intel_ring_submission.c load_pd_dir mi_set_context remap_l3_slice
        functions $i915/gen7_renderclear.c num_primitives batch_init batch_offset batch_addr batch_add \
            batch_alloc_items batch_alloc_bytes gen7_fill_surface_state gen7_fill_binding_table \
            gen7_fill_kernel_data gen7_fill_interface_descriptor gen7_emit_state_base_address \
            gen7_emit_vfe_state gen7_emit_interface_descriptor_load gen7_emit_media_object \
            gen7_emit_pipeline_flush gen7_emit_pipeline_invalidate emit_batch
    } >"$out/i915_functions.h"

    {
        echo '#if defined FORMAT_006C'
        old $nouveau/nouveau_chan.c nouveau_channel_init
        old $nouveau/nouveau_dma.c nouveau_dma_wait
        functions $nouveau/nouveau_bo0039.c nouveau_bo_mem_ctxdma nv04_bo_move_m2mf nv04_bo_move_init
        functions $nouveau/nv04_fence.c nv04_fence_emit
        functions $nouveau/nv10_fence.c nv10_fence_emit
        functions $nouveau/nv17_fence.c nv17_fence_sync
        old $nouveau/nv04_fbcon.c nv04_fbcon_copyarea nv04_fbcon_fillrect nv04_fbcon_imageblit \
            nv04_fbcon_accel_init
        echo '#elif defined FORMAT_206E'
        functions $nouveau/nouveau_bo5039.c nv50_bo_move_m2mf nv50_bo_move_init
        functions $nouveau/nouveau_bo85b5.c nva3_bo_move_copy
        functions $nouveau/nouveau_bo74c1.c nv84_bo_move_exec
        functions $nouveau/nv84_fence.c nv84_fence_emit32 nv84_fence_sync32
        old $nouveau/nv50_fbcon.c nv50_fbcon_fillrect nv50_fbcon_copyarea nv50_fbcon_imageblit \
            nv50_fbcon_accel_init
        echo '#else'
        functions $nouveau/nouveau_bo9039.c nvc0_bo_move_m2mf nvc0_bo_move_init
        functions $nouveau/nouveau_bo90b5.c nvc0_bo_move_copy
        functions $nouveau/nouveau_boa0b5.c nve0_bo_move_copy nve0_bo_move_init
        functions $nouveau/nvc0_fence.c nvc0_fence_emit32 nvc0_fence_sync32
        new $nouveau/gv100_fence.c gv100_fence_emit32 gv100_fence_sync32
        old $nouveau/nvc0_fbcon.c nvc0_fbcon_fillrect nvc0_fbcon_copyarea nvc0_fbcon_imageblit \
            nvc0_fbcon_accel_init
        functions $nouveau/nouveau_dmem.c nvc0b5_migrate_copy nvc0b5_migrate_clear
        old $nouveau/nouveau_dma.c nv50_dma_push
        echo '#endif'
    } >"$out/nouveau_functions.h"
}

# upstream OBJECT SOURCE FLAGS...: compile functions of a driver, which are not free of warnings.
upstream()
{
    object=$1 source=$2
    shift 2
    gcc -std=gnu11 -O1 -w -Itests/ports -I"$out" -I"$out/include" -I"$linux/$nouveau/include" "$@" \
        -idirafter "$linux/$i915" -idirafter "$linux/${i915%/gt}" \
        -idirafter "$linux/include" -DLINUX="$number" -c -o "$out/$object.o" \
        "tests/ports/$source.c"
}

# sizes NAME DEFINES...: print lines and bytes of the functions of a driver, and of their ports. The
# driver is compiled once for each of DEFINES.
sizes()
{
    name=$1 objects="" apart="-Os -fno-inline-functions-called-once -fno-inline-small-functions"
    shift
    gcc -std=c99 $apart -I. -Itests/ports -DLINUX="$number" -c \
        -o "$out/${name}_small.o" "tests/ports/${name}_ports.c"
    for define in "$@"; do
        upstream "$define" "${name}_upstream" $apart "-D$define"
        objects="$objects $out/$define.o"
    done
    nm -S "$out/${name}_small.o" >"$out/port.nm"
    nm -S $objects >"$out/driver.nm"
    awk -f tests/ports/size.awk "tests/ports/${name}_ports.c" "$out/${name}_functions.h" \
        "$out/port.nm" "$out/driver.nm"
}

# ours NAME OBJECT...: compile NAME_ports.c and link the comparison.
ours()
{
    name=$1
    shift
    gcc -std=c99 -O1 -I. -Itests/ports -DLINUX="$number" $(warnings gcc c) -o "$out/${name}_compare" \
        "tests/ports/${name}_compare.c" "tests/ports/${name}_ports.c" "$@"
}

# table NAME: run a comparison, keep its table, print what differs and the sums.
table()
{
    "$out/$1_compare" >"$out/$1.table"
    grep -e FAIL -e '^  word' -e passed "$out/$1.table"
}

broken()
{
    echo "FAIL: $tier: $1 of Linux $version does not compile"
    echo "$tier: 0 passed, 1 failed"
}

# compare_i915: also the recipes of the headers, which write the words of 7.3.
compare_i915()
{
    recipes=
    [ "$number" -lt 700 ] || recipes=tests/ports/i915_recipes.c
    upstream i915_upstream i915_upstream && ours i915 $recipes "$out/i915_upstream.o" &&
        table i915 || broken i915
}

compare_nouveau()
{
    upstream nv_006c nouveau_upstream -DFORMAT_006C &&
        upstream nv_206e nouveau_upstream -DFORMAT_206E &&
        upstream nv_906f nouveau_upstream -DFORMAT_906F &&
        ours nouveau "$out/nv_006c.o" "$out/nv_206e.o" "$out/nv_906f.o" && table nouveau ||
        broken nouveau
}

# compare_xe: xe_ring_ops.c is compiled whole; its headers are ours but for commands and registers.
compare_xe()
{
    dir=$out/xe
    mkdir -p "$dir"
    cp -r "$linux/$xe/instructions" "$linux/$xe/regs" "$linux/$xe/xe_ring_ops.c" "$dir/"
    for h in generated/xe_wa_oob xe_ring_ops xe_exec_queue xe_gt_types xe_lrc xe_sched_job xe_sriov \
        xe_vm_types xe_vm xe_wa regs/xe_reg_defs asm/page; do
        mkdir -p "$dir/$(dirname $h)"
        : >"$dir/$h.h"
    done
    functions $xe/xe_migrate.c blt_fast_copy_cmd_len blt_mem_copy_cmd_len emit_xy_fast_copy \
        emit_mem_copy emit_copy >"$dir/xe_functions.h"
    gcc -std=gnu11 -O1 -w -Itests/ports -I"$dir" -c -o "$out/xe_upstream.o" \
        tests/ports/xe_upstream.c &&
        gcc -std=c99 -O1 -I. -Itests/ports $(warnings gcc c) -o "$out/xe_compare" \
            tests/ports/xe_compare.c "$out/xe_upstream.o" && table xe || broken xe
}

for version in 6.1 7.3; do
    linux=$(sh tests/checks/linux-source.sh "$BUILD/linux" $version)
    if [ -z "$linux" ]; then
        skip $tier "no linux-source-$version (Debian)"
        continue
    fi
    case $version in 6.1) number=601 ;; *) number=703 ;; esac
    out=$BUILD/ports/$version
    mkdir -p "$out/include/linux" "$out/include/nvif"
    for h in linux/bitfield linux/bits linux/bitops linux/types linux/string nvif/mem nvif/printf; do
        : >"$out/include/$h.h"
    done
    echo "Linux $version:"
    extract
    compare_i915
    compare_nouveau
    if [ "$number" -lt 700 ]; then
        {
            sizes i915 GEN_ALL
            sizes nouveau FORMAT_006C FORMAT_206E FORMAT_906F
        } | tee "$out/size.table"
    else
        compare_xe
        sh tests/ports/commands.sh "$linux" "$out/commands"
    fi
done
