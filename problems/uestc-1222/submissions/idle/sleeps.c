// Reads the input and sleeps for an hour: ILE, stopped by the wall clock.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    while (getchar() != EOF) continue;
    sleep(3600);
}
