#!/bin/sh
# VPL runs this in a folder with all files, those of the student and those of the task, and then runs the program
# vpl_execution that this makes. What that prints is the grade and what the student is shown, so the screen of gridjudge
# is not: it may quote secret cases.
set -u

{
    echo '#!/bin/sh'
    echo "CASES='$*'"
    cat <<'END'
set -u
here=$(cd "$(dirname "$0")" && pwd)
# The best grade and the time for all.
if [ -f "$here/vpl_environment.sh" ]; then . "$here/vpl_environment.sh"; fi
export VPL_GRADEMIN="${VPL_GRADEMIN:-}" VPL_GRADEMAX="${VPL_GRADEMAX:-}"
PROBLEM=grid-4x4

# Judges files, of which the one with the most points counts.
judge() {
    # shellcheck disable=SC2086 -- these are words
    gridjudge -C "$here/judge" grade "$@" -p "$PROBLEM" $CASES -q --deadline "$((${VPL_MAXTIME:-60} * 3 / 4))s" \
        --vpl - 2>/dev/null
}

. "$here/programs.sh"
judge_programs "$here"
END
} >vpl_execution
chmod +x vpl_execution
