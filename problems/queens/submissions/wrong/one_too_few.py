# Stops before the last row.
n = int(input())
print(*range(2, n, 2), *range(1, n, 2))
