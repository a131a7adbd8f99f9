"""Calls the checker beside it, which speaks another protocol, and turns its answer into 42 (right) or 43 (wrong).

Called as `__main__.py INPUT ANSWER FEEDBACK/ [ARGUMENT...]`, with the output on standard input. If the checker does anything other
than answer, that is a failure: this program then ends with 1.
"""

import os
import subprocess
import sys

import testlib_report

NAME = PROTOCOL
# The exit codes of an answer: right, and wrong. Python also ends with 1 after an uncaught exception, which is an answer of some checkers;
# the traceback on standard error shows the difference.
RIGHT = {0}
WRONG = {"testlib": {1, 2, 4, 8}, "dmoj": {1}}.get(NAME, set(range(1, 256)) - {126, 127})

# The points of an output that is completely right, if testlib's checker gives points; negative if cases differ.
ALL_POINTS = POINTS


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
        file.write(testlib_report.message(reported) + said)
    has_died = b"Traceback (most recent call last)" in done.stderr
    in_part = testlib_report.part(reported, done.returncode, ALL_POINTS) if NAME == "testlib" and not has_died else None
    if in_part:
        sys.exit(in_part)
    if done.returncode in RIGHT:
        sys.exit(42)
    sys.exit(43 if done.returncode in WRONG and not has_died else 1)


main()
