# mutate.py [-n COUNT] [-s SEED] [-j JOBS] [-k rows|code] [-b BUILD] [-m ROOM] HEADER...: break one place of
# a header at a time, build and run the suites of that header, and list the breaks that no suite notices.
# mutate.py -r FILE HEADER: run only the breaks of the lines "survivor: ..." that an earlier run printed.
# mutate.py -f SUITES ... HEADER: break only code that at most SUITES suites execute: such breaks survive most
# often, and are quick to run. With -o leave out each statement once, instead of COUNT breaks.
# A break of code is run by the suites that execute its line, or by all if the line is in no function. gcov says
# which; the answers are kept in BUILD/mutate/cover. A suite that changed is asked again, and lines of the header
# that changed since are run by all suites. A break that no suite notices is run again with AddressSanitizer and
# UndefinedBehaviorSanitizer. All times are CPU times, so that other load changes no result.
# Rows and code apart. A break of a row changes one number by one or by one bit, a generation to its
# neighbour, a name to that of the row before or after, or leaves the row out. A break of code changes one
# operator or constant, negates a condition, or leaves a statement out. Names of sources and strings stay.
# A break is equivalent if a compiler makes the same code of it (tcc before the suites run; gcc -O1, which
# takes longer, after they did not notice).
# A break that does not compile counts as noticed.
import argparse
import collections
import difflib
import glob
import hashlib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

COMPILERS = [['tcc'], ['gcc', '-O0', '-g0'], ['gcc', '-O1', '-g0']]
SANITIZED = ['clang', '-O0', '-g0', '-fsanitize=address,undefined', '-fno-sanitize-recover=all']
HEADERS = sorted(glob.glob('gpucmd*.h'))
CODE_OPS = {
    '+': '-', '-': '+', '*': '+', '/': '*', '%': '/', '<<': '>>', '>>': '<<', '&': '|', '|': '&', '^': '|',
    '&&': '||', '||': '&&', '<': '<= >=', '<=': '< >', '>': '>= <=', '>=': '> <', '==': '!=', '!=': '==',
    '+=': '-=', '-=': '+=', '|=': '&=', '&=': '|=', '^=': '|=', '++': '--', '--': '++', '!': ' ', '~': ' ',
}
STATEMENT = r'(?:[\w.>\-\[\]*]+ (?:[-+|&^]|<<|>>)?= .*|\w+\(.*\)|break|continue|[\w.>\-\[\]*]+(?:\+\+|--));$'
NO_STATEMENT = ('return', 'else', '(void)')
TOKEN = re.compile(r'[A-Za-z_]\w*|0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||'
                   r'\+\+|--|->|[-+*/%&|^]=|\.\.\.|[^\s\w]')
WORD = re.compile(r'[A-Za-z_]\w*$')
NUMBER = re.compile(r'(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)$')
ROW = re.compile(r'\s+(?:[A-Z]{1,3}|GPUCMD_\w+)?\s*\(.*\)\s*\\?$')
DEFINE = re.compile(r'#define (GPUCMD_\w+)\s+\(?(0[xX][0-9a-fA-F]+|\d+)[uU]?\)?$')
ENUM = re.compile(r'\s+(GPUCMD_\w+)\s*=\s*.*\d.*$')


def blank(text):
    """The text with comments, strings and characters replaced by spaces of the same length."""
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'',
                  lambda m: re.sub(r'[^\n]', ' ', m.group()), text, flags=re.S)


def split_lines(header):
    """Lines of the header, the same without comments and strings, and a kind for each: rows, code, none."""
    text = open(header).read()
    lines, bare = text.split('\n'), blank(text).split('\n')
    kinds, macro, depth, table = [], False, 0, False
    for line in bare:
        s = line.rstrip()
        if s.startswith('#') or macro:
            # Rows are in macros. Code in macros is code where it is no row.
            kind = 'none'
            if DEFINE.match(s) or (macro and ROW.match(s) and not re.search(r'\(x?, *\w+\)\s*\\?$|[;{}]', s)):
                kind = 'rows'
            macro = s.endswith('\\')
        elif depth == 0:
            table = bool(re.search(r'\]\s*=\s*\{', s))
            kind = 'none'
        elif table:
            kind = 'rows' if re.search(r'\d', s) else 'none'
        elif ENUM.match(s):
            kind = 'rows'
        else:
            kind = 'code'
        if not (s.startswith('#') or macro):
            depth += s.count('{') - s.count('}')
        kinds.append(kind)
    return lines, bare, kinds


def sources():
    """Names of sources: they say where a row is from, and no code depends on them."""
    found = set()
    for h in HEADERS:
        for body in re.findall(r'#define GPUCMD_\w*SOURCES\(\w+\)((?:.*\\\n)*.*)', open(h).read()):
            found.update(re.findall(r'[A-Z]\( *(\w+)', body))
    return found


def number(token, rng):
    value, suffix = NUMBER.match(token).groups()
    n = int(value, 16) if value[:2].lower() == '0x' else int(value, 10)  # no number is octal
    choice = [n + 1] + ([n - 1] if n else [])
    if value[:2].lower() == '0x' and n > 15:
        choice = [n ^ 1 << rng.randrange(n.bit_length())]
    new = rng.choice(choice)
    return (('0x%0*x' % (len(value) - 2, new)) if value[:2].lower() == '0x' else str(new)) + suffix


def starts(bare):
    """Where the rows of a line of a macro begin: S( ... ) S( ... )."""
    found, depth = [], 0
    for i, c in enumerate(bare if re.match(r'\s*[A-Z]{1,3} *\(', bare) else ''):
        if c == '(' and depth == 0:
            found.append(i)
        depth += (c == '(') - (c == ')')
    return found


def cells(bare, start=-1):
    """Spans of the arguments in the outermost parentheses or braces of a row."""
    if start < 0:
        start = bare.find('(') if '(' in bare else bare.find('{')
    if start < 0:
        m = re.search(r'\S', bare)
        return [(m.start(), len(bare.rstrip().rstrip('\\,').rstrip()))] if m else []
    spans, depth, at = [], 0, start + 1
    for i in range(start, len(bare)):
        c = bare[i]
        if c in '({':
            depth += 1
        elif c in ')}':
            depth -= 1
            if depth == 0:
                spans.append((at, i))
                break
        elif c == ',' and depth == 1:
            spans.append((at, i))
            at = i + 1
    return spans


GENS = '2 3 4 4_5 5 6 7 7_5 8 9 11 12 12_5 12_7 20 30'.split()


def break_row(bare, i, rng, skip, intel):
    """One broken form of row i, as (start, end, new text), or None."""
    line = bare[i]
    m = DEFINE.match(line.rstrip())
    if m:
        return m.start(2), m.end(2), number(m.group(2), rng)
    m = ENUM.match(line.rstrip())
    if m:
        tokens = [t for t in TOKEN.finditer(line, line.index('=')) if NUMBER.match(t.group())]
        t = rng.choice(tokens) if tokens else None
        return (t.start(), t.end(), number(t.group(), rng)) if t else None
    rows = starts(line)
    spans = cells(line, rng.choice(rows) if len(rows) > 1 else -1)
    if rng.randrange(12) == 0 and line.rstrip().endswith('\\'):
        return 0, len(line.rstrip()) - 1, ''
    names = [n for n, (a, b) in enumerate(spans) if line[a:b].strip() and line[a:b].strip() not in skip]
    if not names:
        return None
    n = rng.choice(names)
    a, b = spans[n]
    cell = line[a:b].strip()
    a += line[a:b].index(cell)
    b = a + len(cell)
    # Of an Intel row the first two generations in a sequence are the first and the last generation.
    if intel and cell in GENS and any(
            line[c:d].strip() in GENS for c, d in spans[n + 1:n + 2] + (spans[n - 1:n] if n else [])) and (
            n >= len(spans) - 2 or n < 5):
        k = GENS.index(cell)
        return a, b, rng.choice(GENS[max(k - 1, 0):k] + GENS[k + 1:k + 2])
    tokens = [t for t in TOKEN.finditer(line, a, b) if NUMBER.match(t.group())]
    if tokens:
        t = rng.choice(tokens)
        return t.start(), t.end(), number(t.group(), rng)
    if n == 0 or not WORD.match(cell) or cell == 'x':
        return None
    for k in (i - 1, i + 1):
        other = cells(bare[k]) if 0 <= k < len(bare) else []
        if len(other) == len(spans):
            word = bare[k][other[n][0]:other[n][1]].strip()
            if WORD.match(word) and word != cell:
                return a, b, word
    return None


def break_code(bare, i, rng):
    line = bare[i]
    s = line.strip()
    if not s or s[0] in '{}' or s.startswith(('case ', 'static ', 'const ', 'GPUCMD_API', 'GPUCMD_INLINE')) and (
            not re.search(r'[=<>]', s)):
        return None
    choice = []
    if left_out(line):
        choice += [left_out(line)] * 3
    m = re.match(r'\s*(?:\} else )?(?:if|while) \((.*)\) \{$', line)
    if m:
        choice += [(m.start(1), m.end(1), '!(' + '\0' + ')')]
    before = ''
    tokens = list(TOKEN.finditer(line))
    for n, t in enumerate(tokens):
        word = t.group()
        after = tokens[n + 1].group() if n + 1 < len(tokens) else ''
        if word in CODE_OPS:
            unary = before in ('', '(', ',', '=', 'return', '?', ':', '[', '{', '&&', '||') or before in CODE_OPS
            pointer = word in '*&' and (unary or re.match(r'(u?int\d+_t|size_t|void|char|const|bool|gpucmd_\w+)$', before)
                                        or before == ')' and after and (WORD.match(after) or after == '('))
            if not (pointer or unary and word in '+-*&' or word in '<>' and before == 'include'):
                choice += [(t.start(), t.end(), new) for new in CODE_OPS[word].split()] or [(t.start(), t.end(), '')]
        elif NUMBER.match(word):
            new = number(word, rng)
            # Nobody notices a larger array or parameter.
            if not (re.match(r'(?:[\w ]+ \*?|.*, \w+ \*?)\w+(?:\[\d+\])?\[$', line[:t.start()].lstrip()) and after == ']' and (
                    int(NUMBER.match(new).group(1), 0) > int(NUMBER.match(word).group(1), 0) and
                    re.match(r'\](?:\[\d+\])?[;,)]', line[t.end():]) and '=' not in line)):
                choice.append((t.start(), t.end(), new))
        elif word in ('true', 'false'):
            choice.append((t.start(), t.end(), 'false' if word == 'true' else 'true'))
        before = word
    return rng.choice(choice) if choice else None


def breaks(header, kind, args):
    """Breaks of COUNT lines, or of all statements. The text of a line and the seed choose, not its number: a
    line that stays as it is has the same break after other lines changed."""
    lines, bare, kinds = split_lines(header)
    mark = 'FRONT'
    for i, line in enumerate(bare):
        m = re.match(r'/\* =+ \[([A-Z0-9.]+)\]', lines[i])
        mark = m.group(1) if m else mark
        if not re.search(args.room, mark):
            kinds[i] = 'none'
        if kinds[i] == 'rows' and re.match(r'\s+S\( \w+, +(doc|src|re|obs|our)', line):
            kinds[i] = 'none'
    numbers = [i for i, k in enumerate(kinds) if k == kind]
    if args.few:
        suites = Suites(header, os.path.join(args.build, 'mutate'), 0)
        suites.ask(header, 1)
        numbers = [i for i in numbers if 0 < suites.executing(i + 1) <= args.few]
    if args.out:
        return lines, [(i, b) for i in numbers for b in [left_out(bare[i])] if b]
    skip = sources() | {'x', 'F', 'NULL'}
    found, tries = [], 0
    while numbers and len(found) < args.count and tries < 40:
        seen, keys = collections.Counter(), []
        for i in numbers:
            text = flat(lines[i])
            seen[text] += 1
            keys.append((hashlib.sha1(('%d %d %d %s' % (args.seed, tries, seen[text], text)).encode()).hexdigest(), i))
        for key, i in sorted(keys):
            rng = random.Random(key)
            b = break_row(bare, i, rng, skip, 'i915' in header) if kind == 'rows' else break_code(bare, i, rng)
            if b and (i, b) not in found and len(found) < args.count:
                found.append((i, b))
        tries += 1
    return lines, found


def left_out(line):
    """The break that leaves out the statement of the line, or None."""
    s = line.strip()
    a = line.find(s)
    return (a, a + len(s), ';') if re.match(STATEMENT, s) and not s.startswith(NO_STATEMENT) else None


def flat(text):
    return re.sub(r'\s+', ' ', text.rstrip('\\ ').strip())


def again(header, kind, file):
    """The breaks of this kind that a run printed as survivors."""
    lines, _, kinds = split_lines(header)
    found = []
    for at, before, after in re.findall(r'^survivor: (\d+) %s: (.*) => (.*)$' % re.escape(header), open(file).read(), re.M):
        same = [i for i, line in enumerate(lines) if flat(line) == before and kinds[i] == kind]
        if same:
            i = min(same, key=lambda k: abs(k + 1 - int(at)))
            found.append((i, (0, len(lines[i].rstrip('\\ ')), after)))
    return lines, found


def broken(line, b):
    start, end, new = b
    old = line[start:end]
    return line[:start] + new.replace('\0', old) + line[end:]


def suite_name(name):
    """The name of a suite: nv_emit.c of tests/nv/emit.c."""
    return '_'.join(name.split('/')[1:])


class Suites:
    """The suites of a header, those first that noticed most in a second."""

    def __init__(self, header, build, limit):
        vendor = header[len('gpucmd'):-2].strip('_')
        names = sorted(glob.glob('tests/%s/*.c' % (vendor or 'core')))
        if vendor == 'nv':
            names += ['tests/' + n for n in ('core/writer.c', 'core/failed_writer.c', 'core/failing.c', 'core/security.c')]
        if not vendor:
            names += ['tests/' + n for n in ('nv/emit.c', 'nv/exec.c', 'nv/ring.c', 'i915/exec.c', 'i915/ring.c',
                                             'agx/emit.c', 'agx/kernel.c', 'agx/exec.c', 'nv/host.c', 'agx/why.c',
                                             'nv/nvgpu_kernel.c', 'i915/decode.c', 'nv/words.c',
                                             'nv/why.c')]
        self.names = [n for n in names if 'exhaustive' not in n and 'libdrm' not in n]
        self.kills, self.seconds, self.how = collections.Counter(), collections.Counter(), {}
        self.cover, self.clean = {}, {}
        self.limit, self.build, self.lock = limit, build, threading.Lock()

    def command(self, cc, name, include, program):
        return cc + ['-w', '-std=c99', '-DGPUCMD_STATIC', '-DGPUCMD_IMPLEMENTATION=', '-I', include, '-I.', '-Itests',
                     '-o', program, name]

    def baseline(self, jobs):
        """For each suite: the compiler with which building and running it takes the least CPU time."""
        todo = list(self.names)
        file = os.path.join(self.build, 'base.json')
        kept = json.load(open(file)) if os.path.exists(file) else {}
        headers = HEADERS + sorted(glob.glob('tests/*.h') + glob.glob('tests/*/*.h'))

        def work():
            while True:
                with self.lock:
                    if not todo:
                        return
                    name = todo.pop()
                text = b''.join(open(f, 'rb').read() for f in headers + [name])
                key = name + ' ' + hashlib.sha1(text).hexdigest()
                if key not in kept:
                    program = os.path.join(self.build, 'base.' + name.replace('/', '_'))
                    found = []
                    for cc in COMPILERS:
                        # The binding to Linux needs what tcc's environment does not promise.
                        if cc == ['tcc'] and 'core/sys' in name or found and found[0][1] < 1:
                            continue
                        built, build_s = timed(self.command(cc, name, '.', program), 60)
                        ran, run_s = timed([program], 120) if built == 0 else (built, 0)
                        if ran == 0:
                            found.append((cc, build_s + run_s, run_s))
                    if found:
                        kept[key] = min(found, key=lambda f: f[1])
                if key in kept:
                    self.how[name] = tuple(kept[key])
        run_threads(jobs, work)
        with open(file, 'w') as f:
            json.dump(kept, f)
        for name in self.names:
            if name not in self.how:
                print('mutate: left out: %s does not pass unbroken' % name)
            elif self.how[name][1] >= self.limit:
                print('mutate: left out: %s takes %.1f s of CPU time, limit %g' % (
                    name, self.how[name][1], self.limit))
        self.names = [n for n in self.names if n in self.how and self.how[n][1] < self.limit]

    def ask(self, header, jobs):
        """Which lines of the header each suite executes."""
        place = os.path.join(self.build, 'cover')
        os.makedirs(place, exist_ok=True)
        text = open(header).read()
        todo, maps = list(self.names), {}

        def answer(name):
            file = os.path.join(place, '%s.%s.json' % (suite_name(name), header))
            suite = hashlib.sha1(open(name, 'rb').read()).hexdigest()
            if os.path.exists(file):
                kept = json.load(open(file))
                if kept['suite'] == suite:
                    return kept
            counts = gcov_lines(name, header, os.path.join(place, suite_name(name) + '.d'))
            kept = {'suite': suite, 'text': hashlib.sha1(text.encode()).hexdigest(), 'counts': counts}
            if counts is not None:
                with open(os.path.join(place, kept['text']), 'w') as f:
                    f.write(text)
                with open(file, 'w') as f:
                    json.dump(kept, f)
            return kept

        def work():
            while True:
                with self.lock:
                    if not todo:
                        return
                    name = todo.pop()
                kept = answer(name)
                if kept['counts'] is not None:
                    with self.lock:
                        old = kept['text']
                        if old not in maps:
                            maps[old] = same_lines(open(os.path.join(place, old)).read(), text)
                        self.cover[name] = Cover(kept['counts'], maps[old], text)
        run_threads(jobs, work)

    def executing(self, line):
        """How many suites execute the line."""
        return sum(c.count.get(line, 0) > 0 for c in self.cover.values())

    def order(self, line):
        names = [n for n in self.names if line is None or self.cover.get(n) is None or self.cover[n].reaches(line)]
        return sorted(names, key=lambda n: -(self.kills[n] + .3) / (self.seconds[n] + 5 * self.how[n][1]))

    def notice(self, directory, line):
        """The suite that notices the header in directory, whose broken line of code is line, or None."""
        program = os.path.join(directory, 'suite')
        for name in self.order(line):
            cc, normal, run_s = self.how[name]
            built, build_s = timed(self.command(cc, name, directory, program), 60)
            ran, took = timed([program], 2 + 10 * run_s) if built == 0 else (0, 0)
            result = 'does not compile' if built else suite_name(name) if ran else None
            with self.lock:
                self.seconds[name] += build_s + took
                self.kills[name] += result is not None
            if result:
                return result
        return None

    def sanitize(self, directory, line):
        """As notice, with sanitizers. A suite that fails with them unbroken is skipped."""
        program = os.path.join(directory, 'suite')
        for name in sorted(self.order(line), key=lambda n: self.how[n][1]):
            if name not in self.clean:
                built, _ = timed(self.command(SANITIZED, name, '.', program), 60)
                self.clean[name] = timed([program], 300) if built == 0 else (built, 0)
            unbroken, run_s = self.clean[name]
            if unbroken == 0 and (timed(self.command(SANITIZED, name, directory, program), 60)[0] or
                                  timed([program], 2 + 10 * run_s)[0]):
                return suite_name(name)
        return None


class Cover:
    """The lines of a header that one suite executes."""

    def __init__(self, counts, new_of, text):
        lines = text.split('\n')
        self.count = {new_of[int(n)]: c for n, c in counts.items() if int(n) in new_of}
        known = set(new_of.values())
        # By line: the first line of its function, or 0. A function with a line that changed counts as executed.
        self.start, self.executed, at = {}, {0}, 0
        for n, line in enumerate(lines, 1):
            if line == '{':
                at = n
            self.start[n] = at
            if n not in known or self.count.get(n, 0):
                self.executed.add(at)
            if line[:1] == '}':
                at = 0

    def reaches(self, line):
        return self.count[line] > 0 if line in self.count else self.start[line] in self.executed


def same_lines(old, new):
    """By number of a line in the old text: its number in the new text, where it is the same line."""
    match = difflib.SequenceMatcher(None, old.split('\n'), new.split('\n'), False) if old != new else None
    blocks = match.get_matching_blocks() if match else [(0, 0, old.count('\n') + 1)]
    return {a + k + 1: b + k + 1 for a, b, n in blocks for k in range(n)}


def gcov_lines(name, header, place):
    """By line of the header: how often the suite executes it. None: gcov does not tell."""
    os.makedirs(place, exist_ok=True)
    for f in glob.glob(place + '/*'):
        os.remove(f)
    program = os.path.join(place, 'suite')
    if quiet(['gcc', '-std=c99', '-w', '-O0', '--coverage', '-DGPUCMD_STATIC', '-DGPUCMD_IMPLEMENTATION=',
              '-fkeep-static-functions', '-fkeep-inline-functions', '-D__always_inline__=__unused__', '-I.', '-Itests',
              '-o', program, name], 600) != 0 or quiet([program], 600) != 0:
        return None
    counts = {}
    for data in glob.glob(place + '/*.gcda'):
        out = subprocess.run(['gcov', '-j', '-t', data], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        for text in out.splitlines():
            for f in json.loads(text)['files']:
                if os.path.basename(f['file']) == header:
                    for line in f['lines']:
                        n = line['line_number']
                        counts[n] = counts.get(n, 0) + line['count']
    os.remove(program)
    return counts or None


def timed(command, seconds):
    """Run the command with a limit of CPU time. Return its status, 127 if it is missing, and its CPU time."""
    limit = int(seconds) + 1
    for tries in range(10):
        try:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL,
                                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
            break
        except FileNotFoundError:
            return 127, 0
        except OSError:  # a program that was just written may be busy
            if tries == 9:
                raise
            time.sleep(.1)
    # A program that waits for ever uses no CPU time.
    clock = threading.Timer(60 + 10 * seconds, child.kill)
    clock.start()
    _, status, used = os.wait4(child.pid, 0)
    clock.cancel()
    child.returncode = status
    return status, used.ru_utime + used.ru_stime


def quiet(command, seconds):
    return timed(command, seconds)[0]


def run_threads(jobs, work):
    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def code_of(directory, header, how):
    """Machine code and data of all functions of a header in directory; of the core, of all headers."""
    unit, out = os.path.join(directory, 'all.c'), os.path.join(directory, 'all.out')
    with open(unit, 'w') as f:
        f.write('#include <stdint.h>\n' + ''.join(
            '#include "%s"\n' % h for h in (HEADERS if header == 'gpucmd.h' else [header])))
    if quiet(how + ['-w', '-std=c99', '-DGPUCMD_EXTERN', '-DGPUCMD_IMPLEMENTATION', '-I', directory,
                    '-o', out, unit], 300) != 0:
        return None
    return re.sub(rb'\.(file|ident).*', b'', open(out, 'rb').read())


class Same:
    """Says whether a compiler makes the same code of a broken header."""

    # Debug information has the enumerators: users read those that no function of the header reads.
    HOW = {'tcc': ['tcc', '-c'], 'gcc': ['gcc', '-O1', '-g0', '-S'],
           'gcc -g': ['gcc', '-O1', '-g', '-gno-column-info', '-fno-eliminate-unused-debug-types', '-S']}

    def __init__(self, directory, header):
        self.header, self.place, self.plain = header, directory + '/plain', {}
        os.makedirs(self.place, exist_ok=True)
        for h in HEADERS:
            shutil.copy(h, self.place)
        text = open(header).read()
        self.start = text[:text.index('_H_IMPL\n')].count('\n') + 1

    def before(self, directory, kind, line):
        """A quick answer for code of the implementation, of which tcc leaves nothing out."""
        return self.ask(directory, 'tcc') if kind == 'code' and line > self.start else None

    def after(self, directory, kind, text):
        """tcc accepts what gcc does not, such as arrays of negative size."""
        result = self.ask(directory, 'gcc' if kind == 'code' else 'gcc -g')
        return None if result == 'same code' and DEFINE.match(blank(text).rstrip()) else result

    def ask(self, directory, tool):
        if tool not in self.plain:
            self.plain[tool] = code_of(self.place, self.header, self.HOW[tool])
        code = code_of(directory, self.header, self.HOW[tool])
        if code is None:
            return 'does not compile' if tool != 'tcc' else None
        return 'same code' if code.replace(directory.encode(), b'') == self.plain[tool].replace(
            self.place.encode(), b'') else None


def chosen(header, kind, args):
    """The lines of the header and the breaks that the arguments ask for."""
    return again(header, kind, args.again) if args.again else breaks(header, kind, args)


def mutate(header, kind, args):
    lines, todo = chosen(header, kind, args)
    total = len(todo)
    directory = os.path.join(args.build, 'mutate')
    os.makedirs(directory, exist_ok=True)
    suites = Suites(header, directory, args.limit)
    suites.baseline(args.jobs)
    if kind == 'code':
        suites.ask(header, args.jobs)
    results, survivors, lock = collections.Counter(), [], threading.Lock()
    same = Same(directory, header)
    ids = list(range(args.jobs))

    def work():
        with lock:
            place = os.path.join(directory, 'job%d' % ids.pop())
        os.makedirs(place, exist_ok=True)
        for h in HEADERS:
            shutil.copy(h, place)
        while True:
            with lock:
                if not todo or time.time() > args.stop:
                    return
                i, b = todo.pop()
            line = broken(lines[i], b)
            with open(os.path.join(place, header), 'w') as f:
                f.write('\n'.join(lines[:i] + [line] + lines[i + 1:]))
            text = '%s: %s => %s' % tuple(flat(t) for t in (header, lines[i], line))
            at = i + 1 if kind == 'code' else None
            result = (same.before(place, kind, i + 1) or suites.notice(place, at) or
                      same.after(place, kind, lines[i]) or suites.sanitize(place, at))
            if not result:
                with lock:
                    survivors.append((i + 1, text))
                    print('survivor: %d %s' % (i + 1, text), flush=True)
            with lock:
                results[result or 'survivor'] += 1

    run_threads(args.jobs, work)
    done = sum(results.values())
    judged = done - results['same code']
    noticed = judged - results['survivor']
    print('mutate: %s %s: %d of %d breaks run, %d not compiled, %d same code, '
          '%d noticed of %d (%.1f %%)' % (
              header, kind, done, total, results['does not compile'], results['same code'],
              noticed, judged, 100.0 * noticed / max(judged, 1)), flush=True)
    return sorted(survivors)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('-n', dest='count', type=int, default=100)
    parser.add_argument('-s', dest='seed', type=int, default=1)
    parser.add_argument('-j', dest='jobs', type=int, default=2)
    parser.add_argument('-k', dest='kinds', default='rows,code')
    parser.add_argument('-b', dest='build', default='build')
    parser.add_argument('-t', dest='minutes', type=float, default=1e6)
    parser.add_argument('-l', dest='limit', type=float, default=60, help='leave out suites of more seconds')
    parser.add_argument('-m', dest='room', default='.', help='break only rooms whose mark matches this')
    parser.add_argument('-r', dest='again', help='run the survivors that are listed in this file')
    parser.add_argument('-f', dest='few', type=int, help='break only code that at most FEW suites execute')
    parser.add_argument('-o', dest='out', action='store_true', help='leave out each statement, once')
    parser.add_argument('--show', action='store_true', help='print the breaks, run nothing')
    parser.add_argument('headers', nargs='*')
    args = parser.parse_args()
    args.stop = time.time() + 60 * args.minutes
    args.kinds = 'code' if args.few or args.out else args.kinds
    for header in args.headers or HEADERS:
        for kind in args.kinds.split(','):
            if args.show:
                lines, todo = chosen(header, kind, args)
                for i, b in todo:
                    print('%s %d: %s => %s' % (header, i + 1, lines[i].strip(), broken(lines[i], b).strip()))
                continue
            mutate(header, kind, args)


main()
