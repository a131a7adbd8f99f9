# Judges an output. Called as `check.py INPUT ANSWER FEEDBACK/`, with the output on standard input; exits with 42 if
# it is right and with 43 if it is wrong, and writes the reason to judgemessage.txt.
import sys


def reject(why):
    with open(sys.argv[3] + "judgemessage.txt", "w") as message:
        print(why, file=message)
    sys.exit(43)


with open(sys.argv[1]) as case:
    wanted = int(case.read())
words = sys.stdin.buffer.read().split()
if len(words) != 2:
    reject(f"{len(words)} words in place of two numbers")
# The words may be anything: very long, or not even text.
if not all(word.isdigit() and len(word) <= 9 for word in words):
    reject("these are not two positive whole numbers")
one, other = map(int, words)
if one < 1 or other < 1:
    reject(f"{min(one, other)} is not positive")
if one + other != wanted:
    reject(f"the sum is {one + other}, not {wanted}")
sys.exit(42)
