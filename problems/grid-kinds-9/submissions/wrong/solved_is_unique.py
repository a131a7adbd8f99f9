# Does not tell a grid without a blank from one that has one solution: WA.
import sys

CELLS = range(81)


def box(cell):
    return cell // 27 * 3 + cell % 9 // 3


PEERS = [
    [
        other
        for other in CELLS
        if other != cell and (other // 9 == cell // 9 or other % 9 == cell % 9 or box(other) == box(cell))
    ]
    for cell in CELLS
]
BITS = {digit: 1 << int(digit) - 1 for digit in "123456789"}


def place(candidates, cell, bit):
    """Places a digit and follows what it forces; False at a contradiction."""
    todo = [(cell, bit)]
    while todo:
        cell, bit = todo.pop()
        if not candidates[cell] & bit:
            return False
        candidates[cell] = bit
        for peer in PEERS[cell]:
            if candidates[peer] & bit:
                candidates[peer] &= ~bit
                left = candidates[peer]
                if not left:
                    return False
                if not left & left - 1:
                    todo.append((peer, left))
    return True


def count(candidates, most):
    """Counts solutions, no further than asked."""
    open_cells = [cell for cell in CELLS if candidates[cell] & candidates[cell] - 1]
    if not open_cells:
        return 1
    cell = min(open_cells, key=lambda cell: candidates[cell].bit_count())
    found, left = 0, candidates[cell]
    while left and found < most:
        bit = left & -left
        left ^= bit
        copy = candidates[:]
        if place(copy, cell, bit):
            found += count(copy, most - found)
    return found


def word(text):
    if any(text[cell] != "." and any(text[cell] == text[peer] for peer in PEERS[cell]) for cell in CELLS):
        return "INVALID"
    candidates = [511] * 81
    if not all(place(candidates, cell, BITS[text[cell]]) for cell in CELLS if text[cell] != "."):
        return "IMPOSSIBLE"
    return ["IMPOSSIBLE", "UNIQUE", "AMBIGUOUS"][count(candidates, 2)]


words = sys.stdin.read().split()
for number in range(int(words[0])):
    print(f"Grid {number + 1}: {word(''.join(words[1 + 9 * number:][:9]))}")
