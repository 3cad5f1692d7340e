#!/bin/sh
# gate.sh TARGETS.toml NAME FOLDER: for the CI of a compiler. Fails when a bug shows; the folder is what to keep as an artefact.
# The seed is the day, so that every night tests other programs and a night can be repeated.
set -u
seed=${SEED:-$(date +%Y%m%d)000}
"${ASSAY:-assay}" fuzz --dir "$3" --seed "$seed" --tests "${TESTS:-200}" --time "${TIME:-10m}" --until-bug --targets-file "$1" \
  --targets "$2"
case $? in
  0) echo "gate: no bug in $2 (seed $seed)" ;;
  1) echo "gate: bugs in $2, see $3/report.html (seed $seed)" >&2; exit 1 ;;
  *) echo "gate: could not test $2" >&2; exit 2 ;;
esac
