# Prints the grid as it was read, blanks and all: WA unless nothing was blank.
import sys

sys.stdout.write(sys.stdin.read())
