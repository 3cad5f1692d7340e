#!/usr/bin/env python3
"""How hard do programs make optimisers work? What gcc-12 -O3 and clang -O3 do, per CPU second of compiling, with the programs of
csmith (Debian's package, its defaults), of YARPGen v2 (stored, `func.c` only), and with ours.

Each program is compiled twice: plainly, which gives the CPU time, and with dumps, which gives the counts. The generator with the
least CPU time so far has the next turn, so that what else the machine does meets all. One table at the end.
The last column is ours divided by the best of csmith and YARPGen v2; YARPGen v1 (`--v1`, six programs of 1 MB) is only shown."""
import argparse
import collections
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from measure import Tools, cpu_of, fail, require, scratch_folder

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What counts as what. gcc says it in four ways:
#   info   a line of -fopt-info-optimized that matches, 1 each
#   stat   counters of -fdump-statistics-stats "pass|counter" that match, summed (the events are counted where they happen)
#   dump   lines of a pass's own dump that match, 1 each, or the number they catch
# Loop interchange, unroll-and-jam, distribution, splitting, unswitching and peeling are all on in gcc 12's -O3. The unroller of
# RTL (-funroll-loops) is not: "unrolled" is complete unrolling.
GCC_ROWS = [
    ('loops vectorised', 'info', r'loop vectorized using'),
    ('loops versioned for aliasing or alignment', 'info', r'loop versioned for vectorization'),
    ('SLP: block parts vectorised', 'info', r'basic block part vectorized'),
    ('loops unrolled completely', 'info', r'iterations completely unrolled'),
    ('loops turned into non-loops', 'info', r'loop turned into non-loop'),
    ('loops peeled', 'dump', 'cunroll', r'^Peeled loop \d+, \d+ times'),
    ('loops unswitched', 'info', r'Unswitching loop on condition|Guard hoisted'),
    ('loops split', 'info', r'loop split'),
    ('loops distributed', 'info', r'distributed: split to (?:[2-9]|1 loops and [1-9])'),
    ('loops turned into memset, memcpy, memmove', 'info', r'transformed into a builtin|and [1-9]\d* library calls'),
    ('loops interchanged', 'info', r'loops interchanged in loop nest'),
    ('unroll and jam', 'info', r'applying unroll and jam'),
    ('loops if-converted', 'dump', 'ifcvt', r'^Applying if-conversion'),
    ('predictive commoning', 'dump', 'pcom', r'^Executing predictive commoning'),
    ('loop-invariant statements moved', 'dump', 'lim', r'^Moving (?:statement|PHI node)'),
    ('store motion out of loops', 'dump', 'lim', r'^Executing store motion'),
    ('jumps threaded', 'stat', r'\|Jumps threaded$'),
    ('min/max recognised', 'dump', 'optimized', r'= (?:MIN|MAX)_EXPR <|\.(?:REDUC_|COND_)?(?:MIN|MAX) \('),  # C has no such operator
    ('abs recognised', 'dump', 'optimized', r'= ABSU?_EXPR <'),
    ('reassociations', 'stat', r'^reassoc\|(?:Statements rewritten|Ops eliminated|Constants eliminated)$'),
    ('gcse (RTL PRE) substitutions', 'dump', 'pre', r'^PRE GCSE of .* (\d+) substs'),
    ('gcse after reload', 'stat', r'^gcse2\|'),
    ('PRE insertions', 'stat', r'^pre\|(?:Insertions|PA inserted|New PHIs)$'),
    ('PRE hoists', 'stat', r'^pre\|HOIST inserted$'),
    ('phiopt', 'stat', r'^phiopt\|'),
    ('FRE eliminations', 'stat', r'^fre\|Eliminated$'),
    ('dominator: redundant expressions', 'stat', r'\|Redundant expressions eliminated$'),
    ('ccp: constants propagated', 'stat', r'^ccp\|Constants propagated$'),
    ('vrp: statements folded', 'stat', r'^e?vrp\|Statements folded$'),
    ('if blocks converted (RTL)', 'dump', 'ce', r'^(\d+) IF blocks converted'),
    ('conditions combined (ifcombine)', 'dump', 'ifcombine', r'^optimizing '),
    ('stores merged', 'dump', 'store-merging', r'^Merging successful!'),
    ('byte swaps and reads recognised', 'stat', r'\|\d+-bit (?:bswap|nop) implementations found$'),
    ('dead stores deleted', 'dump', 'dse', r'^  Deleted (?:dead|redundant) (?:store|call)'),
    ('switches converted to tables', 'dump', 'switchconv', r'^Switch converted'),
    ('if chains turned into switches', 'info', r'transformed into a switch|Condition chain with'),
    ('strength reductions (slsr)', 'dump', 'slsr', r'^(?:Replacing|  Replacing\.\.\.)'),
    ('widening multiplications, divmod, fma', 'stat', r'^widening_mul\||\|divmod calls inserted$'),
    ('tail recursions eliminated', 'dump', 'tailr', r'^Eliminated tail recursion'),
    ('tail calls found', 'dump', 'tailc', r'^Found tail call'),
    ('functions specialised (ipa-cp)', 'dump', 'cp', r'^ +(?:- )?Creating a specialized node'),
    ('parameters changed (ipa-sra)', 'dump', 'sra', r'^  Created new node'),
    ('functions or variables merged (icf)', 'info', r'Semantic equality hit'),
    ('calls inlined', 'info', r'Inlining|Inlined'),
    ('aggregates scalarised', 'stat', r'\|Scalar replacements created$'),
    ('statements sunk', 'stat', r'\|Sunk statements$'),
    ('instructions combined', 'stat', r'^combine\|'),
]
GCC_DUMPS = ['-fdump-tree-' + d for d in ('cunroll-details', 'ifcvt-details', 'pcom-details', 'lim-details', 'optimized', 'ifcombine-details',
             'store-merging', 'dse-details', 'switchconv', 'slsr-details', 'tailr-details', 'tailc-details')] + \
            ['-fdump-rtl-pre', '-fdump-rtl-ce1', '-fdump-rtl-ce2', '-fdump-rtl-ce3', '-fdump-ipa-cp', '-fdump-ipa-sra']
# The files a dump name stands for: "cunroll" is p.c.166t.cunroll; a pass that runs several times has a number behind its name.
DUMP_FILE = re.compile(r'\.\d+[tri]\.([a-z_-]+)\d*$')

# clang: optimisation records (-fsave-optimization-record) of passes done, "pass|name". It reports no threading, no min/max.
CLANG_ROWS = [
    ('loops vectorised', r'^loop-vectorize\|Vectorized'),
    ('loops interleaved', r'^loop-vectorize\|Interleaved'),
    ('SLP: lists, stores, reductions', r'^slp-vectorizer\|'),
    ('loops unrolled (fully, partly, at run time)', r'^loop-unroll\|(?:Fully|Partial|Runtime)'),
    ('loops peeled', r'^loop-unroll\|Peeled'),
    ('loops deleted', r'^loop-delete\|'),
    ('loop idioms (memset, memcpy, popcount)', r'^loop-idiom\|'),
    ('licm: hoisted, sunk, promoted', r'^licm\|'),
    ('gvn: loads eliminated', r'^gvn\|LoadElim'),
    ('gvn: loads PRE', r'^gvn\|LoadPRE'),
    ('tail recursion', r'^tailcallelim\|'),
    ('calls inlined', r'^inline\|'),
]


class Peer:
    """Programs of one generator: `make(index, folder)` gives the path of one, or None when there are no more."""

    def __init__(self, name, make, flags=()):
        self.name, self.make, self.flags = name, make, list(flags)


class Counts:
    def __init__(self):
        self.cpu, self.programs, self.failed = 0.0, 0, 0
        self.rows, self.kinds, self.done = collections.Counter(), collections.Counter(), False


def stored(pattern):
    files = sorted(glob.glob(pattern))
    return lambda index, folder: files[index] if index < len(files) else None


def generated(command, first):
    def make(number, folder):
        index = first + number
        path = os.path.join(folder, 'p.c')
        run = subprocess.run(command(index, path), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder)
        if run.returncode != 0:
            fail(f'{command(index, path)} failed: {run.stderr[-300:]}')
        return path
    return make


def without_flag(make):
    """csmith's programs whose main never prints a hash: what is left is what the program itself gives the optimiser to do. With it, each of some
    fifty tests of one flag in main is a jump to thread, and each loop around one is unswitched."""
    def changed(index, folder):
        path = make(index, folder)
        with open(path) as file:
            text = file.read()
        with open(path, 'w') as file:
            file.write(re.sub(r'if \(argc == 2 && strcmp\(argv\[1\], "1"\) == 0\) print_hash_value = 1;', '', text))
        return path
    return changed


def stored_peers():
    places = [os.path.join(ROOT, up, 'shared/peers/yarpgen.tar.xz') for up in ('..', '../..')]
    return next((place for place in places if os.path.exists(place)), os.path.normpath(places[0]))


def lines(path):
    with open(path, errors='replace') as file:
        yield from file


def number(found):
    return int(found.group(1)) if found.groups() else 1


def compile_gcc(gcc, source, flags, folder, counts):
    plain = [gcc, '-O3', '-w', '-S', source, *flags, '-o', '/dev/null']
    code, seconds = cpu_of(plain, folder)
    counts.cpu += seconds
    if code != 0:
        counts.failed += 1
        return
    out = os.path.join(folder, 'dumps')
    shutil.rmtree(out, ignore_errors=True)
    os.mkdir(out)
    code, _ = cpu_of([*plain[:-1], 'x.s', '-dumpdir', out + '/', f'-fopt-info-optimized={out}/info', f'-fdump-statistics-stats={out}/stat', *GCC_DUMPS], out, 300)
    if code != 0:
        counts.failed += 1
        return
    counts.programs += 1
    info = list(lines(out + '/info')) if os.path.exists(out + '/info') else []
    stats = collections.Counter()
    for line in lines(out + '/stat') if os.path.exists(out + '/stat') else []:
        found = re.match(r'\d+ (\S+) "(.*)" (\d+)$', line)
        if found and not re.search(r' == -?\d+$', found[2]):  # "RPO iterations == 10" is a histogram
            stats[found[1] + '|' + re.sub(r'".*', '', found[2])] += int(found[3])
    counts.kinds.update(stats)
    dumps = collections.defaultdict(list)
    for row, (_, kind, *rest) in enumerate(GCC_ROWS):
        if kind == 'dump':
            dumps[rest[0]].append((row, re.compile(rest[1])))
        elif kind == 'info':
            counts.rows[row] += sum(1 for line in info if re.search(rest[0], line))
        else:
            counts.rows[row] += sum(n for name, n in stats.items() if re.search(rest[0], name))
    for path in glob.glob(out + '/*'):
        found = DUMP_FILE.search(path)
        for row, pattern in dumps.get(found[1], ()) if found else ():
            if not (found[1] == 'pre' and 't.pre' in path):
                counts.rows[row] += sum(number(hit) for hit in map(pattern.search, lines(path)) if hit)


def compile_clang(clang, source, flags, folder, counts):
    plain = [clang, '-O3', '-w', '-S', source, *flags, '-o', '/dev/null']
    code, seconds = cpu_of(plain, folder)
    counts.cpu += seconds
    record = os.path.join(folder, 'record.yaml')
    if code == 0:
        code, _ = cpu_of([*plain, '-fsave-optimization-record', '-foptimization-record-file=' + record], folder, 300)
    if code != 0:
        counts.failed += 1
        return
    counts.programs += 1
    passes, seen = collections.Counter(), None
    for line in lines(record):
        if line.startswith('--- !'):
            seen = '' if line.startswith('--- !Passed') else None
        elif seen == '' and line.startswith('Pass:'):
            seen = line.split()[1]
        elif seen and line.startswith('Name:'):
            passes[seen + '|' + line.split()[1]] += 1
            seen = None
    counts.kinds.update(passes)
    for row, (_, pattern) in enumerate(CLANG_ROWS):
        counts.rows[row] += sum(n for name, n in passes.items() if re.search(pattern, name))


def run(compiler, compile_one, peers, seconds, folder):
    counts = {peer.name: Counts() for peer in peers}
    index = collections.Counter()
    while True:
        waiting = [peer for peer in peers if not counts[peer.name].done and counts[peer.name].cpu < seconds]
        if not waiting:
            return counts
        peer = min(waiting, key=lambda p: counts[p.name].cpu)
        source = peer.make(index[peer.name], folder)
        index[peer.name] += 1
        if source is None:
            counts[peer.name].done = True
            continue
        compile_one(compiler, source, peer.flags, folder, counts[peer.name])
        if sys.stderr.isatty():
            print('\r' + ', '.join(f'{name} {c.cpu:.0f} s' for name, c in counts.items()), end='', file=sys.stderr)


def table(title, rows, counts, ours, rivals):
    print(f'\n{title}')
    names = list(counts)
    print(f'{"per CPU second of compiling":46}' + ''.join(f'{name:>13}' for name in names) + f'{"ours/best":>11}')

    def line(label, values, digits=2):
        best = max((values[name] for name in rivals), default=0)
        ratio = f'{values[ours] / best:11.2f}' if best else f'{"only ours" if values[ours] else "-":>11}'
        print(f'{label:46}' + ''.join(f'{values[name]:13.{digits}f}' for name in names) + ratio)

    for row, (label, *_) in enumerate(rows):
        line(label, {name: c.rows[row] / c.cpu if c.cpu else 0 for name, c in counts.items()})
    line('kinds of counters seen (not per second)', {name: len(c.kinds) for name, c in counts.items()}, 0)
    line('counted events of all kinds', {name: sum(c.kinds.values()) / c.cpu if c.cpu else 0 for name, c in counts.items()}, 0)
    print(f'{"CPU seconds of compiling":46}' + ''.join(f'{c.cpu:13.1f}' for c in counts.values()))
    print(f'{"programs":46}' + ''.join(f'{c.programs:13}' for c in counts.values()))
    if any(c.failed for c in counts.values()):
        print(f'{"programs that did not compile in 60 s":46}' + ''.join(f'{c.failed:13}' for c in counts.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seconds', type=float, default=40, help='CPU seconds of compiling per generator and compiler (40)')
    parser.add_argument('--compilers', default='gcc,clang', help='gcc, clang or both')
    parser.add_argument('--ours', action='append', metavar='NAME=ARGUMENTS',
                        help="arguments for 'assay gen', e.g. 'big=--tokens 16000 --profile mixed'; may be repeated; the first one is in the ratio")
    parser.add_argument('--only-ours', action='store_true', help='without the others')
    parser.add_argument('--without-flag', action='store_true', help="also csmith's programs without the flag that main tests at every checksum; only shown")
    parser.add_argument('--v1', action='store_true', help='also the stored programs of YARPGen v1')
    parser.add_argument('--first', type=int, default=1, help='the first seed (1)')
    parser.add_argument('--assay', default=os.environ.get('ASSAY', ROOT + '/build/release/assay'))
    parser.add_argument('--peers', default=os.environ.get('ASSAY_PEERS', stored_peers()),
                        help='yarpgen.tar.xz (or $ASSAY_PEERS); default: shared/peers beside or above the project')
    parser.add_argument('--json', metavar='FILE', help='also the raw counts')
    options = parser.parse_args()
    options.assay = os.path.abspath(options.assay)
    tools = Tools()
    require(options.assay, 'build it: ./dev build, or give --assay')
    folder = scratch_folder('optimisers')
    peers, rivals = [], []
    if not options.only_ours:
        require('csmith', 'apt-get install csmith libcsmith-dev')
        peers.append(Peer('csmith', generated(lambda i, path: ['csmith', '--seed', str(i), '-o', path], options.first), ['-I/usr/include/csmith']))
        rivals.append('csmith')
        if options.without_flag:
            csmith = generated(lambda i, path: ['csmith', '--seed', str(i), '-o', path], options.first)
            peers.append(Peer('csmith body', without_flag(csmith), ['-I/usr/include/csmith']))
        if os.path.exists(options.peers):
            subprocess.run(['tar', 'xf', options.peers, '-C', folder, 'y2c', 'y1c'], check=True)
            rivals.append('yarpgen2')
            peers.append(Peer('yarpgen2', stored(folder + '/y2c/*/func.c')))
            if options.v1:
                peers.append(Peer('yarpgen1', stored(folder + '/y1c/*/func.c')))
        else:
            print(f'optimisers: no stored programs of YARPGen at {options.peers} (--peers FILE): compared with csmith alone', file=sys.stderr)
    variants = [text.partition('=') for text in options.ours or ['ours=']]
    for name, _, arguments in variants:
        peers.append(Peer(name, generated(lambda i, path, a=arguments: [options.assay, 'gen', '--seed', str(i), '--out', path, *shlex.split(a)], options.first)))
    result = {}
    for which in options.compilers.split(','):
        work = tempfile.mkdtemp(dir=folder)
        if which == 'gcc':
            counts = run(tools.gcc(), compile_gcc, peers, options.seconds, work)
            table('gcc-12 -O3', GCC_ROWS, counts, variants[0][0], rivals)
        elif which == 'clang':
            counts = run(tools.clang(), compile_clang, peers, options.seconds, work)
            table('clang -O3', CLANG_ROWS, counts, variants[0][0], rivals)
        else:
            fail(f"no compiler '{which}' (gcc, clang)")
        rows = GCC_ROWS if which == 'gcc' else CLANG_ROWS
        result[which] = {name: dict(cpu=c.cpu, programs=c.programs, rows={rows[r][0]: n for r, n in c.rows.items()}, kinds=dict(c.kinds)) for name, c in counts.items()}
    if options.json:
        with open(options.json, 'w') as file:
            json.dump(result, file, indent=1)


main()
