#!/bin/sh
# bash and zsh, having sourced our completion, offer what the program knows.
set -eu
folder=$ASSAY_SOURCE/packaging/completion
PATH=$(dirname "$ASSAY"):$PATH
export PATH folder
failed=0

# in_bash WORD...: what bash offers for the last word of `assay WORD...`.
in_bash() {
  bash --norc --noprofile -c '
    . "$folder/assay.bash"
    COMP_WORDS=(assay "$@") COMP_CWORD=$#
    _assay
    printf "%s\n" "${COMPREPLY[@]}"' _ "$@"
}

expect() { # expect SHELL WHAT-WAS-ASKED ANSWER WANTED
  case "
$3
" in
    *"
$4
"*) ;;
    *)
      echo "FAILED: $1: '$2' offers '$3', not '$4'" >&2
      failed=1
      ;;
  esac
}

expect bash 'assay f' "$(in_bash f)" fuzz
expect bash 'assay gr' "$(in_bash gr)" grammar
expect bash 'assay grammar d' "$(in_bash grammar d)" describe
expect bash 'assay fuzz --un' "$(in_bash fuzz --un)" --until-bug
expect bash 'assay gen --expression-d' "$(in_bash gen --expression-d)" --expression-depth
expect bash 'assay gen --lang l' "$(in_bash gen --lang l)" lua
expect bash 'assay gen --lang smt2-b' "$(in_bash gen --lang smt2-b)" smt2-bv
expect bash 'assay fuzz --profile y' "$(in_bash fuzz --profile y)" yarpgen
expect bash 'assay fuzz --profile = y' "$(in_bash fuzz --profile = y)" yarpgen
expect bash 'assay gen --data-model il' "$(in_bash gen --data-model il)" ilp32
expect bash 'assay gen --form s' "$(in_bash gen --form s)" self-check
expect bash 'assay fuzz --targets gc' "$(in_bash fuzz --targets gc)" gcc-12
expect bash 'assay fuzz --targets tcc,gc' "$(in_bash fuzz --targets tcc,gc)" tcc,gcc-12
expect bash 'assay check some' "$(in_bash check some)" ''

if command -v zsh >/dev/null; then
  # All lines in one shell: starting one takes a second.
  answer=$(timeout 120 zsh -f "$ASSAY_SOURCE/tests/packaging/tab.zsh" "$folder" 'assay fu' 'assay fuzz --un' 'assay gen --lang lu' \
    'assay gen --profile=y' 'assay grammar de')
  for line in 'assay fuzz ' 'assay fuzz --until-bug ' 'assay gen --lang lua ' 'assay gen --profile=yarpgen ' 'assay grammar describe '; do
    expect zsh 'the same' "$answer" "$line"
  done
else
  echo "no zsh here: only bash was tested"
fi
exit $failed
