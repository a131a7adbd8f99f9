# Makes all 288 grids once, in order, and keeps those that have the clues: AC.
import itertools
import sys


def is_right(rows):
    columns = zip(*rows)
    boxes = [rows[r][c : c + 2] + rows[r + 1][c : c + 2] for r in (0, 2) for c in (0, 2)]
    return all(len(set(house)) == 4 for house in itertools.chain(columns, boxes))


ROWS = ["".join(row) for row in itertools.permutations("1234")]
TOPS = [pair for pair in itertools.product(ROWS, repeat=2) if not any(a == b for a, b in zip(*pair))]
GRIDS = [top + bottom for top in TOPS for bottom in TOPS if is_right(top + bottom)]


def main():
    words = sys.stdin.read().split()[1:]
    for at in range(0, len(words), 4):
        clues = "".join(words[at : at + 4])
        kept = [grid for grid in GRIDS if all(clue in "." + cell for clue, cell in zip(clues, "".join(grid)))]
        print(f"{len(kept)} solution(s)")
        print("\n".join("".join(row + "\n" for row in grid) for grid in kept), end="")


main()
