

# --- judging an input ----------------------------------------------------------------------------------------------------------


def main():
    try:
        read_input(sys.stdin.buffer.read())
    except BadInput as error:
        print(error)
        sys.exit(43)
    sys.exit(42)


main()
