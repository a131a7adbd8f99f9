

# --- judging an output ---------------------------------------------------------------------------------------------------------


def reject(message):
    with open(sys.argv[3] + "/judgemessage.txt", "a") as file:
        file.write(message + "\n")
    sys.exit(43)


def judge_line(found, expected, what):
    if found is None:
        reject("the output ends where %s is expected" % what)
    if found != expected:
        reject("expected `%s`, found `%s`" % (shown(expected), shown(found)))


def judge_grid(number, shape, clues, found):
    """Judges the lines of a grid: any completion that keeps the clues and breaks no rule is right."""
    order = shape["order"]
    height, width = (1, order * order) if OUTPUT["one_line"] else (order, order)
    cells = []
    for row in range(height):
        line = found.peek()
        if line is None:
            reject("grid %d: the output ends after %d rows" % (number, row))
        found.next("a row")
        values = values_of(line, OUTPUT, shape, width)
        if values is None or 0 in values:
            reject("grid %d, row %d: `%s` is not a row of %d cells" % (number, row + 1, shown(line), width))
        cells += values
    for cell, (clue, value) in enumerate(zip(clues, cells)):
        if clue and clue != value:
            text = tuple(shown(SYMBOLS[one - 1]) for one in (value, clue))
            reject("grid %d, row %d, column %d: %s, but the clue is %s" % ((number, cell // order + 1, cell % order + 1) + text))
    for name, house in shape["houses"]:
        judge_different(number, name, [cells[cell] for cell in house])
    for name, cage, operation, target, may_repeat in shape["cages"]:
        values = [cells[cell] for cell in cage]
        if not may_repeat:
            judge_different(number, name, values)
        if not comes_to(values, operation, target):
            reject("grid %d: %s does not come to %d" % (number, name, target))
    for less, greater in shape["inequalities"]:
        if cells[less] >= cells[greater]:
            places = [cell // order + 1 for cell in (less, greater)] + [cell % order + 1 for cell in (less, greater)]
            reject("grid %d: row %d, column %d is not less than row %d, column %d" % (number, places[0], places[2], places[1], places[3]))


def judge_different(number, name, values):
    twice = [value for value in values if values.count(value) > 1]
    if twice:
        reject("grid %d: %s holds %s twice" % (number, name, shown(SYMBOLS[twice[0] - 1])))


def main():
    with open(sys.argv[1], "rb") as file:
        grids = read_input(file.read())
    with open(sys.argv[2], "rb") as file:
        answer = Lines(lines_of(file.read(), OUTPUT))
    found = Lines(lines_of(sys.stdin.buffer.read(), OUTPUT))
    for number, (shape, clues) in enumerate(grids, 1):
        openings = ([banner_of(OUTPUT, number)] if OUTPUT["banner"] else []) + ([OUTPUT["lead"]] if OUTPUT["lead"] else [])
        for expected in openings:
            if answer.peek() == expected:
                answer.next("an opening")
                judge_line(found.peek(), expected, "`%s`" % shown(expected))
                found.next("an opening")
        if answer.peek() in TEXTS:
            judge_line(found.peek(), answer.next("a text"), "the answer to grid %d" % number)
            found.next("a text")
            continue
        for _ in range(1 if OUTPUT["one_line"] else shape["order"]):
            answer.next("a row")
        judge_grid(number, shape, clues, found)
    if found.peek() is not None:
        reject("`%s` follows the last grid" % shown(found.peek()))
    sys.exit(42)


main()
