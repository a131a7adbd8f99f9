# The first of the solutions in order: AC.
import sys

ORDER = 6
CELLS = ORDER * ORDER
ALL = (1 << ORDER) - 1
LINE = range(ORDER)
HOUSES = [[row * ORDER + column for column in LINE] for row in LINE]
HOUSES += [[row * ORDER + column for row in LINE] for column in LINE]
HOUSES += [
    [(top + k // 3) * ORDER + side + k % 3 for k in LINE]
    for top in range(0, ORDER, 2)
    for side in range(0, ORDER, 3)
]

HOUSES_OF = [[house for house in HOUSES if cell in house] for cell in range(CELLS)]
PEERS = [sorted({other for house in HOUSES_OF[cell] for other in house} - {cell}) for cell in range(CELLS)]


def place(grid, cell, bit):
    """Leaves one candidate and follows what this forces. False at a contradiction."""
    return bool(grid[cell] & bit) and strike(grid, cell, grid[cell] & ~bit)


def strike(grid, cell, bits):
    bits &= grid[cell]
    if not bits:
        return True
    left = grid[cell] = grid[cell] & ~bits
    if not left:
        return False
    if not left & (left - 1):
        for other in PEERS[cell]:
            if grid[other] & left and not strike(grid, other, left):
                return False
    for house in HOUSES_OF[cell]:
        rest = bits
        while rest:
            bit = rest & -rest
            rest ^= bit
            places = [other for other in house if grid[other] & bit]
            if not places or len(places) == 1 and not place(grid, places[0], bit):
                return False
    return True


def solutions(grid):
    """All of them, in order."""
    open_cells = [cell for cell in range(CELLS) if grid[cell] & (grid[cell] - 1)]
    if not open_cells:
        yield grid
        return
    cell = open_cells[0]
    left = grid[cell]
    while left:
        bit = left & -left
        left ^= bit
        copy = grid[:]
        if place(copy, cell, bit):
            yield from solutions(copy)


def main():
    words = sys.stdin.read().split()[1:]
    for n in range(len(words) // ORDER):
        grid = [ALL] * CELLS
        for cell, symbol in enumerate("".join(words[n * ORDER : (n + 1) * ORDER])):
            if symbol != "*":
                place(grid, cell, 1 << (int(symbol) - 1))
        answer = "".join(str(bits.bit_length()) for bits in next(solutions(grid)))
        for at in range(0, CELLS, ORDER):
            print(answer[at : at + ORDER])


main()
