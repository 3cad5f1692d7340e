#!/usr/bin/env python3
"""assay reduce against cvise and creduce: same finds, same machine, same cores.

  bench/reduce_bench.py [--finds NAME,...|all|ten] [--tools cvise,creduce] [--cap SECONDS] [--patience TIMES] [--keep FOLDER]

The finds are real ones, stored as models in bench/finds (named after the compiler and the seed). The others get the
interestingness test that a careful user would write: gcc accepts it, the compiler under test still gets it wrong, no
warning that points at undefined behaviour, clang's sanitizers find nothing and the output is gcc's. Ours needs no test. A tool that
runs into the cap counts as "at least" so many seconds, with the tokens it had then; --patience 20 makes the cap 20 times what ours
took (at least a minute): enough to know which is ten times faster, in a fraction of the time. "cpu" is the CPU time of all processes. With --tools none only ours runs, and
every result is checked again: same bug, gcc and clang with sanitizers have nothing to say.
"""
import argparse
import json
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"
FINDS = ROOT / "bench" / "finds"
# The first found of each compiler (4, 4, 2) whose compiled program misbehaves in every environment.
TEN = ["pcc-1003", "pcc-1037", "pcc-1043", "pcc-1044", "chibicc-1006", "chibicc-1016", "chibicc-1022", "chibicc-1029",
       "tcc-1017", "tcc-1123"]
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\w+|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||\S')


def tokens(text):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"^\s*#.*$", " ", text, flags=re.M)
    return len(TOKEN.findall(text))


def cpu():
    """Seconds of CPU that our processes which have ended used: comparable when the machine has other work too."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def reduce_ours(name, folder):
    folder.mkdir()
    start, used = time.monotonic(), cpu()
    run = subprocess.run([BUILD / "assay", "reduce", FINDS / f"{name}.txt", "--target", name.rsplit("-", 1)[0], "--json", "--out",
                          folder], capture_output=True, text=True)
    seconds, used = time.monotonic() - start, cpu() - used
    if run.returncode != 1:
        raise SystemExit(f"{name}: assay reduce failed: {run.stderr}")
    result = json.loads(run.stdout)
    return {"seconds": seconds, "cpu": used, "tokens": tokens(result["source"]), "compiles": result["compilations"], "capped": False,
            "lines": result["lines"], "verdict": result["verdict"], "source": result["source"]}


def reduce_theirs(tool, name, folder, cap):
    folder.mkdir()
    subprocess.run([BUILD / "reduce_bench", "export", name.rsplit("-", 1)[0], FINDS / f"{name}.txt", folder], check=True)
    script = folder / "test.sh"
    count = folder.parent / f"{tool}.count"
    # One line for every run of the compiler under test.
    script.write_text(script.read_text().replace("timeout 20 ", f"echo >>{count}\ntimeout 20 ", 1))
    script.chmod(0o755)
    count.write_text("")
    temporary = folder.parent / f"{tool}.tmp"
    temporary.mkdir()
    before = tokens((folder / "program.c").read_text())
    start = time.monotonic()
    process = subprocess.Popen([tool, "--n", str(os.cpu_count()), "./test.sh", "program.c"], cwd=folder, start_new_session=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, "TMPDIR": str(temporary)})
    capped = False
    used = cpu()
    try:
        process.wait(cap)
    except subprocess.TimeoutExpired:
        capped = True
    finally:  # also when we are interrupted
        try:
            os.killpg(process.pid, signal.SIGTERM if capped else signal.SIGKILL)
            time.sleep(1 if capped else 0)
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
    source = (folder / "program.c").read_text()
    return {"cpu": cpu() - used, "seconds": time.monotonic() - start, "tokens": tokens(source), "capped": capped, "source": source,
            "compiles": count.read_text().count("\n"), "before": before}


def is_sane(result, name, folder):
    """The same bug in the text as filed; two compilers with sanitizers see nothing wrong."""
    source = folder / "reduced.c"
    for compiler in (["gcc"], ["clang"]):
        subprocess.run([*compiler, "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", source, "-o", folder / "sane", "-lm"],
                       check=True)
        sane = subprocess.run([folder / "sane"], capture_output=True, env={"ASAN_OPTIONS": "detect_leaks=0"})
        if sane.returncode != 0:
            return False
    compiled = subprocess.run([name.rsplit("-", 1)[0], source, "-o", folder / "tested", "-lm"], capture_output=True)
    if result["verdict"] in ("rejected-valid", "compiler-crash"):
        return compiled.returncode != 0
    return any(subprocess.run([folder / "tested"], capture_output=True).returncode != 0 for _ in range(20))


def cell(result):
    seconds = f"{'>' if result['capped'] else ''}{result['seconds']:.1f}"
    return f"{seconds:>8} {result['cpu']:6.1f} {result['tokens']:6} {result['compiles']:8}"


def main():
    signal.signal(signal.SIGTERM, lambda *_: exit(1))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--finds", default="ten")
    parser.add_argument("--tools", default="cvise,creduce")
    parser.add_argument("--cap", type=float, default=1800)
    parser.add_argument("--patience", type=float, help="stop the others after so many times our time")
    parser.add_argument("--keep", type=Path, help="folder for the results and the rows; rows that are there are not measured again")
    options = parser.parse_args()
    names = {"ten": TEN, "all": sorted(path.stem for path in FINDS.glob("*.txt"))}.get(options.finds, options.finds.split(","))
    tools = [] if options.tools == "none" else options.tools.split(",")
    scratch = Path(tempfile.mkdtemp(prefix="assay-reduce-", dir="/dev/shm"))
    rows = options.keep / "rows.json" if options.keep else scratch / "rows.json"
    rows.parent.mkdir(parents=True, exist_ok=True)
    measured = json.loads(rows.read_text()) if rows.exists() else {}
    print(f"{'find':<14} {'before':>7} | {'assay s':>8}    cpu tokens compiles lines" + "".join(f" | {tool + ' s':>8}    cpu tokens compiles" for tool in tools))
    try:
        for name in names:
            row = measured.setdefault(name, {})
            folder = scratch / name
            folder.mkdir()
            if "assay" not in row:
                row["assay"] = reduce_ours(name, folder / "assay")
                row["sane"] = is_sane(row["assay"], name, folder / "assay")
            cap = options.cap
            if options.patience:
                cap = min(cap, max(60.0, options.patience * row["assay"]["seconds"]))
            for tool in tools:
                if tool not in row:
                    row[tool] = reduce_theirs(tool, name, folder / tool, cap)
            rows.write_text(json.dumps(measured, indent=1))
            before = row[tools[0]]["before"] if tools else 0
            print(f"{name:<14} {before:7} | {cell(row['assay'])} {row['assay']['lines']:5}" + "".join(f" | {cell(row[tool])}" for tool in tools) +
                  ("" if row["sane"] else "   NOT THE SAME BUG"), flush=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    ours = [measured[name]["assay"] for name in names]
    print(f"assay: median {statistics.median(r['seconds'] for r in ours):.1f} s, {statistics.median(r['tokens'] for r in ours):g} tokens, "
          f"{statistics.median(r['lines'] for r in ours):g} lines, {statistics.median(r['compiles'] for r in ours):g} compilations; "
          f"same bug and sane: {sum(measured[name]['sane'] for name in names)} of {len(names)}")
    for tool in tools:
        times = statistics.median(measured[name][tool]["seconds"] / measured[name]["assay"]["seconds"] for name in names)
        sizes = statistics.median(measured[name][tool]["tokens"] / measured[name]["assay"]["tokens"] for name in names)
        work = statistics.median(measured[name][tool]["cpu"] / measured[name]["assay"]["cpu"] for name in names)
        capped = sum(measured[name][tool]["capped"] for name in names)
        print(f"{tool}: median time {times:.1f} x ours{' (at least)' if capped else ''}, CPU time {work:.1f} x, median tokens {sizes:.2f} x ours; {capped} of {len(names)} stopped at the cap")


main()
