# Knows sums and products, and takes every other cage for right: WA.
import sys
from itertools import permutations
from math import prod

ORDER = 6
ROWS = list(permutations(range(1, ORDER + 1)))
MAP = ["aabb..", "c.d.ee", "c.dd.e", "..f.gg", "hhf.g.", ".h.ii."]
TARGETS = {"a": "2/", "b": "3-", "c": "1-", "d": "20x", "e": "9+", "f": "3/", "g": "30x", "h": "10+", "i": "4-"}
CELLS = {
    name: [(row, column) for row in range(ORDER) for column in range(ORDER) if MAP[row][column] == name]
    for name in TARGETS
}
# The cages that are complete with each row.
ENDING = [[name for name in TARGETS if CELLS[name][-1][0] == row] for row in range(ORDER)]


def is_right(values, target):
    number, operation = int(target[:-1]), target[-1]
    if operation == "+":
        return sum(values) == number
    if operation == "x":
        return prod(values) == number
    return True


def fits(rows):
    """Whether the last row keeps everything that is known with it."""
    last = len(rows) - 1
    if any(value == above[column] for above in rows[:last] for column, value in enumerate(rows[last])):
        return False
    values = {name: [rows[row][column] for row, column in CELLS[name]] for name in ENDING[last]}
    return all(is_right(values[name], TARGETS[name]) for name in values)


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
