"""What the measuring scripts share: processes with CPU time and limits, tools that must be there, a folder on a RAM disk."""
import atexit
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

TOKEN = re.compile(r'[A-Za-z_]\w*|\.?\d[\w.]*|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!]=|&&|\|\||[-+*/%&|^]=|\S')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)


def tokens(text):
    """Tokens of a C program, comments left out."""
    return len(TOKEN.findall(COMMENT.sub(' ', text)))


def fail(message):
    """Something outside is missing or broken: exit code 3, as everywhere in this project."""
    print(f'{os.path.basename(sys.argv[0])}: {message}', file=sys.stderr)
    sys.exit(3)


def require(program, advice):
    if not shutil.which(program):
        fail(f'{program} is not here ({advice})')
    return program


class Tools:
    def gcc(self):
        return require('gcc-12', 'apt-get install gcc-12')

    def clang(self):
        return require('clang-14', 'apt-get install clang-14')


def scratch_folder(name):
    """A folder that is removed at the end of the process; SIGTERM counts as an end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = tempfile.mkdtemp(prefix=f'assay-{name}-', dir='/dev/shm' if os.access('/dev/shm', os.W_OK) else None)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def cpu_of(command, folder, limit=60, output=subprocess.DEVNULL, memory=4 << 30, output_limit=None, environment=None):
    """(exit code, CPU seconds) of a command with `limit` CPU seconds; negative: the signal that ended it."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if output_limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (output_limit, output_limit))
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL, env=environment,
                               preexec_fn=limits)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime
