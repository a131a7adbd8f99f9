// Reads from a pipe that only it could write to: ILE, it waits for itself until the wall clock stops it.
#include <unistd.h>

int main(void) {
    int ends[2];
    char byte;
    if (pipe(ends) != 0) return 1;
    return read(ends[0], &byte, 1) == 1 ? 0 : 2;
}
