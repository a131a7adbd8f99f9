

# --- judging an input ----------------------------------------------------------------------------------------------------------


def main():
    text = sys.stdin.buffer.read()
    for odd in NOT_IN_INPUTS:
        if odd in b"\n" + text + (b"\1" if text.endswith(b"\n") else b"\0"):
            print("white space that no input of the problem has: %r" % odd)
            sys.exit(43)
    try:
        read_input(text)
    except BadInput as error:
        print(error)
        sys.exit(43)
    sys.exit(42)


main()
