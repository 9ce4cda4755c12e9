# Shell test of the names that gpucmd-dump prints: methods by class, chips and generations as people call
# them, options in completions. Run from the root of the tree with the tool in $BUILD.
suite=dump_names
. tests/dump/lib.sh

# ---- at least 98 % of the rows of every capture have a name

for folder in "$captures"/*/; do
    case $folder in *-nv30/ | *-nv40/) mode=nv4 ;; *) mode=ib ;; esac
    while IFS="$tab" read -r file gpu gen engine rest; do
        case $engine in
        fifo) "$tool" nv --chip "nv${gen#0x}" --mode $mode --input raw --format tsv "$folder$file" ;;
        render | bsd | blt | vebox)
            case $engine in render) name=rcs ;; bsd) name=vcs ;; blt) name=bcs ;; vebox) name=vecs ;; esac
            "$tool" i915 --gen "$gen" --engine $name --input raw --format tsv "$folder$file"
            ;;
        esac 2>/dev/null
    done <"$folder/index.tsv" | awk -F '\t' '
        $1 == "offset" { name = 0; for (i = 1; i <= NF; i++) column[$i] = i; nv = "mthd" in column; next }
        nv { rows++; named += $column["mthd"] == "-" || $column["name"] != "-" }
        !nv { rows++; named += $3 != "UNKNOWN" && $3 != "GFX" }
        END { printf "%d %d\n", rows, named; exit rows == 0 || named < rows * 0.98 }' >"$dir/share"
    if [ $? -eq 0 ]; then good; else bad "$folder: rows, with a name" "$(cat "$dir/share")"; fi
done

# ---- classes: SET_OBJECT, --class, fields and values. Typed from NVIDIA's class headers.

words 20010000 0000c597 20010674 0000003c 20016000 0000902d 20016080 000000d5
run 0 nv --chip tu102
has_line out '0x000004  0000c597               s0 0x0000 SET_OBJECT TURING_A'
has_line out '0x000008  20010674  INC          s0 0x19d0 CLEAR_SURFACE n1'
has_line out '0x00000c  0000003c               s0 0x19d0 CLEAR_SURFACE R_ENABLE=TRUE G_ENABLE=TRUE B_ENABLE=TRUE A_ENABLE=TRUE'
has_line out '0x00001c  000000d5               s3 0x0200 SET_DST_FORMAT = A8B8G8R8'
run 0 nv
has err 'no --chip: decoding for TU102 (it binds class c597)'
# Class 0039: the row of its method at 0xc is no class, so the rows after it belong to 0039.
words 00040000 00000039 00040140 00000000
run 0 nv --chip nv4 --mode nv4
has_line out '0x00000c  00000000               s0 0x0140 PM_TRIGGER'
words 200180c0 00000686
run 0 nv --chip gk104 --format tsv
has_line out "$(printf '0x4\t00000686\tDATA\t4\t0x300\t-\tLAUNCH_DMA')"
run 0 nv --chip gk104 --format tsv --class 4=902d
has_line out "$(printf '0x4\t00000686\tDATA\t4\t0x300\t-\tCOLOR_PATTERN_X8R8G8B8(0)')"
run 0 nv --chip gk104 --format tsv --names none
has_line out "$(printf '0x4\t00000686\tDATA\t4\t0x300\t-')"
run 0 nv --chip gk104
has err 'assumed --class 4=a0b5, as nouveau binds'
refuses "--class '9=c597': expected SUBC=ID" nv --class 9=c597
refuses 'has no names: expected a file such as nv_methods.txt' nv --names /dev/null
# The low part of an address is shown as the address, not from its lowest bit.
words 20050017 00100000 00000000 00000007 00000000 00000001
run 0 nv --chip tu102
has_line out '0x000004  00100000               s0 0x005c SEM_ADDR_LO OFFSET=0x100000'
words 20040004 00000001 00100000 00000007 00000002
run 0 nv --chip gf100
has_line out '0x000008  00100000               s0 0x0014 SEMAPHOREB OFFSET_LOWER=0x100000'
# An element of an array.
words 20010000 0000c597 20010361 3f800000
run 0 nv --chip tu102
has out 's0 0x0d84 SET_COLOR_CLEAR_VALUE(1) n1'

# A class header in NVIDIA's form: its class replaces that of the data file, others stay.
cat >"$dir/clc597.h" <<'EOF'
#ifndef _cl_turing_a_h_
#define _cl_turing_a_h_
#define TURING_A    0xC597
typedef volatile struct _clc597_tag0 {
#define NVC597_MY_CLEAR                        0x19d0
#define NVC597_MY_CLEAR_Z                        0:0
#define NVC597_MY_CLEAR_Z_OFF             0x00000000
#define NVC597_MY_CLEAR_Z_ON              0x00000001
#define NVC597_MY_CLEAR_LAYER                  25:10
#define NVC597_SET_COLOR_TARGET_FORMAT(j)      (0x0810+(j)*64)
#define NVC597_SET_COLOR_TARGET_FORMAT_V        31:0
EOF
words 20010000 0000c597 20010674 00000801 20010214 000000d5 20016000 0000902d 20016080 000000d5
run 0 nv --chip tu102 --names "$dir/clc597.h"
has_line out '0x00000c  00000801               s0 0x19d0 MY_CLEAR Z=ON LAYER=0x2'
has_line out '0x000014  000000d5               s0 0x0850 SET_COLOR_TARGET_FORMAT(1) = 0xd5'
has_line out '0x000024  000000d5               s3 0x0200 SET_DST_FORMAT = A8B8G8R8'

# ---- Intel: registers, values by name

words 11000001 00007034 60000060 7a000004 00104000 00001000 00000000 00000001 00000000 05000000
run 0 i915 --gen skl --engine rcs
has_line out '00000004: 00007034   L3CNTLREG'
has_line out '00000010: 00104000   POST_SYNC=1 (immediate) CS_STALL=1'
words 11000001 00002358 00000000 05000000
run 0 i915 --gen tgl --engine rcs
has out 'TIMESTAMP'
has_line out '00000008: 00000000   VALUE=0x0'
# A word that is 0 has the names of its fields, unless they are many.
words 54f00008 03cc4000 00000000 00401000 00201000 00000000 00000000 00004000 00100000 00000000 05000000
run 0 i915 --gen skl --engine bcs
has_line out '00000008: 00000000   Y1=0x0 X1=0x0'
has_line out '00000014: 00000000   DST_HIGH=0x0'
words 7a000004 00000000 00000000 00000000 00000000 00000000
run 0 i915 --gen skl --engine rcs
has_line out '00000004: 00000000'
has_line out '00000008: 00000000   ADDRESS=0x0'
words 66014140 7d990000 00000000 05000000
run 0 i915 --gen g33 --engine rcs --format tsv
has out 3DSTATE_ANTI_ALIASING
has out 3DSTATE_DEFAULT_DIFFUSE

# Fields of 3D commands from lists in Mesa's form: imports, structs, groups, enums, values.
mkdir -p "$dir/lists"
cat >"$dir/lists/gen8.xml" <<'EOF'
<?xml version='1.0' encoding='utf-8'?>
<genxml name="OLD" gen="8">
  <!-- <instruction name="COMMENT"> -->
  <enum name="Mode"><value name="Off" value="0"/><value name="Very On" value="2"/></enum>
  <struct name="BUFFER" length="2">
    <field name="Pitch" start="0" end="11" type="uint"/>
    <field name="Base" start="32" end="63" type="address"/>
  </struct>
  <instruction name="3DSTATE_VERTEX_BUFFERS" bias="2">
    <field name="Gone" start="32" end="63" type="uint"/>
  </instruction>
  <instruction name="3DSTATE_X" bias="2"><field name="DWord Length" start="0" end="7" type="uint" default="0"/></instruction>
</genxml>
EOF
cat >"$dir/lists/gen9.xml" <<'EOF'
<genxml name="NEW" gen="9">
  <import name="gen8.xml"><exclude name="3DSTATE_X"/></import>
  <instruction name="3DSTATE_VERTEX_BUFFERS" bias="2">
    <field name="DWord Length" start="0" end="7" type="uint" default="3"/>
    <field name="3D Command Sub Opcode" start="16" end="23" type="uint" default="8"/>
    <field name="3D Command Opcode" start="24" end="26" type="uint" default="0"/>
    <field name="Command SubType" start="27" end="28" type="uint" default="3"/>
    <field name="Command Type" start="29" end="31" type="uint" default="3"/>
    <group count="0" start="32" size="64"><field name="Vertex Buffer" start="0" end="63" type="BUFFER"/></group>
  </instruction>
  <instruction name="3DSTATE_CC_STATE_POINTERS" bias="2">
    <field name="DWord Length" start="0" end="7" type="uint" default="0"/>
    <field name="Command" start="16" end="31" type="uint" default="30734"/>
    <field name="Mode" start="32" end="33" type="Mode"/>
    <field name="Level" start="36" end="43" type="u4.4"/>
    <field name="Kind" start="44" end="45" type="uint"><value name="Special" value="1"/></field>
    <group count="2" start="48" size="4"><field name="Slot" start="0" end="3" type="uint"/></group>
  </instruction>
</genxml>
EOF
words 78080003 00000010 00001000 00000020 00002000 780e0000 00951182 05000000
for names in "$dir/lists" "$dir/lists/gen9.xml"; do
    run 0 i915 --gen skl --engine rcs --names "$names"
    has_line out '00000004: 00000010 Pitch=0x10'
    has_line out '00000008: 00001000 Base=0x1000'
    has_line out '0000000c: 00000020 Pitch=0x20'
    has_line out '00000018: 00951182 Mode=2 (Very_On) Level=1.5 Kind=1 (Special) Slot[0]=5 Slot[1]=9'
done
run 0 i915 --gen skl --engine rcs --names /dev/null
has err 'has no instructions'
refuses "$dir/none: cannot be opened" i915 --names "$dir/none"

# ---- chips and generations as people call them

words 00000000
for row in 'rtx3090 GA102' 'RTX-3090 GA102' 'tu104 TU104' 'xavier GV11B' 'a100 GA100' 'h100 GH100' 'ampere GA102' \
    'turing TU102' 'gtx980ti GM200' 'c76f GA102' 'nv162 TU102' 'geforce_gtx_1080 GP104'; do
    run 0 nv --chip "${row% *}" --check
    has out "of ${row#* } in "
done
for row in 'skl 9' 'Skylake 9' 'tgl 12' 'dg2 12.5' 'hsw 7.5' '0x1912 9' '8086:9a49 12' 'gen8 8' '4.5 4.5' 'bmg 20' \
    'lnl 20' 'mtl 12.7'; do
    run 1 i915 --gen "${row% *}" --engine rcs --check
    has out "of gen${row#* } rcs"
done
refuses "--gen 'skyl': expected 2|" i915 --gen skyl
has err 'nearest: skl'
refuses "--chip 'rtx309': expected" nv --chip rtx309
has err 'nearest: rtx3090'
# A file that cannot be read does not hide a wrong option.
refuses "--gen 'skyl': expected" i915 --gen skyl "$dir/none"
refuses "--chip 'gax': expected" nv --chip gax "$dir/none"

# ---- completions offer the options of the help

if command -v bash >/dev/null; then
    complete()
    {
        bash -c 'source examples/gpucmd-dump/gpucmd-dump.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gpucmd_dump
            echo "${COMPREPLY[@]}"' bash "$tool" "$@" >"$dir/out" 2>"$dir/err"
        label="completion of $*"
    }
    complete nv --ch
    has out --chip
    complete i915 --html
    has out --html
    complete i915 --format t
    has_line out 'text tsv'
    complete ''
    has_line out 'nv i915 agx formats'
fi

finish
