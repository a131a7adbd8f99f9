"""Compares outputs with the answer byte by byte.

Called as `validate.py INPUT ANSWER FEEDBACK/`, with the output on standard input; ends with 42 if it is right, with 43 if not.
"""

import sys

# With `exact`, each byte counts; with `crlf-insensitive`, carriage returns before line feeds do not.
RULE = "{rule}"


def counted(text):
    return text if RULE == "exact" else text.replace(b"\r\n", b"\n")


def main():
    with open(sys.argv[2], "rb") as file:
        expected = counted(file.read())
    found = counted(sys.stdin.buffer.read())
    if expected == found:
        sys.exit(42)
    place = next((i for i, (a, b) in enumerate(zip(expected, found)) if a != b), min(len(expected), len(found)))
    line = expected[:place].count(b"\n") + 1
    with open(sys.argv[3] + "/judgemessage.txt", "a") as file:
        file.write("byte %d (line %d) differs; expected %d bytes, found %d\n" % (place, line, len(expected), len(found)))
    sys.exit(43)


main()
