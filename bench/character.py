#!/usr/bin/env python3
"""What programs are made of and how they run: ours beside csmith's, both with their defaults, 200 each.

Loops are counted by running the program with a counter in every loop (bench/clang_ast.py), blocks by gcov at -O0, constructs by
clang's AST. `main`, which is the harness in both, and headers are left out. Run time is of the plain -O0 program, CPU time."""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys

import clang_ast
from measure import Tools, cpu_of, fail, require, scratch_folder, tokens

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STRAIGHT = ('IfStmt', 'SwitchStmt', 'GotoStmt', 'BreakStmt', 'ContinueStmt', 'ReturnStmt', 'LabelStmt', 'IndirectGotoStmt', *clang_ast.LOOPS)
BUDGET = re.compile(r'\bc_\d+\+\+ *< *(\w+)')  # our budget counters
RUN_LIMIT = 10  # CPU seconds


class Totals:
    """Sums over programs of one generator."""

    def __init__(self):
        self.programs = self.tokens = self.loops = self.fors = self.live = self.entered = self.long = self.budget = self.budget_zero = 0
        self.nests = self.free_variable = self.address_of_local = self.blocks = self.hot_blocks = self.threaded = 0
        self.with_feature = dict.fromkeys(FEATURES, 0)
        self.times, self.timeouts, self.failures, self.generation = [], 0, 0, 0.0


FEATURES = ['volatile members', 'const members', 'volatile bit-fields', 'const bit-fields', 'volatile arrays', 'const arrays',
            'volatile locals', 'const locals', 'subscripts a[i+k]']


def qualifiers(type_text):
    """const and volatile of the object itself, or of an array's elements; not of what a pointer points at."""
    own = re.sub(r'(\[[^\]]*\])+$', '', type_text).rsplit('*', 1)[-1]
    return [word for word in ('volatile', 'const') if re.search(rf'\b{word}\b', own)]


def base_of_address(node, local_ids):
    """Is the object whose address is taken (or a part of it) a local variable or a parameter?"""
    node = node.bare()
    while node.kind in ('ArraySubscriptExpr', 'MemberExpr') and node.children:
        child = node.children[0]
        if node.kind == 'MemberExpr' and '->' in node.text:
            return False
        if node.kind == 'ArraySubscriptExpr' and not (child.kind == 'ImplicitCastExpr' and 'ArrayToPointerDecay' in child.text):
            return False
        node = child.bare()
    found = re.search(r'(?:Parm)?Var 0x([0-9a-f]+)', node.text) if node.kind == 'DeclRefExpr' else None
    return bool(found) and found[1] in local_ids


def loop_variable(loop, local_ids):
    """'local', 'other' (a global, parameter, member, element, or reached by pointer), or None: no variable that is assigned."""
    for part in (loop.children[3], loop.children[0]):
        part = part.bare()
        if part.kind == 'DeclStmt':
            return 'local'
        if part.kind == 'UnaryOperator' and re.search(r"'(\+\+|--)'", part.text) or part.kind == 'CompoundAssignOperator' or \
                part.kind == 'BinaryOperator' and part.text.endswith("'='"):
            target = part.children[0].bare()
            if target.kind == 'DeclRefExpr':
                found = re.search(r'(Parm)?Var 0x([0-9a-f]+)', target.text)
                return 'local' if found and not found[1] and found[2] in local_ids else 'other'
            return 'other'
    return None


def statements(body):
    return body.children if body.kind == 'CompoundStmt' else [body]


def straight(body):
    return not any(node.kind in STRAIGHT for node in body.walk())


def constructs(function, totals, seen, local_ids):
    for node in function.walk():
        kind = node.kind
        if kind == 'ForStmt':
            totals.fors += 1
            totals.free_variable += loop_variable(node, local_ids) == 'other'
            totals.nests += sum(1 for inner in statements(node.children[4]) if inner.kind == 'ForStmt' and straight(inner.children[4]))
        elif kind == 'UnaryOperator' and "prefix '&'" in node.text:
            totals.address_of_local += base_of_address(node.children[0], local_ids)
        elif kind == 'ArraySubscriptExpr':
            index = node.children[1].bare()
            if index.kind == 'BinaryOperator' and re.search(r"'[+-]'$", index.text) and any(part.kind == 'DeclRefExpr' for part in index.walk()):
                seen.add('subscripts a[i+k]')
        elif kind == 'VarDecl':
            for word in qualifiers(node.types()[0]):
                seen.add(f'{word} arrays' if node.types()[0].endswith(']') else f'{word} locals')


def inspect(clang, source, flags, folder, totals):
    """What the text is made of. Gives the loops, the lines of `main`, and the text."""
    root = clang_ast.parse(clang, source, flags, folder)
    with open(source, errors='replace') as file:
        text = file.read()
    totals.tokens += tokens(text)
    seen, loops, harness = set(), [], range(0)
    for top in root.children if root else ():
        if top.file != source:
            continue
        if top.kind == 'RecordDecl':
            for field in top.children:
                if field.kind == 'FieldDecl':
                    for word in qualifiers(field.types()[0]):
                        seen.add(f'{word} bit-fields' if field.children else f'{word} members')
        elif top.kind == 'VarDecl' and top.types()[0].endswith(']'):
            seen.update(f'{word} arrays' for word in qualifiers(top.types()[0]))
        elif top.kind == 'FunctionDecl' and any(part.kind == 'CompoundStmt' for part in top.children):
            if re.search(r"\bmain 'int ", top.text):
                harness = range(top.begin[0], top.end[0] + 1)
                continue
            local_ids = {node.id for node in top.walk() if node.kind in ('VarDecl', 'ParmVarDecl')}
            constructs(top, totals, seen, local_ids)
            loops += [node for node in top.walk() if node.kind in clang_ast.LOOPS]
    for feature in seen:
        totals.with_feature[feature] += 1
    lines = text.split('\n')
    for loop in loops:
        condition = clang_ast.loop_parts(loop)[0]
        if condition.begin:
            (first, column), (last, _) = condition.begin, condition.end
            found = BUDGET.search('\n'.join(lines[first - 1:last])[column - 1:] if last > first else lines[first - 1][column - 1:condition.end[1]])
            totals.budget += bool(found)
            totals.budget_zero += bool(found) and found[1] in ('0', '0U', '0u')
    totals.loops += len(loops)
    return loops, harness, text


def run_counted(tools, source, flags, folder, loops, text, totals):
    counted = os.path.join(folder, 'counted.c')
    with open(counted, 'w') as file:
        file.write(clang_ast.with_counters(text, loops))
    # gcc 12 forgets labels of a table of jumps behind __builtin_unreachable, so that the linker misses them: then by clang.
    if all(cpu_of([compiler, '-O0', '-w', counted, *flags, '-o', 'counted', '-lm'], folder)[0] != 0 for compiler in (tools.gcc(), tools.clang())):
        fail(f'the counters broke a program: {source} (a copy is {keep(source)})')
    with open(os.path.join(folder, 'counts'), 'w') as file:
        process = subprocess.run(['timeout', '60', './counted'], cwd=folder, stdout=subprocess.DEVNULL, stderr=file)
    if process.returncode == 124:
        return
    with open(os.path.join(folder, 'counts')) as file:
        for line in file:
            if line.startswith('loop '):
                _, entries, iterations, longest = map(int, line.split()[1:])
                totals.entered += entries > 0
                totals.live += entries > 0 and longest >= 2
                totals.long += entries > 0 and iterations >= 16 * entries


def keep(source):
    copy = '/tmp/character-failed.c'
    with open(source) as file, open(copy, 'w') as out:
        out.write(file.read())
    return copy


def run_blocks(gcc, source, flags, folder, harness, totals):
    """gcov's blocks, with the whole program at -O0."""
    for name in os.listdir(folder):
        if name.endswith(('.gcda', '.gcno', '.gcov')):
            os.remove(os.path.join(folder, name))
    code, _ = cpu_of([gcc, '-O0', '-w', '--coverage', source, *flags, '-o', 'covered', '-lm'], folder)
    if code != 0 or cpu_of(['./covered'], folder, RUN_LIMIT)[0] < 0:
        return
    subprocess.run(['gcov-12', '-a', '-o', 'covered-p.gcda', 'p.c'], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = os.path.join(folder, 'p.c.gcov')
    if not os.path.exists(path):
        fail(f'gcov-12 made no p.c.gcov (files: {os.listdir(folder)})')
    with open(path, errors='replace') as file:
        for line in file:
            found = re.match(r'\s*(\d+)\*?:\s*(\d+)-block', line)
            if found and int(found[2]) not in harness:
                totals.blocks += int(found[1]) > 0
                totals.hot_blocks += int(found[1]) >= 100


def measure(tools, source, flags, folder, totals):
    loops, harness, text = inspect(tools.clang(), source, flags, folder, totals)
    gcc = tools.gcc()
    code, _ = cpu_of([gcc, '-O0', '-w', source, *flags, '-o', 'plain', '-lm'], folder)
    if code != 0:
        totals.failures += 1
        return
    code, seconds = cpu_of(['./plain'], folder, RUN_LIMIT)
    totals.programs += 1
    totals.times.append(seconds)
    if code < 0 and seconds >= RUN_LIMIT * 0.9:
        totals.timeouts += 1
    else:
        run_counted(tools, source, flags, folder, loops, text, totals)
        run_blocks(gcc, source, flags, folder, harness, totals)
    stat = os.path.join(folder, 'stat')
    cpu_of([gcc, '-O2', '-w', '-S', source, *flags, '-o', '/dev/null', '-fdump-statistics-stats=' + stat], folder)
    if os.path.exists(stat):
        with open(stat) as file:
            totals.threaded += sum(int(found[1]) for found in (re.search(r'"Jumps threaded" (\d+)$', line) for line in file) if found)
        os.remove(stat)


def percent(part, whole):
    return 100 * part / whole if whole else 0.0


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0.0


ROWS = [
    ('programs', lambda t: t.programs, '{:.0f}'),
    ('tokens each', lambda t: t.tokens / max(1, t.programs), '{:.0f}'),
    ('loops written, per program', lambda t: t.loops / max(1, t.programs), '{:.1f}'),
    ('loops live: 2 or more iterations in an entry (goal 80 %)', lambda t: percent(t.live, t.loops), '{:.1f} %'),
    ('loops entered at all', lambda t: percent(t.entered, t.loops), '{:.1f} %'),
    ('loops with 16 or more iterations per entry (goal 10 %)', lambda t: percent(t.long, t.loops), '{:.1f} %'),
    ('executed blocks that run 100 times or more', lambda t: percent(t.hot_blocks, t.blocks), '{:.1f} %'),
    ('loops with a budget counter in the condition (goal 3 %)', lambda t: percent(t.budget, t.loops), '{:.1f} %'),
    ('  of them K = 0, of all loops (goal 0)', lambda t: percent(t.budget_zero, t.loops), '{:.1f} %'),
    ('for directly in a for, body straight, of all loops', lambda t: percent(t.nests, t.loops), '{:.1f} %'),
    ('for variable is global, parameter, member, element', lambda t: percent(t.free_variable, t.fors), '{:.1f} %'),
    ('&local per 1,000 tokens', lambda t: 1000 * t.address_of_local / max(1, t.tokens), '{:.2f}'),
    *[(f'programs with {feature}', lambda t, f=feature: percent(t.with_feature[f], t.programs), '{:.0f} %') for feature in FEATURES],
    ('jumps threaded per program (gcc -O2)', lambda t: t.threaded / max(1, t.programs), '{:.1f}'),
    ('run time at -O0, median, ms', lambda t: 1000 * percentile(t.times, 0.5), '{:.1f}'),
    ('run time at -O0, 99th percentile, ms (goal 20)', lambda t: 1000 * percentile(t.times, 0.99), '{:.1f}'),
    ('run time at -O0, longest, ms', lambda t: 1000 * max(t.times, default=0), '{:.1f}'),
    (f'time-outs ({RUN_LIMIT} s; goal 0)', lambda t: t.timeouts, '{:.0f}'),
    ('did not compile', lambda t: t.failures, '{:.0f}'),
    ('generation, tokens per CPU second (goal 30 times)', lambda t: t.tokens / t.generation if t.generation else 0, '{:.0f}'),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--programs', type=int, default=200)
    parser.add_argument('--first', type=int, default=1, help='the first seed (1)')
    parser.add_argument('--ours', action='append', metavar='NAME=ARGUMENTS', help="arguments for 'assay gen'; may be repeated; default: none")
    parser.add_argument('--only-ours', action='store_true', help='without csmith')
    parser.add_argument('--assay', default=os.environ.get('ASSAY', ROOT + '/build/release/assay'))
    parser.add_argument('--json', metavar='FILE', help='also the sums')
    options = parser.parse_args()
    options.assay = os.path.abspath(options.assay)
    tools = Tools()
    require(options.assay, 'build it: ./dev build, or give --assay')
    require('gcov-12', 'apt-get install gcc-12')
    tools.gcc(), tools.clang()
    folder = scratch_folder('character')
    source = os.path.join(folder, 'p.c')
    seeds = range(options.first, options.first + options.programs)
    generators = {}
    if not options.only_ours:
        require('csmith', 'apt-get install csmith libcsmith-dev')
        generators['csmith'] = (lambda seed: cpu_of(['csmith', '--seed', str(seed), '-o', source], folder, 600), ['-I/usr/include/csmith'])
    for name, _, arguments in [text.partition('=') for text in options.ours or ['ours=']]:
        batch = os.path.join(folder, name)
        # All in one process, as campaigns do it.
        code, seconds = cpu_of([options.assay, 'gen', '--seed', str(options.first), '--count', str(options.programs), '--out', batch + '/', *shlex.split(arguments)], folder, 3600)
        if code != 0:
            fail(f'assay gen {arguments} failed')

        def copy(seed, batch=batch, share=seconds / options.programs):
            os.replace(f'{batch}/{seed}.c', source)
            return 0, share
        generators[name] = (copy, [])
    totals = {name: Totals() for name in generators}
    for seed in seeds:
        for name, (make, flags) in generators.items():
            code, seconds = make(seed)
            if code != 0:
                totals[name].failures += 1
                continue
            totals[name].generation += seconds
            measure(tools, source, flags, folder, totals[name])
        if sys.stderr.isatty():
            print(f'\r{seed - options.first + 1} of {options.programs}', end='', file=sys.stderr)
    print(f'{"":58}' + ''.join(f'{name:>12}' for name in totals))
    for label, value, form in ROWS:
        print(f'{label:58}' + ''.join(f'{form.format(value(t)):>12}' for t in totals.values()))
    if 'csmith' in totals and totals['csmith'].generation:
        speed = [t.tokens / t.generation for t in totals.values()]
        print(f'{"  times csmith":58}' + ''.join(f'{s / speed[0]:12.1f}' for s in speed))
    if options.json:
        with open(options.json, 'w') as file:
            json.dump({name: vars(t) for name, t in totals.items()}, file, indent=1)


main()
