/* A circuit as it is read: elements between nodes, subcircuits expanded. */
#ifndef NSDS_RUN_ELEMENTS_H
#define NSDS_RUN_ELEMENTS_H

#include "base/text/names.h"
#include "run/circuit/netlist.h"
#include "run/circuit/wave.h"

typedef enum nsds_element_kind {
  NSDS_ELEMENT_RESISTOR,
  NSDS_ELEMENT_CAPACITOR,
  NSDS_ELEMENT_INDUCTOR,
  NSDS_ELEMENT_VOLTAGE,    /* V */
  NSDS_ELEMENT_CURRENT,    /* I */
  NSDS_ELEMENT_E,          /* voltage by voltage */
  NSDS_ELEMENT_F,          /* current by current */
  NSDS_ELEMENT_G,          /* current by voltage */
  NSDS_ELEMENT_H,          /* voltage by current */
  NSDS_ELEMENT_DIODE,      /* ideal: v <= drop + resistance i, i >= 0 */
  NSDS_ELEMENT_JUNCTION,   /* i = saturation (exp(v / thermal) - 1); v is that of the junction */
  NSDS_ELEMENT_SWITCH,     /* a resistance, or no current */
  NSDS_ELEMENT_TRANSFORMER /* v1 = ratio v2, i2 = -ratio i1 */
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
