# Shifts the first row by one and overwrites the clues: WA.
import sys

words = sys.stdin.read().split()[1:]
for start in range(0, len(words), 25):
    for row in range(5):
        print(" ".join(str((row + column) % 5 + 1) for column in range(5)))
