# Ends its output with one empty line too many: PE, because white space counts here.
import sys


def solve(grid):
    cell = grid.find("*")
    if cell < 0:
        return grid
    row, column = divmod(cell, 4)
    peers = {
        grid[i]
        for i in range(16)
        if i // 4 == row or i % 4 == column or (i // 8 == row // 2 and i % 4 // 2 == column // 2)
    }
    for symbol in "1234":
        if symbol not in peers:
            answer = solve(grid[:cell] + symbol + grid[cell + 1 :])
            if answer:
                return answer
    return None


words = sys.stdin.read().split()
for n in range(int(words[0])):
    answer = solve("".join(words[1 + 4 * n : 5 + 4 * n]))
    print(f"Case #{n + 1}:")
    for row in range(4):
        print(answer[4 * row : 4 * row + 4])
print()
