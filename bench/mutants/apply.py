#!/usr/bin/env python3
"""Writes all mutations of mutations.toml into a copy of GCC's sources: apply.py SOURCES, the folder with gcc/. Each becomes
`assay_pick (N, (old), (new))`: ASSAY_MUTANT=NAME switches it on, and ASSAY_MUTANT_LOG=FILE gets the names of those that would have decided
differently in this compilation. Files that do not change keep their time, and a mutation keeps its number, so that a build after a change of the
list only compiles what it touches. With --check it only says what does not fit."""
import json
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
# Goes to the end of main.cc: the choice at the start, the log at the end. Number 0 is the original.
MAIN = r'''
/* Written by bench/mutants/apply.py. */
static const char *const assay_names[] = { %s };
enum { assay_mutants = sizeof assay_names / sizeof *assay_names };
int assay_mutant = 0;
unsigned char assay_seen[assay_mutants];
static struct assay_session
{
  assay_session ()
  {
    const char *name = getenv ("ASSAY_MUTANT");
    if (!name || !*name) return;
    while (assay_mutant < assay_mutants && strcmp (assay_names[assay_mutant], name) != 0) assay_mutant++;
    if (assay_mutant < assay_mutants) return;
    fprintf (stderr, "cc1: no mutant '%%s'\n", name);
    _exit (2);
  }
  ~assay_session ()
  {
    const char *name = getenv ("ASSAY_MUTANT_LOG");
    FILE *file = name ? fopen (name, "w") : NULL;
    if (!file) return;
    for (int n = 0; n < assay_mutants; n++)
      if (assay_seen[n]) fprintf (file, "%%s\n", assay_names[n]);
    fclose (file);
  }
} assay_session;
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
    numbers = Numbers(os.path.join(sources, 'assay-mutants.json'))
    for mutation in mutations():
        if mutation['name'] in names:
            print(f'{mutation["name"]}: twice', file=sys.stderr)
            bad += 1
        names.add(mutation['name'])
        if mutation['file'] not in files:
            files[mutation['file']] = (pristine(os.path.join(sources, mutation['file'])), [])
        source = files[mutation['file']][0]
        place = find(source, mutation)
        if isinstance(place, str):
            print(f'{mutation["name"]} ({mutation["file"]}): {place}', file=sys.stderr)
            bad += 1
        else:
            files[mutation['file']][1].append((*place, mutated(source[place[0]:place[1]], mutation, numbers.of(mutation['name']))))
    if bad or '--check' in sys.argv:
        print(f'{len(names)} mutations in {len(files)} files, {bad} do not fit', file=sys.stderr)
        sys.exit(3 if bad else 0)
    for name, (source, edits) in files.items():
        for begin, end, text in sorted(edits, reverse=True):
            source = source[:begin] + text + source[end:]
        included = re.search(r'#include "coretypes.h"\n', source).end()
        write(os.path.join(sources, name), source[:included] + '#include "assay-mutant.h"\n' + source[included:])
    for name in os.listdir(sources):  # mutated before, not any more
        if name.endswith('.original') and name[:-9] not in {*files, 'main.cc'}:
            os.replace(os.path.join(sources, name), os.path.join(sources, name[:-9]))
            os.utime(os.path.join(sources, name[:-9]))
    main_file = os.path.join(sources, 'main.cc')
    write(main_file, pristine(main_file) + MAIN % ', '.join(f'"{name}"' for name in numbers.names))
    write(os.path.join(sources, 'assay-mutant.h'), HEADER)
    numbers.store()


class Numbers:
    """The number of each name; a name keeps it, those of names that are gone are given anew."""

    def __init__(self, path):
        self.path, self.names = path, ['original']
        if os.path.exists(path):
            with open(path) as file:
                self.names = json.load(file)
        wanted = {mutation['name'] for mutation in mutations()}
        self.names[1:] = [name if name in wanted else '' for name in self.names[1:]]

    def of(self, name):
        if name not in self.names:
            if '' in self.names:
                self.names[self.names.index('')] = name
            else:
                self.names.append(name)
        return self.names.index(name)

    def store(self):
        with open(self.path, 'w') as file:
            json.dump(self.names, file)


def pristine(path):
    original = path + '.original'
    with open(original if os.path.exists(original) else path, errors='surrogateescape') as file:
        return file.read()


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
