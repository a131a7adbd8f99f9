"""Compares outputs with the answer line by line, as a checker of DMOJ does.

Called as `validate.py INPUT ANSWER FEEDBACK/`, with the output on standard input; ends with 42 if it is right, with 43 if not.
"""

import re
import sys

# How two lines are compared: `tokens`, `stripped`, `stripped filled` or `numbers`; or what is compared in any order: `lines in any order`,
# `tokens in any order` or `bytes in any order`. For numbers, the largest error, and the kind of error that is
# compared with it: `either`, `absolute` or `relative`.
RULE = "{rule}"
MOST = float("{most}")
MEASURE = "{measure}"


def lines_of(text):
    lines = re.split(b"[\r\n]", text)
    if RULE == "stripped":
        return [line.rstrip() for line in lines]
    if RULE == "stripped filled":
        return [line.rstrip() for line in lines if line]
    if RULE == "numbers":
        return [line.split() for line in lines if line]
    if RULE == "lines in any order":
        return sorted(line.split() for line in lines if line)
    if RULE == "tokens in any order":
        return sorted([token] for token in text.split())
    if RULE == "bytes in any order":
        return sorted([byte] for byte in b"".join(text.split()).lower())
    return [line.split() for line in lines if line.split()]


def is_near(found, answer):
    if MEASURE == "relative":
        ends = sorted([answer * (1 - MOST), answer * (1 + MOST)])
        return ends[0] <= found <= ends[1]
    if abs(found - answer) <= MOST:
        return True
    return MEASURE == "either" and abs(answer) >= MOST and abs(1.0 - found / answer) <= MOST


def number(token):
    try:
        value = float(token)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def is_same_token(found, answer):
    expected = number(answer)
    if found == answer or expected is None:
        return found == answer
    value = number(found)
    return value is not None and is_near(value, expected)


def is_same(found, expected):
    if RULE != "numbers":
        return found == expected
    return len(found) == len(expected) and all(map(is_same_token, found, expected))


def reject(message):
    with open(sys.argv[3] + "/judgemessage.txt", "a") as file:
        file.write(message + "\n")
    sys.exit(43)


def main():
    with open(sys.argv[2], "rb") as file:
        expected = lines_of(file.read())
    found = lines_of(sys.stdin.buffer.read())
    for number_of_line, (one, other) in enumerate(zip(found, expected), 1):
        if not is_same(one, other):
            reject("line %d of those that count is another one than in the answer" % number_of_line)
    if len(expected) != len(found):
        reject("expected %d lines that count, found %d" % (len(expected), len(found)))
    sys.exit(42)


main()
