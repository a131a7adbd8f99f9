#!/bin/sh
# Judges the file of a student, which is in this folder with what Autolab has put there. All that this prints is shown to
# the student, so the screen of gridjudge is not: it may quote secret cases. The name of the problem in Autolab is that of
# the problem here.
set -u

HANDIN=${HANDIN:-.}
PROBLEM=grid-4x4
SOURCE=$(cd "$(dirname "$0")" && pwd)
PATH=$SOURCE:$PATH

# Judges files, of which the one with the most points counts.
judge() {
    gridjudge -C "$SOURCE/judge" grade "$@" -p "$PROBLEM" -q --deadline 150s --autolab - 2>/dev/null
}

. "$SOURCE/programs.sh"
judge_programs "$(cd "$HANDIN" && pwd)"
