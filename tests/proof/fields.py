# fields.py HEADER: translate the GPUCMD_FIELD_ macros of the header to bit vectors and let z3 prove them for
# every field (highest bit HI, lowest bit LO), every value and every word. Prints one line for each claim
# that z3 does not prove; the exit status is then 1.
import ast
import re
import subprocess
import sys

OPS = {ast.LShift: 'bvshl', ast.RShift: 'bvlshr', ast.BitAnd: 'bvand', ast.BitOr: 'bvor', ast.Add: 'bvadd', ast.Sub: 'bvsub'}
CLAIMS = {
    'a field keeps its value, whatever other bits the word has':
        'GET((w & ~MASK) | PUT(v)) == v if v <= MAX',
    'a value that fits touches no other bit': 'PUT(v) & ~MASK == 0 if v <= MAX',
    'the value of a field puts its bits back': 'PUT(GET(w)) == w & MASK',
    'the value of a field is at most the maximum': 'GET(w) <= MAX',
    'a mask has the bits from LO to HI': '(MASK >> i) & 1 == 1 if i >= LO and i <= HI',
    'a mask has no other bit': '(MASK >> i) & 1 == 0 if i < LO or i > HI',
    'shifts are by less than 32 bits': '31 - HI + LO < 32 and LO < 32',
}
COMPARE = {ast.Eq: '=', ast.LtE: 'bvule', ast.Lt: 'bvult', ast.GtE: 'bvuge', ast.Gt: 'bvugt'}


def macros(header):
    """Bodies of the macros in the notation of C, which for these operators is also Python's."""
    found = {}
    for name, arg, body in re.findall(r'#define GPUCMD_FIELD_(MAX|MASK|PUT|GET)\(f(?:, (\w+))?\)\s+(.*)', open(header).read()):
        body = re.sub(r'GPUCMD_##f##_(HI|LO)', r'\1', body)
        body = re.sub(r'GPUCMD_FIELD_(MAX|MASK)\(f\)', r'\1', body)
        found[name] = arg, ast.parse(re.sub(r'\b(0x\w+?|\d+)u\b', r'\1', body), mode='eval').body
    return found


def smt(e, known, args):
    if isinstance(e, ast.Constant):
        return '(_ bv%d 32)' % e.value
    if isinstance(e, ast.Name):
        return smt(known[e.id][1], known, {}) if e.id in known else args.get(e.id, e.id)
    if isinstance(e, ast.Call):
        value = smt(e.args[0], known, args)
        if e.func.id == 'uint32_t': # a cast
            return value
        arg, body = known[e.func.id]
        return smt(body, known, {arg: value})
    if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.Invert):
        return '(bvnot %s)' % smt(e.operand, known, args)
    if isinstance(e, ast.BinOp):
        return '(%s %s %s)' % (OPS[type(e.op)], smt(e.left, known, args), smt(e.right, known, args))
    if isinstance(e, ast.Compare):
        return '(%s %s %s)' % (COMPARE[type(e.ops[0])], smt(e.left, known, args), smt(e.comparators[0], known, args))
    if isinstance(e, ast.BoolOp):
        return '(%s %s)' % ('and' if isinstance(e.op, ast.And) else 'or', ' '.join(smt(v, known, args) for v in e.values))
    raise ValueError(ast.dump(e))


known, failed = macros(sys.argv[1]), 0
assert len(known) == 4
for text, claim in CLAIMS.items():
    claim, _, when = claim.partition(' if ')
    # In C a comparison binds more than & and |; the claims use Python's order.
    query = ''.join('(declare-const %s (_ BitVec 32))' % n for n in 'HI LO v w i'.split())
    query += '(assert (and (bvule LO HI) (bvule HI (_ bv31 32)) (bvult i (_ bv32 32))))'
    if when:
        query += '(assert %s)' % smt(ast.parse(when, mode='eval').body, known, {})
    query += '(assert (not %s))(check-sat)' % smt(ast.parse(claim, mode='eval').body, known, {})
    answer = subprocess.run(['z3', '-in', '-T:60'], input=query, stdout=subprocess.PIPE, universal_newlines=True).stdout
    if answer.strip() != 'unsat':
        failed += 1
        print('fields: not proved: %s: %s' % (text, answer.strip()))
print('proof: %d passed, %d failed' % (len(CLAIMS) - failed, failed))
sys.exit(failed != 0)
