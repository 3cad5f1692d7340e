#!/usr/bin/env python3
"""Compiles every file of a build folder for its errors and warnings only: no code, no libraries, no programs.

    cmake/syntax.py BUILD_FOLDER

The precompiled headers must be there. Files that are not there yet, because the build makes them, are left out. Exit code 1: some file has an error.
"""
import json
import multiprocessing.pool
import os
import shlex
import subprocess
import sys


def command_of(entry):
    words = shlex.split(entry['command'])
    compiler = next(i for i, word in enumerate(words) if os.path.basename(word).startswith(('clang', 'g++', 'c++')))
    words = words[compiler:]
    output = words.index('-o')
    del words[output:output + 2]
    words[words.index('-c')] = '-fsyntax-only'
    return words


def check(entry):
    seen = subprocess.run(command_of(entry), cwd=entry['directory'], capture_output=True, text=True)
    return entry['file'], seen.returncode, seen.stderr


def main():
    with open(os.path.join(sys.argv[1], 'compile_commands.json'), encoding='utf-8') as file:
        entries = [entry for entry in json.load(file)
                   if os.path.exists(entry['file']) and not entry['file'].endswith('cmake_pch.hxx.cxx')]
    failed = 0
    with multiprocessing.pool.ThreadPool(os.cpu_count()) as pool:
        for file, code, text in pool.imap_unordered(check, entries):
            if code == 0:
                continue
            failed += 1
            sys.stderr.write(text or f'{file}: the compiler ended with code {code}\n')
    if not entries:
        sys.exit('syntax: no file to compile')
    sys.exit(1 if failed else 0)


main()
