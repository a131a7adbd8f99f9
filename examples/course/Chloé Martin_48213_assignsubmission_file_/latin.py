# Tries every number in the first blank cell.
import sys


def solve(cells):
    if 0 not in cells:
        return cells
    at = cells.index(0)
    row, column = divmod(at, 5)
    used = cells[5 * row : 5 * row + 5] + cells[column::5]
    for number in range(1, 6):
        if number not in used:
            solved = solve(cells[:at] + [number] + cells[at + 1 :])
            if solved:
                return solved
    return None


numbers = [int(word) for word in sys.stdin.read().split()[1:]]
for start in range(0, len(numbers), 25):
    solved = solve(numbers[start : start + 25])
    for at in range(0, 25, 5):
        print(*solved[at : at + 5])
