

# --- judging an output ---------------------------------------------------------------------------------------------------------


def reject(message):
    with open(sys.argv[3] + "/judgemessage.txt", "a") as file:
        file.write(message + "\n")
    sys.exit(43)


def words_of(line):
    return [word for word in line.translate(SPACES).split(b" ") if word]


def is_row(line):
    """Whether a line of the answer is a row of cells that may be separated by any white space."""
    words = words_of(line)
    return not OUTPUT["joined"] and all(word in SYMBOLS for word in words) and len(words) in WIDTHS


def without_gap(line):
    """Returns a line with exactly one space between its banner and the text that shares the line, whatever is between them."""
    if not OUTPUT["banner"] or not OUTPUT["shares_line"]:
        return line
    before, _, after, _ = OUTPUT["banner"]
    tail = line[len(before) :].lstrip(b"0123456789")
    if not line.startswith(before) or not tail.startswith(after.strip(WHITE_SPACE)):
        return line
    word = tail[len(after.strip(WHITE_SPACE)) :]
    return line[: len(line) - len(word)] + b" " + word.strip(WHITE_SPACE)


def difference(number, expected, found):
    one, other = words_of(expected), words_of(found)
    if OUTPUT["joined"] and len(expected) == len(found):
        one, other = [[line[i : i + 1] for i in range(len(line))] for line in (expected, found)]
    if len(one) == len(other) and len(one) in WIDTHS:
        place = next((i for i in range(len(one)) if one[i] != other[i]), 0)
        return "line %d, cell %d: expected %s, found %s" % (number, place + 1, shown(one[place]), shown(other[place]))
    return "line %d: expected `%s`, found `%s`" % (number, shown(expected), shown(found))


def shown(line):
    return line[:60].decode("ascii", "backslashreplace")


def lines_of(text):
    lines = [(number, line.strip(WHITE_SPACE)) for number, line in enumerate(text.split(b"\n"), 1)]
    return [(number, line) for number, line in lines if line]


def judge_spacing(answer, output):
    """Compares every byte, except that the last newline may be missing."""
    canonical = answer if answer.endswith(b"\n") else answer + b"\n"
    if output not in (canonical, canonical[:-1]):
        reject("the white space is not exactly that of the answer")


def main():
    with open(sys.argv[2], "rb") as file:
        answer = file.read()
    output = sys.stdin.buffer.read()
    expected, found = lines_of(answer), lines_of(output)
    for (_, one), (number, other) in zip(expected, found):
        if not (without_gap(one) == without_gap(other) or is_row(one) and words_of(one) == words_of(other)):
            reject(difference(number, one, other))
    if len(found) < len(expected):
        reject("the output ends after %d of %d lines" % (len(found), len(expected)))
    if len(found) > len(expected):
        reject("`%s` follows the last line" % shown(found[len(expected)][1]))
    if OUTPUT["strict"]:
        judge_spacing(answer, output)
    sys.exit(42)


main()
