# Keeps every mebibyte it ever filled: MLE. In Python, whose time limit is longer: where pages are slow to
# come by, a C program may need more than a second for the 512 MiB.
hoard = []
while True:
    hoard.append(b"9" * (1 << 20))
