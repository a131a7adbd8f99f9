# Finds the number, and then waits for another answer of the judge, which never comes.
low, high = 1, int(input())
while True:
    middle = (low + high) // 2
    if low <= high:
        print(middle, flush=True)
    reply = input()
    if reply == "higher":
        low = middle + 1
    elif reply == "lower":
        high = middle - 1
    else:
        low, high = 1, 0
