# There are eight magic squares of order three: one, turned and mirrored.
square = [[4, 9, 2], [3, 5, 7], [8, 1, 6]]
squares = []
for _ in range(4):
    square = [list(row) for row in zip(*square[::-1])]
    squares += [square, [row[::-1] for row in square]]

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
