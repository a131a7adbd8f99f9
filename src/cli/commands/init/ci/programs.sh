set --
for program in *.c *.cc *.cpp *.go *.java *.py *.rs; do
  if [ ! -f "$program" ]; then continue; fi
  if [ -n "$PROBLEM" ] || gridjudge list -- "${program%.*}" >/dev/null 2>&1; then
    set -- "$@" "$program"
  else
    # A line of its own could be a command to the CI service.
    name=$(printf %s "$program" | tr '\n' ' ')
    printf 'not judged, because it is not named after a problem: %s\n' "$name"
  fi
done
if [ $# -gt 0 ]; then
  gridjudge grade --all {reports}--junit programs.xml --log programs.jsonl ${PROBLEM:+-p "$PROBLEM"} -- "$@"
fi
