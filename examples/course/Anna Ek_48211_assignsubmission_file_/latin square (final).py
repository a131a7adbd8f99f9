# Tries the numbers in the blank cell with the fewest choices.
import sys


def choices(square, row, column):
    used = set(square[row]) | {line[column] for line in square}
    return [number for number in range(1, 6) if number not in used]


def fill(square):
    blanks = [(row, column) for row in range(5) for column in range(5) if square[row][column] == 0]
    if not blanks:
        return True
    row, column = min(blanks, key=lambda cell: len(choices(square, *cell)))
    for number in choices(square, row, column):
        square[row][column] = number
        if fill(square):
            return True
    square[row][column] = 0
    return False


numbers = [int(word) for word in sys.stdin.read().split()[1:]]
for start in range(0, len(numbers), 25):
    square = [numbers[at : at + 5] for at in range(start, start + 25, 5)]
    fill(square)
    for row in square:
        print(*row)
