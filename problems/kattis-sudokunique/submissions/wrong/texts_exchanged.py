# Says `Non-unique` where there is none, and the other way round: WA.
import sys

ORDER = 9
CELLS = ORDER * ORDER
ALL = (1 << ORDER) - 1
LINE = range(ORDER)
HOUSES = [[row * ORDER + column for column in LINE] for row in LINE]
HOUSES += [[row * ORDER + column for row in LINE] for column in LINE]
HOUSES += [
    [(top + k // 3) * ORDER + side + k % 3 for k in LINE]
    for top in range(0, ORDER, 3)
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
    """All of them, in no order."""
    open_cells = [cell for cell in range(CELLS) if grid[cell] & (grid[cell] - 1)]
    if not open_cells:
        yield grid
        return
    cell = min(open_cells, key=lambda cell: bin(grid[cell]).count("1"))
    left = grid[cell]
    while left:
        bit = left & -left
        left ^= bit
        copy = grid[:]
        if place(copy, cell, bit):
            yield from solutions(copy)


def answer(values):
    grid = [ALL] * CELLS
    for cell, value in enumerate(values):
        if value and not place(grid, cell, 1 << (value - 1)):
            return "Non-unique"
    search = solutions(grid)
    first = next(search, None)
    if first is None:
        return "Non-unique"
    if next(search, None) is not None:
        return "Find another job"
    symbols = [str(bits.bit_length()) for bits in first]
    return "\n".join(" ".join(symbols[at : at + ORDER]) for at in range(0, CELLS, ORDER))


def main():
    values = [int(word) for word in sys.stdin.read().split()]
    print("\n\n".join(answer(values[at : at + CELLS]) for at in range(0, len(values), CELLS)))


main()
