# Knows nothing of inequalities: WA, any Latin square.
import sys
from itertools import permutations

ORDER = 5
ROWS = list(permutations(range(1, ORDER + 1)))


def solve(clues, rows):
    if len(rows) == ORDER:
        return rows
    given = clues[len(rows)]
    for row in ROWS:
        columns_differ = all(value != above[column] for above in rows for column, value in enumerate(row))
        if columns_differ and all(clue in (0, value) for clue, value in zip(given, row)):
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
