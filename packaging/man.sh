#!/bin/sh
# man.sh ASSAY: the manual page assay(1) on standard output. The commands, options and knobs are those that the program itself
# lists, so the page cannot forget one.
set -eu
LC_ALL=C
export LC_ALL
assay=$1

escape() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\([.']\)/\\\\\&\1/"; }

# The options and positionals of a --help text as a list: a row begins after two blanks, its text may stand on the next line.
list() {
  awk '
    function flush() { if (name != "") printf ".TP\n.B %s\n%s\n", name, text; name = ""; text = "" }
    /^(Options|Positionals|Subcommands):/ { take = ($1 != "Subcommands:"); next }
    /^[^ ]/ { take = 0 }
    !take || /^ *$/ { next }
    /^  [^ ]/ {
      flush()
      line = substr($0, 3)
      if (match(line, /   */)) { name = substr(line, 1, RSTART - 1); text = substr(line, RSTART + RLENGTH) } else name = line
      next
    }
    { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0 }
    END { flush() }' | grep -v '^$'
}

subcommands() { awk '/^Subcommands:/ { take = 1; next } /^[^ ]/ { take = 0 } take && /^  [^ ]/ { print $1 }'; }
# What stands above the usage line.
summary() { awk '/^Usage:/ { exit } { print }'; }

describe() { # describe COMMAND...
  help=$("$assay" "$@" --help)
  positionals=$(printf '%s\n' "$help" | awk '/^Positionals:/ { take = 1; next } /^[^ ]/ { take = 0 } take && /^  [^ ]/ { printf " %s", toupper($1) }')
  printf '.SS '; printf '%s\n' "assay $* [OPTION...]$positionals" | escape
  printf '%s\n' "$help" | summary | escape
  printf '%s\n' "$help" | escape | list
  for inner in $(printf '%s\n' "$help" | subcommands); do describe "$@" "$inner"; done
}

version=$("$assay" --version | awk '{ print $2; exit }')
cat <<TXT
.TH ASSAY 1 "" "assay $version" "User Commands"
.SH NAME
assay \- finds bugs in compilers with random programs that know their own answer
.SH SYNOPSIS
.B assay
.I COMMAND
.RI [ OPTION ...]
.SH DESCRIPTION
Assay makes random programs that are valid and have exactly one meaning, knows what each must print, runs them through the
compilers under test, and turns every misbehaviour into a small report that can be filed.
.PP
The main command is
.BR "assay fuzz" ,
which needs no option: it tests every C compiler found on this machine until it is stopped.
The same seed, version, knobs and data model give the same bytes on every machine.
.SH OPTIONS
TXT
"$assay" --help | escape | list
echo '.SH COMMANDS'
for command in $("$assay" --help | subcommands); do describe "$command"; done
cat <<TXT
.SH KNOBS
Every knob is an option of
.BR "assay gen" ,
and part of the text that
.B assay fuzz \-\-knobs
takes.
.nf
TXT
"$assay" gen --knobs | escape
cat <<'TXT'
.fi
.SH EXIT STATUS
.TP
.B 0
no bug found; for
.BR "assay check" :
the program is valid
.TP
.B 1
bugs found; not valid
.TP
.B 2
wrong usage
.TP
.B 3
something outside failed: a full disk, no compiler
.SH ENVIRONMENT
.TP
.B ASSAY_SCRATCH
Folder for what compilers and programs work on, instead of
.I /dev/shm
or
.IR /tmp .
.SH FILES
.TP
.I campaign.db
everything a campaign knows, in its folder, with
.I report.html
.TP
.I bugs/NAME/
one folder per bug:
.I reduced.c
is the bug in a few lines,
.I repro.sh
shows it with nothing but the compiler
.SH EXAMPLES
.nf
assay fuzz \-\-time 10m
assay fuzz \-\-dir nightly \-\-targets tcc,gcc\-12,clang* \-\-tests 10000
assay gen \-\-seed 7 \-\-out 7.c && assay check 7.c
assay reduce bugs/tcc\-1 \-\-out small
.fi
.SH SEE ALSO
.BR gcc (1),
.BR clang (1),
.BR csmith (1),
.BR cvise (1)
TXT
