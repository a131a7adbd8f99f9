# Finds the number, and writes one more line after that.
low, high = 1, int(input())
reply = ""
while reply != "correct":
    middle = (low + high) // 2
    print(middle, flush=True)
    reply = input()
    if reply == "higher":
        low = middle + 1
    else:
        high = middle - 1
print("bye")
