"""Wrong: gives each row the symbols that it lacks, and never looks at columns and boxes."""

import sys

words = sys.stdin.read().split()
for row in words[1:]:
    missing = (symbol for symbol in "1234" if symbol not in row)
    print("".join(next(missing) if symbol == "0" else symbol for symbol in row))
