# The sets of digits that each cage can hold, in addition to singles and hidden singles: AC.
import sys
from itertools import combinations

ORDER = 9
CELLS = ORDER * ORDER
ALL = (1 << ORDER) - 1
MAP = (
    "........."
    "...aabbc."
    "..d..bbcc"
    ".dd....c."
    "..dee...."
    "f.ggehhii"
    "ffg..h.i."
    "j.k...ll."
    "jjk...l.."
)
SUMS = {"a": 12, "b": 18, "c": 15, "d": 17, "e": 9, "f": 13, "g": 18, "h": 14, "i": 21, "j": 9, "k": 11, "l": 11}
LINE = range(ORDER)
HOUSES = [[row * ORDER + column for column in LINE] for row in LINE]
HOUSES += [[row * ORDER + column for row in LINE] for column in LINE]
HOUSES += [[(top + k // 3) * ORDER + side + k % 3 for k in LINE] for top in (0, 3, 6) for side in (0, 3, 6)]
CAGES = [[cell for cell in range(CELLS) if MAP[cell] == name] for name in SUMS]
SETS = [
    [sum(1 << digit - 1 for digit in digits) for digits in combinations(range(1, 10), len(cage)) if sum(digits) == SUMS[name]]
    for name, cage in zip(SUMS, CAGES)
]
PEERS = [sorted({other for group in HOUSES + CAGES if cell in group for other in group} - {cell}) for cell in range(CELLS)]


def settle(grid):
    """Follows singles, hidden singles and cages until nothing moves. False at a contradiction."""
    before = None
    while before != grid:
        before = grid[:]
        for cell in range(CELLS):
            bit = grid[cell]
            if not bit & (bit - 1):
                for other in PEERS[cell]:
                    grid[other] &= ~bit
                    if not grid[other]:
                        return False
        for house in HOUSES:
            once = twice = 0
            for cell in house:
                twice |= once & grid[cell]
                once |= grid[cell]
            if once != ALL:
                return False
            for cell in house:
                if grid[cell] & ~twice:
                    grid[cell] &= ~twice
        for cage, sets in zip(CAGES, SETS):
            union = 0
            for cell in cage:
                union |= grid[cell]
            allowed = 0
            for digits in sets:
                if not digits & ~union and all(grid[cell] & digits for cell in cage):
                    allowed |= digits
            for cell in cage:
                grid[cell] &= allowed
                if not grid[cell]:
                    return False
    return True


def solve(grid):
    if not settle(grid):
        return None
    open_cells = [cell for cell in range(CELLS) if grid[cell] & (grid[cell] - 1)]
    if not open_cells:
        return grid
    cell = min(open_cells, key=lambda cell: bin(grid[cell]).count("1"))
    left = grid[cell]
    while left:
        bit = left & -left
        left ^= bit
        found = solve(grid[:cell] + [bit] + grid[cell + 1 :])
        if found:
            return found
    return None


def main():
    rows = sys.stdin.read().split()[1:]
    for start in range(0, len(rows), ORDER):
        clues = "".join(rows[start : start + ORDER])
        solved = solve([ALL if clue == "." else 1 << int(clue) - 1 for clue in clues])
        for row in LINE:
            print("".join(str(bit.bit_length()) for bit in solved[row * ORDER :][:ORDER]))


main()
