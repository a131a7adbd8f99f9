# Tries every column in every row, the first that fits first.
n = int(input())
columns = []


def search(row):
    if row == n:
        return True
    for column in range(n):
        if all(column != other and abs(column - other) != row - at for at, other in enumerate(columns)):
            columns.append(column)
            if search(row + 1):
                return True
            columns.pop()
    return False


print(*(column + 1 for column in columns) if search(0) else ["none"])
