# Mirrored squares are missing.
square = [[4, 9, 2], [3, 5, 7], [8, 1, 6]]
squares = []
for _ in range(4):
    square = [list(row) for row in zip(*square[::-1])]
    squares.append(square)

given = [list(map(int, input().split())) for _ in range(3)]
fitting = [
    square
    for square in squares
    if all(g in (0, s) for rows in zip(given, square) for g, s in zip(*rows))
]
if len(fitting) == 1:
    for row in fitting[0]:
        print(*row)
else:
    print("Too Many")
