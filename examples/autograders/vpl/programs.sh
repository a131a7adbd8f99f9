# Calls `judge` with the programs of a folder: the files with an ending that the course uses. If there are none, with all
# its files if it holds nothing else than what was submitted, which the second argument `alone` says, or with a file that
# does not exist: then the report says why nothing could be judged.
judge_programs() {
    folder=$1
    alone=${2:-}
    set --
    for file in "$folder"/*.c "$folder"/*.cc "$folder"/*.cpp "$folder"/*.java "$folder"/*.py "$folder"/*.rs; do
        if [ -f "$file" ] && [ ! -L "$file" ]; then set -- "$@" "$file"; fi
    done
    if [ $# -eq 0 ] && [ "$alone" = alone ]; then
        for file in "$folder"/*; do
            if [ -f "$file" ] && [ ! -L "$file" ]; then set -- "$@" "$file"; fi
        done
    fi
    if [ $# -eq 0 ]; then set -- "$folder/program.c"; fi
    judge "$@"
    code=$?
    # 1 is a program that is not accepted, 2 and 3 are in the report. Anything else is a failure to be seen.
    if [ "$code" -le 3 ]; then code=0; fi
    return "$code"
}
