/* Lets a Python program say between which two steps callgrind counts (bench.h); ctypes loads it. */
#include "../bench.h"

void bench_python_begin(void);
void bench_python_end(void);

void bench_python_begin(void) { bench_count_begin(); }
void bench_python_end(void) { bench_count_end(); }
