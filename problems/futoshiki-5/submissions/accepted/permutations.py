# Whole rows, of which each must fit the rows above it: AC.
import sys
from itertools import permutations

ORDER = 5
ROWS = list(permutations(range(1, ORDER + 1)))
# Row and column of the smaller and of the larger cell.
PAIRS = [
    ((0, 0), (0, 1)),
    ((0, 4), (0, 3)),
    ((2, 0), (1, 0)),
    ((1, 2), (1, 3)),
    ((2, 2), (2, 1)),
    ((2, 4), (3, 4)),
    ((3, 0), (3, 1)),
    ((3, 2), (4, 2)),
]


def fits(rows):
    """Whether the last row satisfies all inequalities with it."""
    last = len(rows) - 1
    if any(value == above[column] for above in rows[:last] for column, value in enumerate(rows[last])):
        return False
    known = [pair for pair in PAIRS if max(pair[0][0], pair[1][0]) == last]
    return all(rows[a][b] < rows[c][d] for (a, b), (c, d) in known)


def solve(clues, rows):
    if len(rows) == ORDER:
        return rows
    given = clues[len(rows)]
    for row in ROWS:
        if all(clue in (0, value) for clue, value in zip(given, row)) and fits(rows + [row]):
            found = solve(clues, rows + [row])
            if found:
                return found
    return None


def main():
    numbers = [int(word) for word in sys.stdin.read().split()[1:]]
    lines = [numbers[at : at + ORDER] for at in range(0, len(numbers), ORDER)]
    for at in range(0, len(lines), ORDER):
        for row in solve(lines[at : at + ORDER], []):
            print(*row)


main()
