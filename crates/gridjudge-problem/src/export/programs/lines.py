"""Compares outputs with the answer line by line; white space at the end of a line and empty lines at the end do not count.

Called as `validate.py INPUT ANSWER FEEDBACK/`, with the output on standard input; ends with 42 if it is right, with 43 if not.
"""

import sys

WHITE_SPACE = b" \t\n\r\x0b\x0c"


def lines_of(text):
    lines = [line.rstrip(WHITE_SPACE) for line in text.split(b"\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def shown(line):
    return line[:40].decode("ascii", "backslashreplace")


def reject(message):
    with open(sys.argv[3] + "/judgemessage.txt", "a") as file:
        file.write(message + "\n")
    sys.exit(43)


def main():
    with open(sys.argv[2], "rb") as file:
        expected = lines_of(file.read())
    found = lines_of(sys.stdin.buffer.read())
    for number, (one, other) in enumerate(zip(expected, found), 1):
        if one != other:
            reject("line %d: expected `%s`, found `%s`" % (number, shown(one), shown(other)))
    if len(expected) != len(found):
        reject("expected %d lines, found %d" % (len(expected), len(found)))
    sys.exit(42)


main()
