/*
 * .model NAME TYPE(PARAMETER=VALUE ...). Types: D, SW, CSW of SPICE; TRANSISTOR and THYRISTOR, for
 * S and W like SW and CSW. Parameters of SPICE that mean nothing here (capacitances, temperature)
 * are warned about.
 */
#include "run/circuit/read_model.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { of_diode = 1, of_switch = 2, of_transistor = 4 };

/* Place of a parameter, and the types that have it. */
static const struct {
  const char *name;
  unsigned types;
  size_t place;
  double least; /* valid from here on */
} parameters[] = {
    {"is", of_diode, offsetof(nsds_device, saturation), 1e-300},
    {"n", of_diode, offsetof(nsds_device, emission), 1e-6},
    {"rs", of_diode, offsetof(nsds_device, series), 0.0},
    {"bv", of_diode, offsetof(nsds_device, breakdown), 0.0},
    {"vf", of_diode | of_transistor, offsetof(nsds_device, drop), 0.0},
    {"ron", of_diode | of_switch, offsetof(nsds_device, on), 0.0},
    {"roff", of_switch, offsetof(nsds_device, off), 1e-300},
    {"vt", of_switch, offsetof(nsds_device, threshold), -INFINITY},
    {"it", of_switch, offsetof(nsds_device, threshold), -INFINITY},
    {"vh", of_switch, offsetof(nsds_device, width), 0.0},
    {"ih", of_switch, offsetof(nsds_device, width), 0.0},
    {"rd", of_transistor, offsetof(nsds_device, diode_on), 0.0},
};

static const struct {
  const char *name;
  nsds_device_kind kind;
  nsds_switch_kind type;
  bool by_current;
  unsigned types;
} types[] = {
    {"d", NSDS_DEVICE_DIODE, NSDS_SWITCH_PLAIN, false, of_diode},
    {"sw", NSDS_DEVICE_SWITCH, NSDS_SWITCH_PLAIN, false, of_switch},
    {"csw", NSDS_DEVICE_SWITCH, NSDS_SWITCH_PLAIN, true, of_switch},
    {"transistor", NSDS_DEVICE_SWITCH, NSDS_SWITCH_TRANSISTOR, false, of_switch | of_transistor},
    {"thyristor", NSDS_DEVICE_SWITCH, NSDS_SWITCH_THYRISTOR, false, of_switch | of_transistor}};

/* Parameters of a diode in SPICE and LTspice that mean nothing here. */
static const char *const unused_parameters[] = {
    "cjo",  "cj0", "cj",   "vj",   "m",    "mj",   "tt",    "eg",   "xti",  "fc",
    "fcs",  "kf",  "af",   "ibv",  "tnom", "tref", "level", "ikf",  "ik",   "ikr",
    "isr",  "nr",  "nbv",  "ibvl", "nbvl", "tikf", "trs",   "trs1", "trs2", "tbv1",
    "tbv2", "tcv", "area", "jsw",  "isw",  "cjp",  "cjsw",  "vjsw", "php",  "mjsw",
    "fcsw", "vp",  "iave", "vpk",  "irms", "ipk",  "diss",  "mfg",  "type"};

static nsds_status model_refuse(const nsds_cursor *c, const char *why) {
  return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c), ".model: \"%.60s\": %s",
                             nsds_cursor_text(c), why);
}

static bool is_unused(const char *name) {
  for (size_t k = 0; k < sizeof unused_parameters / sizeof *unused_parameters; ++k)
    if (strcmp(name, unused_parameters[k]) == 0) return true;
  return false;
}

/* Passes over a parameter that is not used. The value may be any word, such as the name of a
 * maker. */
static nsds_status pass_parameter(nsds_cursor *c) {
  const nsds_token *name = &c->card->token[c->at];
  c->at += 2;
  if (nsds_cursor_ended(c)) return model_refuse(c, "a parameter is name = value");
  ++c->at;
  return nsds_netlist_warn(nsds_cursor_netlist(c), name->place, ".model: %s is not used",
                           name->text);
}

static nsds_status model_refuse_value(const nsds_cursor *c, double value, const char *valid) {
  return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c),
                             ".model: %s: %s is %g, must be %s", nsds_cursor_text(c),
                             nsds_cursor_text(c), value, valid);
}

/* Gives a value to its field. */
static nsds_status take_parameter(nsds_cursor *c, unsigned type, nsds_device *device) {
  const nsds_token *name = &c->card->token[c->at];
  if (!nsds_card_has(c->card, c->at + 1, "="))
    return model_refuse(c, "a parameter is name = value");
  if (type & of_diode && is_unused(name->text)) return pass_parameter(c);
  nsds_cursor value_at = *c;
  value_at.at += 2;
  double value;
  nsds_status status = nsds_cursor_value(&value_at, "the value of a parameter", &value);
  if (status) return status;
  if (strcmp(name->text, "ideal") == 0) {
    if (value != 0.0 && value != 1.0) return model_refuse_value(c, value, "0 or 1");
    device->ideal = value == 1.0;
    c->at = value_at.at;
    return NSDS_OK;
  }
  for (size_t k = 0; k < sizeof parameters / sizeof *parameters; ++k) {
    if (strcmp(name->text, parameters[k].name) != 0 || !(parameters[k].types & type)) continue;
    if (!(value >= parameters[k].least))
      return model_refuse_value(c, value, parameters[k].least > 0.0 ? "> 0" : ">= 0");
    memcpy((char *)device + parameters[k].place, &value, sizeof value);
    c->at = value_at.at;
    return NSDS_OK;
  }
  if (type & of_diode) return model_refuse(c, "known are ideal, vf, ron, is, n, rs and bv");
  return model_refuse(c, type & of_transistor ? "known are ideal, vt, vh, ron, roff, vf and rd"
                                              : "known are ideal, vt, vh, it, ih, ron and roff");
}

/* "ideal" comes first in meaning wherever it stands. */
static bool says_ideal(const nsds_card *card) {
  for (int k = 3; k + 2 < card->count; ++k)
    if (nsds_card_has(card, k, "ideal") && nsds_card_has(card, k + 1, "=")) return true;
  return false;
}

static void default_device(nsds_device *d, bool ideal) {
  bool diode = d->kind == NSDS_DEVICE_DIODE;
  d->saturation = 1e-14;
  d->emission = 1.0;
  d->diode_on = -1.0;
  d->on = ideal || diode || d->type != NSDS_SWITCH_PLAIN ? 0.0 : 1.0;
  d->off = ideal || d->type != NSDS_SWITCH_PLAIN ? 0.0 : 1e12;
}

static nsds_status read_device(nsds_cursor *c, nsds_device *device) {
  const nsds_netlist *netlist = nsds_cursor_netlist(c);
  if (c->card->count < 3 || c->card->token[1].kind != NSDS_TOKEN_WORD ||
      c->card->token[2].kind != NSDS_TOKEN_WORD)
    return nsds_netlist_refuse(netlist, c->card->token[0].place, ".model: give a name and a type");
  c->at = 2;
  size_t t = 0, count = sizeof types / sizeof *types;
  while (t < count && strcmp(types[t].name, c->card->token[2].text) != 0) ++t;
  if (t == count) return model_refuse(c, "known types are D, SW, CSW, TRANSISTOR and THYRISTOR");
  *device = (nsds_device){
      .kind = types[t].kind, .type = types[t].type, .by_current = types[t].by_current};
  default_device(device, says_ideal(c->card));
  c->at = 3;
  bool brackets = nsds_cursor_takes(c, "(");
  nsds_status status = NSDS_OK;
  while (!status && !nsds_cursor_ended(c) && !nsds_card_has(c->card, c->at, ")"))
    if (!nsds_cursor_takes(c, ",")) status = take_parameter(c, types[t].types, device);
  if (status) return status;
  if (brackets && !nsds_cursor_takes(c, ")"))
    return model_refuse(c, "the model is not closed by )");
  return nsds_cursor_end(c);
}

bool nsds_device_follows(const nsds_cursor *c) {
  nsds_scope *owner;
  return !nsds_cursor_ended(c) &&
         nsds_scope_model(c->instance->scope, c->card->token[c->at].text, &owner);
}

nsds_status nsds_device_check(const nsds_instance *instance, const nsds_card *card) {
  nsds_cursor inner = {.instance = instance, .card = card};
  nsds_device device;
  return read_device(&inner, &device);
}

static nsds_status refuse_model_name(const nsds_cursor *c) {
  const char *name = nsds_cursor_text(c), *element = c->card->token[0].text;
  nsds_name_list list;
  nsds_name_list_begin(&list, name);
  nsds_scope_list_models(c->instance->scope, &list);
  if (nsds_cursor_ended(c))
    return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c),
                               "%.60s: give the name of a .model; there are %s", element,
                               list.names);
  return nsds_netlist_refuse(nsds_cursor_netlist(c), nsds_cursor_place(c),
                             "%.60s: there is no .model %.60s%s; there are %s", element, name,
                             list.did_you_mean, list.names);
}

nsds_status nsds_device_read(nsds_cursor *c, nsds_device_kind kind, nsds_device *device) {
  const nsds_netlist *netlist = nsds_cursor_netlist(c);
  nsds_scope *owner = NULL;
  const char *name = nsds_cursor_text(c), *element = c->card->token[0].text;
  const nsds_card *card =
      nsds_cursor_ended(c) ? NULL : nsds_scope_model(c->instance->scope, name, &owner);
  if (!card) return refuse_model_name(c);
  nsds_instance there = *c->instance;
  there.scope = owner;
  nsds_cursor inner = {.instance = &there, .card = card};
  nsds_status status = read_device(&inner, device);
  if (status) return status;
  if (device->kind != kind)
    return nsds_netlist_refuse(
        netlist, nsds_cursor_place(c), "%.60s: the model %.60s is of another kind; it must be %s",
        element, name, kind == NSDS_DEVICE_DIODE ? "D" : "SW, CSW, TRANSISTOR or THYRISTOR");
  ++c->at;
  return NSDS_OK;
}
