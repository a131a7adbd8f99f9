# Exact cover (Knuth's algorithm X on dictionaries of sets): AC.
import sys


def constraints(cell, symbol):
    row, column = divmod(cell, 4)
    box = row // 2 * 2 + column // 2
    return [("cell", cell), ("row", row, symbol), ("column", column, symbol), ("box", box, symbol)]


CHOICES = {(cell, symbol): constraints(cell, symbol) for cell in range(16) for symbol in "1234"}


def select(open_, choice):
    removed = []
    for constraint in CHOICES[choice]:
        for other in open_[constraint]:
            for c in CHOICES[other]:
                if c != constraint:
                    open_[c].discard(other)
        removed.append(open_.pop(constraint))
    return removed


def restore(open_, choice, removed):
    for constraint in reversed(CHOICES[choice]):
        open_[constraint] = removed.pop()
        for other in open_[constraint]:
            for c in CHOICES[other]:
                if c != constraint:
                    open_[c].add(other)


def search(open_, chosen):
    if not open_:
        return True
    fewest = min(open_, key=lambda constraint: len(open_[constraint]))
    for choice in list(open_[fewest]):
        chosen.append(choice)
        removed = select(open_, choice)
        if search(open_, chosen):
            return True
        restore(open_, choice, removed)
        chosen.pop()
    return False


def solve(grid):
    open_ = {}
    for choice, wanted in CHOICES.items():
        for constraint in wanted:
            open_.setdefault(constraint, set()).add(choice)
    chosen = [(cell, symbol) for cell, symbol in enumerate(grid) if symbol != "*"]
    for choice in chosen:
        select(open_, choice)
    search(open_, chosen)
    return "".join(symbol for _, symbol in sorted(chosen))


def main():
    words = sys.stdin.read().split()
    for n in range(int(words[0])):
        answer = solve("".join(words[1 + 4 * n : 5 + 4 * n]))
        print(f"Case #{n + 1}:")
        for row in range(4):
            print(answer[4 * row : 4 * row + 4])


main()
