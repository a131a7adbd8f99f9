# Takes for granted that a search finds something: RE where it does not.
import sys

sys.setrecursionlimit(1000)
PEERS = [
    {
        other
        for other in range(81)
        if other != cell
        and (
            other // 9 == cell // 9
            or other % 9 == cell % 9
            or (other // 27, other % 9 // 3) == (cell // 27, cell % 9 // 3)
        )
    }
    for cell in range(81)
]


def place(open_, cell, symbol):
    """Leaves a cell one symbol, and whatever follows from that; False where nothing is left somewhere."""
    if symbol not in open_[cell]:
        return False
    todo = [(cell, symbol)]
    open_[cell] = symbol
    while todo:
        cell, symbol = todo.pop()
        for peer in PEERS[cell]:
            if symbol in open_[peer]:
                open_[peer] = open_[peer].replace(symbol, "")
                if not open_[peer]:
                    return False
                if len(open_[peer]) == 1:
                    todo.append((peer, open_[peer]))
    return True


def solve(open_):
    blank = [(len(symbols), cell) for cell, symbols in enumerate(open_) if len(symbols) > 1]
    if not blank:
        return open_
    _, cell = min(blank)
    for symbol in open_[cell]:
        tried = open_[:]
        if place(tried, cell, symbol):
            solved = solve(tried)
            if solved:
                return solved
    return None


def answer(number, text):
    open_ = ["123456789"] * 81
    for cell, symbol in enumerate(text):
        if symbol != "." and not place(open_, cell, symbol):
            return f"Grid {number} has no solution."
    solved = solve(open_)
    return "\n".join("".join(solved[row * 9 : row * 9 + 9]) for row in range(9))


words = sys.stdin.read().split()
grids = ["".join(words[place : place + 9]) for place in range(1, len(words), 9)]
print("\n---------\n".join(answer(number, grid) for number, grid in enumerate(grids, 1)))
