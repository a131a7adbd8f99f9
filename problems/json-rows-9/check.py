# The checker of "Sudoku in JSON". Called as `check.py INPUT ANSWER FEEDBACK/`, the output on standard input; ends with 42 if
# it is right, with 43 if not, and writes the reason to judgemessage.txt.
import json
import sys


def reject(why):
    with open(sys.argv[3] + "judgemessage.txt", "w") as message:
        message.write(why + "\n")
    sys.exit(43)


def shown(value):
    text = json.dumps(value)
    return text if len(text) <= 20 else text[:20] + "..."


def refuse_constant(name):
    raise ValueError(f"{name} is no number of JSON")


def parsed(text):
    try:
        return json.loads(text, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        reject(f"no JSON: {error.msg} at line {error.lineno}, column {error.colno}")
    except (ValueError, RecursionError) as error:
        reject(f"no JSON: {str(error)[:60]}")


def length_of(value, what):
    if not isinstance(value, list):
        reject(f"{what} is {shown(value)}, expected a list")
    if len(value) != 9:
        reject(f"{what} has {len(value)} parts, expected 9")


def refuse_twins(house, cells):
    for place, (value, name) in enumerate(cells):
        for other, other_name in cells[:place]:
            if other == value:
                reject(f"{house} has two {value}s, at {other_name} and {name}")


def main():
    with open(sys.argv[1]) as text:
        clues = json.load(text)
    try:
        output = sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        reject(f"no JSON: byte {error.start} is not UTF-8")
    grid = parsed(output)
    length_of(grid, "the grid")
    for row in range(9):
        length_of(grid[row], f"row {row + 1}")
        for column in range(9):
            value, clue = grid[row][column], clues[row][column]
            # In Python, True is 1, and 1.0 as well: in a document they are not the same.
            if type(value) is not int or not 1 <= value <= 9:
                reject(f"row {row + 1}, column {column + 1} is {shown(value)}, expected a number from 1 to 9")
            if clue not in (0, value):
                reject(f"row {row + 1}, column {column + 1} is {value}, but its clue is {clue}")
    for line in range(9):
        refuse_twins(f"row {line + 1}", [(grid[line][k], f"column {k + 1}") for k in range(9)])
        refuse_twins(f"column {line + 1}", [(grid[k][line], f"row {k + 1}") for k in range(9)])
        top, left = line // 3 * 3, line % 3 * 3
        cells = [(top + k // 3, left + k % 3) for k in range(9)]
        named = [(grid[row][column], f"row {row + 1} column {column + 1}") for row, column in cells]
        refuse_twins(f"box {line + 1}", named)
    sys.exit(42)


main()
