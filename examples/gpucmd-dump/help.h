/* help.h - what gpucmd-dump --help prints. */
#ifndef DUMP_HELP_H
#define DUMP_HELP_H

#include "base.h"
#include "formats.h"
#include "options.h"

static const char help_main[] =
    "usage: gpucmd-dump nv|i915|agx [options] [FILE]\n"
    "Decode, check or execute the GPU command words in FILE or standard input. FILE can\n"
    "be an error state, a kernel log, the output of xxd, a C array: see formats --help.\n"
    "\n"
    "  --check          check instead of decoding: print findings with offset\n"
    "  --run            execute the words; print each effect and the final state\n"
    "  --step           execute step by step, forwards and backwards; FILE is needed, help lists the\n"
    "                   commands. With --format json each command prints the state as one object\n"
    "  --input NAME     set the format of the input. Default: recognise it\n"
    "  --why-format     print which formats fit the input, and the words that each explains\n"
    "  --format FORMAT  write text, tsv or json. Default: text\n"
    "  --color WHEN     use colors: auto, always or never. Default: auto, which\n"
    "                   means on a terminal if NO_COLOR is not set\n"
    "  --html FILE      write a page with all streams, to read in a browser\n"
    "  --help           print this page, or the page of the first argument\n"
    "  --version        print the version\n"
    "\n"
    "In a browser: make page makes build/gpucmd.html, one file; make install puts it into\n"
    "PREFIX/share/gpucmd.\n"
    "\n"
    "More pages:\n"
    "  gpucmd-dump nv --help       NVIDIA: chips, modes, options, columns\n"
    "  gpucmd-dump i915 --help     Intel: generations, engines, options, columns\n"
    "  gpucmd-dump agx --help      Apple: notation, pictures, accesses, columns\n"
    "  gpucmd-dump formats --help  input that is recognised; TSV and JSON\n"
    "\n"
    "Exit status: 0 no error found, 1 the stream or the dump has errors, 2 invalid\n"
    "usage, unreadable input, or no stream.\n";

static const char help_nv[] =
    "usage: gpucmd-dump nv [options] [FILE]\n"
    "\n"
    "  --chip NAME      set the chip: nv4, nv1a, nv40, g80, gf100, ... gb207; nvXX with its id; a\n"
    "                   channel class such as c76f; or a product such as rtx3090, xavier, ampere.\n"
    "                   Default: the chip that the dump or the bound classes name, otherwise the first\n"
    "                   of gf100, g80, nv40 that can decode all words, otherwise gf100; standard error\n"
    "                   names it\n"
    "  --mode nv4|ib    set how the words were submitted: NV4-style ring with jumps, or IB entries.\n"
    "                   Default: ib for g80 and later, nv4 before\n"
    "  --sli MASK       set the subdevices that the GPU is; before gf100 this allows SLI_COND\n"
    "  --fmt FORMAT     set the word formats that gf100 to gp10b accept: new, old or both.\n"
    "                   Default: new\n"
    "  --big-endian     read raw words as big-endian; with --run the memory of nv1a to mcp89 is\n"
    "                   big-endian, too\n"
    "  --base VA        set the address of the first word. Default: the address in the dump, or 0\n"
    "  --stream N       use stream N of the input alone. Default: all\n"
    "  --class LIST     set the classes of subchannels: SUBC=ID,SUBC=ID such as 0=c597. Default: the\n"
    "                   classes that SET_OBJECT binds, otherwise those that nouveau binds\n"
    "  --qmd            the words are QMDs, the structures of compute grids: print members that are not\n"
    "                   0, or check them. The class is that of --class 1=ID or of the chip\n"
    "  --names FILE     read names of methods from FILE: a file such as nv_methods.txt, or a class header\n"
    "                   of NVIDIA such as clc597.h, whose class replaces that of the file; none: no\n"
    "                   names. Default: nv_methods.txt beside the program or in ../share/gpucmd\n"
    "  --budget N       end --run after N words. Default: four times the words of the input and 65536\n"
    "  --svg FILE       draw the runs of methods by stream and subchannel\n"
    "  --dot FILE       write the graph of streams, jumps and calls for Graphviz\n"
    "  --trace FILE     write JSON trace events for the Perfetto UI\n"
    "\n"
    "Columns of TSV, members of JSON:\n"
    "  decoding  offset word form subc mthd count name: one row per word. form is the name of the\n"
    "            command, DATA for a parameter, COUNT for the count word of a long method run, or\n"
    "            INVALID. If the input ends inside a method run or a word, the last row is\n"
    "            TRUNCATED: subc and mthd of the next method, and the number of missing words. name\n"
    "            is the name of the method in the bound class. --names none omits this column.\n"
    "  --check   offset severity rule word text expected: one row per finding. Findings about words\n"
    "            come first, then findings about host and copy methods. The input may be a part of\n"
    "            a longer stream, so nothing is reported that other parts could contain.\n"
    "  --run     va subc mthd data: one row per method. The result and the final state follow on\n"
    "            standard error; in JSON they are the last element of the array.\n"
    "  If the input has several streams, the first column is stream, the number of the stream.\n"
    "\n"
    "In NV4-style mode --run places the words at VA; if they end with RETURN, a ring calls them. In\n"
    "IB mode the words are one segment, or several if one entry cannot name them all.\n";

static const char help_i915[] =
    "usage: gpucmd-dump i915 [options] [FILE]\n"
    "\n"
    "  --gen N          set the generation: 2, 3, 4, 4.5, 5, 6, 7, 7.5, 8, 9, 11, 12, 12.5,\n"
    "                   12.7 (Meteor Lake), 20 (Xe2), 30 (Xe3); a name such as skl, dg2, bmg; or a PCI\n"
    "                   id such as 0x1912\n"
    "  --engine NAME    set the engine: rcs, bcs, vcs, vecs, ccs, gsc\n"
    "                   Default of both: what the dump names, otherwise the first of generations 9,\n"
    "                   7.5, 12.5, 6, 5, 4.5, 3, 2 and of rcs, bcs for which every command up to an\n"
    "                   end has a valid length and valid bits, otherwise 9 and rcs; standard error\n"
    "                   names them\n"
    "  --all            decode the words after MI_BATCH_BUFFER_END, too\n"
    "  --secure         with --check and --run: the batch is secure\n"
    "  --ring           bare words are a ring up to TAIL, not a batch: starts return, and no end is\n"
    "                   needed. TAIL is in units of 8 bytes\n"
    "  --base VA        set the address of the first word. Default: the address in the dump, or 0\n"
    "  --stream N       use stream N of the input alone. Default: all\n"
    "  --budget N       end --run after N commands. Default: four times the words of the input and\n"
    "                   4096 commands, and at most 4 seconds\n"
    "  --names FILE     read fields of 3D commands from FILE: a list of Mesa's src/intel/genxml such as\n"
    "                   gen9.xml, or this directory\n"
    "  --svg FILE       draw rings and batches with their starts. A 3D or media command that neither the\n"
    "                   tool nor --names names has bits 31:16 of its first word in its box\n"
    "  --dot FILE       write the graph of rings, batches and starts for Graphviz\n"
    "  --trace FILE     write JSON trace events for the Perfetto UI\n"
    "\n"
    "Columns of TSV, members of JSON:\n"
    "  decoding  offset word name len_dw engine: one row per command. name is UNKNOWN for a word\n"
    "            that is not a command of the engine, and GFX for a 3D or media command without a\n"
    "            known name. If the input ends inside a command or a word, the last row is\n"
    "            TRUNCATED: len_dw is the number of missing words. Decoding stops at\n"
    "            MI_BATCH_BUFFER_END. With --all it continues; words after the end may be data,\n"
    "            so they are never errors. If the dump has registers, the last column is stop: the\n"
    "            register with the address of the command where the GPU stopped, otherwise -.\n"
    "  --check   offset severity rule word text expected: one row per finding\n"
    "  --run     va event name addr value: one row per effect of the command streamer. va is the\n"
    "            address of the command; value is the word fetched, read, written or waited for,\n"
    "            or the state left; addr is a register or an address. The result and the registers\n"
    "            that are not 0 follow on standard error; in JSON they are the last element.\n"
    "  If the input has several streams, the first column is stream, the number of the stream.\n"
    "\n"
    "Of a ring the words from the request that hung to TAIL are decoded. Memory that\n"
    "MI_BATCH_BUFFER_START goes to is a stream of its own.\n"
    "--run places the words at VA and a ring starts them as a batch; a ring of a dump, and the words\n"
    "with --ring, are executed as a ring. The other memory of the dump is there, too. All else reads\n"
    "as 0 and can be written, 40 MiB in total; a command outside the dump is an error.\n";

static const char help_agx[] =
    "usage: gpucmd-dump agx [options] [FILE]\n"
    "The input is a command stream of the upstream UAPI, or the notation of the driver notes.\n"
    "\n"
    "  --input notation read one command per line: #3 R2 barrier=[R1, C2], __ for no barrier\n"
    "  --all            with --check: count barriers that order more than needed, a note per rule\n"
    "  --idle           assume an idle queue. Default: earlier jobs may be active, index 0 waits\n"
    "                   for them\n"
    "  --svg FILE       draw the run over time\n"
    "  --dot FILE       write the graph of barriers for Graphviz\n"
    "  --trace FILE     write JSON trace events for the Perfetto UI\n"
    "  --access FILE    read the accesses of the commands from FILE, for --check\n"
    "\n"
    "Columns of TSV, members of JSON:\n"
    "  decoding  queue op target: one row per entry of the firmware queues compute, vertex and\n"
    "            fragment. op is RUN or WAIT; target is C1, R1v or R1f, with 0 for earlier jobs.\n"
    "  --check   offset severity rule word text expected: one row per finding. offset counts in the\n"
    "            stream or in the text; word is -.\n"
    "  --run     start end queue target: one row per operation on an idle GPU; each takes 1 unit\n"
    "\n"
    "Kernel logs of asahi are explained line by line: faults, timeouts, channel errors; they have no\n"
    "stream (status 2). Output of agxdecode gives the members of commands.\n"
    "\n"
    "Accesses are lines in the text or in the file of --access:\n"
    "  access R1f write 0x1600000000+0x4000   # fragment half, first byte, length\n"
    "  access R2v read 0x1600000000+0x100     # vertex half\n"
    "  access C1 read 0x1600000000+0x100\n"
    "With accesses --check also reports overlaps without an order, and the barrier that would order\n"
    "them (CHECK_MISSING). With --all it counts barriers that no access needs (CHECK_ACCIDENT).\n";

static const char help_formats[] =
    "INPUT\n"
    "  A file with control characters is read as raw little-endian words. Text is recognised in this\n"
    "  order; standard error says what it was read as. --input NAME forces one.\n";

/* What follows the table of formats. */
static const char help_text[] =
    "  Removed before: UTF-16, CRLF, colours, mail quoting, indentation, markdown fences, prefixes of\n"
    "  kernel and system logs, message repeated, quoted-printable, HTML entities. gzip is unpacked.\n"
    "  Missing or doubled lines, wrong lengths and wrong characters are reported, and the exit status is 1.\n"
    "\n"
    "HEX WORDS\n"
    "  A line of text is split into groups at spaces, at characters beyond ASCII, and at any of\n"
    "  , ; : ( ) [ ] { } < > \" ' ` = |\n"
    "  - 0x and eight hex digits are a word, whatever precedes them (u, U, l, L may follow).\n"
    "  - If a line contains only groups with 0x, one alone or separated by commas, shorter groups\n"
    "    are words, too. In other lines shorter and longer groups are not words.\n"
    "  - If no line has a word with 0x, groups of exactly eight hex digits are words. In such a\n"
    "    line a leading group with 0x is an address.\n"
    "  - If lines begin with an address of eight or more hex digits and a colon, and groups of\n"
    "    exactly eight hex digits follow, only these lines count, up to the first other group.\n"
    "  - Never a word: a group before a colon, a group alone in brackets, eight digits before a\n"
    "    time of day, a line of a byte dump, text after # or // or /* that follows a word, a line\n"
    "    that begins with #.\n"
    "  If the words are no commands, but are in the other byte order, they are read in that order and\n"
    "  the exit status is 1.\n"
    "\n"
    "MEMORY\n"
    "  Words and rows of words are read 1 MiB at a time. Words of more than 8 MiB are kept in a file in\n"
    "  TMPDIR or /var/tmp. Pages of files are given back after use, so decoding needs less than 64 MiB of\n"
    "  memory for an input of any size. --check, --run and pictures use all words at once: pages of\n"
    "  files then count as resident, and the system takes them back when it needs memory.\n"
    "  Read as a whole: gzip (256 MiB unpacked at most), UTF-16, error states, coredumps of xe, strings,\n"
    "  arrays (16 MiB and 1048576 numbers at most); of these texts 1048576 lines at most.\n"
    "\n"
    "TSV\n"
    "  One header line, then rows with tabs. - marks a column that does not apply.\n"
    "JSON\n"
    "  One array with one object per line. Members have the names of the columns. Numbers are\n"
    "  decimal; null marks a member that does not apply.\n";

/* Pages by first argument; the page without a name comes first. more: follows the table of formats. */
static const struct {
    const char *name;
    const char *text;
    const char *more;
} help_pages[] = {
    {"",        help_main,    NULL     },
    {"nv",      help_nv,      NULL     },
    {"i915",    help_i915,    NULL     },
    {"agx",     help_agx,     NULL     },
    {"formats", help_formats, help_text},
};

/* Print the page of the first argument; without a first argument, the main page. */
static int put_help(const char *page)
{
    const char *name = "";
    if (page != NULL) {
        name = page;
    }
    for (size_t i = 0; i < sizeof help_pages / sizeof help_pages[0]; i++) {
        if (strcmp(name, help_pages[i].name) != 0) {
            continue;
        }
        fputs(help_pages[i].text, stdout);
        if (help_pages[i].more != NULL) {
            put_readers(stdout);
            fputs(help_pages[i].more, stdout);
        }
        return exit_unless(fflush(stdout) == 0, EXIT_USAGE);
    }
    return usage("first argument", name, "nv, i915, agx or formats before --help");
}

#endif
