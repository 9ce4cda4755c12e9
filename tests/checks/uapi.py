"""uapi.py DIRECTORY FILE: compare the structures and numbers of the model kernels with the headers of Linux in
DIRECTORY/drm, with a program that is written to FILE. Print a line for each difference, then the counts.

  structures  each struct gpucmd_NAME of which Linux has struct NAME: size, and offset and size of each member
              that Linux has; uapi.txt has rows for those that ours names otherwise or lacks
  numbers     each number GPUCMD_NAME of which Linux has the number NAME
  ioctls      each ioctl number of the drivers must be one of ours, or a row of uapi.txt
"""
import os
import re
import subprocess
import sys
from fnmatch import fnmatch

from clang.cindex import Config, CursorKind, Index, TranslationUnit, TypeKind

DRIVERS = ["drm.h", "i915_drm.h", "xe_drm.h", "nouveau_drm.h", "asahi_drm.h"]
IOCTLS = re.compile(r"DRM_IOCTL_(I915|XE|NOUVEAU|ASAHI|SYNCOBJ|PRIME)_[A-Z0-9_]+$")

if os.path.exists("/usr/lib/llvm-14/lib/libclang.so.1"):
    Config.set_library_file("/usr/lib/llvm-14/lib/libclang.so.1")


def parse(text, flags):
    """Return the translation unit of a C text."""
    unit = Index.create().parse("unit.c", args=["-std=gnu11", *flags], unsaved_files=[("unit.c", text)],
                                options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    errors = [d for d in unit.diagnostics if d.severity >= 3]
    if errors:
        sys.exit("uapi: " + str(errors[0]))
    return unit


def members(record, prefix=""):
    """Yield the name of each member; those of unions and structures without a name are of the record."""
    fields = [c for c in record.get_children() if c.kind == CursorKind.FIELD_DECL]
    of_arrays = [f.type.element_type for f in fields if f.type.kind == TypeKind.CONSTANTARRAY]
    named = {t.get_declaration().get_usr() for t in [f.type for f in fields] + of_arrays}
    for child in record.get_children():
        if child.kind == CursorKind.FIELD_DECL:
            inner = child.type.get_declaration()
            record_type = child.type.get_canonical().kind == TypeKind.RECORD
            if record_type and not re.fullmatch(r"\w+", inner.spelling):
                yield from members(inner, prefix + child.spelling + ".")
            else:
                yield prefix + child.spelling
        elif child.kind in (CursorKind.UNION_DECL, CursorKind.STRUCT_DECL) and child.get_usr() not in named:
            yield from members(child, prefix)


def names(unit):
    """Return the records by name, and the names of numbers."""
    records, numbers = {}, set()
    for c in unit.cursor.get_children():
        if c.kind == CursorKind.STRUCT_DECL and c.is_definition() and c.spelling:
            records[c.spelling] = c
        elif c.kind == CursorKind.ENUM_DECL:
            numbers.update(e.spelling for e in c.get_children())
        elif c.kind == CursorKind.MACRO_DEFINITION:
            tokens = list(c.get_tokens())
            takes = len(tokens) > 1 and tokens[1].spelling == "(" and tokens[1].location.offset == \
                c.extent.start.offset + len(c.spelling)
            if len(tokens) > 1 and not takes:
                numbers.add(c.spelling)
    return records, numbers


def same(condition, text):
    """Return a line of C that fails with the text if the condition is false."""
    return f'_Static_assert({condition}, "{text}");'


def main(directory):
    ours_text = "".join(f'#include "gpucmd_{v}.h"\n' for v in ("nv", "i915", "agx"))
    theirs_text = "#include <stddef.h>\n" + "".join(f"#include <drm/{d}>\n" for d in DRIVERS)
    ours, our_numbers = names(parse(ours_text, ["-I."]))
    theirs, their_numbers = names(parse(theirs_text, ["-I" + directory, "-D__user="]))
    with open("tests/checks/uapi.txt", encoding="ascii") as rows:
        known = dict(row.split()[:2] for row in rows if row.strip() and row[0] != "#")
    used, lines, missing = set(), [], []

    def row_of(name):
        """Return what a row of uapi.txt says of a name of Linux: our name, - or None without a row."""
        for pattern, ours_is in known.items():
            if fnmatch(name, pattern):
                used.add(pattern)
                return ours_is
        missing.append(name)
        return None

    structures = sorted(n for n in theirs if "gpucmd_" + n in ours)
    for name in structures:
        has = set(members(ours["gpucmd_" + name]))
        our = f"struct gpucmd_{name}"
        lines.append(same(f"sizeof({our}) == sizeof(struct {name})", f"size of {name}"))
        for member in members(theirs[name]):
            row, mine = f"{name}.{member}", member
            if member not in has:
                mine = row_of(row)
                if mine in (None, "-"):
                    continue
            place = f"offsetof({our}, {mine}) == offsetof(struct {name}, {member})"
            size = f"sizeof (({our} *)0)->{mine} == sizeof ((struct {name} *)0)->{member}"
            lines.append(same(place, f"offset of {row}"))
            lines.append(same(size, f"size of {row}"))
    numbers = sorted(n for n in their_numbers if "GPUCMD_" + n in our_numbers)
    for name in [n for n in numbers if n not in known]:
        lines.append(same(f"(uint64_t)GPUCMD_{name} == (uint64_t){name}", f"value of {name}"))
    ioctls = sorted(n for n in their_numbers if IOCTLS.match(n))
    for name in ioctls:
        if "GPUCMD_" + name not in our_numbers or name in known:
            row_of(name)

    with open(sys.argv[2], "w", encoding="ascii") as out:
        out.write(theirs_text + ours_text + "\n".join(lines) + "\n")
    command = [os.environ.get("CC", "gcc"), "-std=gnu11", "-fsyntax-only", "-D__user=", "-I.",
               "-I" + directory, sys.argv[2]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wrong = re.findall(r'static assertion failed: "(.*)"', done.stderr)
    if done.returncode != 0 and not wrong:
        wrong = done.stderr.splitlines()[:5]
    for text in wrong:
        print("FAIL: uapi: differs: " + text)
    for text in missing:
        print("FAIL: uapi: Linux has " + text + ", and ours does not")
    for text in sorted(known.keys() - used):
        print("FAIL: uapi: row of uapi.txt without use: " + text)
    print(f"note: uapi: {len(structures)} structures, {len(numbers)} numbers, {len(ioctls)} ioctls")
    failed = len(wrong) + len(missing) + len(known.keys() - used)
    print(f"uapi: {len(lines) - len(wrong) + len(ioctls)} passed, {failed} failed")
    return failed != 0


sys.exit(main(sys.argv[1]))
