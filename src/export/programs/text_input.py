"""Judges an input on standard input by its characters only: ends with 42 if it is plain text, with 43 if not.

Made by gridjudge for a problem that brings no program of its own; of what the numbers and words in an input mean, it knows nothing. Put a better one
in its place.
"""

import sys


def main():
    text = sys.stdin.buffer.read()
    for number, line in enumerate(text.split(b"\n"), 1):
        if any(byte < 32 or byte > 126 for byte in line):
            print("line %d: a character that is none of ASCII's printable ones" % number)
            sys.exit(43)
        if line != line.rstrip(b" "):
            print("line %d: a space at the end" % number)
            sys.exit(43)
    if not text.endswith(b"\n"):
        print("no line break at the end")
        sys.exit(43)
    sys.exit(42)


main()
