# Guesses in reading order only, but follows singles before each guess: AC.
import sys


class Board:
    """Houses of one order."""

    def __init__(self, side):
        order = side * side
        line = range(order)
        self.order, self.cells = order, order * order
        houses = [[row * order + column for column in line] for row in line]
        houses += [[row * order + column for row in line] for column in line]
        houses += [
            [(top + k // side) * order + left + k % side for k in line]
            for top in range(0, order, side)
            for left in range(0, order, side)
        ]
        self.houses_of = [[house for house in houses if cell in house] for cell in range(self.cells)]
        self.peers = [sorted({other for house in own for other in house} - {cell}) for cell, own in enumerate(self.houses_of)]

    def place(self, grid, cell, bit):
        """Leaves one candidate and follows what this forces. False at a contradiction."""
        return bool(grid[cell] & bit) and self.strike(grid, cell, grid[cell] & ~bit)

    def strike(self, grid, cell, bits):
        bits &= grid[cell]
        if not bits:
            return True
        left = grid[cell] = grid[cell] & ~bits
        if not left:
            return False
        if not left & (left - 1):
            for other in self.peers[cell]:
                if grid[other] & left and not self.strike(grid, other, left):
                    return False
        for house in self.houses_of[cell]:
            rest = bits
            while rest:
                bit = rest & -rest
                rest ^= bit
                places = [other for other in house if grid[other] & bit]
                if not places or len(places) == 1 and not self.place(grid, places[0], bit):
                    return False
        return True

    def solutions(self, grid):
        """All of them, in order."""
        open_cells = [cell for cell in range(self.cells) if grid[cell] & (grid[cell] - 1)]
        if not open_cells:
            yield grid
            return
        cell = open_cells[0]
        left = grid[cell]
        while left:
            bit = left & -left
            left ^= bit
            copy = grid[:]
            if self.place(copy, cell, bit):
                yield from self.solutions(copy)


BOARDS = {side: Board(side) for side in (1, 2, 3)}


def answer(board, values):
    grid = [(1 << board.order) - 1] * board.cells
    for cell, value in enumerate(values):
        if value and board.order > 1 and not board.place(grid, cell, 1 << (value - 1)):
            return "NO SOLUTION"
    first = next(board.solutions(grid), None)
    if first is None:
        return "NO SOLUTION"
    symbols = [str(bits.bit_length()) for bits in first]
    return "\n".join(" ".join(symbols[at : at + board.order]) for at in range(0, board.cells, board.order))


def main():
    values = [int(word) for word in sys.stdin.read().split()]
    at, answers = 0, []
    while at < len(values):
        board = BOARDS[values[at]]
        answers.append(answer(board, values[at + 1 : at + 1 + board.cells]))
        at += 1 + board.cells
    print("\n\n".join(answers))


main()
