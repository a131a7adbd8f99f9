// Prints the same valid grid for every input: WA, because it overwrites the clues.
#include <stdio.h>

int main(void) {
    for (int row = 0; row < 9; row++) {
        int shift = row * 3 % 9 + row / 3;
        for (int column = 0; column < 9; column++) {
            printf("%d%c", (column + shift) % 9 + 1, column == 8 ? '\n' : ' ');
        }
    }
}
