

# --- reading -------------------------------------------------------------------------------------------------------------------


def lines_of(text, layout):
    """The lines that are neither comments nor empty, trimmed, each with its number from 1."""
    lines = []
    for number, line in enumerate(text.split(b"\n"), 1):
        line = line.strip(WHITE_SPACE)
        is_comment = layout["comment"] and line.startswith(layout["comment"])
        if not is_comment and undecorated(line, layout).strip(WHITE_SPACE):
            lines.append((number, line))
    return lines


def undecorated(line, layout):
    """A line with its ignored characters replaced by spaces."""
    for byte in layout["ignored"]:
        line = line.replace(bytes([byte]), b" ")
    return line


def cells_of(line, layout):
    """The texts of the cells of a line."""
    words = undecorated(line, layout).translate(SPACES).split(b" ")
    words = [word for word in words if word]
    if not layout["joined"]:
        return words
    letters = b"".join(words)
    # Between cells with decoration, there may be spaces.
    is_one = len(words) == 1 or layout["ignored"]
    return [letters[i : i + 1] for i in range(len(letters))] if is_one else []


def values_of(line, layout, shape, width):
    """The values of the cells of a line, 0 for a blank one. None if it is not a line of `width` cells."""
    cells = cells_of(line, layout)
    if len(cells) != width:
        return None
    if layout["map"] == "walls":
        values = [int(cell) if cell.isdigit() and len(cell) < 4 and cell == b"%d" % int(cell) else 255 for cell in cells]
        return None if any(value > 254 or value & 15 > shape["order"] for value in values) else values
    symbols = SYMBOLS[:shape["values"]]
    values = [0 if cell in BLANKS else symbols.index(cell) + 1 if cell in symbols else None for cell in cells]
    return None if None in values else values


def banner_of(layout, number):
    """The banner of case `number`, from 1, without spaces at its ends."""
    return written_banner(layout, number).strip(WHITE_SPACE)


def written_banner(layout, number):
    """The banner with the spaces at its ends."""
    before, digits, after, first = layout["banner"]
    return before if digits is None else before + b"%0*d" % (digits, number + first - 1) + after


class BadInput(Exception):
    pass


class Lines:
    """A reader of lines, one after the other."""

    def __init__(self, lines):
        self.lines, self.place = lines, 0
        # The lines of the input as they must be if white space is strict, with all spaces and empty lines.
        self.exact = []

    def peek(self):
        return self.lines[self.place][1] if self.place < len(self.lines) else None

    def next(self, what):
        if self.place == len(self.lines):
            raise BadInput("the text ends where %s is expected" % what)
        self.place += 1
        return self.lines[self.place - 1][1]

    def number(self, what, allowed, may_have_zeros=False):
        line = self.next(what)
        number = int(line) if line.isdigit() and len(line) < 100 else -1
        if number not in allowed or not may_have_zeros and line != b"%d" % number:
            raise BadInput("line %d: `%s` is not %s" % (self.at(), shown(line), what))
        self.exact.append(b"%d" % number)
        return number

    def at(self):
        return self.lines[self.place - 1][0]


def shown(line):
    return line[:60].decode("ascii", "backslashreplace")


def read_input(text):
    """The grids of an input: for each its shape and its clues, row by row."""
    lines, layout = Lines(lines_of(text, INPUT)), INPUT
    count, most, shape, grids = layout["count"], layout["most"], None, []
    if count == "first":
        allowed = range(0 if layout["may_be_empty"] else 1, most + 1)
        total = lines.number("the number of grids", allowed, not layout["strict"])
    if layout["order"] == "file":
        shape = shape_of(lines)
    separator, closes = layout["separator"]
    while True:
        if separator and closes and grids:
            read_separator(lines, separator)
        if count == "one" and len(grids) == 1 or count == "first" and len(grids) == total:
            break
        if count == "end" and lines.peek() is None or count == "until" and lines.peek() == layout["until"]:
            break
        if len(grids) == most:
            raise BadInput("there are more than %d grids" % most)
        if separator and not closes and grids:
            read_separator(lines, separator)
        grids.append(read_grid(lines, layout, shape, len(grids) + 1))
    if count == "until":
        lines.exact.append(lines.next("the last line"))
    if lines.peek() is not None:
        raise BadInput("`%s` follows the last grid" % shown(lines.peek()))
    if not grids and not layout["may_be_empty"]:
        raise BadInput("there is no grid")
    if layout["strict"]:
        # After a line of words, the last line break may be missing.
        ends_in_words = count == "until" or separator and closes
        read_exactly(text if text.endswith(b"\n") or not ends_in_words else text + b"\n", lines.exact)
    return grids


def read_exactly(text, lines):
    """Compares a text with the lines that it must have, byte by byte."""
    found = text.split(b"\n")
    for number, (line, expected) in enumerate(zip(found, lines + [b""]), 1):
        if line != expected and not (type(expected) is tuple and line in expected):
            raise BadInput("line %d: the white space is not as it must be: `%s`" % (number, shown(line)))
    if len(found) != len(lines) + 1:
        raise BadInput("line %d: the text ends there, or must end there" % min(len(found), len(lines) + 1))


def read_separator(lines, separator):
    if lines.next("`%s`" % shown(separator)) != separator:
        raise BadInput("line %d is not `%s`" % (lines.at(), shown(separator)))
    lines.exact.append(separator)


def shape_of(lines):
    told = lines.number("the order of a grid", [shape["told"] for shape in SHAPES])
    return next(shape for shape in SHAPES if shape["told"] == told)


def read_grid(lines, layout, shape, number):
    empty = layout["blank_lines"]
    if empty == "before" or empty == "between" and number > 1:
        lines.exact.append(b"")
    if layout["banner"]:
        if lines.next("a banner") != banner_of(layout, number):
            raise BadInput("line %d is not `%s`" % (lines.at(), shown(banner_of(layout, number))))
        lines.exact.append(written_banner(layout, number))
    shape = shape or (shape_of(lines) if layout["order"] == "case" else SHAPES[-1])
    order = shape["order"]
    height, width = (1, order * order) if layout["one_line"] else (order, order)
    names = names_of(lines, layout, height, width) if layout["map"] == "before" else []
    clues = []
    for row in range(height):
        line = lines.next("row %d of grid %d" % (row + 1, number))
        values = values_of(line, layout, shape, width)
        if values is None:
            raise BadInput("line %d: `%s` is not a row of %d cells" % (lines.at(), shown(line), width))
        lines.exact.append(written_row(line, layout))
        clues += values
    if layout["map"] == "after":
        names = names_of(lines, layout, height, width)
    if layout["map"] == "walls":
        names, clues = rooms_of(order, clues, number), [value & 15 for value in clues]
    if empty == "after":
        lines.exact.append(b"")
    return divided(shape, names, number) if names else shape, clues


def written_row(line, layout):
    """A line of cells as it must be if white space is strict, or a pair if there are two ways to write it."""
    row = (b"" if layout["joined"] else b" ").join(cells_of(line, layout))
    return {"bare": row, "space": row + b" ", "any": (row, row + b" ")}[layout["line_end"]]


def names_of(lines, layout, height, width):
    """The name of each cell's region in the lines of a map."""
    names = []
    for _ in range(height):
        line = lines.next("a row of the map")
        cells = cells_of(line, layout)
        if len(cells) != width or any(len(cell) > 1 or not 33 <= cell[0] <= 126 for cell in cells):
            raise BadInput("line %d: `%s` is not a row of a map of %d cells" % (lines.at(), shown(line), width))
        lines.exact.append(written_row(line, layout))
        names += cells
    return names


def rooms_of(order, values, number):
    """For each cell, the first cell of the area between walls that contains it."""
    sides = [(16, 64, -1, 0), (32, 128, 0, 1), (64, 16, 1, 0), (128, 32, 0, -1)]
    ways = [[] for _ in values]
    for cell, value in enumerate(values):
        for wall, opposite, rows, columns in sides:
            row, column = cell // order + rows, cell % order + columns
            is_outside = not (0 <= row < order and 0 <= column < order)
            other = row * order + column
            if not value & wall if is_outside else bool(value & wall) != bool(values[other] & opposite):
                raise BadInput("grid %d, row %d, column %d: a wall is missing" % (number, cell // order + 1, cell % order + 1))
            if not value & wall:
                ways[cell].append(other)
    rooms = [None] * len(values)
    for start in range(len(values)):
        reached = [start] if rooms[start] is None else []
        while reached:
            cell = reached.pop()
            rooms[cell] = start
            reached += [other for other in ways[cell] if rooms[other] is None]
    return rooms


def divided(shape, names, number):
    """The shape with the regions of its own map."""
    regions = {}
    for cell, name in enumerate(names):
        regions.setdefault(name, []).append(cell)
    if any(len(cells) != shape["order"] for cells in regions.values()):
        raise BadInput("grid %d: a region has not %d cells" % (number, shape["order"]))
    houses = [("region %d" % place, cells) for place, cells in enumerate(regions.values(), 1)]
    return {**shape, "houses": shape["houses"] + houses}


def comes_to(values, operation, target):
    if operation == "sum":
        return sum(values) == target
    if operation == "product":
        product = 1
        for value in values:
            product *= value
        return product == target
    if operation == "difference":
        return max(values) - min(values) == target
    return max(values) == target * min(values)
