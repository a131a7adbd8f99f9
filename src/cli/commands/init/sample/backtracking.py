"""Fills the blank cells one after the other, and goes back where nothing fits."""

import sys


def fits(grid, row, column, symbol):
    top, left = row - row % 2, column - column % 2
    box = [grid[top + down][left + right] for down in range(2) for right in range(2)]
    return symbol not in grid[row] and symbol not in box and all(line[column] != symbol for line in grid)


def complete(grid, cell=0):
    if cell == 16:
        return True
    row, column = divmod(cell, 4)
    if grid[row][column] != "0":
        return complete(grid, cell + 1)
    for symbol in "1234":
        if fits(grid, row, column, symbol):
            grid[row][column] = symbol
            if complete(grid, cell + 1):
                return True
    grid[row][column] = "0"
    return False


words = sys.stdin.read().split()
for first in range(1, len(words), 4):
    grid = [list(word) for word in words[first : first + 4]]
    complete(grid)
    print("\n".join("".join(line) for line in grid))
