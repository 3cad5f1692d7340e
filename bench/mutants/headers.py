#!/usr/bin/env python3
"""Two generated headers that Debian's plugin headers lack: headers.py SOURCES/gcc FOLDER. Only what the optimiser's files ask for.

insn-opinit.h: the numbers of the optabs, in the order of optabs.def, and how to look one up.
case-cfn-macros.h: CASE_CFN_X, the case labels of all variants of a built-in function: its types, and the internal function."""
import os
import re
import sys


def read(name):
    with open(os.path.join(sys.argv[1], name), errors='replace') as file:
        return file.read()


def write(name, text):
    with open(os.path.join(sys.argv[2], name), 'w') as file:
        file.write(f'/* Written by bench/mutants/headers.py. */\n{text}')


def optabs():
    rows = re.findall(r'^OPTAB_(CL|CD|NL|NC|VL|VC|DC|D) *\((\w+)', read('optabs.def'), re.M)
    conversions = [name for kind, name in rows if kind in ('CL', 'CD')]
    others = [name for kind, name in rows if kind not in ('CL', 'CD')]
    return f'''#ifndef GCC_INSN_OPINIT_H
#define GCC_INSN_OPINIT_H 1
enum optab_tag {{ unknown_optab, {", ".join(conversions + others)},
  FIRST_CONV_OPTAB = {conversions[0]}, LAST_CONV_OPTAB = {conversions[-1]}, FIRST_NORM_OPTAB = {others[0]}, LAST_NORM_OPTAB = {others[-1]} }};
enum {{ NUM_OPTABS = {len(rows) + 1} }};
typedef enum optab_tag optab, convert_optab, direct_optab;
#define GEN_FCN(CODE) (insn_data[CODE].genfun)
#ifdef NUM_RTX_CODE
extern const optab code_to_optab_[NUM_RTX_CODE];
extern const enum rtx_code optab_to_code_[NUM_OPTABS];
static inline optab code_to_optab (enum rtx_code code) {{ return code_to_optab_[code]; }}
static inline enum rtx_code optab_to_code (optab op) {{ return optab_to_code_[op]; }}
#endif
extern enum insn_code raw_optab_handler (unsigned);
extern bool swap_optab_enable (optab, machine_mode, bool);
extern bool partial_vectors_supported_p (void);
struct target_optabs;
#endif
'''


def case_labels():
    text = read('builtins.def')
    built_in = set(re.findall(r'\bBUILT_IN_(\w+)', text))
    wide = set(re.findall(r'^DEF_\w*FLOATN\w*BUILTINS \(BUILT_IN_(\w+)', text, re.M))
    internal = set(re.findall(r'^DEF_INTERNAL_\w+ \((\w+)', read('internal-fn.def'), re.M))
    lines = []
    for name in sorted(built_in):
        for suffixes in (('F', '', 'L'), ('', 'L', 'LL', 'IMAX')):
            if all(name + suffix in built_in for suffix in suffixes):
                labels = [f'CFN_BUILT_IN_{name}{suffix}' for suffix in suffixes] + [f'CFN_{name}'] * (name in internal)
                lines.append(f'#define CASE_CFN_{name} ' + ': '.join(f'case {label}' for label in labels) + '\n')
                break
        if name in wide:
            labels = [f'CFN_BUILT_IN_{name}F{suffix}' for suffix in ('16', '32', '64', '128', '32X', '64X', '128X')]
            lines.append(f'#define CASE_CFN_{name}_FN ' + ': '.join(f'case {label}' for label in labels) + '\n')
    return ''.join(lines)


write('insn-opinit.h', optabs())
write('case-cfn-macros.h', case_labels())
