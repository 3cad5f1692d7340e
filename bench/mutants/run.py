#!/usr/bin/env python3
"""Who kills mutants of GCC's optimiser? Programs of csmith and ours, each for the same CPU time of compiling.

build.sh makes one cc1 of GCC 12 that holds all mutants of mutations.toml. For each generator a row of programs is compiled by the original
(odd seeds at -O2, even ones at -O3) until --seconds CPU seconds are used; that also tells which mutants would make a difference in each program,
so that a mutant is tried only with those: with the others it is the same compiler. A mutant is killed when it crashes or hangs, or when the
program it makes crashes, hangs or prints something else than expected. For ours the expected output is known; for csmith's it is what gcc-12 -O0
makes of it. Programs that run longer than a second, or that the original gets wrong, are left out.

Resumable: everything is kept in the folder; more --seconds, other mutations or another generator only do what is new."""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from apply import mutations  # noqa: E402
from measure import cpu_of, fail, require, scratch_folder  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))
COMPILE_LIMIT = 20  # CPU seconds
RUN_LIMIT = 5
OUTPUT_LIMIT = 1 << 24


def digest(data):
    return hashlib.sha1(data).hexdigest()[:16]


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def store(path, data):
    with open(path + '.new', 'w') as file:
        json.dump(data, file)
    os.replace(path + '.new', path)


class Compiler:
    """The cc1 with all mutants; '' is the original."""

    def __init__(self, cc1):
        self.command, self.digest = [cc1, '-quiet', '-w'], digest(read(cc1))

    def compile(self, source, level, mutant, folder):
        """(exit code, CPU seconds, hash of the assembly, mutants that would make a difference)"""
        environment = dict(os.environ, ASSAY_MUTANT=mutant, ASSAY_MUTANT_LOG=folder + '/seen')
        if os.path.exists(folder + '/seen'):
            os.remove(folder + '/seen')
        code, seconds = cpu_of([*self.command, level, source, '-o', 'p.s'], folder, COMPILE_LIMIT, environment=environment)
        seen = read(folder + '/seen').decode().split() if os.path.exists(folder + '/seen') else []
        return code, seconds, digest(read(folder + '/p.s')) if code == 0 else '', seen

    def run(self, folder):
        """(what happened, output, CPU seconds) of the program whose assembly was just made"""
        if cpu_of(['gcc-12', '-no-pie', 'p.s', '-o', 'p', '-lm'], folder, COMPILE_LIMIT)[0] != 0:
            return 'rejected by the assembler', b'', 0.0
        return execute('./p', folder)


def execute(program, folder):
    with open(folder + '/output', 'wb') as file:
        code, seconds = cpu_of([program], folder, RUN_LIMIT, output=file, output_limit=OUTPUT_LIMIT)
    if code != 0:
        return 'program hangs' if seconds >= RUN_LIMIT * 0.9 else f'program ends with {code}', b'', seconds
    return '', read(folder + '/output'), seconds


class Generator:
    """Programs of one generator with their expected outputs, made when they are needed and kept in `folder`."""

    def __init__(self, name, folder, flags, make):
        self.name, self.folder, self.flags, self.make = name, folder, flags, make
        os.makedirs(folder, exist_ok=True)
        self.index = folder + '/index.json'
        known = json.loads(read(self.index)) if os.path.exists(self.index) else dict(compiler='', programs=[])
        self.compiler, self.programs = known['compiler'], known['programs']

    def refresh(self, compiler, scratch):
        """Another cc1 has other mutants: which of them would make a difference in the programs that are there?"""
        if self.compiler != compiler.digest:
            for program in self.programs:
                if program['usable']:
                    program['seen'] = compiler.compile(f'{self.folder}/{program["seed"]}.i', program['level'], '', scratch)[3]
            self.compiler = compiler.digest
            self.store()

    def store(self):
        store(self.index, dict(compiler=self.compiler, programs=self.programs))

    def seconds(self):
        return sum(program['cpu'] for program in self.programs)

    def extend(self, compiler, scratch):
        """One more program."""
        seed = self.programs[-1]['seed'] + 1 if self.programs else 1
        record = dict(seed=seed, cpu=0.0, level='-O2' if seed % 2 else '-O3', usable=False)
        self.programs.append(record)
        expected = self.make(seed, scratch)
        if expected is not None:
            source = f'{self.folder}/{seed}.i'
            if cpu_of(['gcc-12', '-E', '-P', '-w', *self.flags, scratch + '/p.c', '-o', source], scratch)[0] != 0:
                fail(f'gcc-12 -E does not take program {seed} of {self.name}')
            code, record['cpu'], record['assembly'], record['seen'] = compiler.compile(source, record['level'], '', scratch)
            if code == 0:
                problem, output, seconds = compiler.run(scratch)
                record['usable'] = not problem and output == expected and seconds < 1
                record['expected'] = digest(expected)
            if not record['usable']:
                os.remove(source)
        self.store()


def csmith_program(seed, folder):
    if cpu_of(['csmith', '--seed', str(seed), '-o', 'p.c'], folder)[0] != 0:
        return None
    if cpu_of(['gcc-12', '-O0', '-w', '-I/usr/include/csmith', 'p.c', '-o', 'plain'], folder)[0] != 0:
        return None
    problem, output, _ = execute('./plain', folder)
    return None if problem else output


def our_program(assay, arguments):
    def make(seed, folder):
        code, _ = cpu_of([assay, 'gen', '--seed', str(seed), '--count', '1', '--out', folder + '/ours/', *shlex.split(arguments)], folder)
        if code != 0:
            fail(f'assay gen --seed {seed} {arguments} failed')
        os.replace(f'{folder}/ours/{seed}.c', folder + '/p.c')
        return read(f'{folder}/ours/{seed}.expected')
    return make


def try_mutant(compiler, generator, mutant, seconds, before, scratch):
    """What the generator's programs do to one mutant; `before` is what is known already."""
    state = dict(before or dict(next=0, cpu=0.0, infected=0, different=0, killed=None))
    while not state['killed'] and state['next'] < len(generator.programs) and state['cpu'] < seconds:
        program = generator.programs[state['next']]
        state['next'] += 1
        state['cpu'] += program['cpu']
        if not program['usable'] or mutant not in program['seen']:
            continue
        state['infected'] += 1
        code, spent, assembly, _ = compiler.compile(f'{generator.folder}/{program["seed"]}.i', program['level'], mutant, scratch)
        how = ''
        if code != 0:
            how = 'compiler hangs' if spent >= COMPILE_LIMIT * 0.9 else 'compiler crashes'
        elif assembly != program['assembly']:
            state['different'] += 1
            how, output, _ = compiler.run(scratch)
            if not how and digest(output) != program['expected']:
                how = 'wrong output'
        if how:
            state['killed'] = dict(seed=program['seed'], level=program['level'], how=how, cpu=state['cpu'])
    return state


def report(mutants, results, generators, seconds):
    names = [generator.name for generator in generators]
    programs = ', '.join(f'{g.name}: {sum(p["usable"] for p in g.programs)} of {len(g.programs)} programs' for g in generators)
    print(f'{len(mutants)} mutants, {seconds:g} CPU seconds of compiling per generator ({programs})')

    def state(mutant, name):
        return results.get(name, {}).get(mutant['name'], dict(killed=None, infected=0, different=0))

    rooms = collections.OrderedDict()
    for mutant in mutants:
        rooms.setdefault(mutant['room'], []).append(mutant)
    print(f'\n{"killed in":20}{"mutants":>8}' + ''.join(f'{name:>12}' for name in names) + f'{"anybody":>12}')
    rows = [*rooms.items(), ('all', mutants)]
    for room, members in rows:
        kills = [sum(bool(state(m, name)['killed']) for m in members) for name in names]
        anybody = sum(any(state(m, name)['killed'] for name in names) for m in members)
        print(f'{room:20}{len(members):8}' + ''.join(f'{k:12}' for k in kills) + f'{anybody:12}')
    reached = [sum(state(m, name)['infected'] > 0 for m in mutants) for name in names]
    print(f'\n{"reached":28}' + ''.join(f'{count:12}' for count in reached))
    for name in names:
        others = [other for other in names if other != name]
        only = [m for m in mutants if state(m, name)['killed'] and not any(state(m, other)['killed'] for other in others)]
        print(f'\nkilled by {name} alone: {len(only)}')
        for mutant in only:
            kill = state(mutant, name)['killed']
            print(f'  {mutant["name"]:28} {kill["how"]}, after {kill["cpu"]:.1f} s (seed {kill["seed"]} {kill["level"]}): {mutant["why"]}')
    alive = [m for m in mutants if not any(state(m, name)['killed'] for name in names)]
    print(f'\nkilled by nobody: {len(alive)} (programs that reach it, programs whose code it changes: {", ".join(names)})')
    for mutant in alive:
        counts = '  '.join('{infected}/{different}'.format(**state(mutant, name)) for name in names)
        print(f'  {mutant["name"]:28} {counts:16} {mutant["why"]}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--folder', default=os.environ.get('MUTANTS_DIR', 'mutants'), help='where build.sh built ($MUTANTS_DIR, else ./mutants)')
    parser.add_argument('--seconds', type=float, default=20, help='CPU seconds of compiling per generator (20)')
    parser.add_argument('--ours', action='append', metavar='NAME=ARGUMENTS', help="arguments for 'assay gen'; may be repeated; default: none")
    parser.add_argument('--only-ours', action='store_true', help='without csmith')
    parser.add_argument('--only', help='only these mutants, by comma')
    parser.add_argument('--assay', default=os.environ.get('ASSAY', ROOT + '/build/release/assay'))
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--json', metavar='FILE', help='also the raw results')
    options = parser.parse_args()
    options.assay = os.path.abspath(options.assay)
    folder = os.path.abspath(options.folder)
    cc1 = folder + '/build/gcc/cc1'
    if not os.path.exists(cc1):
        fail(f'{cc1} is not here (bench/mutants/build.sh {folder} builds it, once for long)')
    require('gcc-12', 'apt-get install gcc-12')
    assay = os.path.abspath(require(options.assay, 'build it: ./dev build, or give --assay'))
    mutants = mutations()
    if options.only:
        wanted = options.only.split(',')
        mutants = [mutant for mutant in mutants if mutant['name'] in wanted]

    # A copy, so that a build beside it does no harm.
    scratch = scratch_folder('mutants')
    known = folder + '/known'
    shutil.copy2(cc1, scratch + '/cc1')
    compiler = Compiler(scratch + '/cc1')
    generators = []
    if not options.only_ours:
        require('csmith', 'apt-get install csmith libcsmith-dev')
        generators.append(Generator('csmith', known + '/csmith', ['-I/usr/include/csmith'], csmith_program))
    for name, _, arguments in [text.partition('=') for text in options.ours or ['ours=']]:
        key = digest(read(assay) + arguments.encode())
        generators.append(Generator(name, f'{known}/ours-{key}', [], our_program(assay, arguments)))

    for generator in generators:
        generator.refresh(compiler, scratch)
    while True:  # the original, the generators in turn
        waiting = [generator for generator in generators if generator.seconds() < options.seconds]
        if not waiting:
            break
        generator = min(waiting, key=Generator.seconds)
        generator.extend(compiler, scratch)
        if sys.stderr.isatty():
            print('\r' + ', '.join(f'{g.name} {g.seconds():.0f} s' for g in generators), end='', file=sys.stderr)

    results = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for generator in generators:
            path = generator.folder + '/results.json'  # of mutants by what they are: a changed one is a new one
            known = json.loads(read(path)) if os.path.exists(path) else {}
            results[generator.name] = {}

            def attempt(mutant, generator=generator, known=known):
                key = digest(json.dumps([mutant.get(part) for part in ('name', 'file', 'after', 'old', 'new', 'drop')]).encode())
                with tempfile.TemporaryDirectory(dir=scratch) as work:
                    return mutant, key, try_mutant(compiler, generator, mutant['name'], options.seconds, known.get(key), work)
            for mutant, key, state in pool.map(attempt, mutants):
                results[generator.name][mutant['name']] = state
                if known.get(key) != state:
                    known[key] = state
                    store(path, known)
    report(mutants, results, generators, options.seconds)
    if options.json:
        store(options.json, results)


if __name__ == '__main__':
    main()
