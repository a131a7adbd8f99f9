# The columns of a known construction: the even ones, then the odd ones, with some moved where n mod 6 is 2 or 3.
n = int(input())
if n in (2, 3):
    print("none")
else:
    even, odd = list(range(2, n + 1, 2)), list(range(1, n + 1, 2))
    if n % 6 == 2:
        odd[0], odd[1] = odd[1], odd[0]
        odd.append(odd.pop(2))
    if n % 6 == 3:
        even.append(even.pop(0))
        odd = odd[2:] + odd[:2]
    print(*even, *odd)
