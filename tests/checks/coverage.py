# coverage.py gcov|llvm-cov DIRECTORY [ROOM...]: add up the branches of all suites, by header and room.
# A branch is covered if some suite takes it. tests/checks/branches.txt lists branches that none can take, as gcov
# counts them. They are counted apart, as is one branch of each switch without a default: the way of no case.
# For tests/checks/coverage.sh.
# With FULL=1 gcov fails if a branch of one of the rooms PROVEN is neither covered nor listed. A room may have
# `left` such branches if branches.txt says so; this number may only fall.
import collections
import glob
import json
import os
import re
import subprocess
import sys

PROVEN = 'ENCODE EMIT RING DECODE CHECK EXEC ENGINE KERNEL'.split()


def out_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


def gcov(directory, found):
    for data in glob.glob(directory + '/*/*/*.gcda'):
        for text in out_of('gcov', '-j', '-t', '-b', data).splitlines():
            for f in json.loads(text)['files']:
                if not re.match(r'gpucmd\w*\.h$', os.path.basename(f['file'])):
                    continue
                for line in f['lines']:
                    for i, b in enumerate(line['branches']):
                        key = os.path.basename(f['file']), line['line_number'], line['function_name'], i
                        found[key] = found.get(key, False) or b['count'] > 0


def llvm(directory, found):
    for raw in glob.glob(directory + '/*/*/*.profraw'):
        program = raw[:-len('.profraw')]
        out_of('llvm-profdata', 'merge', '-o', program + '.profdata', raw)
        export = json.loads(out_of('llvm-cov', 'export', '-instr-profile', program + '.profdata', program))
        for function in export['data'][0]['functions']:
            name = os.path.basename(function['filenames'][0])
            if not re.match(r'gpucmd\w*\.h$', name):
                continue
            for line, column, _, _, yes, no, file, *_ in function['branches']:
                # Expansions of macros are files of their own; their branches are in the function.
                for i, count in enumerate((yes, no)):
                    key = name, line, column, i if file == 0 else i + 2
                    found[key] = found.get(key, False) or count > 0


def rooms(header):
    places = [(1, 'FRONT')]
    for i, line in enumerate(open(header), 1):
        m = re.match(r'/\* =+ \[(?:CORE|NV|I915|AGX)\.([A-Z.]+)\]', line)
        if m:
            places.append((i, m.group(1)))
    return places


def listed():
    """By function and line: how many of its branches no suite can take."""
    rows = re.findall(r'^(\d+) (\w+): (.*)$', open('tests/checks/branches.txt').read(), re.M)
    return {(function, line): int(n) for n, function, line in rows}


def complete(text, at):
    """Whether a switch begins in line number at that has no default."""
    m = re.match(r'( *)switch \(', text[at - 1])
    if not m:
        return False
    rest = text[at:]
    body = rest[:rest.index(m.group(1) + '}')]
    return not any(line.startswith(m.group(1) + 'default:') for line in body)


def limits():
    """By vendor and room: how many branches may be neither covered nor listed."""
    rows = re.findall(r'^left (\d+) (\w+)\.([A-Z.]+)$', open('tests/checks/branches.txt').read(), re.M)
    return {(vendor, room): int(n) for n, vendor, room in rows}


tool, directory, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]
found = {}
impossible, limit, failed = listed() if tool == 'gcov' else {}, limits(), 0
full = tool == 'gcov' and os.environ.get('FULL')
{'gcov': gcov, 'llvm-cov': llvm}[tool](directory, found)
for header in sorted({k[0] for k in found}):
    places, total = rooms(header), collections.OrderedDict()
    vendor = {'gpucmd.h': 'CORE', 'gpucmd_nv.h': 'NV', 'gpucmd_i915.h': 'I915', 'gpucmd_agx.h': 'AGX'}[header]
    text = open(header).read().split('\n')
    missing, switches = collections.defaultdict(list), set()
    for key, taken in sorted((k, v) for k, v in found.items() if k[0] == header):
        room = [r for at, r in places if at <= key[1]][-1]
        count = total.setdefault(room, [0, 0, 0])
        line = text[key[1] - 1].strip()
        place = (key[2], line)
        count[0] += taken
        count[1] += 1
        if not taken and impossible.get(place, 0) > 0:
            impossible[place] -= 1
            count[2] += 1
        elif not taken and tool == 'gcov' and key[:3] not in switches and complete(text, key[1]):
            switches.add(key[:3]) # the value of no case
            count[2] += 1
        elif not taken:
            missing[room].append('%s:%d: %s: %s' % (header, key[1], key[2], line))
    for room, (n, of, never) in total.items():
        print('  %-6s %-20s %6d of %6d branches, %3d impossible  %5.1f %%' % (
            vendor, room, n, of, never, 100.0 * n / max(of - never, 1)))
    for room in total:
        left, most = len(missing[room]), limit.get((vendor, room), 0)
        proven = full and room.split('.')[-1] in PROVEN
        if proven and left > most or '%s.%s' % (vendor, room) in wanted:
            print('\n'.join(missing[room]))
        if proven and left != most:
            print('%s.%s: %d branches are neither covered nor listed, branches.txt says %d' % (
                vendor, room, left, most))
            failed += max(left - most, 0)
    n, of, never = (sum(x) for x in zip(*total.values()))
    print('%s: %s: %d of %d branches, %d impossible, %.2f %%' % (
        tool, header, n, of, never, 100.0 * n / max(of - never, 1)))
for (function, line), n in impossible.items():
    if n > 0:
        print('branches.txt: %s: %d more than there are: %s' % (function, n, line))
if failed:
    sys.exit('gcov: %d branches are neither covered nor listed' % failed)
