# Fills each row with what is missing in it, and forgets the columns.
import sys

numbers = [int(word) for word in sys.stdin.read().split()[1:]]
for start in range(0, len(numbers), 5):
    row = numbers[start : start + 5]
    missing = [number for number in range(1, 6) if number not in row]
    print(*(number or missing.pop(0) for number in row))
