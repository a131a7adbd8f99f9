# Lists the files in a folder, down to a depth: those with an ending that the course uses, or `all`. Leaves out links, which
# could lead to other files of the system, names of several lines, and what systems hide.
files_in() {
    lines='*
*'
    find "$1/" -mindepth 1 -maxdepth "$2" \( -name '.*' -o -name __MACOSX -o -path "$lines" \) -prune -o -type f -print |
        if [ "${3:-}" = all ]; then cat; else grep -E '\.(c|cc|cpp|java|py|rs)$'; fi |
        sort
}

# Calls `judge` with the programs of a folder. If it holds nothing else than what was submitted, which the second argument
# `alone` says, they may be in its subfolders, and if there are none, it is called with all files: then the report says why
# they cannot be judged. If there is nothing, it is called with a file that does not exist.
judge_programs() {
    folder=$1
    found=$(files_in "$folder" 1)
    if [ "${2:-}" = alone ]; then
        found=${found:-$(files_in "$folder" 10)}
        found=${found:-$(files_in "$folder" 10 all)}
    fi
    set -f
    IFS='
'
    # shellcheck disable=SC2086 -- a file is a line
    set -- ${found:-$folder/program}
    unset IFS
    set +f
    judge "$@"
    code=$?
    # 1 is a program that is not accepted, 2 and 3 are in the report. Anything else is a failure to be seen.
    if [ "$code" -le 3 ]; then code=0; fi
    return "$code"
}
