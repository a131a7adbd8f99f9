#!/usr/bin/env python3
"""Runs the interactor beside it, which speaks another protocol, and the checker that judges what it has written, if there is one. Turns
their answers into 42 (right) or 43 (wrong).

Called as `run INPUT ANSWER FEEDBACK/ [ARGUMENT...]`, connected to the submission by standard input and output. If one of the programs does
anything other than answer, that is a failure: this program then ends with 1.
"""

import os
import subprocess
import sys

import testlib_report

NAME = PROTOCOL
INTERACTOR, CHECKER = COMMANDS
# The points of a submission that is completely right, if points are given; negative if cases differ.
ALL_POINTS = POINTS
WRONG = {"testlib": {1, 2, 4, 8}, "dmoj": {1}}[NAME]

given, answer, feedback = sys.argv[1:4]
here = os.path.dirname(os.path.abspath(__file__))
output, report = os.path.join(feedback, "output.txt"), os.path.join(feedback, "report.txt")


def end(code, part, said):
    """Ends with the answer of a program that ended with `code`, unless it says that the submission is right: then returns."""
    with open(os.path.join(feedback, "judgemessage.txt"), "ab") as file:
        file.write(said)
    if part:
        sys.exit(part)
    if code != 0:
        sys.exit(43 if code in WRONG and b"Traceback (most recent call last)" not in said else 1)


def command(words):
    """The command of a program, whose files are in the folder of this one."""
    return [os.path.join(here, word) if word.startswith("problem_") else word for word in words]


words = [given, output, answer] if NAME == "testlib" else [given, answer]
done = subprocess.run(command(INTERACTOR) + words + sys.argv[4:], stderr=subprocess.PIPE)
end(done.returncode, testlib_report.part_on_stderr(done.stderr, done.returncode, ALL_POINTS), done.stderr)
if CHECKER:
    if not os.path.exists(output):
        open(output, "wb").close()
    words = [given, output, answer, report, "-appes"]
    done = subprocess.run(command(CHECKER) + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    reported = b""
    if os.path.exists(report):
        with open(report, "rb") as file:
            reported = file.read()
    part = testlib_report.part(reported, done.returncode, ALL_POINTS)
    end(done.returncode, part, testlib_report.message(reported) + done.stdout + done.stderr)
sys.exit(42)
