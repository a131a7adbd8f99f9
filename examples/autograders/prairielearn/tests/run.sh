#!/bin/sh
# PrairieLearn runs this for each submission, for at most the `timeout` of `info.json`.
set -u

GRADE=${GRADE:-/grade}
PROBLEM=grid-4x4

# Judges files, of which the one with the most points counts.
judge() {
    gridjudge -C "$GRADE/tests/judge" grade "$@" -p "$PROBLEM" -q --deadline 100s \
        --prairielearn "$GRADE/results/results.json"
}

mkdir -p "$GRADE/results"
rm -f "$GRADE/results/results.json"
cd "$GRADE/tests" || exit 1
. ./programs.sh
judge_programs "$GRADE/student" alone
