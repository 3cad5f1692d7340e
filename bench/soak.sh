#!/usr/bin/env bash
# The validity soak: programs from consecutive seeds must compile, end, and print exactly what the machine says.
#   bench/soak.sh [FROM] [COUNT] [MODE] [KNOB FLAG...]
# Modes: plain (gcc and clang, -O0 and -O2), san (UBSan+ASan by gcc and clang, MSan by clang; -O0, so that no access is gone
# before it is checked); native (-O3 for the vectors of this processor); and other data models: m32 (gcc -m32), m32-align (-malign-double), uchar and m32-uchar (-funsigned-char),
# packed (-fpack-struct=1), aarch64 and s390x (cross compilers and qemu-user). And modes of floating point: robust (-Ofast, -ffast-math with
# contraction to FMA where the machine has it), robust-x87 (gcc -m32 -mfpmath=387), ieee (-ffp-contract=off).
# Prints one line for every program that fails, then "N passed, M failed". Scratch is on tmpfs and removed.
# If a single compiler that optimises or instruments is alone against the expectation, all others confirm it and the sanitizers find nothing wrong with
# the program, the compiler is wrong: the line says BUG, and the program does not count as failed (docs/found-bugs.md).
set -u
assay=${ASSAY:-$(cd "$(dirname "$0")/.." && pwd)/build/release/assay}
from=${1:-1}
count=${2:-300}
mode=${3:-plain}
shift $(($# > 3 ? 3 : $#))
scratch=$(mktemp -d "$( [ -w /dev/shm ] && echo /dev/shm || echo /tmp)/assay-soak-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

model=lp64
knobs=()    # that the mode needs
runner=     # what runs the programs, if they do not run by themselves
seconds=1   # of CPU: the programs of ours end by themselves well within it
case $mode in
  plain) compilers="gcc -O0|clang -O0|gcc -O2|clang -O2" ;;
  san) seconds=10 compilers="gcc -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all|clang -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all|clang -O0 -g -fsanitize=memory -fno-sanitize-recover=all" ;;
  native) compilers="gcc -O3 -march=native|clang -O3 -march=native|gcc -O1" ;;
  m32) compilers="gcc -m32 -O0|gcc -m32 -O2" model=ilp32 ;;
  m32-align) compilers="gcc -m32 -malign-double -O0|gcc -m32 -malign-double -O2" model=ilp32,align8=8 ;;
  uchar) compilers="gcc -funsigned-char -O0|gcc -funsigned-char -O2|clang -funsigned-char -O2" model=lp64,char=unsigned ;;
  m32-uchar) compilers="gcc -m32 -funsigned-char -O0|gcc -m32 -funsigned-char -O2" model=ilp32,char=unsigned ;;
  packed) compilers="gcc -fpack-struct=1 -O0|gcc -fpack-struct=1 -O2" model=lp64,align2=1,align4=1,align8=1,align16=1,align-pointer=1 ;;
  robust)
    compilers="gcc -O0|gcc -Ofast|gcc -Ofast -march=native -ffp-contract=fast|clang -Ofast|clang -O2 -ffast-math -march=native -ffp-contract=fast"
    knobs=(--float-robust 100 --float-exact 0 --float-ieee 0) ;;
  robust-x87)
    compilers="gcc -m32 -mfpmath=387 -O0|gcc -m32 -mfpmath=387 -O2|gcc -m32 -mfpmath=387 -Ofast" model=ilp32
    knobs=(--float-robust 100 --float-exact 0 --float-ieee 0) ;;
  ieee)
    compilers="gcc -ffp-contract=off -O0|clang -ffp-contract=off -O0|gcc -ffp-contract=off -O2|clang -ffp-contract=off -O2|gcc -ffp-contract=off -O3 -march=native|clang -ffp-contract=off -O3 -march=native"
    knobs=(--float-ieee 100 --float-exact 0 --float-robust 0) ;;
  aarch64 | s390x)
    compilers="$mode-linux-gnu-gcc -static -O0|$mode-linux-gnu-gcc -static -O2" runner=qemu-$mode seconds=20
    case $mode in aarch64) model=lp64,char=unsigned ;; s390x) model=lp64-be,align16=8 ;; esac ;;
  *) echo "soak: no mode '$mode' (plain, san, native, m32, m32-align, uchar, m32-uchar, packed, robust, robust-x87, ieee, aarch64, s390x)" >&2; exit 2 ;;
esac

confirmed() { # confirmed SEED: the sanitizers have nothing against the program and print what is expected
  local sanitizer
  for sanitizer in address,undefined memory; do
    clang -w -O1 -g -fsanitize=$sanitizer -fno-sanitize-recover=all -o sanitized "$1.c" -lm 2>/dev/null || return 1
    [ "$(ASAN_OPTIONS=detect_leaks=0 timeout 60 ./sanitized 2>/dev/null)" = "$(cat "$1.expected")" ] || return 1
  done
}

one() { # one SEED: prints a line for each failure
  local seed=$1 dir="$scratch/$1" compiler actual code word bad=0 failures=""
  mkdir -p "$dir"
  cd "$dir" || exit 3
  if ! "$assay" gen --seed "$seed" --data-model "$model" --out "$dir/" "${flags[@]}" 2>error; then
    echo "FAIL $seed gen: $(head -c 300 error)"
  else
    while IFS= read -r compiler; do
      if ! $compiler -w -o program "$seed.c" -lm 2>error; then
        failures+="$seed compile [$compiler]: $(grep -m1 error error)"$'\n'
        bad=$((bad + 2))
        continue
      fi
      # shellcheck disable=SC2086  # several words, or none
      actual=$(ulimit -t "$seconds"; ASAN_OPTIONS=detect_leaks=0 timeout 60 $runner ./program 2>error)
      code=$?
      if [ "$code" != 0 ] || [ "$actual" != "$(cat "$seed.expected")" ]; then
        failures+="$seed run [$compiler]: exit $code, '$actual' instead of '$(cat "$seed.expected")' $(grep -m1 -E 'runtime error|ERROR|WARNING' error)"$'\n'
        # May be the compiler's own bug: an optimiser, or a sanitizer that changes the output without an alarm.
        case "$code $compiler" in *-O[23]* | *-Ofast* | "0 "*-fsanitize*) bad=$((bad + 1)) ;; *) bad=$((bad + 2)) ;; esac
      fi
    done <<<"${compilers//|/$'\n'}"
    word=FAIL
    if [ "$bad" = 1 ] && [ "$model" = lp64 ] && confirmed "$seed"; then word=BUG; fi
    [ -z "$failures" ] || sed "s/^/$word /" <<<"${failures%$'\n'}"
  fi
  cd / && rm -rf "$dir"
  echo "DONE $seed"
}

flags=("${knobs[@]}" "$@")
export -f one confirmed
export scratch assay compilers model runner seconds
# Arrays are not exported: the flags travel as one word each on the command line.
seq "$from" $((from + count - 1)) |
  xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'flags=("${@:2}"); one "$1"' _ {} "${flags[@]}" >"$scratch/log"
grep -E '^(FAIL|BUG)' "$scratch/log"
done=$(grep -c '^DONE' "$scratch/log")
failed=$(grep '^FAIL' "$scratch/log" | cut -d' ' -f2 | sort -u | wc -l)
echo "$((done - failed)) passed, $((failed + count - done)) failed"
[ "$failed" = 0 ] && [ "$done" = "$count" ]
