#!/usr/bin/env bash
# Programs of the shipped languages through the real implementations found here: is every one accepted, do all print
# the same?
#   lang_soak.sh [-a ASSAY] [-s FIRST_SEED] [-k FOLDER] [-t SECONDS] COUNT [LANGUAGE...]
# ASSAY is the program (build/release/assay), FOLDER keeps the programs that failed, SECONDS (3) are what a solver has to answer
# in. Languages: lua c-crash smt2 smt2-bv
# smt2-fp smt2-strings sql sql-arithmetic (default: all). One line per language; exit status 1 if a program was rejected or, for
# Lua and SMT-LIB, two implementations disagree. SQL that differs is counted only: the databases do have such bugs.
# Crashes, and what only LuaJIT's compiler does, are bugs found and no fault of the program.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
assay=$root/build/release/assay
first=1
keep=
patience=3
while getopts a:s:k:t: option; do
  case $option in
    a) assay=$OPTARG ;;
    s) first=$OPTARG ;;
    k) keep=$OPTARG ;;
    t) patience=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
count=${1:?usage: lang_soak.sh [-a ASSAY] [-s FIRST_SEED] [-k FOLDER] [-t SECONDS] COUNT [LANGUAGE...]}
shift
[ $# -gt 0 ] || set -- lua c-crash smt2 smt2-bv smt2-fp smt2-strings sql sql-arithmetic

work=$(mktemp -d "${TMPDIR:-/tmp}/lang_soak.XXXXXX")
# Databases write much and need nothing kept: in memory, if there is such a place.
servers=
cleanup() {
  [ -z "$servers" ] || "$root/targets/sql_servers.sh" stop "$servers" >/dev/null 2>&1
  rm -rf "$work" ${servers:+"$servers"}
}
# shellcheck disable=SC2317
trap cleanup EXIT
trap 'exit 130' INT TERM

have() { command -v "$1" >/dev/null; }
failed=0
bad() { # bad FILE MESSAGE
  echo "  $(basename "$1"): $2" | cut -c 1-300
  [ -z "$keep" ] || { mkdir -p "$keep" && cp "$1" "$keep/"; }
}
first_line() { grep -m 1 -iE "$1" "$2" || head -n 1 "$2"; }

check_lua() { # every implementation: no error, the same output
  local file=$1 lua before=
  for lua in lua5.1 luajit lua5.2 lua5.3 lua5.4; do
    have $lua || continue
    if ! timeout 60 $lua "$file" >"$work/out.$lua" 2>"$work/err"; then
      rejected=$((rejected + 1))
      bad "$file" "$lua: $(head -n 1 "$work/err")"
      return
    fi
    if [ -n "$before" ] && ! cmp -s "$work/out.$before" "$work/out.$lua"; then
      if [ $lua = luajit ] && luajit -joff "$file" 2>/dev/null | cmp -s - "$work/out.$before"; then
        found=$((found + 1))
        bad "$file" "luajit's compiler is wrong: without it the output is that of $before"
        continue
      fi
      differs=$((differs + 1))
      bad "$file" "$before and $lua: $(diff "$work/out.$before" "$work/out.$lua" | sed -n 2p)"
      return
    fi
    before=$lua
  done
}

check_c() { # a crash is what these programs are for; it is told, and is no rejection
  local file=$1 cc
  for cc in gcc clang; do
    have $cc || continue
    if ! timeout 120 $cc -w -c -O0 "$file" -o "$work/out.o" >"$work/err" 2>&1; then
      if grep -qE 'internal compiler error|PLEASE submit a bug report' "$work/err"; then
        found=$((found + 1))
        bad "$file" "$cc crashes: $(first_line 'internal compiler error|Assertion' "$work/err")"
        continue
      fi
      rejected=$((rejected + 1))
      bad "$file" "$cc: $(first_line 'error|internal' "$work/err")"
      return
    fi
  done
}

# A solver's limits (time, length of strings in a model) are no rejection of the program.
complaint() { grep -vE '^(sat|unsat|unknown|timeout|cvc5 interrupted by (timeout|SIGTERM)\.?)$|strings-model-max-len|CAUGHT SIGNAL 15' "$1" | head -n 1; }
check_smt2() { # accepted as a whole, without solving; then no `sat` against an `unsat` in the time they have
  local file=$1 language=$2 line
  local -a cvc5=(cvc5 --incremental --strings-exp)
  : >"$work/z3.out"
  : >"$work/cvc5.out"
  if have z3; then
    grep -v '^(check-sat' "$file" >"$work/unsolved.smt2"
    timeout 60 z3 "$work/unsolved.smt2" >"$work/err" 2>&1
    timeout "$patience" z3 "$file" >"$work/z3.out" 2>&1
    line=$(cat "$work/err" "$work/z3.out" | complaint -)
    [ -z "$line" ] || { rejected=$((rejected + 1)) && bad "$file" "z3: $line" && return; }
  fi
  if have cvc5; then
    timeout 60 "${cvc5[@]}" --parse-only "$file" >"$work/err" 2>&1
    timeout "$patience" "${cvc5[@]}" "$file" >"$work/cvc5.out" 2>&1
    line=$(cat "$work/err" "$work/cvc5.out" | complaint -)
    [ -z "$line" ] || { rejected=$((rejected + 1)) && bad "$file" "cvc5: $line" && return; }
  fi
  line=$(paste "$work/z3.out" "$work/cvc5.out" | grep -nE '^(sat.unsat|unsat.sat)$' | head -n 1)
  if [ -n "$line" ]; then
    differs=$((differs + 1))
    bad "$file" "z3 and cvc5: answer $line"
  fi
  if [ "$language" = smt2-bv ] && have boolector; then
    timeout "$patience" boolector --smt2 "$file" >"$work/boolector.out" 2>&1
    line=$(complaint "$work/boolector.out")
    [ -z "$line" ] || { rejected=$((rejected + 1)) && bad "$file" "boolector: $line" && return; }
    line=$(paste "$work/z3.out" "$work/boolector.out" | grep -nE '^(sat.unsat|unsat.sat)$' | head -n 1)
    [ -z "$line" ] || { differs=$((differs + 1)) && bad "$file" "z3 and boolector: answer $line"; }
  fi
}

start_servers() {
  [ -z "$servers" ] || return 0
  local memory=${TMPDIR:-/tmp}
  [ ! -w /dev/shm ] || memory=/dev/shm
  servers=$(mktemp -d "$memory/lang_soak_sql.XXXXXX")
  "$root/targets/sql_servers.sh" start "$servers" || exit 3
}
check_sql() { # LANGUAGE decides whether an overflow may be reported
  local file=$1 language=$2 database before=
  for database in sqlite postgresql mariadb; do
    case $database in
      sqlite) have sqlite3 || continue ;;
      postgresql) [ -d "$servers/postgresql" ] || continue ;;
      mariadb) [ -d "$servers/mariadb" ] || continue ;;
    esac
    if ! timeout 120 "$root/targets/sql_servers.sh" run $database "$servers" "$file" >"$work/out.$database" 2>"$work/err"; then
      if [ "$language" = sql-arithmetic ] && grep -qiE 'out of range|overflow' "$work/err"; then
        overflows=$((overflows + 1))
        return
      fi
      if grep -qE 'max_statement_time exceeded|due to statement timeout' "$work/err"; then
        limits=$((limits + 1))
        bad "$file" "$database took too long"
        continue
      fi
      if grep -q 'Truncated incorrect DOUBLE value' "$work/err"; then # docs/found-bugs.md, MariaDB 7
        found=$((found + 1))
        bad "$file" "$database compares texts as numbers"
        continue
      fi
      if grep -qE 'Lost connection|closed the connection unexpectedly' "$work/err"; then
        found=$((found + 1))
        bad "$file" "$database crashes"
        continue
      fi
      rejected=$((rejected + 1))
      bad "$file" "$database: $(grep -m 1 -E 'ERROR|rror' "$work/err" || head -n 1 "$work/err")"
      return
    fi
    if [ -n "$before" ] && ! cmp -s "$work/out.$before" "$work/out.$database"; then
      differs=$((differs + 1))
      [ "$language" = sql-arithmetic ] || bad "$file" "$before and $database differ: $(diff "$work/out.$before" "$work/out.$database" | sed -n 2p)"
      return
    fi
    before=$database
  done
}

for language in "$@"; do
  mkdir -p "$work/$language"
  if ! "$assay" grammar sample "$language" --seed "$first" --count "$count" --out "$work/$language"; then
    echo "lang_soak: no programs of $language"
    exit 3
  fi
  case $language in sql*) start_servers ;; esac
  rejected=0 differs=0 overflows=0 found=0 limits=0 total=0
  for file in "$work/$language"/*; do
    total=$((total + 1))
    case $language in
      lua) check_lua "$file" ;;
      c-crash) check_c "$file" ;;
      smt2*) check_smt2 "$file" "$language" ;;
      sql*) check_sql "$file" "$language" ;;
      *)
        echo "lang_soak: nothing is known about $language"
        exit 2
        ;;
    esac
  done
  echo "$language: $total programs from seed $first, $rejected rejected, $differs differ$([ "$language" != sql-arithmetic ] || echo ", $overflows report overflow")$([ $limits = 0 ] || echo ", $limits took too long")$([ $found = 0 ] || echo ", $found bugs found")"
  [ "$total" = "$count" ] && [ $rejected = 0 ] || failed=1
  case $language in sql*) ;; *) [ $differs = 0 ] || failed=1 ;; esac
  rm -rf "${work:?}/$language"
done
exit $failed
