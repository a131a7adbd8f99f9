# Communicates with a submission. Called as `interact.py INPUT ANSWER FEEDBACK/`, with its standard input and output
# connected to those of the submission; exits with 42 if the number was found and with 43 if not, and writes the reason
# to judgemessage.txt.
import os
import sys

MOST_GUESSES = 20


def reject(why):
    with open(sys.argv[3] + "judgemessage.txt", "w") as message:
        print(why, file=message)
    sys.exit(43)


def say(line):
    try:
        os.write(1, f"{line}\n".encode())
    except BrokenPipeError:
        pass  # The submission need not read on; what it writes decides.


with open(sys.argv[1]) as case:
    n = int(case.read())
with open(sys.argv[2]) as answer:
    hidden = int(answer.read())
say(n)
for guess in range(1, MOST_GUESSES + 1):
    # The line may be anything: very long, or not even text.
    word = sys.stdin.buffer.readline(100).strip()
    if not word:
        reject(f"there is no guess {guess}")
    if not (word.isdigit() and len(word) <= 9 and 1 <= int(word) <= n):
        reject(f"guess {guess} is not a number from 1 to {n}")
    if int(word) == hidden:
        say("correct")
        sys.exit(42)
    say("higher" if int(word) < hidden else "lower")
reject(f"the number was not found with {MOST_GUESSES} guesses")
