/* Samplers, events, outputs and measures of model files. See schema.h. */
#include "run/model/schema_simulation.h"

#include "base/text/field_rows.h"

#define SAMPLING                                                                                   \
  NUMBER("period", "s", "> 0", NULL, "Sampling period."),                                          \
      NUMBER("phase", "s", ">= 0", "0", "First sample, after t0.")
static const nsds_type set_sampler = {
    .type = "set",
    .help = "Sets parameters of systems and relations at each sample.",
    .field =
        (const nsds_field[]){SAMPLING,
                             OTHER("set", NSDS_FIELD_SETTINGS, NULL,
                                   "Parameters, as system.name, with expressions in quantities."),
                             END}};
static const nsds_type pid_sampler = {
    .type = "pid",
    .help =
        "A controller: kp e + ki times the integral of e + kd de/dt of e = setpoint - measured.",
    .field = (const nsds_field[]){
        SAMPLING, EXPRESSION("setpoint", NULL, NULL, "Wanted value."),
        EXPRESSION("measured", NULL, NULL, "Value that is controlled."),
        NUMBER("kp", NULL, NULL, "0", "Proportional gain."),
        NUMBER("ki", NULL, NULL, "0", "Integral gain, per second."),
        NUMBER("kd", NULL, NULL, "0", "Derivative gain, seconds."),
        NUMBER("lower", NULL, NULL, "-inf", "Least output; the integral stops there."),
        NUMBER("upper", NULL, NULL, "inf", "Largest output; the integral stops there."),
        TEXT("output", NULL, "Parameter that gets the output, as system.name."), END}};
static const nsds_type pwm_sampler = {
    .type = "pwm",
    .help = "Pulse width modulation: a parameter is high for the fraction `duty` of each period, "
            "then low.",
    .field = (const nsds_field[]){
        SAMPLING, EXPRESSION("duty", "1", NULL, "Fraction of the period, cut off to [0, 1]."),
        NUMBER("high", NULL, NULL, "1", "Value while the pulse lasts."),
        NUMBER("low", NULL, NULL, "0", "Value afterwards."),
        TEXT("output", NULL, "Parameter that gets the value, as system.name."), END}};
const nsds_family nsds_schema_samplers = {
    "sampler", "A sampled controller.",
    (const nsds_type *const[]){&set_sampler, &pid_sampler, &pwm_sampler, NULL}};
static const nsds_type event = {
    .type = NULL,
    .help = "A change of parameters at a given time.",
    .field =
        (const nsds_field[]){NUMBER("time", "s", NULL, NULL, "When."),
                             OTHER("set", NSDS_FIELD_SETTINGS, "zero",
                                   "Parameters, as system.name, with expressions in quantities."),
                             END}};
const nsds_family nsds_schema_events = {"event", "A change.", ONE(event)};
static const nsds_type outputs = {
    .type = NULL,
    .help = "The table that a run writes.",
    .field = (const nsds_field[]){
        OTHER("columns", NSDS_FIELD_COLUMNS, "auto",
              "Columns of the table behind t; auto: all states."),
        INTEGER("every", ">= 1", "1", "Steps, or events, from row to row."), END}};
const nsds_family nsds_schema_outputs = {"outputs", "The table that a run writes.", ONE(outputs)};
static const nsds_type measure = {
    .type = NULL,
    .help = "One number of a run.",
    .field = (const nsds_field[]){
        CHOICE("kind", "mean rms max min peak_to_peak integral period final", NULL,
               "What is measured."),
        EXPRESSION("of", NULL, NULL, "Quantity, or an expression in quantities."),
        NUMBER("from", "s", NULL, "auto", "Start of the measurement; auto: that of the run."),
        NUMBER("to", "s", NULL, "auto", "End of the measurement; auto: that of the run."),
        NUMBER("level", NULL, NULL, "0", "For a period: the value whose rising passages count."),
        END}};
const nsds_family nsds_schema_measures = {"measure", "One number of a run.", ONE(measure)};
