/* A circuit as it is read: elements between nodes, subcircuits expanded. */
#ifndef NSDS_RUN_ELEMENTS_H
#define NSDS_RUN_ELEMENTS_H

#include "base/text/names.h"
#include "run/circuit/netlist.h"
#include "run/circuit/wave.h"

/* Voltage and current of an element: which of the two it sets, whatever the other is. */
typedef enum nsds_element_sets {
  NSDS_SETS_NEITHER,
  NSDS_SETS_VOLTAGE,
  NSDS_SETS_CURRENT,
  NSDS_SETS_ONE_WAY /* neither, and conducts from n+ to n- alone */
} nsds_element_sets;

/* The energy that an element takes, by where it goes. */
typedef enum nsds_element_energy {
  NSDS_ENERGY_DISSIPATED,
  NSDS_ENERGY_STORED,
  NSDS_ENERGY_GIVEN, /* a source */
  NSDS_ENERGY_PASSED /* to a second winding */
} nsds_element_energy;

/* The kinds: X(KIND, words of the balance, what it sets, what becomes of its energy).
 *
 *   E, F, G, H   voltage by voltage, current by current, current by voltage, voltage by current
 *   DIODE        ideal: v <= drop + resistance i, i >= 0
 *   JUNCTION     i = saturation (exp(v / thermal) - 1); v is that of the junction
 *   SWITCH       a resistance, or no current
 *   TRANSFORMER  v1 = ratio v2, i2 = -ratio i1 */
#define NSDS_ELEMENT_KINDS(X)                                                                      \
  X(RESISTOR, "resistor", NEITHER, DISSIPATED)                                                     \
  X(CAPACITOR, "capacitor", NEITHER, STORED)                                                       \
  X(INDUCTOR, "inductor", NEITHER, STORED)                                                         \
  X(VOLTAGE, "voltage source", VOLTAGE, GIVEN)                                                     \
  X(CURRENT, "current source", CURRENT, GIVEN)                                                     \
  X(E, "controlled source", VOLTAGE, GIVEN)                                                        \
  X(F, "controlled source", CURRENT, GIVEN)                                                        \
  X(G, "controlled source", CURRENT, GIVEN)                                                        \
  X(H, "controlled source", VOLTAGE, GIVEN)                                                        \
  X(DIODE, "diode", ONE_WAY, DISSIPATED)                                                           \
  X(JUNCTION, "diode", ONE_WAY, DISSIPATED)                                                        \
  X(SWITCH, "switch", NEITHER, DISSIPATED)                                                         \
  X(TRANSFORMER, "transformer", NEITHER, PASSED)

typedef enum nsds_element_kind {
#define NSDS_KIND_OF(kind, words, sets, energy) NSDS_ELEMENT_##kind,
  NSDS_ELEMENT_KINDS(NSDS_KIND_OF)
#undef NSDS_KIND_OF
} nsds_element_kind;

typedef enum nsds_switch_kind {
  NSDS_SWITCH_PLAIN,
  NSDS_SWITCH_TRANSISTOR, /* with a diode from n- to n+ */
  NSDS_SWITCH_THYRISTOR   /* conducts from n+ to n-, once fired, until its current is zero */
} nsds_switch_kind;

typedef struct nsds_element {
  nsds_element_kind kind;
  const char *name;
  nsds_place place;
  int node[4];  /* n+, n-, control or second winding; -1: ground */
  double value; /* resistance, capacitance, inductance, gain, ratio; on-resistance of D and S */
  double drop;  /* D: forward voltage [V] */
  double saturation;       /* junction: current [A] */
  double thermal;          /* junction: emission coefficient times thermal voltage [V] */
  double initial;          /* C: voltage, L: current; NaN: not given */
  double leak;             /* D, S: conductance when open [S] */
  double threshold, width; /* S: closes above threshold + width, opens below threshold - width */
  nsds_switch_kind type;   /* S */
  bool closed;             /* S: at the start */
  int wave;                /* V, I, S driven by time: number of the waveform; -1 */
  int control;             /* F, H, S by current: element; -1 */
  int twin;                /* D with breakdown: the element of the reverse direction, -1 */
} nsds_element;

typedef struct nsds_element_traits {
  const char *words;
  nsds_element_sets sets;
  nsds_element_energy energy;
} nsds_element_traits;
extern const nsds_element_traits nsds_element_traits_of[]; /* by kinds */

static inline bool nsds_element_does_set(const nsds_element *e, nsds_element_sets what) {
  return nsds_element_traits_of[e->kind].sets == what;
}
static inline bool nsds_element_has_second(const nsds_element *e) {
  return nsds_element_traits_of[e->kind].energy == NSDS_ENERGY_PASSED;
}

/* Two inductors and their coupling. */
typedef struct nsds_coupling {
  int first, second; /* elements */
  double k;
  nsds_place place;
} nsds_coupling;

/* An output: v(a,b), i(element) or p(element). */
typedef struct nsds_probe {
  char what; /* 'v', 'i' or 'p' */
  int a, b;  /* nodes, -1: ground; or the element */
} nsds_probe;

typedef struct nsds_node_value {
  int node;
  double value;
  nsds_place place;
} nsds_node_value;

static const double nsds_leak_unsaid = -1.0;
static const double nsds_leak_most = 1e-9; /* [S] */

/* Analysis and options. */
typedef struct nsds_analysis {
  bool given; /* .tran */
  nsds_place place;
  double step, end, start, largest; /* tstep, tstop, tstart, tmax [s]; 0: not given */
  bool from_initial;                /* uic */
  /* In a model: no .tran is needed, and the diodes of transistors are elements of their own. */
  bool embedded;
  bool ideal;  /* no leaks and no least resistance, unless the netlist gives them */
  double leak; /* conductance of open ideal elements [S]; nsds_leak_unsaid until chosen */
  double least_resistance; /* of closed ideal elements [Ohm] */
  double temperature;      /* [degrees Celsius] */
  int locate;              /* 1: events are located, 0: not, -1: by size */
  double tolerance;        /* of the error of a step, relative; 0: steps are equal */
} nsds_analysis;

typedef struct nsds_elements {
  nsds_netlist *netlist;
  nsds_names node;     /* names of nodes but the ground */
  nsds_names name;     /* names of elements, by number */
  nsds_names doubtful; /* words of refused cards: who names them is not at fault */
  int count, capacity;
  nsds_element *item;
  int nwave, wave_capacity;
  nsds_wave *wave;
  int ncoupling, coupling_capacity;
  nsds_coupling *coupling;
  int nstart, start_capacity;
  nsds_node_value *start; /* .ic */
  int nprobe, probe_capacity;
  nsds_probe *probe; /* of the columns behind t, then of the measures */
  int ncolumn;       /* probes that are columns */
  int ninstance;     /* subcircuits expanded so far */
  nsds_analysis analysis;
} nsds_elements;

/* Adds a node unless it is there. Gives its number, -1 for the ground. */
nsds_status nsds_elements_node(nsds_elements *elements, const char *name, int *node);
const char *nsds_elements_node_name(const nsds_elements *elements, int node);

/* Takes an element, whose name it copies. */
nsds_status nsds_elements_add(nsds_elements *elements, const nsds_element *element,
                              const char *name);
/* Keeps the words of a refused card, with a prefix. */
nsds_status nsds_elements_doubt(nsds_elements *elements, const char *prefix, const nsds_card *card);
/* Tells if a name, or an instance that it begins with, is a word of a refused card. */
bool nsds_elements_are_doubtful(const nsds_elements *elements, const char *name);

nsds_status nsds_elements_add_wave(nsds_elements *elements, const nsds_wave *wave, int *number);
nsds_status nsds_elements_add_probe(nsds_elements *elements, nsds_probe probe);
void nsds_elements_free(nsds_elements *elements);

#endif
