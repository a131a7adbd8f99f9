/* Wrong: gives each row the symbols that it lacks, and never looks at columns and boxes. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char row[5];
    if (scanf("%*d") != 0)
        return 1;
    while (scanf("%4s", row) == 1) {
        char missing = '1';
        for (int column = 0; column < 4; column++) {
            if (row[column] == '0') {
                while (strchr(row, missing))
                    missing++;
                row[column] = missing;
            }
        }
        puts(row);
    }
    return 0;
}
