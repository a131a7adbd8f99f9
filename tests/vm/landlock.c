/* Prints the version of Landlock that the kernel supports; 0 if it has none or if it is disabled. */
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    /* landlock_create_ruleset(NULL, 0, LANDLOCK_CREATE_RULESET_VERSION); the headers may be older than the call. */
    long version = syscall(444, NULL, 0, 1);
    printf("%ld\n", version < 0 ? 0 : version);
    return 0;
}
