#!/usr/bin/env python3
"""Programs under random settings of the knobs, extremes included: each must be made, compile, and print what the machine says.

usage: bench/knob_soak.py [FIRST] [COUNT]     (one configuration per number; the same number gives the same configuration)
"""
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ASSAY = os.environ.get('ASSAY', os.path.join(ROOT, 'build/release/assay'))
KNOB = re.compile(r'^  --([a-z0-9-]+)\s+default\s+(-?\d+), (-?\d+) to (-?\d+)', re.M)
COMPILERS = {
    'lp64': [['gcc', '-O2'], ['clang', '-O1', '-fsanitize=undefined', '-fno-sanitize-recover=all']],
    'ilp32': [['gcc', '-m32', '-O1']],
}


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def draw(rng, knobs):
    flags = ['--tokens', str(rng.choice([100, 300, 1500, 3000]))]
    for name, default, low, high in knobs:
        if name in ('tokens', 'static-bytes', 'stack-bytes') or rng.random() < 0.75:
            continue
        low, high = int(low), min(int(high), max(100, int(default) * 4))  # beyond that, programs only get slow
        flags += ['--' + name, str(rng.choice([low, high, rng.randint(low, high)]))]
    return flags


def failures(number, knobs, folder):
    rng = random.Random(number)
    flags, model, seed = draw(rng, knobs), rng.choice(['lp64', 'lp64', 'ilp32']), str(rng.randint(1, 10**6))
    command = [ASSAY, 'gen', '--seed', seed, '--data-model', model, '--out', folder + '/'] + flags
    made = run(command)
    if made.returncode != 0:
        yield f'{" ".join(command)}: {made.stderr[:300]}'
        return
    with open(f'{folder}/{seed}.expected') as file:
        expected = file.read()
    for compiler in COMPILERS[model]:
        compiled = run(compiler + ['-w', '-o', f'{folder}/x', f'{folder}/{seed}.c'])
        seen = run([f'{folder}/x']) if compiled.returncode == 0 else compiled
        if seen.returncode != 0 or seen.stdout != expected:
            yield f'{" ".join(command)}: {" ".join(compiler)}: {seen.stdout[:100]}{seen.stderr[:300]}'


def main():
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    knobs = KNOB.findall(run([ASSAY, 'gen', '--knobs']).stdout)
    bad = 0
    with tempfile.TemporaryDirectory(dir='/dev/shm' if os.access('/dev/shm', os.W_OK) else None) as folder:
        for number in range(first, first + count):
            for failure in failures(number, knobs, folder):
                bad += 1
                print('FAIL', number, failure)
    print(f'{count} configurations, {bad} failures')
    return bad != 0


sys.exit(main())
