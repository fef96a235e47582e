/* Lets the compiler compare the arguments of a function like printf() with its format. */
#ifndef NSDS_SRC_PRINTF_H
#define NSDS_SRC_PRINTF_H

#if defined(__GNUC__)
#define NSDS_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define NSDS_PRINTF(a, b)
#endif

#endif
