# Forgets the line with the number of solutions: WA.
import sys

BOX = [cell // 12 * 2 + cell % 6 // 3 for cell in range(36)]


def solutions(grid):
    rows, columns, boxes = [126] * 6, [126] * 6, [126] * 6
    for cell, symbol in enumerate(grid):
        if symbol:
            bit = 1 << symbol
            if not rows[cell // 6] & columns[cell % 6] & boxes[BOX[cell]] & bit:
                return
            rows[cell // 6] ^= bit
            columns[cell % 6] ^= bit
            boxes[BOX[cell]] ^= bit
    blanks = [cell for cell in range(36) if not grid[cell]]

    def search(place):
        if place == len(blanks):
            yield grid[:]
            return
        cell = blanks[place]
        row, column, box = cell // 6, cell % 6, BOX[cell]
        left = rows[row] & columns[column] & boxes[box]
        for symbol in range(1, 7):
            bit = 1 << symbol
            if left & bit:
                rows[row] ^= bit
                columns[column] ^= bit
                boxes[box] ^= bit
                grid[cell] = symbol
                yield from search(place + 1)
                rows[row] ^= bit
                columns[column] ^= bit
                boxes[box] ^= bit

    yield from search(0)


words = sys.stdin.read().split()
for number in range(1, int(words[0]) + 1):
    grid = [0 if word == "*" else int(word) for word in words[36 * number - 35 : 36 * number + 1]]
    count, first = 0, None
    for solution in solutions(grid):
        count += 1
        first = first or solution
        if count > 576:
            break
    if count == 0:
        print(f"Case {number}: no solution")
    elif count > 576:
        print(f"Case {number}: too many to tell")
    else:
        for row in range(6):
            print(*first[6 * row : 6 * row + 6])
