# Forgets the ninth row: WA, the answer ends too early.
import sys

BOX = [cell // 27 * 3 + cell % 9 // 3 for cell in range(81)]
PEERS = [
    [p for p in range(81) if p // 9 == cell // 9 or p % 9 == cell % 9 or BOX[p] == BOX[cell]]
    for cell in range(81)
]


def solve(grid):
    """Fills a list of 81 characters in place, in the cell with the fewest candidates first."""
    best = None
    for cell in range(81):
        if grid[cell] == ".":
            left = set("123456789") - {grid[p] for p in PEERS[cell]}
            if best is None or len(left) < len(best[1]):
                best = (cell, left)
    if best is None:
        return True
    cell, left = best
    for digit in left:
        grid[cell] = digit
        if solve(grid):
            return True
    grid[cell] = "."
    return False


grid = list("".join(sys.stdin.read().split()))
solve(grid)
for row in range(8):
    print("".join(grid[9 * row : 9 * row + 9]))
