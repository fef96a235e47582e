/* Cards of elements by their first letter: nodes, then a value, a waveform or a model. */
#include "run/circuit/read_element.h"

#include "run/circuit/read_model.h"
#include "run/circuit/read_wave.h"
#include "base/text/suffix.h"
#include "base/text/words.h"

#include <math.h>
#include <string.h>

static const double boltzmann_over_charge = 8.617333262e-5; /* V / K */

static nsds_status element_refuse(const nsds_cursor *c, const char *why) {
  return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c), "%.60s: %s",
                             c->card->token[0].text, why);
}

static nsds_status add_element(const nsds_cursor *c, const nsds_element *element,
                               const char *ending) {
  char *name = nsds_make_word(nsds_cursor_netlist(c)->job->context, "%s%s%s", c->instance->prefix,
                              c->card->token[0].text, ending);
  if (!name) return NSDS_ERROR_MEMORY;
  nsds_status status = nsds_elements_add(c->instance->elements, element, name);
  nsds_free(name);
  return status;
}

static nsds_element new_element(const nsds_cursor *c, nsds_element_kind kind) {
  return (nsds_element){.kind = kind,
                        .place = c->card->token[0].place,
                        .node = {-1, -1, -1, -1},
                        .initial = NAN,
                        .wave = -1,
                        .control = -1,
                        .twin = -1};
}

static nsds_status read_nodes(nsds_cursor *c, int count, nsds_element *element) {
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < count; ++k) status = nsds_cursor_node(c, &element->node[k]);
  return status;
}

/* Warns of 1M for a resistance and of 1F for a capacitance: SPICE reads milli and femto. Small
 * letters are as usual. */
static nsds_status warn_of_suffix(const nsds_cursor *c, const nsds_token *value,
                                  nsds_element_kind kind) {
  bool resistor = kind == NSDS_ELEMENT_RESISTOR;
  const char *as_written = value->as_written;
  double number;
  if (value->kind != NSDS_TOKEN_WORD || !as_written || !nsds_number_of(value->text, &number))
    return NSDS_OK;
  const char *letters = nsds_number_letters(value->text);
  char first = as_written[letters - value->text];
  bool meant = resistor ? first == 'M' && strncmp(letters, "meg", 3) != 0
                        : first == 'F' && kind == NSDS_ELEMENT_CAPACITOR;
  if (!meant) return NSDS_OK;
  return nsds_netlist_warn(nsds_cursor_netlist(c), value->place,
                           resistor ? "%.60s: %.30s is %g ohm: M is milli, as m is; 1e6 is MEG"
                                    : "%.60s: %.30s is %g F: F is femto; leave the unit out",
                           c->card->token[0].text, as_written, number);
}

/* R, C, L. */
static nsds_status read_two_pole(nsds_cursor *c, nsds_element_kind kind, const char *what,
                                 const char *name) {
  nsds_element element = new_element(c, kind);
  nsds_status status = read_nodes(c, 2, &element);
  nsds_cursor_takes_name(c, name);
  if (!status && kind != NSDS_ELEMENT_RESISTOR && nsds_card_has(c->card, c->at, "ic"))
    return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c),
                               "%.60s: %s is missing before IC=; give two nodes, a value, and IC=",
                               c->card->token[0].text, what);
  int at = c->at;
  if (!status)
    status = nsds_cursor_positive(c, what, kind == NSDS_ELEMENT_RESISTOR, &element.value);
  if (!status) status = warn_of_suffix(c, &c->card->token[at], kind);
  if (!status && kind != NSDS_ELEMENT_RESISTOR && nsds_cursor_takes_name(c, "ic"))
    status = nsds_cursor_value(c, "IC", &element.initial);
  if (!status) status = nsds_cursor_end(c);
  return status ? status : add_element(c, &element, "");
}

static nsds_status read_source(nsds_cursor *c, nsds_element_kind kind) {
  nsds_element element = new_element(c, kind);
  nsds_status status = read_nodes(c, 2, &element);
  if (!status) status = nsds_wave_read(c, &element.wave);
  if (!status) status = nsds_cursor_end(c);
  return status ? status : add_element(c, &element, "");
}

/* E and G. */
static nsds_status read_by_voltage(nsds_cursor *c, nsds_element_kind kind) {
  nsds_element element = new_element(c, kind);
  nsds_status status = read_nodes(c, 2, &element);
  if (!status && (nsds_card_has(c->card, c->at, "poly") || nsds_card_has(c->card, c->at, "value") ||
                  nsds_card_has(c->card, c->at, "vol")))
    return element_refuse(
        c, "a controlled source has two more nodes and a gain; POLY and formulas are not read");
  for (int k = 2; !status && k < 4; ++k) status = nsds_cursor_node(c, &element.node[k]);
  if (!status) status = nsds_cursor_value(c, "the gain", &element.value);
  if (!status) status = nsds_cursor_end(c);
  return status ? status : add_element(c, &element, "");
}

/* Elements whose current is an unknown can control others. */
static bool has_current(const nsds_element *element) {
  return element->kind == NSDS_ELEMENT_VOLTAGE || element->kind == NSDS_ELEMENT_INDUCTOR ||
         element->kind == NSDS_ELEMENT_E || element->kind == NSDS_ELEMENT_H;
}

static nsds_status read_control(nsds_cursor *c, int *control) {
  nsds_cursor before = *c;
  nsds_status status = nsds_cursor_element(c, control);
  if (status || has_current(&c->instance->elements->item[*control])) return status;
  return element_refuse(&before, "the current that controls must be that of a V, L, E or H");
}

/* F and H. */
static nsds_status read_by_current(nsds_cursor *c, nsds_element_kind kind) {
  nsds_element element = new_element(c, kind);
  nsds_status status = read_nodes(c, 2, &element);
  if (!status) status = read_control(c, &element.control);
  if (!status) status = nsds_cursor_value(c, "the gain", &element.value);
  if (!status) status = nsds_cursor_end(c);
  return status ? status : add_element(c, &element, "");
}

static nsds_status read_coupling(nsds_cursor *c) {
  nsds_elements *elements = c->instance->elements;
  nsds_coupling coupling = {.place = c->card->token[0].place};
  int *end[] = {&coupling.first, &coupling.second};
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < 2; ++k) {
    nsds_cursor before = *c;
    status = nsds_cursor_element(c, end[k]);
    if (!status && elements->item[*end[k]].kind != NSDS_ELEMENT_INDUCTOR)
      return element_refuse(&before, "a coupling names two inductors");
  }
  if (!status && coupling.first == coupling.second)
    return element_refuse(c, "an inductor is coupled to itself");
  nsds_cursor before = *c;
  if (!status) status = nsds_cursor_value(c, "the coupling", &coupling.k);
  if (!status && !(fabs(coupling.k) <= 1.0))
    return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(&before),
                               "%.60s: the coupling is %g, must be from -1 to 1",
                               c->card->token[0].text, coupling.k);
  if (!status) status = nsds_cursor_end(c);
  if (status) return status;
  if (nsds_room(elements->netlist->job->context, &elements->coupling, &elements->coupling_capacity,
                elements->ncoupling + 1, sizeof *elements->coupling))
    return NSDS_ERROR_MEMORY;
  elements->coupling[elements->ncoupling++] = coupling;
  return NSDS_OK;
}

/* An ideal diode from a to b beside the element that is being read. */
static nsds_status add_diode(const nsds_cursor *c, int a, int b, double drop, double on,
                             const char *ending) {
  const nsds_analysis *analysis = &c->instance->elements->analysis;
  nsds_element element = new_element(c, NSDS_ELEMENT_DIODE);
  element.node[0] = a, element.node[1] = b;
  element.drop = drop;
  element.value = fmax(on, analysis->least_resistance);
  return add_element(c, &element, ending);
}

static nsds_status read_diode(nsds_cursor *c) {
  const nsds_analysis *analysis = &c->instance->elements->analysis;
  nsds_device device = {0};
  nsds_element element = new_element(c, NSDS_ELEMENT_DIODE);
  double area = 1.0;
  nsds_status status = read_nodes(c, 2, &element);
  if (!status) status = nsds_device_read(c, NSDS_DEVICE_DIODE, &device);
  if (!status && !nsds_cursor_ended(c)) {
    nsds_cursor_takes_name(c, "area");
    status = nsds_cursor_positive(c, "the area", false, &area);
  }
  if (!status) status = nsds_cursor_end(c);
  if (status) return status;
  element.leak = analysis->leak;
  element.drop = device.drop;
  element.value = device.ideal ? fmax(device.on, analysis->least_resistance) : device.series / area;
  if (!device.ideal) {
    element.kind = NSDS_ELEMENT_JUNCTION;
    element.saturation = device.saturation * area;
    element.thermal = device.emission * boltzmann_over_charge * (analysis->temperature + 273.15);
  }
  if (device.breakdown > 0.0) element.twin = c->instance->elements->count + 1;
  status = add_element(c, &element, "");
  if (status || device.breakdown == 0.0) return status;
  double series = device.ideal ? device.on : device.series / area;
  return add_diode(c, element.node[1], element.node[0], device.breakdown, series, ".bv");
}

/* "ON" or "OFF" at the end of a switch. */
static void read_position(nsds_cursor *c, nsds_element *element) {
  if (nsds_cursor_takes(c, "on")) element->closed = true;
  else nsds_cursor_takes(c, "off");
}

static nsds_status add_switch(nsds_cursor *c, nsds_element *element, const nsds_device *device) {
  const nsds_analysis *analysis = &c->instance->elements->analysis;
  read_position(c, element);
  nsds_status status = nsds_cursor_end(c);
  if (status) return status;
  double diode_on = device->diode_on < 0.0 ? device->on : device->diode_on;
  bool apart =
      device->type == NSDS_SWITCH_TRANSISTOR && (device->drop > 0.0 || diode_on != device->on);
  element->type = apart ? NSDS_SWITCH_PLAIN : device->type;
  element->value = fmax(device->on, analysis->least_resistance);
  element->leak = device->off > 0.0 ? 1.0 / device->off : analysis->leak;
  element->threshold = device->threshold;
  element->width = device->width;
  if (device->type == NSDS_SWITCH_THYRISTOR) element->drop = device->drop;
  if (apart) element->twin = c->instance->elements->count + 1;
  status = add_element(c, element, "");
  if (status || !apart) return status;
  return add_diode(c, element->node[1], element->node[0], device->drop, diode_on, ".diode");
}

/* S n+ n- nc+ nc- MODEL [ON|OFF], or S n+ n- MODEL WAVEFORM [ON|OFF]. */
static nsds_status read_switch(nsds_cursor *c) {
  nsds_device device = {0};
  nsds_element element = new_element(c, NSDS_ELEMENT_SWITCH);
  nsds_status status = read_nodes(c, 2, &element);
  nsds_cursor behind = *c;
  ++behind.at;
  bool driven = !status && (nsds_wave_begins(&behind) || nsds_card_has(c->card, behind.at, "dc")) &&
                (nsds_device_follows(c) || nsds_card_has(c->card, behind.at + 1, "("));
  for (int k = 2; !status && !driven && k < 4; ++k) status = nsds_cursor_node(c, &element.node[k]);
  if (!status) status = nsds_device_read(c, NSDS_DEVICE_SWITCH, &device);
  if (!status && device.by_current)
    return element_refuse(c, "a CSW is for W, which names a source");
  if (!status && driven) status = nsds_wave_read(c, &element.wave);
  return status ? status : add_switch(c, &element, &device);
}

/* W n+ n- ELEMENT MODEL [ON|OFF]. */
static nsds_status read_current_switch(nsds_cursor *c) {
  nsds_device device = {0};
  nsds_element element = new_element(c, NSDS_ELEMENT_SWITCH);
  nsds_status status = read_nodes(c, 2, &element);
  if (!status) status = read_control(c, &element.control);
  if (!status) status = nsds_device_read(c, NSDS_DEVICE_SWITCH, &device);
  return status ? status : add_switch(c, &element, &device);
}

/* T p+ p- s+ s- N=ratio. */
static nsds_status read_transformer(nsds_cursor *c) {
  nsds_element element = new_element(c, NSDS_ELEMENT_TRANSFORMER);
  nsds_status status = read_nodes(c, 4, &element);
  if (status) return status;
  if (nsds_card_has(c->card, c->at, "z0") || nsds_card_has(c->card, c->at, "td"))
    return element_refuse(c,
                          "T is an ideal transformer, T p+ p- s+ s- N=ratio; lines are not read");
  nsds_cursor_takes_name(c, "n");
  status = nsds_cursor_positive(c, "the ratio", false, &element.value);
  if (!status) status = nsds_cursor_end(c);
  return status ? status : add_element(c, &element, "");
}

static nsds_status read_early(nsds_cursor *c, char letter) {
  switch (letter) {
  case 'r': return read_two_pole(c, NSDS_ELEMENT_RESISTOR, "the resistance", "r");
  case 'c': return read_two_pole(c, NSDS_ELEMENT_CAPACITOR, "the capacitance", "c");
  case 'l': return read_two_pole(c, NSDS_ELEMENT_INDUCTOR, "the inductance", "l");
  case 'v': return read_source(c, NSDS_ELEMENT_VOLTAGE);
  case 'i': return read_source(c, NSDS_ELEMENT_CURRENT);
  case 'e': return read_by_voltage(c, NSDS_ELEMENT_E);
  case 'g': return read_by_voltage(c, NSDS_ELEMENT_G);
  case 'd': return read_diode(c);
  case 's': return read_switch(c);
  case 't': return read_transformer(c);
  default: return element_refuse(c, "no such element; known are R C L K V I E F G H D S W T X");
  }
}

nsds_status nsds_element_read(const nsds_instance *instance, const nsds_card *card, bool late) {
  nsds_cursor c = {.instance = instance, .card = card, .at = 1};
  if (card->token[0].kind != NSDS_TOKEN_WORD)
    return late ? NSDS_OK
                : nsds_netlist_refuse(instance->elements->netlist, card->token[0].place,
                                      "an element or a directive should be here, not \"%.60s\"",
                                      card->token[0].text);
  char letter = card->token[0].text[0];
  bool is_late = strchr("fhkw", letter) != NULL;
  if (is_late != late) return NSDS_OK;
  if (letter == 'f') return read_by_current(&c, NSDS_ELEMENT_F);
  if (letter == 'h') return read_by_current(&c, NSDS_ELEMENT_H);
  if (letter == 'k') return read_coupling(&c);
  if (letter == 'w') return read_current_switch(&c);
  return read_early(&c, letter);
}
