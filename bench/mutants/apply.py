#!/usr/bin/env python3
"""Writes all mutations of mutations.toml into a copy of GCC's sources: apply.py SOURCES [--check]

One cc1 then holds every mutant. ASSAY_MUTANT=N switches one on (0 or nothing: the original), and with ASSAY_MUTANT_LOG=FILE a
compilation lists the mutants that would have made a difference there, so that a program is tried only with those.
Files that do not change keep their time, so that `make` compiles only what it must. `--check` only says what does not fit."""
import os
import re
import shutil
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = '''/* Written by bench/mutants/apply.py. */
#ifndef ASSAY_MUTANT_H
#define ASSAY_MUTANT_H
extern int assay_mutant;
extern unsigned char assay_seen[];
/* Would the mutant be another compiler here? Lazily: it is reached. */
static inline bool assay_reach (int n) { assay_seen[n] = 1; return assay_mutant == n; }
template <typename Old, typename New>
static inline Old assay_pick (int n, Old o, New w)
{
  if (!(o == (Old) w)) assay_seen[n] = 1;
  return assay_mutant == n ? (Old) w : o;
}
#endif
'''
MAIN = '''#include "assay-mutant.h"
static int assay_number () { const char *text = getenv ("ASSAY_MUTANT"); return text ? atoi (text) : 0; }
int assay_mutant = assay_number ();
unsigned char assay_seen[%d];
static struct assay_log
{
  ~assay_log ()
  {
    const char *name = getenv ("ASSAY_MUTANT_LOG");
    FILE *file = name ? fopen (name, "w") : NULL;
    if (!file) return;
    for (int n = 0; n < %d; n++) if (assay_seen[n]) fprintf (file, "%%d\\n", n);
    fclose (file);
  }
} assay_logger;
'''


def mutations():
    with open(os.path.join(HERE, 'mutations.toml'), 'rb') as file:
        return tomllib.load(file)['mutation']


def free(text):
    """A pattern for the text with any white space."""
    return r'\s*'.join(map(re.escape, re.findall(r'\w+|[^\w\s]', text)))


def find(source, mutation):
    """(begin, end) of the place, or what is wrong."""
    start, wanted = 0, mutation.get('old') or mutation['drop']
    if 'after' in mutation:
        anchors = list(re.finditer(free(mutation['after']), source))
        if len(anchors) != 1:
            return f'"after" is there {len(anchors)} times'
        start = anchors[0].end()
    places = list(re.compile(free(wanted)).finditer(source, start))
    if not places:
        return 'not there'
    if 'after' not in mutation and len(places) != 1:
        return f'there {len(places)} times, give "after"'
    return places[0].span()


def mutated(text, mutation, number):
    if 'drop' in mutation:
        return f'if (!assay_reach ({number})) {{ {text} }}'
    new = mutation['new']
    heads = [re.match(r'((?:else )?if) \((.*)\)$', part, re.S) for part in (re.sub(r'\s+', ' ', text), new)]
    if all(heads):  # "if (x)" as a whole, where "x" alone would not be found
        return f'{heads[0][1]} ({choice(heads[0][2], heads[1][2], mutation, number)})'
    return choice(text, new, mutation, number)


def choice(old, new, mutation, number):
    if mutation.get('lazy'):
        return f'(assay_reach ({number}) ? ({new}) : ({old}))'
    return f'(assay_pick ({number}, ({old}), ({new})))'


def main():
    sources = os.path.join(sys.argv[1], 'gcc')
    bad, files, names = 0, {}, set()
    for number, mutation in enumerate(mutations(), 1):
        if mutation['name'] in names:
            print(f'{mutation["name"]}: twice', file=sys.stderr)
            bad += 1
        names.add(mutation['name'])
        path = os.path.join(sources, mutation['file'])
        original = path + '.original'
        with open(original if os.path.exists(original) else path, errors='surrogateescape') as file:
            source = files.setdefault(mutation['file'], (file.read(), []))[0]
        place = find(source, mutation)
        if isinstance(place, str):
            print(f'{mutation["name"]} ({mutation["file"]}): {place}', file=sys.stderr)
            bad += 1
        else:
            files[mutation['file']][1].append((*place, mutated(source[place[0]:place[1]], mutation, number)))
    if bad or '--check' in sys.argv:
        print(f'{len(names)} mutations in {len(files)} files, {bad} do not fit')
        sys.exit(3 if bad else 0)
    for name, (source, edits) in files.items():
        for begin, end, text in sorted(edits, reverse=True):
            source = source[:begin] + text + source[end:]
        if name != 'match.pd':  # what is generated from it includes the header through gimple-match-head.cc and generic-match-head.cc
            source = with_header(source)
        write(os.path.join(sources, name), source)
    count = len(names) + 1
    write(os.path.join(sources, 'assay-mutant.h'), HEADER)
    for name, text in (('gimple-match-head.cc', '#include "assay-mutant.h"\n'), ('generic-match-head.cc', '#include "assay-mutant.h"\n'),
                       ('main.cc', MAIN % (count, count))):
        path = os.path.join(sources, name)
        with open(path + '.original' if os.path.exists(path + '.original') else path, errors='surrogateescape') as file:
            write(path, with_header(file.read(), text))


def with_header(source, text='#include "assay-mutant.h"\n'):
    """The text behind the file's includes of config.h, system.h and coretypes.h."""
    found = re.search(r'#include "coretypes.h"\n', source)
    return source[:found.end()] + text + source[found.end():]


def write(path, text):
    if os.path.exists(path):
        with open(path, errors='surrogateescape') as file:
            if file.read() == text:
                return
        if not os.path.exists(path + '.original') and not path.endswith('assay-mutant.h'):
            shutil.copy2(path, path + '.original')
    with open(path, 'w', errors='surrogateescape') as file:
        file.write(text)


if __name__ == '__main__':
    main()
