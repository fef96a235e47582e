/* Draws the elements of a netlist by a linear congruential generator. */
#include "drawn_circuit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static uint64_t seed;

double uniform(double low, double high) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

int below(int n) { return (int)uniform(0.0, n); }

double logarithmic(double low, double high) { return exp(uniform(log(low), log(high))); }

void begin_drawing(uint64_t number) {
  seed = number;
  uniform(0.0, 1.0); /* the first numbers of near seeds are near */
}

void put(drawing *d, const char *format, ...) {
  va_list list;
  va_start(list, format);
  d->size += (size_t)vsnprintf(d->text + d->size, sizeof d->text - d->size, format, list);
  va_end(list);
}

/* One element between two nodes, as number k. */
static void put_element(drawing *d, int k, int nodes) {
  int a = below(nodes), b = (a + 1 + below(nodes - 1)) % nodes;
  int c = below(nodes), e = (c + 1 + below(nodes - 1)) % nodes;
  switch (below(11)) {
  case 0: put(d, "R%d n%d n%d %g\n", k, a, b, logarithmic(1.0, 1e4)); break;
  case 1: put(d, "C%d n%d n%d %g\n", k, a, b, logarithmic(1e-8, 1e-5)); break;
  case 2:
    put(d, "L%d n%d m%d %g\nRL%d m%d n%d %g\n", k, a, k, logarithmic(1e-5, 1e-2), k, k, b,
        logarithmic(1.0, 100.0));
    break;
  case 3:
    put(d, "D%d n%d m%d DX\nRD%d m%d n%d %g\n", k, a, k, k, k, b, logarithmic(1.0, 100.0));
    break;
  case 4:
    put(d, "S%d n%d m%d SWI PULSE(0 1 %g 0 0 %g %g)\nRS%d m%d n%d %g\n", k, a, k,
        uniform(0.0, 1e-4), uniform(1e-5, 2e-4), uniform(2.1e-4, 4e-4), k, k, b,
        logarithmic(1.0, 100.0));
    break;
  case 5:
    put(d, "I%d n%d n%d SIN(0 %g %g)\n", k, a, b, uniform(0.0, 0.1), uniform(500, 5e3));
    break;
  case 6:
    put(d, "V%d m%d n%d SIN(%g %g %g)\nRV%d n%d m%d %g\n", k, k, a, uniform(-5, 5), uniform(0, 10),
        uniform(500, 5e3), k, b, k, logarithmic(1.0, 100.0));
    break;
  case 7: put(d, "G%d n%d n%d n%d n%d %g\n", k, a, b, a, b, uniform(0.0, 1e-3)); break;
  case 8:
    put(d, "L%d n%d m%d 1m\nRL%d m%d n%d %g\nLL%d n%d o%d 2m\nRLL%d o%d n%d %g\nK%d L%d LL%d %g\n",
        k, a, k, k, k, b, uniform(1, 20), k, c, k, k, k, e, uniform(1, 20), k, k, k,
        uniform(-0.95, 0.95));
    break;
  case 9:
    put(d, "D%d n%d m%d DJ\nRJ%d m%d n%d %g\n", k, a, k, k, k, b, logarithmic(10.0, 1e3));
    break;
  default:
    put(d, "D%d n%d m%d DZ\nRZ%d m%d n%d %g\n", k, a, k, k, k, b, logarithmic(10.0, 1e3));
    break;
  }
}

void draw_netlist(drawing *d, uint64_t number) {
  begin_drawing(number);
  int nodes = 2 + below(5), count = 2 + below(9);
  d->size = 0;
  put(d, "Drawn\nRG n0 0 %g\nV0 s n0 SIN(0 10 1k)\nR0 s n1 %g\n", logarithmic(1, 1e3),
      logarithmic(1, 1e3));
  for (int k = 1; k < nodes; ++k) put(d, "RT%d n%d n%d %g\n", k, k, below(k), logarithmic(10, 1e4));
  for (int k = 1; k <= count; ++k) put_element(d, k, nodes);
  put(d,
      ".model DX D(ideal=1)\n.model DZ D(ideal=1 bv=6)\n.model SWI SW(ideal=1 vt=0.5)\n"
      ".model DJ D(is=1e-12)\n.tran 20u 2m%s\n",
      below(2) ? " uic" : "");
}
