# Prints the grids as they were read, zeros and all: WA unless nothing was blank.
import sys

for line in sys.stdin.read().split()[1:]:
    print(line)
