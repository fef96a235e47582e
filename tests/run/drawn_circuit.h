/* Drawn netlists that run: elements of many kinds between drawn nodes. */
#ifndef NSDS_TESTS_DRAWN_CIRCUIT_H
#define NSDS_TESTS_DRAWN_CIRCUIT_H

#include <stddef.h>
#include <stdint.h>

typedef struct drawing {
  char text[6000];
  size_t size;
} drawing;

/* Begins the row of numbers with this number. */
void begin_drawing(uint64_t number);
double uniform(double low, double high);
int below(int n);
double logarithmic(double low, double high);

/* Adds to the text. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void put(drawing *d, const char *format, ...);

/* Draws netlist `number`. A tree of resistors ties all nodes together; elements of all kinds come on top. */
void draw_netlist(drawing *d, uint64_t number);

#endif
