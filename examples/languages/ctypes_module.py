"""Print a Python module for libgpucmd: every constant, structure and function, with ctypes.

    make lib
    python3 examples/languages/ctypes_module.py build/lib/libgpucmd.so *.h >gpucmd.py

Debian package: python3-clang-14. The printed module needs only Python and the library at the path that was
given, or in the search path of the system if that is a name without a slash. Both work from any folder.
"""
import os
import subprocess
import sys
from clang.cindex import CursorKind, Index, TypeKind

NUMBERS = {
    TypeKind.BOOL: "c_bool", TypeKind.CHAR_S: "c_char", TypeKind.CHAR_U: "c_char",
    TypeKind.SCHAR: "c_int8", TypeKind.UCHAR: "c_uint8", TypeKind.SHORT: "c_int16",
    TypeKind.USHORT: "c_uint16", TypeKind.INT: "c_int", TypeKind.UINT: "c_uint",
    TypeKind.LONG: "c_long", TypeKind.ULONG: "c_ulong", TypeKind.LONGLONG: "c_longlong",
    TypeKind.ULONGLONG: "c_ulonglong", TypeKind.FLOAT: "c_float", TypeKind.ENUM: "c_uint",
}


def text_of(type_, parameter=False):
    """Return the ctypes expression for a C type. An array as a parameter is a pointer."""
    t = type_.get_canonical()
    if parameter and t.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY):
        return f"POINTER({text_of(t.element_type)})"
    if t.kind in NUMBERS:
        return NUMBERS[t.kind]
    if t.kind == TypeKind.VOID:
        return "None"
    if t.kind == TypeKind.CONSTANTARRAY:
        return f"{text_of(t.element_type)} * {t.element_count}"
    if t.kind == TypeKind.RECORD:
        return name_of(t.get_declaration())
    if t.kind == TypeKind.POINTER:
        to = t.get_pointee().get_canonical()
        if to.kind == TypeKind.FUNCTIONPROTO:
            return f"CFUNCTYPE({', '.join(map(text_of, [to.get_result(), *to.argument_types()]))})"
        if to.kind == TypeKind.VOID:
            return "c_void_p"
        if to.kind in (TypeKind.CHAR_S, TypeKind.CHAR_U):
            return "c_char_p" if to.is_const_qualified() else "POINTER(c_char)"
        return f"POINTER({text_of(to)})"
    raise SystemExit(f"{t.spelling}: no ctypes type; expected a number, a pointer or a structure")


def name_of(cursor):
    """Return the tag of a structure; for one without a tag, a name of its own."""
    if cursor.spelling and " " not in cursor.spelling:
        return cursor.spelling
    return f"unnamed_{cursor.hash % 2**64:x}"


def print_structure(cursor, done):
    """Print the class of a structure or union after the classes of its members."""
    name = name_of(cursor)
    if name in done or not cursor.is_definition():
        return
    done.add(name)
    base = "Union" if cursor.kind == CursorKind.UNION_DECL else "Structure"
    print(f"class {name}({base}):\n    pass")
    fields, unnamed = [], []
    for inner in cursor.type.get_fields():
        of = inner.type.get_canonical()
        while of.kind in (TypeKind.CONSTANTARRAY, TypeKind.POINTER):
            of = of.element_type if of.kind == TypeKind.CONSTANTARRAY else of.get_pointee()
            of = of.get_canonical()
        if of.kind == TypeKind.RECORD:
            print_structure(of.get_declaration(), done)
        member = inner.spelling or f"unnamed_{len(fields)}"
        if not inner.spelling:
            unnamed.append(member)
        fields.append(f"({member!r}, {text_of(inner.type)})")
    print(f"{name}._anonymous_ = {unnamed!r}")
    print(f"{name}._fields_ = [{', '.join(fields)}]")
    print(f"assert sizeof({name}) == {cursor.type.get_size()}, {name!r}")


def main(library, headers):
    headers = [os.path.abspath(h) for h in headers]
    library = os.path.abspath(library) if "/" in library else library
    source = "#define GPUCMD_EXTERN\n#define GPUCMD_IMPLEMENTATION\n"
    source += "".join(f'#include "{h}"\n' for h in headers)
    unit = Index.create().parse("all.c", args=["-std=c99"], unsaved_files=[("all.c", source)])
    errors = [d.spelling for d in unit.diagnostics if d.severity >= 3]
    if errors:
        raise SystemExit(errors[0])
    done = set()
    print(f"from ctypes import *\nlibrary = CDLL({library!r})")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "constants.sh")
    macros = subprocess.run(["sh", script, "python", os.devnull, *headers], stdout=subprocess.PIPE,
                            check=True, text=True)
    print(macros.stdout, end="")
    for cursor in unit.cursor.get_children():
        name = cursor.spelling
        if "_priv_" in name.lower() or not cursor.location.file.name.rpartition("/")[2].startswith("gpucmd"):
            continue
        if cursor.kind == CursorKind.ENUM_DECL:
            for constant in cursor.get_children():
                if "_PRIV_" not in constant.spelling:
                    print(f"{constant.spelling} = {constant.enum_value}")
        elif cursor.kind == CursorKind.STRUCT_DECL:
            print_structure(cursor, done)
        elif cursor.kind == CursorKind.TYPEDEF_DECL and name.endswith("_fn"):
            print(f"{name} = {text_of(cursor.underlying_typedef_type)}")
        elif cursor.kind == CursorKind.FUNCTION_DECL and name not in done:
            done.add(name)
            print(f"{name} = library.{name}\n{name}.restype = {text_of(cursor.result_type)}")
            print(f"{name}.argtypes = [{', '.join(text_of(a.type, True) for a in cursor.get_arguments())}]")


if len(sys.argv) < 3:
    raise SystemExit("usage: ctypes_module.py LIBRARY HEADER...")
main(sys.argv[1], sys.argv[2:])
