

# --- judging an input ----------------------------------------------------------------------------------------------------------


def judge_clues(number, shape, clues):
    """Refuses clues that contradict each other. Called if the problem has no answer to such grids."""
    for name, house in shape["houses"]:
        judge_different(number, name, [clues[cell] for cell in house])
    for name, cells, operation, target, may_repeat in shape["cages"]:
        values = [clues[cell] for cell in cells]
        if not may_repeat:
            judge_different(number, name, values)
        if 0 not in values and not comes_to(values, operation, target):
            raise BadInput("grid %d: %s does not come to %d" % (number, name, target))
    for less, greater in shape["inequalities"]:
        if clues[less] and clues[greater] and clues[less] >= clues[greater]:
            raise BadInput("grid %d: an inequality is broken" % number)


def judge_different(number, name, values):
    values = [value for value in values if value]
    if len(set(values)) < len(values):
        raise BadInput("grid %d: the clues contradict each other: %s holds a symbol twice" % (number, name))


def main():
    text = sys.stdin.buffer.read()
    if b"\r" in text or b"\0" in text or text.startswith(b"\xef\xbb\xbf"):
        print("a carriage return, a zero byte or a byte order mark")
        sys.exit(43)
    # If white space is strict, `read_input` compares each byte except for a missing last line break, so only that is checked here.
    for odd in [odd for odd in NOT_IN_INPUTS if odd == b"\0" or not INPUT["strict"]]:
        if odd in b"\n" + text + (b"\1" if text.endswith(b"\n") else b"\0"):
            print("white space that no input of the problem has: %r" % odd)
            sys.exit(43)
    try:
        for number, (shape, clues) in enumerate(read_input(text), 1):
            if not CLUES_MAY_CLASH:
                judge_clues(number, shape, clues)
    except BadInput as error:
        print(error)
        sys.exit(43)
    sys.exit(42)


main()
