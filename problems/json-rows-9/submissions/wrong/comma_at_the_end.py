# Writes a comma after the last row, which JSON does not allow: WA.
import json
import sys


def candidates(grid, row, column):
    taken = {grid[row][k] for k in range(9)} | {grid[k][column] for k in range(9)}
    top, left = row // 3 * 3, column // 3 * 3
    taken |= {grid[top + k // 3][left + k % 3] for k in range(9)}
    return [digit for digit in range(1, 10) if digit not in taken]


def solve(grid):
    blanks = [(row, column) for row in range(9) for column in range(9) if not grid[row][column]]
    if not blanks:
        return True
    row, column = min(blanks, key=lambda cell: len(candidates(grid, *cell)))
    for digit in candidates(grid, row, column):
        grid[row][column] = digit
        if solve(grid):
            return True
    grid[row][column] = 0
    return False


grid = json.load(sys.stdin)
solve(grid)
print("[" + "".join(json.dumps(row) + ",\n" for row in grid) + "]")
