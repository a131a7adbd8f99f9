# Forgets the regions: WA, any Latin square.
import sys

ORDER = 9
CELLS = ORDER * ORDER
ALL = (1 << ORDER) - 1
LINE = range(ORDER)
HOUSES = [[row * ORDER + column for column in LINE] for row in LINE]
HOUSES += [[row * ORDER + column for row in LINE] for column in LINE]
MAP = "AAABBBCCC AAABBBCCC ADDEBBFCC AADEEBFFC GDDHEEFFI GDDHHEFFI GDHHHEFII GDGHHEFII GGGGHEIII".replace(" ", "")

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


def answer(block):
    grid = [ALL] * CELLS
    for cell, symbol in enumerate("".join(block.split())):
        if symbol != ".":
            place(grid, cell, 1 << (int(symbol) - 1))
    symbols = "".join(str(bits.bit_length()) for bits in next(solutions(grid)))
    return "".join(symbols[at : at + ORDER] + "\n" for at in range(0, CELLS, ORDER))


print("\n".join(answer(block) for block in sys.stdin.read().split("\n\n")), end="")
