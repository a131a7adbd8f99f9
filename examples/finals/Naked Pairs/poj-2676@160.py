# Takes the first line for a grid: RE, an IndexError ends it with exit code 1.
import sys

lines = sys.stdin.read().split("\n")
for row in range(9):
    print(lines[0][row])
