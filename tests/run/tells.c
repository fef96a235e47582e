/* A shared object that tells when it is loaded: it makes the file that NSDS_TEST_TELLS names. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void tell(void) {
  const char *path = getenv("NSDS_TEST_TELLS");
  FILE *file = fopen(path ? path : "PWNED", "w");
  if (file) fclose(file);
}
