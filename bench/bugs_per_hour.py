#!/usr/bin/env python3
"""How many different bugs does a campaign find for its CPU time? Ours with every configuration for every program, ours with a
few drawn ones, and csmith's programs (every configuration: only comparison tells), over the same compilers and flags.

Every campaign gets a slice of time in turn, in its own folder, until each has used --seconds of CPU time in compilers, programs and
everything else. Different bugs are entries after reduction and triage (`all_bugs` without `same_as`); doubtful ones do not count."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from measure import fail

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CPU = ('target_cpu_seconds', 'generator_cpu_seconds', 'reducer_cpu_seconds', 'harness_cpu_seconds')


class Campaign:
    def __init__(self, name, arguments, folder):
        self.name, self.arguments, self.folder = name, arguments, folder
        self.cpu, self.tests, self.bugs = 0.0, 0, []

    def run(self, assay, common, seconds):
        command = [assay, 'fuzz', '--dir', self.folder, '--time', f'{seconds:.0f}s', '--json', *common, *self.arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{')]
        if not events or events[-1]['event'] != 'end' or done.returncode not in (0, 1):
            fail(f'{" ".join(command)}\n{done.stderr}')
        end = events[-1]
        self.cpu += sum(end[key] for key in CPU)
        self.tests = end['tests']
        self.bugs = [bug['name'] for bug in end['all_bugs']
                     if not bug['known'] and 'same_as' not in bug and bug['kind'] not in ('flaky', 'suspect')]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--assay', default=os.path.join(ROOT, 'build/release/assay'))
    parser.add_argument('--targets', default='tcc,pcc,chibicc,gcc-12,clang-14')
    parser.add_argument('--seconds', type=float, default=600, help='CPU time of each campaign')
    parser.add_argument('--slice', type=float, default=30, help='seconds of a turn')
    parser.add_argument('--seed', default='9000')
    parser.add_argument('--no-csmith', action='store_true')
    parser.add_argument('--keep', help='keep the campaigns in this folder')
    options = parser.parse_args()
    top = options.keep or tempfile.mkdtemp(prefix='assay-bugs-')
    common = ['--targets', options.targets, '--seed', options.seed, '--reduce-time', '30s']
    campaigns = [Campaign('all', ['--configurations', 'all'], os.path.join(top, 'all')),
                 Campaign('few', ['--configurations', 'few'], os.path.join(top, 'few'))]
    if not options.no_csmith and shutil.which('csmith'):
        campaigns.append(Campaign('csmith', ['--source-cmd', 'csmith --seed {seed}', '--source-flags', '-I/usr/include/csmith'],
                                  os.path.join(top, 'csmith')))
    while min(one.cpu for one in campaigns) < options.seconds:
        turn = min(campaigns, key=lambda one: one.cpu)
        turn.run(options.assay, common, options.slice)
        print(f'  {turn.name}: {turn.cpu:.0f} s, {len(turn.bugs)} bugs', file=sys.stderr)
    print(f'{"campaign":10} {"CPU s":>8} {"programs":>9} {"bugs":>5} {"bugs per CPU hour":>18}')
    for one in campaigns:
        print(f'{one.name:10} {one.cpu:8.0f} {one.tests:9} {len(one.bugs):5} {len(one.bugs) * 3600 / one.cpu:18.1f}')
    if not options.keep:
        shutil.rmtree(top)


if __name__ == '__main__':
    main()
