# Halves what is left with each guess.
low, high = 1, int(input())
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    reply = input()
    if reply == "correct":
        break
    if reply == "higher":
        low = middle + 1
    else:
        high = middle - 1
