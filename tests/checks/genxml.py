# genxml.py ROWS ALLOWED LISTS LENGTHS: compare the fields of MI, 2D and PIPE_CONTROL commands, and the
# lengths of 3D, state and media commands, in Mesa's lists (LISTS/gen*.xml) with the rows of
# gpucmd_i915.h. For tests/checks/genxml.sh.
import sys
import xml.etree.ElementTree as tree

GENS = {'4': 40, '45': 45, '5': 50, '6': 60, '7': 70, '75': 75, '8': 80, '9': 90, '11': 110,
        '12': 120, '125': 125, '20': 200, '30': 300}


def number(token):
    return sum(int(n) * f for n, f in zip(token.split('_'), (10, 1)))


def instructions(directory, file):
    root = tree.parse(directory + '/' + file).getroot()
    found = {}
    for i in root.findall('import'):
        without = {e.get('name') for e in i.findall('exclude')}
        found.update({n: e for n, e in instructions(directory, i.get('name')).items() if n not in without})
    found.update({e.get('name'): e for e in root.findall('instruction')})
    return found


def fields(node, base=0):
    for f in node.findall('field'):
        # What tells the command, and its length, is the header of a row.
        if not (f.get('default') is not None and base + int(f.get('end')) < 32) and f.get('type') != 'mbz':
            yield base + int(f.get('start')), base + int(f.get('end'))
    for g in node.findall('group'):
        for i in range(max(int(g.get('count')), 1)):
            yield from fields(g, base + int(g.get('start')) + i * int(g.get('size')))


rows = {}
for line in open(sys.argv[1]):
    command, name, dw, hi, lo, since, until = line.split()
    rows.setdefault(command.lstrip('_'), []).append(
        (name, int(dw), int(hi), int(lo), number(since), number(until)))
allowed = [line.split() for line in open(sys.argv[2]) if line.strip() and line[0] != '#']
used = set()


def excused(command, dw, hi, lo, gen):
    for i, (c, w, bits, since, until) in enumerate(a[:5] for a in allowed):
        if (c, bits) == (command, '%d:%d' % (hi, lo)) and number(since) <= gen <= number(until) and (
                int(w.rstrip('+')) <= dw if w[-1] == '+' else int(w) == dw):
            used.add(i)
            return True
    return False


passed = failed = 0
for tag, gen in GENS.items():
    for command, e in instructions(sys.argv[3], 'gen%s.xml' % tag).items():
        if not command.startswith(('MI_', 'XY_')) and command != 'PIPE_CONTROL':
            continue
        for start, end in fields(e):
            for dw in range(start // 32, end // 32 + 1):
                lo, hi = max(start - dw * 32, 0), min(end - dw * 32, 31)
                here = [r for r in rows.get(command, []) if r[1] == dw and r[4] <= gen <= r[5]]
                if any(r[2:4] == (hi, lo) for r in here) or (
                        # Canonical addresses: the row has all 32 bits.
                        (hi, lo) == (15, 0) and any(r[0].endswith('_HIGH') and r[2:4] == (31, 0) for r in here)
                ) or excused(command, dw, hi, lo, gen):
                    passed += 1
                else:
                    failed += 1
                    print('FAIL: genxml: gen %g %s: word %d bits %d:%d: no row' % (gen / 10, command, dw, hi, lo))
# The header has no length of a command that it does not name.
lengths = {}
name = ''
for line in open(sys.argv[4]):
    kind, rest = line.split(maxsplit=1)
    if kind == 'name':
        name = rest.strip()
        continue
    key, since, until, least, most, step = rest.split()
    for gen in GENS.values():
        if number(since) <= gen <= number(until):
            lengths[name, int(key), gen] = range(int(least), int(most) + 1, int(step))


def high_half(e):
    return sum(int(f.get('default'), 0) << int(f.get('start')) for f in e.findall('field')
               if f.get('default') is not None and 16 <= int(f.get('start')) and int(f.get('end')) < 32) >> 16


compared = 0
for tag, gen in GENS.items():
    for command, e in instructions(sys.argv[3], 'gen%s.xml' % tag).items():
        row = lengths.get((command.replace('_EXTENDED', ''), high_half(e), gen))
        if row is None or e.get('engine') == 'video':
            continue
        compared += 1
        groups = [int(g.get('start')) // 32 for g in e.findall('group') if g.get('count') == '0']
        # A group of any number of words starts at the end of the shortest form, or in it.
        good = int(e.get('length')) in row if not groups else row[0] - 4 <= groups[0] < row[-1]
        passed += good
        failed += not good
        if not good:
            print('FAIL: genxml: gen %g %s: %s words, not %s' % (gen / 10, command, e.get('length'), row))
if compared < 1000:
    failed += 1
    print('FAIL: genxml: only %d lengths compared' % compared)
for i, a in enumerate(allowed):
    if i not in used:
        failed += 1
        print('FAIL: genxml: excused but not in the lists: ' + ' '.join(a))
print('genxml: %d passed, %d failed' % (passed, failed))
sys.exit(failed != 0)
