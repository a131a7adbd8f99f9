# Naked and hidden singles, then the cell or place with the fewest choices, on bit masks: AC.
import sys

BOX = [cell // 27 * 3 + cell % 9 // 3 for cell in range(81)]
UNITS = (
    [[cell for cell in range(81) if cell // 9 == u] for u in range(9)]
    + [[cell for cell in range(81) if cell % 9 == u] for u in range(9)]
    + [[cell for cell in range(81) if BOX[cell] == u] for u in range(9)]
)
PEERS = [sorted({p for unit in UNITS if cell in unit for p in unit} - {cell}) for cell in range(81)]


def place(masks, cell, bit):
    """Fixes one cell and clears its peers; False as soon as a cell is left without candidates."""
    todo = [(cell, bit)]
    masks[cell] = bit
    while todo:
        cell, bit = todo.pop()
        for peer in PEERS[cell]:
            mask = masks[peer]
            if mask & bit:
                mask ^= bit
                if not mask:
                    return False
                masks[peer] = mask
                if not mask & (mask - 1):
                    todo.append((peer, mask))
    return True


def hidden_singles(masks):
    """Places every digit with one place left in a unit; False if some digit has none."""
    changed = True
    while changed:
        changed = False
        for unit in UNITS:
            once = twice = solved = 0
            for cell in unit:
                mask = masks[cell]
                twice |= once & mask
                once |= mask
                if not mask & (mask - 1):
                    solved |= mask
            if once != 511:
                return False
            single = once & ~twice & ~solved
            while single:
                bit = single & -single
                single ^= bit
                cell = next((cell for cell in unit if masks[cell] & bit), None)
                if cell is None or not place(masks, cell, bit):
                    return False
                changed = True
    return True


def solve(masks):
    if not hidden_singles(masks):
        return None
    open_cells = [cell for cell in range(81) if masks[cell] & (masks[cell] - 1)]
    if not open_cells:
        return masks
    cell = min(open_cells, key=lambda cell: bin(masks[cell]).count("1"))
    left = masks[cell]
    while left:
        bit = left & -left
        left ^= bit
        trial = masks[:]
        if place(trial, cell, bit):
            answer = solve(trial)
            if answer:
                return answer
    return None


def main():
    given = list(map(int, sys.stdin.read().split()))
    masks = [511] * 81
    for cell, digit in enumerate(given):
        if digit:
            place(masks, cell, 1 << (digit - 1))
    answer = [mask.bit_length() for mask in solve(masks)]
    for row in range(9):
        print(*answer[9 * row : 9 * row + 9])


main()
