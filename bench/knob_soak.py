#!/usr/bin/env python3
"""Programs under random settings of the knobs, extremes included: each must be made, have the size asked for within a factor
of two in a time that follows it, compile, and print what the machine says.

usage: bench/knob_soak.py [FIRST] [COUNT] [size]     (one configuration per number; the same number gives the same
                                                     configuration; size: all extremes, 250 to 100000 tokens, not compiled)
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
COMMENT = re.compile(r'/\*.*?\*/', re.S)
TOKEN = re.compile(r"""[A-Za-z_$][\w$]*|\d(?:[eEpP][+-]|[\w.])*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\.\.\.|<<=|>>=|[-+*/%&|^<>=!]=|"""
                   r"""<<|>>|\+\+|--|&&|\|\||\#\#|->|\S""")
LEAST = 250  # tokens: the frame and a small function
COMPILERS = {
    'lp64': [['gcc', '-O2'], ['clang', '-O1', '-fsanitize=undefined', '-fno-sanitize-recover=all']],
    'ilp32': [['gcc', '-m32', '-O1']],
}


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def draw(rng, knobs, tokens, extreme):
    settings = {'tokens': tokens}
    changed = rng.choice([0.05, 0.25, 0.6])
    for name, default, low, high in knobs:
        if name in ('tokens', 'static-bytes', 'stack-bytes') or rng.random() >= (changed if extreme else 0.25):
            continue
        low, high = int(low), int(high)
        if not extreme or name in ('trip-count', 'steps-per-token'):  # beyond that, programs only run longer
            high = min(high, max(100, int(default) * 4))
        settings[name] = rng.choice([low, high, rng.randint(low, high)])
    return settings


def size_failure(settings, text, seconds):
    """The size drawn lies within the spread around --tokens; the text within a factor of two of that."""
    wanted, spread = settings['tokens'], settings.get('tokens-spread', 60)
    low, high = max(LEAST, wanted * (100 - spread) // 100) / 2, wanted * (100 + spread) / 100 * 2
    found = len(TOKEN.findall(COMMENT.sub('', text)))
    if not low <= found <= high:
        return f'{found} tokens, not {low:.0f} to {high:.0f}'
    if seconds > 2 + wanted / 5000:
        return f'{seconds:.1f} s for {wanted} tokens'
    return None


def failures(number, knobs, folder, only_size):
    rng = random.Random(number)
    sizes = [250, 400, 1000, 3000, 10000, 30000, 100000] if only_size else [250, 300, 1500, 3000]
    settings = draw(rng, knobs, rng.choice(sizes), only_size)
    flags = [word for name, value in settings.items() for word in ('--' + name, str(value))]
    model, seed = rng.choice(['lp64', 'lp64', 'ilp32']), str(rng.randint(1, 10**6))
    command = [ASSAY, 'gen', '--seed', seed, '--data-model', model, '--out', folder + '/'] + flags
    before = os.times()
    made = run(command)
    seconds = os.times().children_user - before.children_user
    if made.returncode != 0:
        yield f'{" ".join(command)}: {made.stderr[:300]}'
        return
    with open(f'{folder}/{seed}.c') as file:
        failure = size_failure(settings, file.read(), seconds)
    if failure:
        yield f'{" ".join(command)}: {failure}'
    if only_size:
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
    only_size = sys.argv[3:] == ['size']
    knobs = KNOB.findall(run([ASSAY, 'gen', '--knobs']).stdout)
    bad = 0
    with tempfile.TemporaryDirectory(dir='/dev/shm' if os.access('/dev/shm', os.W_OK) else None) as folder:
        for number in range(first, first + count):
            for failure in failures(number, knobs, folder, only_size):
                bad += 1
                print('FAIL', number, failure, flush=True)
    print(f'{count} configurations, {bad} failures')
    return bad != 0


sys.exit(main())
