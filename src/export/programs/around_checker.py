"""Calls the checker beside it, which speaks another protocol, and turns its answer into 42 (right) or 43 (wrong).

Called as `__main__.py INPUT ANSWER FEEDBACK/ [ARGUMENT...]`, with the output on standard input. If the checker does anything other
than answer, that is a failure: this program then ends with 1.
"""

import html
import os
import re
import subprocess
import sys

NAME = PROTOCOL
# The exit codes of an answer: right, and wrong. Python also ends with 1 after an uncaught exception, which is an answer of some checkers;
# the traceback on standard error shows the difference.
RIGHT = {0}
WRONG = {"testlib": {1, 2, 4, 8}, "dmoj": {1}}.get(NAME, set(range(1, 256)) - {126, 127})

# The points of an output that is completely right, if testlib's checker gives points; negative if cases differ.
ALL_POINTS = POINTS


def part(report, code):
    """The part of the points that testlib's answer in the report gives, as 42 for all and 43 for less. `None` if it gives right or wrong."""
    element = re.search(rb"<result([^>]*)>", report)
    found = dict(re.findall(rb' (\w+) = "([^"]*)"', element[1])) if element else {}
    parts = int(found.get(b"pctype", 0)) if found.get(b"outcome") == b"partially-correct" else None
    if parts is not None and code in (parts % 256, (parts + 50) % 256):
        return 42 if parts == 200 else 43
    if code != 7:
        return None
    return 42 if 0 <= ALL_POINTS <= float(found.get(b"points", -1)) else 43


def message(report):
    """The text of the element that is testlib's report; everything if there is no element."""
    element = re.search(rb"<result[^>]*>(.*)</result>", report, re.DOTALL)
    return html.unescape(element[1].decode("utf-8", "replace")).encode() if element else report


def main():
    given, answer, feedback = sys.argv[1:4]
    output, report = os.path.join(feedback, "output.txt"), os.path.join(feedback, "report.txt")
    with open(output, "wb") as file:
        file.write(sys.stdin.buffer.read())
    checker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "problem_checker.py")
    last = [report, "-appes"] if NAME == "testlib" else []
    command = [sys.executable, checker, given, output, answer] + last + sys.argv[4:]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.unlink(output)
    said, reported = done.stdout + done.stderr, b""
    if os.path.exists(report):
        with open(report, "rb") as file:
            reported = file.read()
        os.unlink(report)
    with open(os.path.join(feedback, "judgemessage.txt"), "ab") as file:
        file.write(message(reported) + said)
    has_died = b"Traceback (most recent call last)" in done.stderr
    in_part = part(reported, done.returncode) if NAME == "testlib" and not has_died else None
    if in_part:
        sys.exit(in_part)
    if done.returncode in RIGHT:
        sys.exit(42)
    sys.exit(43 if done.returncode in WRONG and not has_died else 1)


main()
